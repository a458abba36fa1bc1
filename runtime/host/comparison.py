"""Comparing results with what is expected, as the functions of test programs do."""

from __future__ import annotations

import numpy as np

from runtime.host.values import Array

RELATIVE, ABSOLUTE = 1e-3, 1e-4
"""Tolerances of `printAllclose`: a difference may be the absolute one and the relative one times the reference."""

_MOST_SHOWN = 5


def _mismatches(result: Array, reference: Array, relative: float, absolute: float) -> Array:
    """Flat indices of elements, up to the shorter end, that are further apart than allowed; NaN is close to none."""
    count = min(result.size, reference.size)
    a, b = (array.reshape(-1)[:count].astype(np.float64) for array in (result, reference))
    with np.errstate(invalid="ignore"):
        close = (np.abs(a - b) <= absolute + relative * np.abs(b)) | (a == b)
    return np.flatnonzero(~close)


def allclose(result: Array, reference: Array) -> bool:
    """Whether a result is as close to a reference as test programs ask."""
    return not _mismatches(result, reference, RELATIVE, ABSOLUTE).size


def describe_difference(
    result: Array, reference: Array, *, relative: float = RELATIVE, absolute: float = ABSOLUTE
) -> str:
    """How many elements differ, and the first ones with their indices and values."""
    wrong = _mismatches(result, reference, relative, absolute)
    count = min(result.size, reference.size)
    lines = [f"{wrong.size} of {count} elements differ (rtol {relative:g}, atol {absolute:g})"]
    for flat in wrong[:_MOST_SHOWN]:
        index = ", ".join(map(str, np.unravel_index(int(flat), result.shape)))
        got, expected = (float(array.reshape(-1)[flat]) for array in (result, reference))
        lines.append(f"  at [{index}]: {got:g}, expected {expected:g} (difference {abs(got - expected):.3g})")
    if wrong.size > _MOST_SHOWN:
        lines.append(f"  and {wrong.size - _MOST_SHOWN} more")
    if result.shape != reference.shape:
        lines.append(f"  the shapes differ: {result.shape} and {reference.shape}")
    return "\n".join(lines)


def largest_errors(a: Array, b: Array) -> tuple[tuple[float, int], tuple[float, int]]:
    """The largest absolute and relative error in f64, each with the flat index of the first element that has it."""
    x, y = (array.reshape(-1).astype(np.float64) for array in (a, b))
    with np.errstate(invalid="ignore", divide="ignore"):
        difference = np.abs(x - y)
        scale = np.maximum(np.abs(x), np.abs(y))
        relative = np.where(difference == 0, 0.0, difference / scale)
    places = (int(np.argmax(error)) if error.size else 0 for error in (difference, relative))
    first, second = places
    if not difference.size:
        return (0.0, 0), (0.0, 0)
    return (float(difference[first]), first), (float(relative[second]), second)
