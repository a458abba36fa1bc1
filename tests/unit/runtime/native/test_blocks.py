"""Native matrix products, blocks of surfaces and clocks."""

from __future__ import annotations

from functools import cache

import ml_dtypes
import numpy as np
import pytest

from runtime import Device, Module
from tests.paths import ROOT

BOTH = pytest.mark.parametrize("engine", ["interpreter", "jit"])


@cache
def module(engine: str) -> Module:
    return Device("pvc", engine=engine).load((ROOT / "tests/data/native/blocks.pvc.zebin").read_bytes())


def pairs(b: np.ndarray) -> np.ndarray:
    """Returns rows that share a dword, as the matrix engine takes its second factor."""
    k, n = b.shape
    each = 4 // b.dtype.itemsize
    return np.ascontiguousarray(b.reshape(k // each, each, n).swapaxes(1, 2)).view(np.int32).reshape(k // each, n)


@BOTH
@pytest.mark.parametrize(("name", "dtype"), [("product_f16", np.float16), ("product_bf16", ml_dtypes.bfloat16)])
@pytest.mark.parametrize("k", [16, 80])
def test_matrix_products(engine: str, name: str, dtype: type[np.generic], k: int) -> None:
    draw = np.random.default_rng(k)
    a, b = (draw.standard_normal(shape).astype(dtype) for shape in ((64, k), (k, 48)))
    c = np.zeros((64, 48), np.float32)
    module(engine)[name][(3, 2), (16,)](a.view(np.uint16), pairs(b), c, 48, k)
    wanted = a.astype(np.float64) @ b.astype(np.float64)
    limit = np.abs(a).astype(np.float64) @ np.abs(b).astype(np.float64) * 2**-23 * (k + 2)
    assert (np.abs(c - wanted) <= limit).all()


@BOTH
def test_a_matrix_product_of_integers(engine: str) -> None:
    draw = np.random.default_rng(7)
    a, b = (draw.integers(-128, 128, shape).astype(np.int8) for shape in ((32, 96), (96, 32)))
    c = np.zeros((32, 32), np.int32)
    module(engine)["product_i8"][(2, 1), (16,)](a.view(np.uint16), pairs(b), c, 32, 96)
    np.testing.assert_array_equal(c, a.astype(np.int32) @ b.astype(np.int32))


@BOTH
def test_blocks_end_with_their_surface(engine: str) -> None:
    """Elements outside of it are zero."""
    a = np.random.default_rng(8).integers(1, 1 << 16, (13, 40)).astype(np.uint16)
    b = np.zeros((16, 48), np.uint16)
    module(engine)["blocks"][(3, 2), (16,)](a, b, 40, 13)
    np.testing.assert_array_equal(b, np.pad(a, ((0, 3), (0, 8))))


@BOTH
def test_time_goes_on(engine: str) -> None:
    a = np.zeros(2 * 32, np.uint64)
    module(engine)["ticks"][1, (32,)](a)
    assert (a[1::2] > a[::2]).all()
