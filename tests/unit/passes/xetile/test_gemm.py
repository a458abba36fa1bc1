"""GEMMs in subgroup-level XeTile against numpy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.unit.passes.kernels.gemm import ELEMENT_BITS
from tests.unit.passes.kernels.harness import DTYPES, ENGINES, Array, compile_one, random_array, run
from tests.unit.passes.kernels.tile_gemm import TileGemm
from tests.unit.passes.kernels.tolerance import exact_product, product_bound
from xegpu.targets import ARC, PVC, Target

SMALL = TileGemm(16, 32, 64, (16, 16, 32))

IN_ALL_ENGINES = [
    *(replace(SMALL, element=element) for element in ELEMENT_BITS),
    replace(SMALL, b="transposed"),
    replace(SMALL, pre_op=True, post_op=True, element="bf16"),
    TileGemm(19, 21, 40, (8, 16, 32), "ui8", b="transposed"),
]
ON_PVC = [
    TileGemm(32, 64, 64, (32, 32, 32), "bf16"),
    replace(SMALL, a="transposed"),
    replace(SMALL, element="i8", a="transposed", b="transposed"),
    replace(SMALL, element="bf16", b="column-major"),
    replace(SMALL, element="tf32", a="column-major", b="transposed"),
    replace(SMALL, element="ui8", a="column-major", b="column-major"),
    replace(SMALL, loads_c=True, element="tf32"),
    replace(SMALL, pre_op=True, post_op=True, element="i8", loads_c=True),
    TileGemm(37, 53, 29, (16, 16, 32)),
    TileGemm(19, 21, 29, (8, 32, 16), "tf32", a="column-major", loads_c=True),
    TileGemm(1, 1, 1, (8, 16, 16), "bf16", post_op=True),
    replace(SMALL, source="dynamic"),
    TileGemm(19, 37, 29, (16, 16, 32), source="dynamic", a="column-major"),
    replace(SMALL, source="address", element="bf16"),
    TileGemm(17, 32, 40, (8, 16, 32), "i8", source="address", b="column-major"),
]
ON_ARC = [
    TileGemm(16, 16, 32, (8, 8, 16)),
    TileGemm(16, 16, 64, (8, 16, 32), "i8", b="transposed"),
    TileGemm(13, 21, 29, (8, 8, 16), "bf16", a="column-major", post_op=True),
]


def compare(gemm: TileGemm, target: Target, engines: Sequence[str] = ENGINES[:1]) -> None:
    """Integers are exact modulo 2^32, floats within the derived bound; each further operation rounds once more."""
    rng = np.random.default_rng(11)
    a, b = random_array(rng, (gemm.m, gemm.k), gemm.element), random_array(rng, (gemm.k, gemm.n), gemm.element)
    bias = random_array(rng, (1, gemm.n), gemm.result)
    shape, dtype = (gemm.m, gemm.n), DTYPES[gemm.result]
    c = random_array(rng, shape, gemm.result) if gemm.loads_c else np.full(shape, 77).astype(dtype)
    arguments = gemm.arguments(a, b, c, bias)
    index = next(i for i, argument in enumerate(arguments) if argument is c)
    kernel = compile_one(gemm.text(), target)
    assert kernel.features.has_dpas
    result = run(kernel, *arguments, groups=gemm.grid, target=target, engines=engines)[
        sum(isinstance(argument, np.ndarray) for argument in arguments[:index])
    ]
    start = c if gemm.loads_c else None
    if gemm.pre_op:
        a = (a + a).astype(a.dtype)
    if gemm.result == "i32":
        np.testing.assert_array_equal(result, _exact(gemm, a, b, start, bias))
        return
    expected = exact_product(a, b, start)
    bound = product_bound(a, b, start, gemm.result, 1)
    if gemm.post_op:
        expected = expected + bias.astype(np.float64)
        bound = bound + (np.abs(expected) + bound) * 2.0**-24
        expected = np.maximum(expected, 0)
    error = np.abs(result.astype(np.float64) - expected)
    assert (error <= bound).all(), error.max()


def _exact(gemm: TileGemm, a: Array, b: Array, start: Array | None, bias: Array) -> Array:
    expected = a.astype(np.int64) @ b.astype(np.int64) + (0 if start is None else start.astype(np.int64))
    if gemm.post_op:
        expected = np.maximum((expected + bias).astype(np.int32), 0)
    return np.asarray(expected.astype(np.int32))


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("gemm", IN_ALL_ENGINES, ids=str)
def test_gemm_equals_numpy_in_all_engines(gemm: TileGemm) -> None:
    compare(gemm, PVC, ENGINES)


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("gemm", ON_PVC, ids=str)
def test_gemm_equals_numpy(gemm: TileGemm) -> None:
    compare(gemm, PVC)


@pytest.mark.parametrize("gemm", ON_ARC, ids=str)
def test_gemm_equals_numpy_on_arc(gemm: TileGemm) -> None:
    compare(gemm, ARC)
