"""The distance that the arithmetic allows between a computed product and the exact one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.unit.passes.kernels.harness import DTYPES, PRECISION, Array

Float64 = NDArray[np.float64]


def exact_product(a: Array, b: Array, c: Array | None = None) -> Float64:
    """A x B (+ C) in double precision: exact for integers, and next to exact for floats of at most 24 bits."""
    product: Float64 = a.astype(np.float64) @ b.astype(np.float64)
    return product if c is None else product + c.astype(np.float64)


def product_bound(a: Array, b: Array, c: Array | None, result: str, step: int) -> Float64:
    """Largest error of each element of A x B (+ C) for floats.

    Products of significands of at most 12 bits are exact in f32. Each of the K products, the sum of the chains and the
    start is added once, with an error of 2^-24 of a partial sum, and no partial sum exceeds S = sum |a||b| + |c|: hence
    (K + 2) 2^-24 S, to first order. A result type of p bits below f32's rounds once in each of the K / step matrix
    instructions: half a unit, 2^-p S, each. The exact value that tests compare with is itself off by K 2^-53 S, and
    results below the smallest normal number may be flushed.
    """
    k = a.shape[1]
    total: Float64 = np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64))
    if c is not None:
        total += np.abs(c.astype(np.float64))
    relative = (k + 2) * 2.0**-24 + k * 2.0**-53
    bits = PRECISION[result]
    if bits < 24:
        relative += -(-k // step) * 2.0**-bits
    bound: Float64 = relative * total * (1 + relative) + k * _smallest_normal(result)
    return bound


def _smallest_normal(element: str) -> float:
    return 2.0**-14 if DTYPES[element] == np.float16 else 2.0**-126
