"""Variables of modules: constants and global memory that kernels address by name, from MLIR text to numbers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import zebin
from passes.pipelines import compile_to_kernels
from runtime import Device, ZeError, ze
from xegpu.targets import ARC, PVC, Target

BOTH = pytest.mark.parametrize("target", [PVC, ARC], ids=lambda target: target.name)

TABLE = """
gpu.module @m {{
  memref.global "private" constant @before : memref<3xi8> = dense<1>
  memref.global "private" constant @table : memref<{shape}x{type}> = dense<{values}>
  gpu.func @k(%o: memref<{shape}x{type}>) kernel {{
    %t = memref.get_global @table : memref<{shape}x{type}>
    %i = gpu.thread_id x
    %c2 = arith.constant 2 : index
    %row = arith.divui %i, %c2 : index
    %column = arith.remui %i, %c2 : index
    %v = memref.load %t[%row, %column] : memref<{shape}x{type}>
    memref.store %v, %o[%row, %column] : memref<{shape}x{type}>
    gpu.return
  }}
}}
"""

ELEMENTS = {
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "index": np.int64,
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "f32": np.float32,
    "f64": np.float64,
}


@BOTH
@pytest.mark.parametrize("element", ELEMENTS)
def test_elements_of_every_type(element: str, target: Target) -> None:
    dot = "" if element.startswith("i") else ".5"
    values = f"[[1{dot}, -2{dot}], [3{dot}, 4{dot}]]"
    expected = np.array(eval(values), ELEMENTS[element])
    text = TABLE.format(shape="2x2", type=element, values=values)
    for engine in ("jit", "interpreter"):
        result: NDArray[Any] = np.zeros((2, 2), ELEMENTS[element])
        with Device(target.name, engine) as device:
            device.compile(text)["k"][1, (4,)](result)
        assert (result == expected).all()


def test_a_splat_fills_the_variable() -> None:
    result = np.zeros((4, 2), np.float32)
    with Device("pvc") as device:
        device.compile(TABLE.format(shape="4x2", type="f32", values="7.0"))["k"][1, (8,)](result)
    assert (result == 7).all()


COUNTER = """
gpu.module @m {
  memref.global @counter : memref<2xi32> = dense<[5, 9]>
  memref.global @scratch : memref<100xf64> = uninitialized
  memref.global "private" @hidden : memref<i32> = dense<3>
  gpu.func @bump() kernel {
    %c = memref.get_global @counter : memref<2xi32>
    %h = memref.get_global @hidden : memref<i32>
    %step = memref.load %h[] : memref<i32>
    %c1 = arith.constant 1 : index
    %old = memref.atomic_rmw addi %step, %c[%c1] : (i32, memref<2xi32>) -> i32
    gpu.return
  }
  gpu.func @read(%o: memref<2xi32>) kernel {
    %c = memref.get_global @counter : memref<2xi32>
    %i = gpu.thread_id x
    %v = memref.load %c[%i] : memref<2xi32>
    memref.store %v, %o[%i] : memref<2xi32>
    gpu.return
  }
}
"""


def test_kernels_of_a_module_share_its_variables() -> None:
    result = np.zeros(2, np.int32)
    with Device("pvc") as device:
        module = device.compile(COUNTER)
        for _ in range(2):
            module["bump"][4, (1,)]()
        module["read"][1, (2,)](result)
    assert result.tolist() == [5, 9 + 2 * 4 * 3]


def test_each_loaded_module_has_variables_of_its_own() -> None:
    results = np.zeros((2, 2), np.int32)
    with Device("pvc") as device:
        modules = [device.compile(COUNTER) for _ in range(2)]
        modules[0]["bump"][1, (1,)]()
        for module, result in zip(modules, results, strict=True):
            module["read"][1, (2,)](result)
    assert results.tolist() == [[5, 12], [5, 9]]


BLOCK = """
gpu.module @m {
  memref.global "private" constant @tile : memref<8x16xf32> = dense<2.5>
  gpu.func @k(%o: memref<8x16xf32>) kernel attributes {VectorComputeFunctionINTEL} {
    %t = memref.get_global @tile : memref<8x16xf32>
    %a = xegpu.create_nd_tdesc %t[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %a : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    %b = xegpu.create_nd_tdesc %o[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    xegpu.store_nd %v, %b : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    gpu.return
  }
}
"""


def test_block_messages_read_variables() -> None:
    result = np.zeros((8, 16), np.float32)
    with Device("pvc") as device:
        device.compile(BLOCK)["k"][1](result)
    assert (result == 2.5).all()


WRITES_CONSTANT = """
gpu.module @m {
  memref.global "private" constant @table : memref<4xi32> = dense<1>
  gpu.func @k(%v: i32) kernel {
    %t = memref.get_global @table : memref<4xi32>
    %i = gpu.thread_id x
    memref.store %v, %t[%i] : memref<4xi32>
    gpu.return
  }
}
"""


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
def test_writing_to_a_constant_is_a_fault(engine: str) -> None:
    with Device("pvc", engine) as device, pytest.raises(ZeError, match="constants"):
        device.compile(WRITES_CONSTANT)["k"][1, (4,)](7)


def test_what_lies_behind_a_variable_is_not_reached() -> None:
    text = WRITES_CONSTANT.replace("constant @table", "@table")
    with Device("pvc") as device, pytest.raises(ZeError, match="variables"):
        device.compile(text)["k"][1, (16,)](7)


@contextmanager
def loaded(data: bytes) -> Iterator[tuple[ze.ze_context_handle_t, ze.ze_module_handle_t]]:
    with Device("pvc") as device:
        session = device.session
        desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, data)
        module, _ = ze.zeModuleCreate(session.context, session.device, desc)
        try:
            yield session.context, module
        finally:
            ze.zeModuleDestroy(module)


def binary(text: str) -> bytes:
    return zebin.build(PVC, compile_to_kernels(text, PVC))


def test_the_host_finds_public_variables() -> None:
    with loaded(binary(COUNTER)) as (context, module):
        size, address = ze.zeModuleGetGlobalPointer(module, "counter")
        assert size == 8
        assert ze.zeModuleGetGlobalPointer(module, "counter") == (size, address)
        properties, device = ze.zeMemGetAllocProperties(context, address)
        assert properties.type == ze.ZE_MEMORY_TYPE_DEVICE
        assert device is not None
        assert ze.zeModuleGetGlobalPointer(module, "scratch")[0] == 800


@pytest.mark.parametrize("name", ["bump", "", "Counter"])
def test_a_name_of_no_variable(name: str) -> None:
    with loaded(binary(COUNTER)) as (_, module), pytest.raises(ZeError, match="INVALID_GLOBAL_NAME"):
        ze.zeModuleGetGlobalPointer(module, name)


def test_variables_are_not_freed_by_hand() -> None:
    with loaded(binary(COUNTER)) as (context, module):
        _, address = ze.zeModuleGetGlobalPointer(module, "counter")
        with pytest.raises(ZeError, match="INVALID_ARGUMENT"):
            ze.zeMemFree(context, address)


def test_variables_live_as_long_as_their_module() -> None:
    with Device("pvc") as device:
        session = device.session
        desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, binary(COUNTER))
        module, _ = ze.zeModuleCreate(session.context, session.device, desc)
        _, address = ze.zeModuleGetGlobalPointer(module, "counter")
        ze.zeModuleDestroy(module)
        properties, _ = ze.zeMemGetAllocProperties(session.context, address)
        assert properties.type == ze.ZE_MEMORY_TYPE_UNKNOWN


def test_the_binary_says_what_the_module_holds() -> None:
    contents = zebin.read(binary(COUNTER))
    assert contents.ze_info is not None
    table = contents.ze_info.global_host_access_table
    assert [(entry.device_name, entry.host_name) for entry in table] == [("counter", "counter"), ("scratch", "scratch")]
    section = contents.section(".data.global")
    assert section is not None
    symbols = {s.name: s for s in contents.symbols if s.section_index == section.index}
    assert {name: s.size for name, s in symbols.items()} == {"counter": 8, "scratch": 800, "hidden": 4}
    assert all(symbol.value % 64 == 0 for symbol in symbols.values())
    start = symbols["counter"].value
    assert np.frombuffer(section.data[start : start + 8], np.int32).tolist() == [5, 9]
    assert contents.section(".data.const") is None


def test_two_modules_with_different_variables_of_one_name() -> None:
    other = COUNTER.replace("@m", "@n").replace("@bump", "@bump2").replace("@read", "@read2")
    assert list(zebin.read(binary(COUNTER + other)).kernels) == ["bump", "read", "bump2", "read2"]
    with pytest.raises(zebin.ZebinError, match="two modules have different variables called 'counter'"):
        binary(COUNTER + other.replace("[5, 9]", "[5, 8]"))


def test_a_fat_binary_is_loaded_for_its_device() -> None:
    binaries = {
        zebin.TargetDevice.of_target(target).member_name: zebin.build(target, compile_to_kernels(COUNTER, target))
        for target in (PVC, ARC)
    }
    for name in ("pvc", "arc"):
        result = np.zeros(2, np.int32)
        with Device(name) as device:
            device.load(zebin.write_archive(binaries))["read"][1, (2,)](result)
        assert result.tolist() == [5, 9]
    (other,) = (data for member, data in binaries.items() if "60" in member)
    with Device("arc") as device, pytest.raises(ZeError, match=r"no member for 12\.55\.8"):
        device.load(zebin.write_archive({"64.12.60.7": other}))
