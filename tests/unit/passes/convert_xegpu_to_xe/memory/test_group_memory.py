"""Memory of kernels, shared by a work-group or private to a work-item, and the barriers between accesses to it."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.simulator import DeviceFault
from tests.unit.passes.kernels.harness import Array, compile_one, kernel_text, random_array, refusal, run
from xegpu.isa import ArgumentKind
from xegpu.targets import ARC, PVC, Target

TARGETS = pytest.mark.parametrize("target", [PVC, ARC], ids=["pvc", "arc"])
SHARED = "#gpu.address_space<workgroup>"
PRIVATE = "#gpu.address_space<private>"


def reversal(memory: str, name: str = "%s", extra: str = "") -> str:
    """Each work-item puts an element into shared memory, and reads that of its opposite one."""
    return f"""
    {extra}
    %i = gpu.thread_id x
    %n = gpu.block_dim x
    %one = arith.constant 1 : index
    %v = memref.load %a[%i] : memref<40xf32>
    memref.store %v, {name}[%i] : {memory}
    gpu.barrier
    %m = arith.subi %n, %i : index
    %j = arith.subi %m, %one : index
    %w = memref.load {name}[%j] : {memory}
    memref.store %w, %b[%i] : memref<40xf32>"""


ARGUMENTS = "%a: memref<40xf32>, %b: memref<40xf32>"


def check_reversal(text: str, target: Target, *rest: int, slm_size: int) -> None:
    kernel = compile_one(text, target)
    assert (kernel.facts.slm_size, kernel.facts.barrier_count) == (slm_size, 1)
    a = random_array(np.random.default_rng(1), 40, "f32")
    assert (run(kernel, a, np.zeros_like(a), *rest, local=(40, 1, 1), target=target)[1] == a[::-1]).all()


@TARGETS
@pytest.mark.parametrize("mode", ["", "VectorComputeFunctionINTEL"], ids=["work-item", "subgroup"])
def test_allocation(target: Target, mode: str) -> None:
    memory = f"memref<40xf32, {SHARED}>"
    text = kernel_text(ARGUMENTS, reversal(memory, extra=f"%s = memref.alloc() : {memory}"), mode)
    check_reversal(text, target, slm_size=192)


@TARGETS
def test_attribution(target: Target) -> None:
    memory = f"memref<40xf32, {SHARED}>"
    body = reversal(memory)
    text = f"gpu.module @m {{\ngpu.func @k({ARGUMENTS}) workgroup(%s: {memory}) kernel {{\n{body}\ngpu.return\n}}\n}}"
    check_reversal(text, target, slm_size=192)


def test_global() -> None:
    """Two names of one buffer."""
    memory = "memref<40xf32, 3>"
    extra = f"%s = memref.get_global @g : {memory}\n%t = memref.get_global @g : {memory}"
    body = reversal(memory, extra=extra).replace("load %s", "load %t")
    text = kernel_text(ARGUMENTS, body, "").replace("@m {", f"@m {{\nmemref.global @g : {memory} = uninitialized", 1)
    check_reversal(text, PVC, slm_size=192)


def test_dynamic_memory() -> None:
    """Memory whose size the launch gives lies behind the kernel's own."""
    memory = f"memref<40xf32, {SHARED}>"
    extra = f"""
    %own = memref.alloc() : memref<16xf32, {SHARED}>
    %all = gpu.dynamic_shared_memory : memref<?xi8, {SHARED}>
    %shift = arith.constant 32 : index
    %zero = arith.constant 0.0 : f32
    %s = memref.view %all[%shift][] : memref<?xi8, {SHARED}> to {memory}
    %q = gpu.lane_id
    memref.store %zero, %own[%q] : memref<16xf32, {SHARED}>
    gpu.barrier"""
    kernel = compile_one(kernel_text(ARGUMENTS, reversal(memory, extra=extra), ""))
    assert [(a.name, a.kind) for a in kernel.facts.arguments[2:]] == [
        ("dynamic_shared_memory", ArgumentKind.LOCAL),
        ("dynamic_shared_memory.size0", ArgumentKind.VALUE),
    ]
    check_reversal(kernel_text(ARGUMENTS, reversal(memory, extra=extra), ""), PVC, 192, 192, slm_size=64)


def test_argument() -> None:
    memory = "memref<?xf32, 3>"
    arguments = f"{ARGUMENTS}, %x: memref<4xf32, 3>, %s: {memory}"
    check_reversal(kernel_text(arguments, reversal(memory), ""), PVC, 16, 160, 40, slm_size=0)


def test_access_beyond_the_memory_is_reported() -> None:
    memory = "memref<40xf32, 3>"
    text = kernel_text(f"{ARGUMENTS}, %s: {memory}", reversal(memory), "")
    with pytest.raises(DeviceFault, match="shared local memory"):
        run(compile_one(text), np.zeros(40, np.float32), np.zeros(40, np.float32), 64, local=(40, 1, 1))


