"""Elements of outputs that a kernel has never written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from tools.run.values import Array

MOST_SECONDS = 0.5
"""The time of a launch that is repeated to find them."""
MOST_BYTES = 16 << 20
"""The bytes of the arrays that are looked at."""

_OTHER = 0xFF
"""The bytes that outputs, which are zero at first, begin with when the launch is repeated."""


def still_zero(arrays: Mapping[int, Array]) -> dict[int, Array]:
    """Returns those of the arrays that have elements of which all bytes are zero; none if there is too much to see."""
    if sum(array.nbytes for array in arrays.values()) > MOST_BYTES:
        return {}
    return {index: array for index, array in arrays.items() if _holding(array, 0).any()}


def mark(array: Array) -> None:
    """Fills an array with other bytes than zero."""
    array.reshape(-1).view(np.uint8)[...] = _OTHER


def unwritten_counts(zero: Mapping[int, Array], marked: Mapping[int, Array]) -> Iterator[tuple[int, int]]:
    """Yields the arrays with elements that neither of two launches wrote, of arrays of zeros and of marked ones."""
    for index, array in zero.items():
        count = int((_holding(array, 0) & _holding(marked[index], _OTHER)).sum())
        if count:
            yield index, count


def _holding(array: Array, byte: int) -> NDArray[np.bool_]:
    """Returns for each element whether all of its bytes are `byte`."""
    found: NDArray[np.bool_] = (array.reshape(-1).view(np.uint8).reshape(array.size, -1) == byte).all(axis=1)
    return found
