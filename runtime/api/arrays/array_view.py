"""The address, shape, strides and type of an array, wherever its bytes are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class ArrayView:
    """An array as a kernel sees it: address of the first element, shape, strides in elements."""

    address: int
    dtype: np.dtype[np.generic]
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    writable: bool


def view_array(array: NDArray[np.generic]) -> ArrayView:
    """Returns the view of a numpy array.

    Raises:
        ValueError: A stride is not a multiple of the element size, or the elements are Python objects or in the other
            byte order.
    """
    dtype = array.dtype
    if dtype.hasobject:
        raise ValueError(f"{dtype} elements are references to Python objects")
    if not dtype.isnative:
        raise ValueError(f"{dtype} elements are stored in the other byte order")
    itemsize = dtype.itemsize
    if any(step % itemsize for step in array.strides):
        raise ValueError(f"strides of {array.strides} bytes are not multiples of the {itemsize}-byte elements")
    address, read_only = array.__array_interface__["data"]
    return ArrayView(address, dtype, array.shape, tuple(step // itemsize for step in array.strides), not read_only)
