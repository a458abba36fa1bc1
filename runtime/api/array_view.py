"""What the runtime needs to know of an array, wherever its bytes are."""

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
    """The view of a numpy array.

    Raises `ValueError` for strides that are no whole number of elements, and for elements in the other byte order.
    """
    dtype = array.dtype
    if not dtype.isnative:
        raise ValueError(f"{dtype} elements are stored in the other byte order")
    itemsize = dtype.itemsize
    if any(step % itemsize for step in array.strides):
        raise ValueError(f"strides of {array.strides} bytes are no whole numbers of {itemsize}-byte elements")
    address, read_only = array.__array_interface__["data"]
    return ArrayView(address, dtype, array.shape, tuple(step // itemsize for step in array.strides), not read_only)


def byte_range(array: NDArray[np.generic], address: int) -> tuple[int, int]:
    """First address, and address behind the last byte, of a non-empty array whose first element is at `address`."""
    if array.flags.c_contiguous:
        return address, address + array.nbytes
    reach = [(size - 1) * step for size, step in zip(array.shape, array.strides, strict=True)]
    start = address + sum(step for step in reach if step < 0)
    return start, address + sum(step for step in reach if step > 0) + array.itemsize
