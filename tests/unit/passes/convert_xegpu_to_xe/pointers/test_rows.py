"""Block messages of lanes that access neighbouring elements through pointers, against numpy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import DTypeLike, NDArray

import runtime
from runtime import Device, ze
from runtime.ze import ZeError
from tests.unit.passes.convert_xegpu_to_xe.pointers.test_pointers import ABI

ENGINES = pytest.mark.parametrize("engine", ["jit", "interpreter"])
GEP = "llvm.getelementptr"


def module(arguments: str, body: str, *, lanes: int = 16, size: str = "64, 2, 1", variables: str = "") -> str:
    """A kernel of work-groups of a known size; `%n` is the id along x, of 64 bits, `%m` that in the group, of 32."""
    attributes = f"kernel attributes {{known_block_size = array<i32: {size}>, "
    abi = ABI.replace("kernel attributes {", attributes).replace("subgroup_size = 16", f"subgroup_size = {lanes}")
    return f"""
    gpu.module @m {{
      {variables}
      gpu.func @k({arguments}) {abi} {{
        %g = gpu.global_id x
        %n = arith.index_cast %g : index to i64
        %i = gpu.thread_id x
        %m = arith.index_cast %i : index to i32
        %y = gpu.thread_id y
        %row = arith.index_cast %y : index to i64
        {body}
        gpu.return
      }}
    }}"""


def launch(device: Device, text: str, *values: runtime.Value, groups: int = 2) -> None:
    """Launches a kernel with work-groups of 64 x 2 items."""
    device.compile(text)["k"][(groups, 1, 1), (64, 2, 1)](*values)


@pytest.mark.sampled(every=6)
@ENGINES
@pytest.mark.parametrize(("target", "lanes"), [("pvc", 16), ("pvc", 32), ("arc", 8), ("arc", 16), ("arc", 32)])
@pytest.mark.parametrize(
    ("type", "dtype", "count"),
    [
        ("f32", np.float32, 1),
        ("i64", np.int64, 1),
        ("vector<4xi8>", np.int8, 4),
        ("vector<2xi16>", np.int16, 2),
        ("vector<2xf32>", np.float32, 2),
        ("vector<4xi32>", np.int32, 4),
        ("vector<2xi64>", np.int64, 2),
        ("vector<8xi8>", np.int8, 8),
    ],
)
def test_elements(type: str, dtype: DTypeLike, count: int, target: str, lanes: int, engine: str) -> None:
    """Each lane gets its own element, and writes its own, whatever the pointer's distance from its start."""
    text = module(
        "%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %pitch: i64",
        f"""
        %start = arith.muli %row, %pitch : i64
        %at = arith.addi %start, %n : i64
        %a = {GEP} %p[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, {type}
        %b = {GEP} %q[%at] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, {type}
        %c = {GEP} %a[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, {type}
        %x = llvm.load %c {{alignment = {min(8, np.dtype(dtype).itemsize * count)} : i64}} : !llvm.ptr<1> -> {type}
        llvm.store %x, %b {{alignment = {min(8, np.dtype(dtype).itemsize * count)} : i64}} : {type}, !llvm.ptr<1>""",
        lanes=lanes,
    )
    pitch = 131
    source = np.random.default_rng(3).integers(-100, 100, ((2 * pitch + 1) * count)).astype(dtype)
    found: NDArray[np.generic] = np.zeros(2 * pitch * count, dtype)
    launch(Device(target, engine=engine), text, source, found, np.int64(pitch))
    wanted = np.zeros((2, pitch * count), dtype)
    wanted[:, : 128 * count] = source[count:].reshape(2, -1)[:, : 128 * count]
    np.testing.assert_array_equal(found.reshape(2, -1), wanted)