@pytest.mark.parametrize("element", ["i8", "f16", "i64"])
@TARGETS
def test_private_memory(target: Target, element: str) -> None:
    """Each work-item has elements of its own, also those that all name by the same index."""
    body = f"""
    %p = memref.alloca() : memref<3x4x{element}, {PRIVATE}>
    %i = gpu.global_id x
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %x = memref.load %a[%i] : memref<40x{element}>
    %row = arith.remui %i, %c2 : index
    %column = arith.remui %i, %c4 : index
    %y = memref.load %a[%c0] : memref<40x{element}>
    memref.store %y, %p[%c2, %c0] : memref<3x4x{element}, {PRIVATE}>
    memref.store %x, %p[%row, %column] : memref<3x4x{element}, {PRIVATE}>
    memref.store %x, %p[%c2, %c1] : memref<3x4x{element}, {PRIVATE}>
    %r = memref.load %p[%row, %column] : memref<3x4x{element}, {PRIVATE}>
    %s = memref.load %p[%c2, %c1] : memref<3x4x{element}, {PRIVATE}>
    %t = memref.load %p[%c2, %c0] : memref<3x4x{element}, {PRIVATE}>
    memref.store %r, %b[%c0, %i] : memref<3x40x{element}>
    memref.store %s, %b[%c1, %i] : memref<3x40x{element}>
    memref.store %t, %b[%c2, %i] : memref<3x40x{element}>"""
    kernel = compile_one(kernel_text(f"%a: memref<40x{element}>, %b: memref<3x40x{element}>", body, ""), target)
    a = random_array(np.random.default_rng(2), 40, element)
    assert kernel.facts.private_size == -(-12 * a.itemsize * kernel.facts.simd_size // 64) * 64
    b = run(kernel, a, np.zeros((3, 40), a.dtype), local=(40, 1, 1), target=target)[1]
    assert (b[0] == a).all() and (b[1] == a).all() and (b[2] == a[0]).all()


def test_private_attribution() -> None:
    memory = "memref<2xf32>"
    body = f"""
    %i = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %x = memref.load %a[%i] : memref<40xf32>
    memref.store %x, %p[%c0] : {memory}
    %y = memref.load %p[%c0] : {memory}
    memref.store %y, %b[%i] : memref<40xf32>"""
    text = f"gpu.module @m {{\ngpu.func @k({ARGUMENTS}) private(%p: {memory}) kernel {{\n{body}\ngpu.return\n}}\n}}"
    a = random_array(np.random.default_rng(3), 40, "f32")
    assert (run(compile_one(text), a, np.zeros_like(a), local=(40, 1, 1))[1] == a).all()


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(
    ("view", "type", "index", "expected"),
    [
        ("memref.subview %m[1, 2] [2, 3] [2, 1]", "2x3xi32, strided<[16, 1], offset: 10>", "%c1, %c1", 27),
        ("memref.subview %m[2, 0] [1, 8] [1, 1]", "8xi32, strided<[1], offset: 16>", "%c1", 17),
        ("memref.subview %m[%c1, 0] [4, 1] [1, 1]", "4xi32, strided<[8], offset: ?>", "%c1", 16),
        ("memref.cast %m", "?x?xi32", "%c1, %c1", 9),
        ("memref.transpose %m (d0, d1) -> (d1, d0)", "8x6xi32, strided<[1, 8]>", "%c1, %c2", 17),
        ("memref.collapse_shape %m [[0, 1]]", "48xi32", "%c2", 2),
        ("memref.expand_shape %m [[0], [1, 2]] output_shape [6, 2, 4]", "6x2x4xi32", "%c1, %c1, %c2", 14),
        (
            "memref.reinterpret_cast %m to offset: [3], sizes: [4, 4], strides: [10, 2]",
            "4x4xi32, strided<[10, 2], offset: 3>",
            "%c1, %c1",
            15,
        ),
    ],
)
@pytest.mark.parametrize("space", ["", ", 3", ", 5"], ids=["global", "shared", "private"])
def test_views(view: str, type: str, index: str, expected: int, space: str) -> None:
    """Element (row, column) of a buffer of 6x8 holds 8 row + column."""
    source = f"memref<6x8xi32{space}>"
    word = " into " if "shape" in view else " to "
    body = f"""
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c6 = arith.constant 6 : index
    %c8 = arith.constant 8 : index
    {f"%m = memref.alloca() : {source}" if space else ""}
    scf.for %i = %c0 to %c6 step %c1 {{
      scf.for %j = %c0 to %c8 step %c1 {{
        %k = arith.muli %i, %c8 : index
        %l = arith.addi %k, %j : index
        %x = arith.index_cast %l : index to i32
        memref.store %x, %m[%i, %j] : {source}
      }}
    }}
    %v = {view} : {source}{word}memref<{type}{space}>
    %r = memref.load %v[{index}] : memref<{type}{space}>
    memref.store %r, %o[%c0] : memref<1xi32>"""
    arguments = "%o: memref<1xi32>" if space else f"%o: memref<1xi32>, %m: {source}"
    values: list[Array] = [np.zeros(1, np.int32)] + ([] if space else [np.zeros((6, 8), np.int32)])
    assert run(compile_one(kernel_text(arguments, body, "")), *values)[0][0] == expected


@TARGETS
def test_rows_through_shared_memory(target: Target) -> None:
    """Blocks of shared memory, in subgroup mode: subgroup i stores row i and loads the opposite one."""
    block = "!xegpu.tensor_desc<24xf16, #xegpu.block_tdesc_attr<memory_space = slm>>"
    plain = "!xegpu.tensor_desc<24xf16>"
    body = f"""
    %s = memref.alloc() : memref<20x24xf16, 3>
    %i = gpu.thread_id x
    %c19 = arith.constant 19 : index
    %j = arith.subi %c19, %i : index
    %from = xegpu.create_nd_tdesc %a[%i, 0] : memref<20x24xf16> -> {plain}
    %v = xegpu.load_nd %from : {plain} -> vector<24xf16>
    %in = xegpu.create_nd_tdesc %s[%i, 0] : memref<20x24xf16, 3> -> {block}
    xegpu.store_nd %v, %in : vector<24xf16>, {block}
    gpu.barrier
    %out = xegpu.create_nd_tdesc %s[0, 0] : memref<20x24xf16, 3> -> {block}
    %step = arith.constant 24 : index
    %far = arith.muli %j, %step : index
    %moved = xegpu.update_nd_offset %out, [%far] : {block}
    xegpu.prefetch_nd %moved : {block}
    %w = xegpu.load_nd %moved : {block} -> vector<24xf16>
    %to = xegpu.create_nd_tdesc %b[%i, 0] : memref<20x24xf16> -> {plain}
    xegpu.store_nd %w, %to : vector<24xf16>, {plain}"""
    kernel = compile_one(kernel_text("%a: memref<20x24xf16>, %b: memref<20x24xf16>", body), target)
    a = random_array(np.random.default_rng(4), (20, 24), "f16")
    assert (run(kernel, a, np.zeros_like(a), local=(20, 1, 1), target=target)[1] == a[::-1]).all()


def named_barrier(number: str, count: str) -> str:
    """Subgroup 0 writes what subgroup 1 reads, each of them at its own side of the barrier."""
    return f"""
    %s = memref.alloc() : memref<1xi32, 3>
    xegpu.alloc_nbarrier 4
    %c0 = arith.constant 0 : index
    %id = {number}
    %n = {count}
    %b = xegpu.init_nbarrier %id, %n : i8, i8 -> !xegpu.nbarrier
    %t = gpu.thread_id x
    %first = arith.cmpi eq, %t, %c0 : index
    scf.if %first {{
      memref.store %x, %s[%c0] : memref<1xi32, 3>
      xegpu.fence memory_kind = slm, fence_scope = workgroup
      xegpu.nbarrier_arrive %b : !xegpu.nbarrier
      xegpu.nbarrier_wait %b : !xegpu.nbarrier
    }} else {{
      xegpu.nbarrier_arrive %b : !xegpu.nbarrier
      xegpu.nbarrier_wait %b : !xegpu.nbarrier
      %v = memref.load %s[%c0] : memref<1xi32, 3>
      memref.store %v, %o[%c0] : memref<1xi32>
    }}"""


def test_named_barriers() -> None:
    constant = named_barrier("arith.constant 3 : i8", "arith.constant 2 : i8")
    kernel = compile_one(kernel_text("%o: memref<1xi32>, %x: i32", constant))
    assert kernel.facts.barrier_count == 4
    assert run(kernel, np.zeros(1, np.int32), 77, local=(2, 1, 1))[0][0] == 77
    dynamic = named_barrier("arith.addi %p, %p : i8", "arith.addi %q, %q : i8")
    kernel = compile_one(kernel_text("%o: memref<1xi32>, %x: i32, %p: i8, %q: i8", dynamic))
    assert run(kernel, np.zeros(1, np.int32), 78, 1, 1, local=(2, 1, 1))[0][0] == 78


def test_too_much_memory_is_refused() -> None:
    shared = kernel_text("", "%s = memref.alloc() : memref<33000xf32, 3>", "")
    assert "needs 132032 bytes of shared local memory of a work-group: pvc has 131072" in refusal(shared)
    private = kernel_text("", "%s = memref.alloca() : memref<16400xf32>", "VectorComputeFunctionINTEL")
    assert "gpu.func" not in refusal(private.replace("16400", "99999999999"))
    assert "private memory of a thread: pvc has 262144" in refusal(private.replace("16400", "65537"))
