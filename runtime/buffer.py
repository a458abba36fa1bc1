"""Arrays in device memory."""

from __future__ import annotations

import math
import weakref

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runtime.array_view import ArrayView
from runtime.session import Session
from runtime.ze.copies import Operand, zeCommandListAppendMemoryCopy
from runtime.ze.memory import zeMemAllocDevice, zeMemFree
from runtime.ze.structs import ze_device_mem_alloc_desc_t, ze_relaxed_allocation_limits_exp_desc_t

_RELAXED = ze_device_mem_alloc_desc_t(pNext=ze_relaxed_allocation_limits_exp_desc_t())


class Buffer:
    """An array of `shape` and `dtype`, row-major, in the memory of a device; freed when nothing refers to it any more.

    Made by `Device.empty` and `Device.array`. `address` is that of the first element, `nbytes` the size in bytes.
    """

    def __init__(self, session: Session, shape: tuple[int, ...], dtype: np.dtype[np.generic]) -> None:
        self.shape = shape
        self.dtype = dtype
        self.nbytes = math.prod(shape) * dtype.itemsize
        self.address = zeMemAllocDevice(session.context, _RELAXED, max(self.nbytes, 1), 0, session.device)
        self._session = session
        strides = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
        self._view = ArrayView(self.address, dtype, shape, strides, writable=True)
        self._free = weakref.finalize(self, zeMemFree, session.context, self.address)
        self._free.atexit = False

    def __repr__(self) -> str:
        return f"<Buffer {self.dtype}{list(self.shape)} at {self.address:#x}{'' if self._free.alive else ', freed'}>"

    @property
    def session(self) -> Session:
        """What the buffer was made in; kernels of the same session can use it."""
        return self._session

    def view(self) -> ArrayView:
        """The array as kernels see it; raises `ValueError` once it is freed."""
        if not self._free.alive:
            raise ValueError("the buffer was freed")
        return self._view

    def numpy(self) -> NDArray[np.generic]:
        """A copy of the contents."""
        array = np.empty(self.shape, self.dtype)
        self._copy(array.reshape(-1).view(np.uint8), self.view().address)
        return array

    def write(self, values: ArrayLike) -> None:
        """Replace the contents; raises `ValueError` unless `values` have the buffer's shape."""
        array = np.asarray(values, self.dtype, order="C")
        if array.shape != self.shape:
            raise ValueError(f"values of shape {array.shape} for a buffer of shape {self.shape}")
        self._copy(self.view().address, array.reshape(-1).view(np.uint8))

    def free(self) -> None:
        """Give the memory back now."""
        self._free()

    def _copy(self, target: Operand, source: Operand) -> None:
        session = self._session
        session.execute(lambda: zeCommandListAppendMemoryCopy(session.commands, target, source, self.nbytes))