@ENGINES
@pytest.mark.parametrize("target", ["pvc", "arc"])
def test_local_memory_and_loops(target: str, engine: str) -> None:
    """A row of local memory, and a pointer that a loop moves on."""
    text = module(
        "%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %count: i32",
        f"""
        %zero = arith.constant 0 : i32
        %one = arith.constant 1 : i32
        %shared = llvm.mlir.addressof @shared : !llvm.ptr<3>
        %line = {GEP} %shared[%row] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, !llvm.array<268 x i8>
        %own = {GEP} %line[%m] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
        %start = {GEP} inbounds %p[%m] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
        cf.br ^loop(%zero, %start, %zero : i32, !llvm.ptr<1>, i32)
      ^loop(%k: i32, %a: !llvm.ptr<1>, %sum: i32):
        %x = llvm.load %a {{alignment = 4 : i64}} : !llvm.ptr<1> -> i32
        %more = arith.addi %sum, %x : i32
        %b = {GEP} %a[256] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
        %next = arith.addi %k, %one : i32
        %again = arith.cmpi slt, %next, %count : i32
        cf.cond_br %again, ^loop(%next, %b, %more : i32, !llvm.ptr<1>, i32), ^end
      ^end:
        llvm.store %more, %own {{alignment = 4 : i64}} : i32, !llvm.ptr<3>
        gpu.barrier
        %last = arith.constant 63 : i32
        %mirrored = arith.subi %last, %m : i32
        %other = {GEP} %line[%mirrored] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
        %z = llvm.load %other {{alignment = 4 : i64}} : !llvm.ptr<3> -> i32
        %sixty = arith.constant 64 : i64
        %lines = arith.muli %row, %sixty : i64
        %w = {GEP} %q[%lines] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
        %v = {GEP} %w[%m] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
        llvm.store %z, %v {{alignment = 4 : i64}} : i32, !llvm.ptr<1>""",
        variables="llvm.mlir.global internal @shared() {addr_space = 3 : i32} : !llvm.array<134 x i32>",
    )
    source, found = np.arange(64 * 5, dtype=np.int32) ** 2, np.zeros(128, np.int32)
    launch(Device(target, engine=engine), text, source, found, np.int32(5), groups=1)
    wanted = source.reshape(5, 64).sum(0)[::-1]
    np.testing.assert_array_equal(found.reshape(2, 64), [wanted, wanted])


COPY = f"""
        %a = {GEP} inbounds %p[%id] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
        llvm.store %id, %a {{alignment = 4 : i64}} : i32, !llvm.ptr<1>"""


@pytest.mark.parametrize("start", [0, 5, 64, 77])
def test_offsets_of_global_ids(start: int) -> None:
    """A launch may begin at any id: rows begin there, too."""
    device = Device()
    text = module("%p: !llvm.ptr<1>", "%id = arith.trunci %n : i64 to i32" + COPY)
    output, kernel = device.empty((256,), np.int32, memory="shared"), device.compile(text)["k"]._handle
    ze.zeKernelSetGroupSize(kernel, 64, 2, 1)
    ze.zeKernelSetArgumentValue(kernel, 0, 8, output.address)
    ze.zeKernelSetGlobalOffsetExp(kernel, start, 0, 0)
    ze.zeCommandListAppendLaunchKernel(device.session.commands, kernel, ze.ze_group_count_t(2))
    wanted = np.zeros(256, np.int32)
    wanted[start : start + 128] = np.arange(start, start + 128)
    np.testing.assert_array_equal(output.numpy(), wanted)


def test_numbers_that_wrap_around_between_lanes() -> None:
    """Each lane has an address of its own, unless something says that the lanes stay in one object."""
    text = module(
        "%p: !llvm.ptr<1>, %start: i16",
        f"""
        %h = arith.trunci %m : i32 to i16
        %s = arith.addi %h, %start : i16
        %wide = arith.extsi %s : i16 to i64
        %middle = {GEP} %p[{4 << 15}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
        %a = {GEP} %middle[%wide] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
        llvm.store %m, %a {{alignment = 4 : i64}} : i32, !llvm.ptr<1>""",
    )
    found = np.zeros(1 << 16, np.int32)
    start = (1 << 15) - 24
    launch(Device(), text, found, np.int16(start), groups=1)
    wanted = np.zeros(1 << 16, np.int32)
    numbers = (np.arange(64) + start + (1 << 15)) % (1 << 16)
    wanted[numbers] = np.arange(64)
    np.testing.assert_array_equal(found, wanted)


@ENGINES
def test_faults_name_the_line(engine: str) -> None:
    """A row that begins inside of an allocation and ends behind it names both."""
    text = module("%p: !llvm.ptr<1>", "%id = arith.trunci %n : i64 to i32" + COPY)
    place = r"(?s)work-group \(1, 0, 0\), subgroup 2\n.*<string>:\d+:\d+\n.*its byte 384 and runs 48 bytes over its end"
    with pytest.raises(ZeError, match=place):
        launch(Device(engine=engine), text, np.zeros(100, np.int32))
