"""Compares results with references, as the functions of test programs do."""

from __future__ import annotations

import numpy as np

from runtime.api import Tolerance, differences
from runtime.host.data.values import Array

ALLCLOSE = Tolerance(1e-3, 1e-4)
"""Tolerances of `printAllclose`; NaN is close to NaN only."""

EXACT = Tolerance(0.0, 0.0)


def mismatch(name: str, result: Array, reference: Array, tolerance: Tolerance) -> str:
    """Returns the differences of a result in lines of text; empty if it is as close to the reference as required.

    Elements are compared in order, up to the end of the shorter array, whatever the shapes.
    """
    if result.shape == reference.shape:
        return "\n".join(differences(name, result, reference, tolerance))
    count = min(result.size, reference.size)
    shortened, expected = (array.reshape(-1)[:count] for array in (result, reference))
    return "\n".join(differences(name, shortened, expected, tolerance))


def largest_errors(a: Array, b: Array) -> tuple[tuple[float, int], tuple[float, int]]:
    """Returns the largest absolute and relative error, each with the flat index of the first such element."""
    x, y = (array.reshape(-1).astype(np.float64) for array in (a, b))
    count = min(x.size, y.size)
    if not count:
        return (0.0, 0), (0.0, 0)
    with np.errstate(invalid="ignore", divide="ignore"):
        difference = np.abs(x[:count] - y[:count])
        scale = np.maximum(np.abs(x[:count]), np.abs(y[:count]))
        relative = np.where(difference == 0, 0.0, difference / scale)
    first, second = int(np.argmax(difference)), int(np.argmax(relative))
    return (float(difference[first]), first), (float(relative[second]), second)
