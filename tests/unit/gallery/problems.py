"""The problems that the gallery's kernels solve: arguments, exact results, and bounds of their errors.

Bounds are to first order in the unit roundoff, with a factor of 1.01 for the rest. Functions are as exact as
`tests/unit/passes/convert_xegpu_to_xe/math/test_functions.py` has them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tests.unit.passes.kernels.harness import BFLOAT16, Array

Float64 = NDArray[np.float64]

U = 2.0**-24
"""Unit roundoff of f32: half a unit in the last place, relative."""
EXP = 4 * U
"""Relative error of `math.exp`: two units in the last place."""
REST = 1.01
"""Room for products of errors."""
TINY = 2.0**-126
"""The smallest normal number of f32: results below may be flushed."""


@dataclass(frozen=True)
class Result:
    """The exact final contents of an argument, and the largest error of each element."""

    exact: Float64
    bound: Float64 | float


@dataclass(frozen=True)
class Problem:
    """Arguments of a launch, and what becomes of those that change, by position."""

    arguments: tuple[Array, ...]
    results: Mapping[int, Result]


def reduction() -> Problem:
    """Sums and maxima of rows and columns: whole numbers, whose sums are exact in any order."""
    x = np.random.default_rng(5).integers(-99, 100, (32, 64)).astype(np.float32)
    wide = x.astype(np.float64)
    sums = [wide.sum(1, keepdims=True), wide.sum(0, keepdims=True)]
    maxima = [wide.max(1, keepdims=True), wide.max(0, keepdims=True)]
    exact = (sums[0], maxima[0], sums[1], maxima[1])
    starts = (np.full(e.shape, start, np.float32) for e, start in zip(exact, (0, -np.inf, 0, -np.inf), strict=True))
    return Problem((x, *starts), {position: Result(e, 0) for position, e in enumerate(exact, 1)})


def softmax() -> Problem:
    """Softmax of rows.

    With x - max in (-r, 0], the rounding of the difference changes its exponential by r U. Numerator and sum have that
    error and that of exp; a running sum is scaled in each of its k steps by an exponential, whose arguments add up to
    at most r. The sum is of n numbers, and there is one division.
    """
    rng = np.random.default_rng(1)
    x = (rng.standard_normal((64, 64)) * 4).astype(np.float32)
    wide = x.astype(np.float64)
    n = x.shape[1]
    steps = n / 16
    d = wide - wide.max(1, keepdims=True)
    e = np.exp(d)
    exact = e / e.sum(1, keepdims=True)
    spread = -d.min(1, keepdims=True)
    relative = 3 * spread * U + 2 * EXP + steps * (EXP + 2 * U) + (n + 2) * U
    return Problem((x, np.zeros_like(x)), {1: Result(exact, relative * exact * REST + TINY)})


def convolution() -> Problem:
    """Nine products along 16 channels: f16 times f16 is exact in f32, and each is added once."""
    rng = np.random.default_rng(9)
    x = rng.standard_normal((6, 14, 16)).astype(np.float16)
    w = rng.standard_normal((3, 3, 16, 32)).astype(np.float16)
    padded, wide = np.pad(x.astype(np.float64), ((1, 1), (1, 1), (0, 0))), w.astype(np.float64)
    exact, magnitude = np.zeros((2, 6, 14, 32))
    for r, s in np.ndindex(3, 3):
        shifted = padded[r : r + 6, s : s + 14]
        exact += shifted @ wide[r, s]
        magnitude += np.abs(shifted) @ np.abs(wide[r, s])
    additions = 9 * 16 + 9
    return Problem(
        (x, w, np.full(exact.shape, np.nan, np.float32)), {2: Result(exact, additions * U * magnitude * REST)}
    )


def elementwise() -> Problem:
    """max(x * scale + bias, 0): numpy rounds f32 the same way, so nothing may differ."""
    rng = np.random.default_rng(2)
    x = rng.standard_normal((64, 128)).astype(BFLOAT16)
    scale = rng.standard_normal((1, 128), np.float32)
    bias = rng.standard_normal((64, 1), np.float32)
    exact = np.maximum(x.astype(np.float32) * scale + bias, 0).astype(BFLOAT16)
    return Problem((x, scale, bias, np.zeros_like(x)), {3: Result(exact.astype(np.float64), 0)})


def flash_attention(causal: bool = False) -> Problem:
    """softmax(Q K^T / sqrt(d)) V; with `causal`, query i sees the keys up to i.

    Scores are off by (d + 2) U of their magnitude, and by two roundings; that, and the rounding of the difference to
    the largest score, changes the exponentials by as much, relative. There are the errors of exp itself and of
    scaling in each of the k blocks; weights are rounded to f16 in the numerator only, where small ones lose up to
    2^-25. Both sums have as many additions as there are keys, and two more of the matrix engine in each block.
    """
    rng = np.random.default_rng(10)
    q, k, v = (rng.standard_normal((rows, 32)).astype(np.float16) for rows in (32, 48, 48))
    wide_q, wide_k, wide_v = (a.astype(np.float64) for a in (q, k, v))
    depth, keys, blocks = q.shape[1], k.shape[0], 3
    hidden = np.arange(keys) > np.arange(q.shape[0])[:, None] if causal else np.zeros((q.shape[0], keys), bool)
    scores = np.where(hidden, -np.inf, wide_q @ wide_k.T / np.sqrt(depth))
    d = scores - scores.max(1, keepdims=True)
    weights = np.exp(d)
    total = weights.sum(1, keepdims=True)
    exact = weights @ wide_v / total
    magnitude = np.abs(wide_q) @ np.abs(wide_k).T / np.sqrt(depth)
    spread = np.where(hidden, 0, -d).max(1, keepdims=True)
    exponent = 2 * (depth + 4) * U * magnitude.max(1, keepdims=True) + (blocks + 1) * spread * U
    relative = exponent + (blocks + 1) * (EXP + 2 * U) + (keys + 2 * blocks + 2) * U
    numerator = (
        weights @ np.abs(wide_v) * (relative + 2.0**-11) + (weights > 0).astype(np.float64) @ np.abs(wide_v) * 2.0**-25
    )
    bound = (numerator / total + np.abs(exact) * (relative + U)) * REST
    return Problem((q, k, v, np.zeros(exact.shape, np.float32)), {3: Result(exact, bound)})


def gather_scatter() -> Problem:
    """y[to[k]] = 2 * x[from[k]]: negative indices come from nowhere, which gives 1, or go nowhere."""
    rng = np.random.default_rng(8)
    x = rng.standard_normal(700, np.float32)
    y = rng.standard_normal(600, np.float32)
    origins = np.where(rng.random(512) < 0.3, -rng.integers(1, 1 << 31, 512), rng.integers(0, x.size, 512))
    targets = np.where(rng.random(512) < 0.3, -1, rng.permutation(y.size)[:512])
    exact = y.astype(np.float64)
    kept = targets >= 0
    exact[targets[kept]] = np.where(origins >= 0, 2 * x[origins % x.size], 1)[kept]
    indices = (a.astype(np.int32).reshape(8, 64) for a in (origins, targets))
    return Problem((*indices, x, y), {3: Result(exact, 0)})


def layer_norm() -> Problem:
    """(x - mean) / sqrt(variance + epsilon) * gain + shift, of rows of f16, in f32.

    A mean is off by (n + 1) U times the mean of |x|; the differences are off by as much, and by U themselves. That
    shifts the squares by twice the difference times its error, which the square root halves; their sum has n + 2
    roundings. The results are f16: half a unit, 2^-11, or 2^-25 where they are small.
    """
    rng = np.random.default_rng(4)
    x = (rng.standard_normal((32, 64)) * 3 + 1).astype(np.float16)
    gain = rng.standard_normal((1, 64), np.float32)
    shift = rng.standard_normal((1, 64), np.float32)
    wide = x.astype(np.float64)
    n = x.shape[1]
    d = wide - wide.mean(1, keepdims=True)
    factor = 1 / np.sqrt((d * d).mean(1, keepdims=True) + 1e-5)
    normal = d * factor
    exact = normal * gain + shift
    d_error = (n + 1) * U * np.abs(wide).mean(1, keepdims=True) + U * np.abs(d)
    factor_error = factor**2 * (np.abs(d) * d_error).mean(1, keepdims=True) + (n + 6) / 2 * U + U
    error = np.abs(gain) * (d_error * factor + np.abs(normal) * (factor_error + 2 * U)) + U * np.abs(exact)
    bound = error * REST + np.abs(exact) * 2.0**-11 * REST + 2.0**-25
    return Problem((x, gain, shift, np.zeros_like(x)), {3: Result(exact, bound)})


def stencil() -> Problem:
    """A step of heat flow: the same roundings as numpy's."""
    x = np.random.default_rng(3).standard_normal((50, 60), np.float32)
    z = np.pad(x, 1)
    around = (z[:-2, 1:-1] + z[2:, 1:-1]) + (z[1:-1, :-2] + z[1:-1, 2:])
    exact = x + np.float32(0.25) * (around - np.float32(4) * x)
    return Problem((x, np.full_like(x, np.nan)), {1: Result(exact.astype(np.float64), 0)})


def transpose() -> Problem:
    x = np.random.default_rng(6).standard_normal((128, 64)).astype(np.float16)
    return Problem((x, np.zeros(x.shape[::-1], x.dtype)), {1: Result(x.T.astype(np.float64), 0)})


PROBLEMS: Mapping[str, Callable[[], Problem]] = {
    "convolution": convolution,
    "elementwise": elementwise,
    "flash_attention": flash_attention,
    "flash_attention_causal": partial(flash_attention, causal=True),
    "gather_scatter": gather_scatter,
    "layer_norm": layer_norm,
    "reduction": reduction,
    "softmax": softmax,
    "stencil": stencil,
    "transpose": transpose,
}
"""By folder of the gallery."""
