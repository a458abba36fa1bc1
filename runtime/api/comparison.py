"""Comparison of computed arrays with expected ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.generic]

_SHOWN = 10
"""The number of mismatches that are shown."""

_NARROW_BITS = 16


@dataclass(frozen=True)
class Tolerance:
    """The allowed distance from an expected number: `absolute + relative * |expected|`; None depends on the element
    type.
    """

    relative: float | None = None
    absolute: float | None = None

    def of(self, dtype: np.dtype[np.generic]) -> tuple[float, float]:
        """Returns relative and absolute tolerance for elements of a type: integers must be equal."""
        if dtype.kind in "biu":
            relative, absolute = 0.0, 0.0
        elif dtype.itemsize * 8 <= _NARROW_BITS:
            relative, absolute = 1e-2, 1e-3
        else:
            relative, absolute = 1e-5, 1e-8
        return (
            relative if self.relative is None else self.relative,
            absolute if self.absolute is None else self.absolute,
        )


def differences(name: str, found: Array, expected: Array, tolerance: Tolerance) -> Iterator[str]:
    """Returns the differences of an array from the expected one as lines for people; nothing if there are none.

    NaN is equal to NaN.

    Raises:
        ValueError: The arrays have different shapes.
    """
    if found.shape != expected.shape:
        raise ValueError(f"'{name}' has shape {found.shape}, expected {expected.shape}")
    relative, absolute = tolerance.of(found.dtype)
    if found.dtype.kind in "biu" and expected.dtype.kind in "biu":
        wrong = _apart(found, expected, relative, absolute) if relative or absolute else found != expected
    else:
        wrong = _apart(found, expected, relative, absolute)
    count = int(np.count_nonzero(wrong))
    if not count:
        return
    allowed = f"tolerance {relative:g} relative, {absolute:g} absolute" if relative or absolute else "none may differ"
    yield f"'{name}': {count} of {found.size} elements differ ({100 * count / found.size:.3g} %; {allowed})"
    indices = np.argwhere(wrong)[:_SHOWN].tolist()
    for index in indices:
        place = tuple(index)
        yield f"  [{', '.join(map(str, index))}] is {found[place]}, expected {expected[place]}"
    if count > len(indices):
        yield f"  ... {count - len(indices)} more"
    distance = _distance(found, expected)
    if np.isfinite(distance).any():
        worst = np.unravel_index(int(np.nanargmax(np.where(np.isfinite(distance), distance, np.nan))), found.shape)
        where = ", ".join(str(int(part)) for part in worst)
        yield f"  largest error {float(distance[worst]):g} at [{where}]"


def _distance(found: Array, expected: Array) -> NDArray[np.float64]:
    with np.errstate(all="ignore"):
        return np.asarray(np.abs(found.astype(np.float64) - expected.astype(np.float64)))


def _apart(found: Array, expected: Array, relative: float, absolute: float) -> NDArray[np.bool_]:
    """Returns the elements that are further apart than allowed; infinities must be equal, and NaN equals NaN."""
    a, b = found.astype(np.float64), expected.astype(np.float64)
    return np.asarray(~np.isclose(a, b, rtol=relative, atol=absolute, equal_nan=True))
