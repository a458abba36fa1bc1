"""Products of matrices by whole work groups, against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import ENGINES, Array, compile_one, kernel_text, random_array, run
from xegpu.targets import ARC, PVC, Target

LAYOUTS = [
    # layout, sg_data of C for a tile of 64x64: one block each, columns only, rows dealt out in turn, both
    ([2, 2], [32, 32]),
    ([1, 4], [64, 16]),
    ([2, 1], [16, 64]),
    ([2, 2], [16, 16]),
]


def wg_map(layout: list[int], data: list[int]) -> str:
    return f"<sg_layout = {layout}, sg_data = {data}>"


def tile(shape: str, layout: list[int], data: list[int]) -> str:
    return f"!xetile.tile<{shape}, #xetile.tile_attr<wg_map = {wg_map(layout, data)}>>"


def gemm(layout: list[int], data: list[int], *, maps: bool) -> str:
    """C of 64x64 += A of 64x64 times B of 64x64 in steps of 32."""
    a, b, c = (
        tile("64x32xf16", layout, [data[0], 32]),
        tile("32x64xf16", layout, [32, data[1]]),
        tile("64x64xf32", layout, data),
    )
    attributes = (
        f"{{wg_map_a = #xetile.wg_map{wg_map(layout, [data[0], 32])}, wg_map_b = "
        f"#xetile.wg_map{wg_map(layout, [32, data[1]])}, wg_map_c = #xetile.wg_map{wg_map(layout, data)}}}"
        if maps
        else ""
    )
    carried = f"{a}, {b}, vector<64x64xf32>"
    product = "vector<64x32xf16>, vector<32x64xf16>, vector<64x64xf32> -> vector<64x64xf32>"
    return f"""
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %ct = xetile.init_tile %c[0, 0] : memref<64x64xf32> -> {c}
    %cv = xetile.load_tile %ct : {c} -> vector<64x64xf32>
    %at = xetile.init_tile %a[0, 0] : memref<64x64xf16> -> {a}
    %bt = xetile.init_tile %b[0, 0] : memref<64x64xf16> -> {b}
    %out:3 = scf.for %k = %c0 to %c64 step %c32 iter_args(%ai = %at, %bi = %bt, %acc = %cv)
        -> ({carried}) {{
      %av = xetile.load_tile %ai : {a} -> vector<64x32xf16>
      %bv = xetile.load_tile %bi : {b} -> vector<32x64xf16>
      %an = xetile.update_tile_offset %ai, [%c0, %c32] : {a}
      %bn = xetile.update_tile_offset %bi, [%c32, %c0] : {b}
      xetile.prefetch_tile %an : {a}
      xetile.prefetch_tile %bn : {b}
      %sum = xetile.tile_mma %av, %bv, %acc {attributes} : {product}
      scf.yield %an, %bn, %sum : {carried}
    }}
    xetile.store_tile %out#2, %ct : vector<64x64xf32>, {c}
    """


ARGUMENTS = "%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>"


def operands() -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(3)
    return random_array(rng, (64, 64), "f16"), random_array(rng, (64, 64), "f16"), random_array(rng, (64, 64), "f32")


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize(
    ("layout", "data", "maps", "target"),
    [*((*layout, False, PVC) for layout in LAYOUTS), (*LAYOUTS[0], True, PVC), (*LAYOUTS[0], True, ARC)],
    ids=lambda value: value.name if isinstance(value, Target) else None,
)
def test_gemm(layout: list[int], data: list[int], maps: bool, target: Target) -> None:
    a, b, c = operands()
    kernel = compile_one(kernel_text(ARGUMENTS, gemm(layout, data, maps=maps)), target)
    engines = ENGINES if target is PVC else ("interpreter",)
    *_, result = run(kernel, a, b, c, local=(layout[0] * layout[1], 1, 1), target=target, engines=engines)
    np.testing.assert_allclose(result, a.astype(np.float64) @ b.astype(np.float64) + c, rtol=1e-5, atol=1e-4)


def test_gemm_with_b_transposed_and_more_to_compute() -> None:
    """max(-A * Bᵀ + bias, 0), rounded to f16. Nothing needs to go through shared memory."""
    layout = [2, 2]
    a, b = tile("64x32xf16", layout, [32, 32]), tile("64x32xf16", layout, [32, 32])
    bias, d = tile("1x64xf32", layout, [1, 32]), tile("64x64xf16", layout, [32, 32])
    map_ = f"{{map = #xetile.wg_map{wg_map(layout, [32, 32])}}}"
    body = f"""
    %at = xetile.init_tile %a[0, 0] : memref<64x32xf16> -> {a}
    %bt = xetile.init_tile %b[0, 0] : memref<64x32xf16> -> {b}
    %st = xetile.init_tile %s[0, 0] : memref<1x64xf32> -> {bias}
    %dt = xetile.init_tile %d[0, 0] : memref<64x64xf16> -> {d}
    %av = xetile.load_tile %at : {a} -> vector<64x32xf16>
    %bv = xetile.load_tile %bt : {b} -> vector<64x32xf16>
    %sv = xetile.load_tile %st : {bias} -> vector<1x64xf32>
    %an = arith.negf %av : vector<64x32xf16>
    %bn = vector.transpose %bv, [1, 0] : vector<64x32xf16> to vector<32x64xf16>
    %c = xetile.broadcast %sv [0] {map_} : vector<1x64xf32> -> vector<64x64xf32>
    %p = xetile.tile_mma %an, %bn, %c : vector<64x32xf16>, vector<32x64xf16>, vector<64x64xf32> -> vector<64x64xf32>
    %zero = arith.constant dense<0.0> : vector<64x64xf32>
    %m = arith.maximumf %p, %zero : vector<64x64xf32>
    %r = arith.truncf %m : vector<64x64xf32> to vector<64x64xf16>
    xetile.store_tile %r, %dt : vector<64x64xf16>, {d}
    """
    rng = np.random.default_rng(3)
    x, y, s = (
        random_array(rng, shape, element) for shape, element in (((64, 32), "f16"), ((64, 32), "f16"), ((1, 64), "f32"))
    )
    arguments = "%a: memref<64x32xf16>, %b: memref<64x32xf16>, %s: memref<1x64xf32>, %d: memref<64x64xf16>"
    kernel = compile_one(kernel_text(arguments, body))
    assert kernel.facts.slm_size == 0
    *_, result = run(kernel, x, y, s, np.zeros((64, 64), np.float16), local=(4, 1, 1), engines=("interpreter",))
    expected = np.maximum(s - x.astype(np.float64) @ y.astype(np.float64).T, 0)
    np.testing.assert_allclose(result.astype(np.float64), expected, rtol=1e-3, atol=1e-4)
