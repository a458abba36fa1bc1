"""Rounding of floats to narrower types in every direction: numbers to try, and their neighbors in the narrower type."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from tests.unit.passes.kernels.harness import DTYPES, Array

MODES = ("to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away")


def _bits(dtype: np.dtype[np.generic]) -> np.dtype[np.generic]:
    return np.dtype(f"u{dtype.itemsize}")


def candidates(source: str, target: str) -> Array:
    """Values of `source` at, next to, and half way between values of `target`, of both signs, and special ones."""
    wide, narrow = DTYPES[source], DTYPES[target]
    rng = np.random.default_rng(2)
    limit = int(np.array(np.inf, narrow).view(_bits(narrow)))
    patterns = np.array([0, 1, 2, limit - 2, limit - 1, *rng.integers(0, limit - 1, 60)], _bits(narrow))
    below, above = (p.view(narrow).astype(np.float64) for p in (patterns, patterns + 1))
    above = np.where(np.isinf(above), 2 * below - (patterns - 1).view(narrow).astype(np.float64), above)
    middle = ((below + above) / 2).astype(wide)
    values = [below.astype(wide), middle, np.nextafter(middle, wide.type(np.inf)), np.nextafter(middle, wide.type(0))]
    special = np.array([np.inf, np.nan, np.finfo(wide).max, np.finfo(wide).smallest_subnormal], wide)
    whole = np.concatenate([*values, special])
    return np.concatenate([whole, -whole])


def rounded(value: float, target: str, mode: str) -> int | None:
    """The bits of a number in a type with fewer bits, in exact arithmetic; None for NaN."""
    if math.isnan(value):
        return None
    dtype = DTYPES[target]
    bits = _bits(dtype)
    infinite, magnitude = int(np.array(np.inf, dtype).view(bits)), abs(value)
    sign = int(math.copysign(1, value) < 0)

    def number(pattern: int) -> float:
        return float(np.array(pattern, bits).view(dtype))

    low, high = 0, infinite
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if number(middle) <= magnitude else (low, middle)
    if math.isinf(magnitude):
        low = infinite
    elif number(low) != magnitude:
        step = Fraction(number(low)) - Fraction(number(low - 1)) if high == infinite else None
        above = Fraction(number(low)) + step if step is not None else Fraction(number(high))
        rest = 2 * Fraction(magnitude) - Fraction(number(low)) - above
        tie = {"to_nearest_even": low & 1, "to_nearest_away": 1}.get(mode, 0)
        nearest = int(rest > 0) if rest else tie
        low += {"toward_zero": 0, "upward": 1 - sign, "downward": sign}.get(mode, nearest)
    return low | sign << 8 * dtype.itemsize - 1


def assert_rounded(values: Array, results: Array, target: str, mode: str) -> None:
    """Fails unless the results are the values, rounded; NaN may have any bits."""
    patterns = results.view(_bits(DTYPES[target]))
    for value, pattern, result in zip(values.astype(np.float64), patterns, results, strict=True):
        expected = rounded(float(value), target, mode)
        if expected is None:
            assert np.isnan(result)
        else:
            assert int(pattern) == expected, f"{value!r} {mode} is {result!r}"
