"""Blocks as scattered tiles: the same bytes as without, and what numpy says."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.context import Context

from passes.pipelines import run_to_kernels, xe_passes
from passes.xetile.blockop_fallback import XetileBlockopFallbackPass
from tests.unit.passes.kernels.harness import ENGINES, compile_one, kernel_text, random_array, run
from xegpu.diagnostics import SourceBuffer
from xegpu.dialects import register_dialects
from xegpu.isa import CompiledKernel
from xegpu.mlir import parse_module, verify
from xegpu.targets import PVC


def compile_with_fallback(text: str) -> CompiledKernel:
    context = Context()
    register_dialects(context)
    module = parse_module(context, SourceBuffer("kernel.mlir", text))
    verify(module)
    (kernel,) = run_to_kernels(context, module, [XetileBlockopFallbackPass(PVC.name), *xe_passes(PVC.name)])
    return kernel


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(
    ("element", "memory", "tile"),
    [("f16", (21, 13), (8, 8)), ("f32", (9, 5), (4, 4)), ("i8", (16, 48), (8, 16)), ("f32", (16, 20), (8, 20))],
)
def test_a_copy_of_a_matrix_with_an_unfit_pitch(element: str, memory: tuple[int, int], tile: tuple[int, int]) -> None:
    """Tile by tile, along a row and then down; the last tiles cross the edges, and are padded."""
    shape, form = f"{memory[0]}x{memory[1]}x{element}", f"{tile[0]}x{tile[1]}x{element}"
    padding = "3.0 : f32" if element.startswith("f") else "3 : i32"
    rows, columns = (-(-size // step) for size, step in zip(memory, tile, strict=True))
    wide = f"{rows * tile[0]}x{columns * tile[1]}x{element}"
    text = kernel_text(
        f"%a: memref<{shape}>, %b: memref<{wide}>",
        f"""
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %rows = arith.constant {rows} : index
    %columns = arith.constant {columns} : index
    %h = arith.constant {tile[0]} : index
    %w = arith.constant {tile[1]} : index
    scf.for %i = %c0 to %rows step %c1 {{
      %y = arith.muli %i, %h : index
      %from = xetile.init_tile %a[%y, 0] : memref<{shape}> -> !xetile.tile<{form}>
      %to = xetile.init_tile %b[%y, 0] : memref<{wide}> -> !xetile.tile<{form}>
      %r:2 = scf.for %j = %c0 to %columns step %c1 iter_args(%x = %from, %z = %to)
        -> (!xetile.tile<{form}>, !xetile.tile<{form}>) {{
        xetile.prefetch_tile %x : !xetile.tile<{form}>
        %v = xetile.load_tile %x {{padding = {padding}}} : !xetile.tile<{form}> -> vector<{form}>
        xetile.store_tile %v, %z : vector<{form}>, !xetile.tile<{form}>
        xetile.store_tile %v, %x : vector<{form}>, !xetile.tile<{form}>
        %x2 = xetile.update_tile_offset %x, [%c0, %w] : !xetile.tile<{form}>
        %z2 = xetile.update_tile_offset %z, [%c0, %w] : !xetile.tile<{form}>
        scf.yield %x2, %z2 : !xetile.tile<{form}>, !xetile.tile<{form}>
      }}
    }}
    """,
    )
    a = random_array(np.random.default_rng(2), memory, element)
    b = np.zeros((rows * tile[0], columns * tile[1]), a.dtype)
    expected = np.full(b.shape, 3).astype(a.dtype)
    expected[: memory[0], : memory[1]] = a
    for kernel in (compile_with_fallback(text), compile_one(text)):
        after, copy = run(kernel, a, b, engines=ENGINES[:1])
        np.testing.assert_array_equal(copy, expected)
        np.testing.assert_array_equal(after, a)


def test_columns_of_shared_memory_and_atomic_updates() -> None:
    """Both in the order in which the tile has its elements."""
    shared = "#xetile.tile_attr<memory_space = 3 : i32>"
    columns = "#xetile.tile_attr<memory_space = 3 : i32, order = [0, 1]>"
    text = kernel_text(
        "%a: memref<12x4xi32>, %b: memref<4x8xi32>",
        f"""
    %slm = memref.alloc() : memref<12x4xi32, 3>
    %turned = memref.transpose %slm (i, j) -> (j, i) : memref<12x4xi32, 3> to memref<4x12xi32, strided<[1, 4]>, 3>
    %all = xetile.init_tile %slm[0, 0] : memref<12x4xi32, 3> -> !xetile.tile<12x4xi32, {shared}>
    %in = xetile.init_tile %a[0, 0] : memref<12x4xi32> -> !xetile.tile<12x4xi32>
    %v = xetile.load_tile %in : !xetile.tile<12x4xi32> -> vector<12x4xi32>
    xetile.store_tile %v, %all : vector<12x4xi32>, !xetile.tile<12x4xi32, {shared}>
    %t = xetile.init_tile %turned[0, 8] : memref<4x12xi32, strided<[1, 4]>, 3> -> !xetile.tile<4x8xi32, {columns}>
    %w = xetile.load_tile %t {{padding = 9 : i32}} : !xetile.tile<4x8xi32, {columns}> -> vector<4x8xi32>
    %out = xetile.init_tile %b[0, 0] : memref<4x8xi32> -> !xetile.tile<4x8xi32>
    %old = xetile.atomic_rmw addi %w, %out : vector<4x8xi32>, !xetile.tile<4x8xi32> -> vector<4x8xi32>
    """,
    )
    a, b = (np.arange(size, dtype=np.int32).reshape(shape) for size, shape in ((48, (12, 4)), (32, (4, 8))))
    expected = np.full((4, 8), 9, np.int32)
    expected[:, :4] = a.T[:, 8:]
    for kernel in (compile_with_fallback(text), compile_one(text)):
        np.testing.assert_array_equal(run(kernel, a, b, engines=ENGINES[:1])[1], b + expected)
