"""What the runtime needs to know of an array, wherever its bytes are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class HostRange:
    """Bytes `start` to `end` of the caller's memory that a kernel may touch."""

    start: int
    end: int
    writable: bool


@dataclass(frozen=True, slots=True)
class ArrayView:
    """An array's first element, element type, shape, strides in elements, and the host memory it lies in.

    `host` is None for memory that is the device's already, and for empty arrays.
    """

    address: int
    dtype: np.dtype[np.generic]
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    writable: bool
    host: HostRange | None = None


def view_array(array: NDArray[np.generic], writes: bool) -> ArrayView:
    """The view of a numpy array, used in place, for a kernel that `writes` it or only reads it.

    Raises `ValueError` for strides that are no whole number of elements, and for elements in the other byte order.
    """
    dtype = array.dtype
    if not dtype.isnative:
        raise ValueError(f"{dtype} elements are stored in the other byte order")
    itemsize = dtype.itemsize
    if any(step % itemsize for step in array.strides):
        raise ValueError(f"strides of {array.strides} bytes are no whole numbers of {itemsize}-byte elements")
    address, read_only = array.__array_interface__["data"]
    strides = tuple(step // itemsize for step in array.strides)
    host = _host_range(address, array, writes and not read_only)
    return ArrayView(address, dtype, array.shape, strides, not read_only, host)


def _host_range(address: int, array: NDArray[np.generic], writable: bool) -> HostRange | None:
    if not array.size:
        return None
    if array.flags.c_contiguous:
        return HostRange(address, address + array.nbytes, writable)
    reach = [(size - 1) * step for size, step in zip(array.shape, array.strides, strict=True)]
    start = address + sum(step for step in reach if step < 0)
    end = address + sum(step for step in reach if step > 0) + array.itemsize
    return HostRange(start, end, writable)
