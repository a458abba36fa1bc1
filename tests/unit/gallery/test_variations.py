"""Kernels like those of the gallery in other shapes and types: sizes that come with the launch, indices, counts."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.gallery.problems import EXP, REST, TINY, U
from tests.unit.gallery.support import assert_within
from tests.unit.passes.kernels.harness import Array, compile_one, kernel_text, random_array, run
from xegpu.targets import ARC, PVC, Target

TARGETS = pytest.mark.parametrize(
    "target", [PVC, pytest.param(ARC, marks=pytest.mark.exhaustive)], ids=lambda t: t.name
)
SHARED = "wg_map = <sg_layout = [2, 2], sg_data = [8, 16]>"


def launch(
    arguments: str, body: str, *values: Array | int, target: Target, groups: int = 1, subgroups: int = 1
) -> list[Array]:
    """The arrays as work-groups of subgroups leave them. One engine does: what they run is nothing new to them."""
    kernel = compile_one(kernel_text(arguments, body), target)
    grid, group = (groups, 1, 1), (subgroups, 1, 1)
    return run(kernel, *values, groups=grid, local=group, target=target, engines=("interpreter",))


@TARGETS
def test_softmax_of_rows_of_any_length(target: Target) -> None:
    """Online softmax over tiles that reach beyond the matrix: what they read there counts for nothing."""
    tile = "!xetile.tile<16x32xf32, #xetile.tile_attr<wg_map = <sg_layout = [2, 1], sg_data = [8, 32]>>>"
    lists = "[%h, %w], [%w, %c1] : memref<?x?xf32>"
    body = f"""
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %h = memref.dim %x, %c0 : memref<?x?xf32>
    %w = memref.dim %x, %c1 : memref<?x?xf32>
    %block = gpu.block_id x
    %i = arith.muli %block, %c16 : index
    %lowest = arith.constant dense<0xFF800000> : vector<16x1xf32>
    %zero = arith.constant dense<0.0> : vector<16x1xf32>
    %tx = xetile.init_tile %x[%i, 0], {lists} -> {tile}
    %ty = xetile.init_tile %y[%i, 0], {lists} -> {tile}
    %r:3 = scf.for %j = %c0 to %w step %c32 iter_args(%t = %tx, %m = %lowest, %s = %zero)
        -> ({tile}, vector<16x1xf32>, vector<16x1xf32>) {{
      %v = xetile.load_tile %t {{padding = -1.0e30 : f32}} : {tile} -> vector<16x32xf32>
      %top = xetile.reduction <maximumf>, %v [1] : vector<16x32xf32> -> vector<16x1xf32>
      %next_m = arith.maximumf %m, %top : vector<16x1xf32>
      %tops = xetile.broadcast %next_m [1] : vector<16x1xf32> -> vector<16x32xf32>
      %d = arith.subf %v, %tops : vector<16x32xf32>
      %e = math.exp %d : vector<16x32xf32>
      %growth = arith.subf %m, %next_m : vector<16x1xf32>
      %factor = math.exp %growth : vector<16x1xf32>
      %scaled = arith.mulf %s, %factor : vector<16x1xf32>
      %sum = xetile.reduction <add>, %e [1] : vector<16x32xf32> -> vector<16x1xf32>
      %next_s = arith.addf %scaled, %sum : vector<16x1xf32>
      %next = xetile.update_tile_offset %t, [%c0, %c32] : {tile}
      scf.yield %next, %next_m, %next_s : {tile}, vector<16x1xf32>, vector<16x1xf32>
    }}
    %tops = xetile.broadcast %r#1 [1] : vector<16x1xf32> -> vector<16x32xf32>
    %sums = xetile.broadcast %r#2 [1] : vector<16x1xf32> -> vector<16x32xf32>
    %last:2 = scf.for %j = %c0 to %w step %c32 iter_args(%t = %tx, %u = %ty) -> ({tile}, {tile}) {{
      %v = xetile.load_tile %t : {tile} -> vector<16x32xf32>
      %d = arith.subf %v, %tops : vector<16x32xf32>
      %e = math.exp %d : vector<16x32xf32>
      %p = arith.divf %e, %sums : vector<16x32xf32>
      xetile.store_tile %p, %u : vector<16x32xf32>, {tile}
      %nt = xetile.update_tile_offset %t, [%c0, %c32] : {tile}
      %nu = xetile.update_tile_offset %u, [%c0, %c32] : {tile}
      scf.yield %nt, %nu : {tile}, {tile}
    }}"""
    h, w = 21, 75
    x = random_array(np.random.default_rng(1), (h, w), "f32")
    arguments = "%x: memref<?x?xf32>, %y: memref<?x?xf32>"
    _, y = launch(arguments, body, x, h, w, np.zeros_like(x), h, w, target=target, groups=2, subgroups=2)
    d = x.astype(np.float64) - x.max(1, keepdims=True)
    exact = np.exp(d) / np.exp(d).sum(1, keepdims=True)
    steps = -(-w // 32)
    relative = -3 * d.min(1, keepdims=True) * U + 2 * EXP + steps * (EXP + 2 * U) + (w + 2) * U
    assert_within(y, exact, relative * exact * REST + TINY)


@TARGETS
def test_index_of_the_greatest(target: Target) -> None:
    """A reduction, a comparison with what it gives, and a reduction of the columns' numbers."""
    body = """
    %t = xetile.init_tile %x[0, 0] : memref<8x48xbf16> -> !xetile.tile<8x48xbf16>
    %v = xetile.load_tile %t : !xetile.tile<8x48xbf16> -> vector<8x48xbf16>
    %top = xetile.reduction <maximumf>, %v [1] : vector<8x48xbf16> -> vector<8x1xbf16>
    %tops = xetile.broadcast %top [1] : vector<8x1xbf16> -> vector<8x48xbf16>
    %is_top = arith.cmpf oeq, %v, %tops : vector<8x48xbf16>
    %step = vector.step : vector<48xindex>
    %number = arith.index_cast %step : vector<48xindex> to vector<48xi32>
    %numbers = vector.broadcast %number : vector<48xi32> to vector<8x48xi32>
    %many = arith.constant dense<1000> : vector<8x48xi32>
    %chosen = arith.select %is_top, %numbers, %many : vector<8x48xi1>, vector<8x48xi32>
    %r = xetile.reduction <minsi>, %chosen [1] : vector<8x48xi32> -> vector<8x1xi32>
    %ty = xetile.init_tile %y[0, 0] : memref<8x1xi32> -> !xetile.tile<8x1xi32>
    xetile.store_tile %r, %ty : vector<8x1xi32>, !xetile.tile<8x1xi32>"""
    x = random_array(np.random.default_rng(2), (8, 48), "bf16")
    y = np.zeros((8, 1), np.int32)
    _, y = launch("%x: memref<8x48xbf16>, %y: memref<8x1xi32>", body, x, y, target=target)
    np.testing.assert_array_equal(y[:, 0], x.astype(np.float32).argmax(1))


