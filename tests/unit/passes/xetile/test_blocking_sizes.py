"""The blocks that tiles are cut into."""

from __future__ import annotations

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from passes.pipelines import read_module
from passes.xetile.blocking import XetileBlockingPass
from passes.xetile.blocking.grid import Grid, divisors, largest_divisor
from xegpu.diagnostics import SourceBuffer
from xegpu.dialects.xetile import InitTileOp, TileMMAOp
from xegpu.mlir import verify

LOAD = "%v = xetile.load_tile %t : {tile} -> {vector}"
STORE = "%v = arith.constant dense<0{point}> : {vector}\n xetile.store_tile %v, %t : {vector}, {tile}"
PREFETCH = "xetile.prefetch_tile %t : {tile}"
TURNED = LOAD + "\n %w = xetile.transpose %v, [1, 0] : {vector} -> {turned}"
ATOMIC = (
    "%v = arith.constant dense<0{point}> : {vector}\n %o = xetile.atomic_rmw addf %v, %t : {vector}, {tile} -> {vector}"
)

CHOICES = [
    # The largest load that no row of the vector's blocks is cut for.
    ("pvc", "f16", (80, 64), LOAD, (16, 32)),
    ("pvc", "f32", (32, 64), LOAD, (32, 16)),
    ("pvc", "i8", (32, 64), LOAD, (32, 64)),
    ("pvc", "f64", (12, 24), LOAD, (12, 8)),
    ("arc", "f32", (32, 64), LOAD, (16, 8)),
    # A store has fewer rows.
    ("pvc", "f32", (32, 64), STORE, (8, 16)),
    ("pvc", "f16", (32, 64), STORE, (8, 32)),
    ("arc", "f16", (32, 64), STORE, (8, 16)),
    # One tile for both serves both.
    ("pvc", "f32", (32, 64), LOAD + "\n xetile.store_tile %v, %t : {vector}, {tile}", (8, 16)),
    # Nothing is asked of what is prefetched.
    ("pvc", "f16", (64, 32), PREFETCH, (32, 32)),
    ("pvc", "f16", (31, 33), PREFETCH, (31, 11)),
    # What is transposed comes in the blocks that become those of the result.
    ("pvc", "f32", (16, 16), TURNED, (16, 8)),
    ("pvc", "f16", (32, 32), TURNED, (32, 8)),
    # An address for each element.
    ("pvc", "f32", (8, 32), ATOMIC, (1, 16)),
    ("pvc", "f32", (16, 4), ATOMIC, (4, 4)),
    ("arc", "f32", (8, 32), ATOMIC, (1, 8)),
    # No message moves a line of one short element: its lanes do.
    ("pvc", "f16", (8, 1), LOAD, (8, 1)),
]


def blocked(body: str, target: str, arguments: str) -> ModuleOp:
    text = f"gpu.module @m {{ gpu.func @k({arguments}) kernel {{\n {body}\n gpu.return }} }}"
    _, module = read_module(SourceBuffer("kernel.mlir", text))
    XetileBlockingPass(target).apply(Context(), module)
    verify(module)
    return module


@pytest.mark.parametrize(("target", "element", "shape", "body", "block"), CHOICES)
def test_block_of_a_tile(target: str, element: str, shape: tuple[int, int], body: str, block: tuple[int, int]) -> None:
    rows, columns = shape
    memory = f"memref<256x256x{element}>"
    tile, vector = f"!xetile.tile<{rows}x{columns}x{element}>", f"vector<{rows}x{columns}x{element}>"
    turned, point = f"vector<{columns}x{rows}x{element}>", "" if element.startswith("i") else ".0"
    made = f"%t = xetile.init_tile %m[0, 0] : {memory} -> {tile}\n " + body.format(
        tile=tile, vector=vector, turned=turned, point=point
    )
    inits = [op for op in blocked(made, target, f"%m: {memory}").walk() if isinstance(op, InitTileOp)]
    assert {op.tile.type.get_shape() for op in inits} == {block}
    assert len(inits) == rows * columns // (block[0] * block[1])


@pytest.mark.parametrize(
    ("target", "element", "result", "shapes"),
    [
        ("pvc", "f16", "f32", ((8, 16), (16, 16), (8, 16))),
        ("pvc", "bf16", "f32", ((8, 16), (16, 16), (8, 16))),
        ("pvc", "tf32", "f32", ((8, 8), (8, 16), (8, 16))),
        ("pvc", "i8", "i32", ((8, 32), (32, 16), (8, 16))),
        ("arc", "f16", "f32", ((8, 16), (16, 8), (8, 8))),
        ("arc", "i8", "i32", ((8, 32), (32, 8), (8, 8))),
    ],
)
def test_blocks_of_a_product(target: str, element: str, result: str, shapes: tuple[tuple[int, int], ...]) -> None:
    a, b, c = f"vector<16x64x{element}>", f"vector<64x32x{element}>", f"vector<16x32x{result}>"
    module = blocked(f"%c = xetile.tile_mma %a, %b : {a}, {b} -> {c}", target, f"%a: {a}, %b: {b}")
    products = [op for op in module.walk() if isinstance(op, TileMMAOp)]
    for op in products:
        found = (op.a.type, op.b.type, op.output.type)
        names = (element, element, result)
        assert [str(type) for type in found] == [
            f"vector<{rows}x{columns}x{name}>" for (rows, columns), name in zip(shapes, names, strict=True)
        ]
    (rows, depth), (_, columns), _ = shapes
    assert len(products) == (16 // rows) * (64 // depth) * (32 // columns)


def test_rows_are_as_many_as_divide_the_product() -> None:
    a, b, c = "vector<20x16xf16>", "vector<16x16xf16>", "vector<20x16xf32>"
    module = blocked(f"%c = xetile.tile_mma %a, %b : {a}, {b} -> {c}", "pvc", f"%a: {a}, %b: {b}")
    assert [str(op.a.type) for op in module.walk() if isinstance(op, TileMMAOp)] == ["vector<5x16xf16>"] * 4


def test_grid_numbers_blocks_row_by_row() -> None:
    grid = Grid((4, 6), (2, 3))
    assert list(grid.origins) == [(0, 0), (0, 3), (2, 0), (2, 3)]
    assert [grid.index(position) for position in grid.positions] == [0, 1, 2, 3]
    assert list(grid.touched((1, 2), (2, 2))) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert list(grid.touched((2, 3), (2, 3))) == [(1, 1)]


def test_divisors() -> None:
    assert divisors(36) == [36, 18, 12, 9, 6, 4, 3, 2, 1]
    assert divisors(1) == [1]
    assert largest_divisor(80, 32) == 20
    assert largest_divisor(31, 30) == 1
