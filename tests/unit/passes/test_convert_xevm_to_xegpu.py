"""Messages, products and ids of XeVM do in kernels what they say."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from tests.unit.passes.kernels.harness import Array, compile_one, run

TEXT = """
gpu.module @m {{
  gpu.func @k(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>)
      kernel attributes {{intel_reqd_sub_group_size = 16 : i32, known_block_size = array<i32: 16, 1, 1>}} {{
    %l = xevm.lane_id : i32
    %c0 = arith.constant 0 : i32
    {body}
    gpu.return
  }}
}}
"""
WORDS = {8: np.dtype(np.uint8), 16: np.dtype(np.uint16), 32: np.dtype(np.uint32), 64: np.dtype(np.uint64)}
"""Unsigned numbers by their bits."""


def result(body: str, x: Array, y: Array) -> Array:
    return run(compile_one(TEXT.format(body=body)), x, np.zeros_like(y))[-1]


def stored(value: str, count: int, element: str) -> str:
    """Stores the vector of each lane after that of the lane before."""
    return f"""
    %count = arith.constant {count} : i32
    %place = arith.muli %l, %count : i32
    %to = llvm.getelementptr %q[%place] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, {element}
    llvm.store {value}, %to : vector<{count}x{element}>, !llvm.ptr<1>
    """


def lanes_of(block: Array) -> Array:
    """[lane, element]: lanes have columns, two neighbours of bytes; where a row is short, they go on in the next."""
    width = max(1, block.shape[1] // 16)
    units = block.reshape(-1, 16, width)
    return units.transpose(1, 0, 2).reshape(16, -1)


def message(kind: str, bits: int, height: int, width: int, plane: Array, more: str = "") -> str:
    """A message about the block at the start of a plane; what `kind` says ends before the operands."""
    is_store = kind == "xevm.blockstore2d"
    name, pointer, value = ("b", "%q", ", %v") if is_store else ("a", "%p", "")
    return f"""
    %width_{name} = arith.constant {plane.shape[1] * bits // 8} : i32
    %height_{name} = arith.constant {plane.shape[0]} : i32
    {kind} {pointer}, %width_{name}, %height_{name}, %width_{name}, %c0, %c0{value}
        <{{elem_size_in_bits = {bits} : i32, tile_height = {height} : i32, tile_width = {width} : i32{more}}}>"""


def plane(bits: int, rows: int, columns: int, seed: int = 1) -> Array:
    """Numbers in rows of at least 64 bytes."""
    shape = (rows, max(columns, 512 // bits))
    return np.random.default_rng(seed).integers(0, 1 << bits, shape).astype(WORDS[bits])


POINTERS = "!llvm.ptr<1>, i32, i32, i32, i32, i32"
LOADS = [
    (8, 16, 8, 1),
    (8, 32, 8, 2),
    (8, 16, 32, 4),
    (8, 8, 8, 1),
    (16, 16, 8, 2),
    (16, 8, 8, 1),
    (16, 4, 16, 1),
    (32, 16, 8, 1),
    (32, 8, 8, 2),
    (32, 4, 8, 1),
]


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("bits", "width", "height", "blocks"), LOADS)
def test_loads(bits: int, width: int, height: int, blocks: int) -> None:
    x, count = plane(bits, height, width * blocks), width * height * blocks // 16
    more = f", v_blocks = {blocks} : i32, transpose = false, pack_register = false"
    load = message("%v = xevm.blockload2d", bits, height, width, x, more)
    body = f"{load} : ({POINTERS}) -> vector<{count}xi{bits}>{stored('%v', count, f'i{bits}')}"
    parts = [lanes_of(x[:, i * width : (i + 1) * width]) for i in range(blocks)]
    want = np.concatenate(parts, axis=1)
    np.testing.assert_array_equal(result(body, x, want), want)


@pytest.mark.parametrize(("bits", "height", "blocks"), [(8, 32, 1), (8, 4, 4), (16, 16, 1), (16, 2, 2)])
def test_packed_loads(bits: int, height: int, blocks: int) -> None:
    x, count = plane(bits, height, 16 * blocks), height * blocks * bits // 32
    more = f", v_blocks = {blocks} : i32, transpose = false, pack_register = true"
    load = message("%v = xevm.blockload2d", bits, height, 16, x, more)
    body = f"{load} : ({POINTERS}) -> vector<{count}xi32>{stored('%v', count, 'i32')}"
    columns = x[:, : 16 * blocks].reshape(height, blocks, 16).transpose(2, 1, 0)
    want = np.ascontiguousarray(columns).view(np.uint32).reshape(16, count)
    np.testing.assert_array_equal(result(body, x, want), want)


@pytest.mark.parametrize(("width", "height"), [(8, 16), (8, 32), (4, 16), (1, 16)])
def test_transposed_loads(width: int, height: int) -> None:
    x, count = plane(32, height, width), width * height // 16
    more = ", v_blocks = 1 : i32, transpose = true, pack_register = false"
    load = message("%v = xevm.blockload2d", 32, height, width, x, more)
    body = f"{load} : ({POINTERS}) -> vector<{count}xi32>{stored('%v', count, 'i32')}"
    want = lanes_of(np.ascontiguousarray(x[:, :width].T).reshape(-1, 16))
    np.testing.assert_array_equal(result(body, x, want), want)


@pytest.mark.parametrize(("bits", "width", "height"), [(8, 16, 8), (8, 32, 1), (16, 16, 4), (32, 16, 8)])
def test_stores(bits: int, width: int, height: int) -> None:
    x, count = plane(bits, height, width), width * height // 16
    more = ", v_blocks = 1 : i32, transpose = false, pack_register = false"
    load = message("%v = xevm.blockload2d", bits, height, width, x, more)
    control = ", cache_control = #xevm.store_cache_control<L1wt_L2uc_L3wb>"
    store = message("xevm.blockstore2d", bits, height, width, x, control)
    body = f"{load} : ({POINTERS}) -> vector<{count}xi{bits}>\n{store} : ({POINTERS}, vector<{count}xi{bits}>)"
    want = np.where(np.arange(x.shape[1]) < width, x, 0)
    np.testing.assert_array_equal(result(body, x, x), want)


@pytest.mark.parametrize(("bits", "width", "height", "blocks"), [(8, 16, 8, 8), (16, 16, 1, 4), (32, 8, 32, 1)])
def test_prefetches_change_nothing(bits: int, width: int, height: int, blocks: int) -> None:
    x = plane(bits, height, width * blocks)
    prefetch = message("xevm.blockprefetch2d", bits, height, width, x, f", v_blocks = {blocks} : i32")
    np.testing.assert_array_equal(result(f"{prefetch} : ({POINTERS})", x, x), 0 * x)


@pytest.mark.parametrize("bits", WORDS)
@pytest.mark.parametrize("count", [0, 2, 4, 8])
def test_lines(bits: int, count: int) -> None:
    x = np.random.default_rng(2).integers(0, 1 << (bits - 1), 16 * max(count, 1)).astype(WORDS[bits])
    type_ = f"vector<{count}xi{bits}>" if count else f"i{bits}"
    body = f"""
    %v = xevm.blockload %p <{{cache_control = #xevm.load_cache_control<ir>}}> : (!llvm.ptr<1>) -> {type_}
    xevm.memfence <{{addrspace = #xevm.addr_space<generic>, scope = #xevm.mem_scope<system>}}>
    xevm.blockstore %q, %v <{{cache_control = #xevm.store_cache_control<Use_Default>}}> : (!llvm.ptr<1>, {type_})
    """
    np.testing.assert_array_equal(result(body, x, x), x)


def test_ids() -> None:
    lane = np.arange(16)
    ids = {
        "local_id.x": lane,
        "local_id.y": 0 * lane,
        "local_size.x": 0 * lane + 16,
        "local_size.z": 0 * lane + 1,
        "group_id.z": 0 * lane,
        "group_count.x": 0 * lane + 1,
        "subgroup_id": 0 * lane,
        "subgroup_size": 0 * lane + 16,
    }
    lines = []
    for row, name in enumerate(ids):
        lines.append(f"""
        %i{row} = xevm.{name} : i64
        %row{row} = arith.constant {16 * row} : i32
        %o{row} = arith.addi %row{row}, %l : i32
        %t{row} = llvm.getelementptr %q[%o{row}] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i64
        llvm.store %i{row}, %t{row} : i64, !llvm.ptr<1>""")
    want = np.array(list(ids.values()), np.int64)
    np.testing.assert_array_equal(result("\n".join(lines), want, want), want)


OPERANDS = {
    "f16": (np.dtype(np.float16), -8, 8, 16),
    "bf16": (np.dtype(ml_dtypes.bfloat16), -8, 8, 16),
    "tf32": (np.dtype(np.float32), -8, 8, 8),
    "s8": (np.dtype(np.int8), -128, 128, 32),
    "u8": (np.dtype(np.uint8), 0, 256, 32),
}
"""The type of numpy for elements, the least and the first too large one, and the depth of a product."""


ELEMENTS = {"s8": "i8", "u8": "i8", "tf32": "f32"}
"""The types of elements of vectors, where they are called differently in products."""


@pytest.mark.parametrize("b_as_elements", [False, True])
@pytest.mark.parametrize("a_as_elements", [False, True])
@pytest.mark.parametrize("name", OPERANDS)
def test_products(name: str, a_as_elements: bool, b_as_elements: bool) -> None:
    """A lane has bits: vectors of words and vectors of elements are two names of them."""
    dtype, low, high, depth = OPERANDS[name]
    rng = np.random.default_rng(4)
    a, b = (rng.integers(low, high, shape).astype(dtype) for shape in ((8, depth), (depth, 16)))
    # Rows of A are read in units of 16 bits, or of a word if elements fill it; words of B are of one column.
    unit = np.dtype("u4") if name == "tf32" else np.dtype("u2")
    parts = [lanes_of(a.view(unit).reshape(-1, 16)), np.ascontiguousarray(b.T).view(np.uint32)]
    own, size = ELEMENTS.get(name, name), dtype.itemsize
    a_words = f"{parts[0].shape[1]}xi{8 * unit.itemsize}"
    a_type = f"{parts[0].shape[1] * unit.itemsize // size}x{own}" if a_as_elements else a_words
    b_type = f"{parts[1].shape[1] * 4 // size}x{own}" if b_as_elements else f"{parts[1].shape[1]}xi32"
    x = np.concatenate([part.reshape(-1).view(np.uint8) for part in parts])
    result_type = "s32" if name in ("s8", "u8") else "f32"
    number = "i32" if result_type == "s32" else "f32"
    body = f"""
    %na = arith.constant {parts[0].shape[1]} : i32
    %ia = arith.muli %l, %na : i32
    %pa = llvm.getelementptr %p[%ia] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i{8 * unit.itemsize}
    %a = llvm.load %pa : !llvm.ptr<1> -> vector<{a_type}>
    %nb = arith.constant {parts[1].shape[1]} : i32
    %ib = arith.muli %l, %nb : i32
    %start = llvm.getelementptr %p[{parts[0].nbytes}] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i8
    %pb = llvm.getelementptr %start[%ib] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %b = llvm.load %pb : !llvm.ptr<1> -> vector<{b_type}>
    %d = xevm.mma %a, %b {{shape = <m = 8, n = 16, k = {depth}>, types = <d = {result_type}, a = {name}, b = {name}>}}
        : (vector<{a_type}>, vector<{b_type}>) -> vector<8x{number}>
    {stored("%d", 8, number)}"""
    want = (a.astype(float) @ b.astype(float)).T.astype(np.int32 if number == "i32" else np.float32)
    np.testing.assert_array_equal(result(body, x, want), want)
