"""Exact float arithmetic on numpy arrays: results that are rounded only once, whatever the intermediate steps.

The tool is rounding to odd: an inexact result becomes that one of its two neighbours whose last bit is set. A value
rounded to odd with at least two bits to spare can be rounded again to nearest, with the result of a single rounding
(Boldo and Melquiond, see `runtime.simulator.machine.rounding`).
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.interpreter.threads.values import Array, Doubles

SMALLEST_NORMAL = 2.0**-126
"""The smallest normal number of f32, bf and tf32."""


def sum_to_odd(a: Doubles, b: Doubles) -> Doubles:
    """Returns the sum, rounded to odd."""
    total = np.asarray(a + b)
    # Knuth's two-sum (The Art of Computer Programming, volume 2, section 4.2.2): the exact error of the addition.
    virtual = total - a
    error = (a - (total - virtual)) + (b - virtual)
    bits = total.view(np.int64)
    # A finite even sum with an error moves one step toward the exact value: away from zero if the signs agree.
    moves = (error != 0) & np.isfinite(total) & (bits & 1 == 0)
    step = np.where((error > 0) == (total > 0), np.int64(1), np.int64(-1))
    return (bits + np.where(moves, step, np.int64(0))).view(np.float64)


def to_single_odd(values: Doubles) -> NDArray[np.float32]:
    """Converts f64 to f32, rounded to odd."""
    nearest = values.astype(np.float32)
    back = nearest.astype(np.float64)
    bits = nearest.view(np.uint32)
    truncated = np.where(np.abs(back) > np.abs(values), bits - np.uint32(1), bits)
    inexact = (back != values) & ~np.isnan(values)
    odd: NDArray[np.uint32] = truncated | inexact
    return odd.view(np.float32)


def integers_to_double(values: Array) -> Doubles:
    """Converts 64-bit integers to f64 such that rounding to 24 bits or fewer gives what the integers themselves give.

    Large ones keep their upper 52 bits, and a sticky bit that says whether the bits below are zero.
    """
    low = (values & values.dtype.type(0xFFF)) != 0
    sticky = (values & ~values.dtype.type(0xFFF)) | (low.astype(values.dtype) << values.dtype.type(11))
    exact = values.astype(np.float64)
    return np.where(np.abs(exact) < 2.0**53, exact, sticky.astype(np.float64))


def single_to_bf_bits(values: NDArray[np.float32]) -> NDArray[np.uint16]:
    """Converts f32 to the bits of bf, nearest even; NaNs stay NaNs."""
    bits = values.view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    return np.where(np.isnan(values), np.uint32(0x7FC0), rounded).astype(np.uint16)


def single_to_tf32(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Converts f32 to tf32: nearest even at 10 fraction bits, subnormal values are flushed; NaNs stay NaNs."""
    bits = flush_subnormals(values).view(np.uint32)
    rounded = (bits + np.uint32(0xFFF) + ((bits >> np.uint32(13)) & np.uint32(1))) & np.uint32(0xFFFFE000)
    return np.where(np.isnan(values), values, rounded.view(np.float32))


def flush_subnormals(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """Flushes subnormal f32 values to zeros of their sign."""
    return np.where(np.abs(values) < np.float32(SMALLEST_NORMAL), np.copysign(np.float32(0), values), values)


def fused_multiply_add(a: Array, b: Array, c: Array) -> Doubles:
    """Computes a * b + c of f32 or f16 arguments, as an f64 that may be rounded to the arguments' type."""
    product = a.astype(np.float64) * b.astype(np.float64)
    return sum_to_odd(product, c.astype(np.float64))


def fused_multiply_add_double(a: Doubles, b: Doubles, c: Doubles) -> Doubles:
    """Computes a * b + c of f64 arguments, rounded once."""
    lanes = np.broadcast_arrays(a, b, c)
    return np.array([_fma(x, y, z) for x, y, z in zip(*(lane.tolist() for lane in lanes), strict=True)], np.float64)


def _fma(a: float, b: float, c: float) -> float:
    if not (math.isfinite(a) and math.isfinite(b)):
        return a * b + c
    if not math.isfinite(c):
        return c  # whether or not a * b overflows
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if not exact:
        return a * b + c  # an exact zero: the plain operations give its sign
    try:
        return exact.numerator / exact.denominator  # Python rounds the quotient of integers correctly
    except OverflowError:
        return np.inf if exact > 0 else -np.inf