@TARGETS
def test_histogram(target: Target) -> None:
    """Atomic updates of places that are data; each element is counted by one subgroup."""
    tile = f"!xetile.tile<16x32xi32, #xetile.tile_attr<{SHARED}>>"
    places = f"!xetile.tile<16x32xi32, #xetile.tile_attr<{SHARED}, scattered = true>>"
    body = f"""
    %t = xetile.init_tile %x[0, 0] : memref<16x32xi32> -> {tile}
    %v = xetile.load_tile %t : {tile} -> vector<16x32xi32>
    %place = arith.index_cast %v : vector<16x32xi32> to vector<16x32xindex>
    %one = arith.constant dense<1> : vector<16x32xi32>
    %u = xetile.init_tile %counts, %place : memref<37xi32>, vector<16x32xindex> -> {places}
    %old = xetile.atomic_rmw addi %one, %u : vector<16x32xi32>, {places} -> vector<16x32xi32>"""
    x = np.random.default_rng(3).integers(0, 37, (16, 32)).astype(np.int32)
    arguments = "%x: memref<16x32xi32>, %counts: memref<37xi32>"
    _, counts = launch(arguments, body, x, np.zeros(37, np.int32), target=target, subgroups=4)
    np.testing.assert_array_equal(counts, np.bincount(x.ravel(), minlength=37))
