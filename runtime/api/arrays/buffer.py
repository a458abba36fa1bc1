"""Arrays in memory that the device can use."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from enum import Enum
from types import TracebackType
from typing import cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from runtime import ze
from runtime.api.arrays.array_view import ArrayView
from runtime.api.sessions.session import NOTES, Claim, Session, note
from runtime.ze.driver import Operand

_RELAXED = ze.ze_relaxed_allocation_limits_exp_desc_t()
_DEVICE_DESC = ze.ze_device_mem_alloc_desc_t(pNext=_RELAXED)
_HOST_DESC = ze.ze_host_mem_alloc_desc_t(pNext=_RELAXED)

DLPACK_CPU = 1
DLPACK_ONE_API = 14


class MemoryKind(Enum):
    """The memory of a buffer: the device's, the host's, or shared memory, which both can access."""

    DEVICE = "device"
    HOST = "host"
    SHARED = "shared"


_ALLOCATORS: Mapping[MemoryKind, Callable[[Session, int], int]] = {
    MemoryKind.DEVICE: lambda session, size: ze.zeMemAllocDevice(
        session.context, _DEVICE_DESC, size, 0, session.device
    ),
    MemoryKind.HOST: lambda session, size: ze.zeMemAllocHost(session.context, _HOST_DESC, size, 0),
    MemoryKind.SHARED: lambda session, size: ze.zeMemAllocShared(
        session.context, _DEVICE_DESC, _HOST_DESC, size, 0, session.device
    ),
}


class Buffer:
    """An array of `shape` and `dtype`, row-major, in memory that the device can access.

    `Device.empty` and `Device.array` create buffers. A buffer is freed when nothing refers to it any more, or at the
    end of `with`. `address` is that of the first element, `nbytes` the size in bytes, `memory` the kind of memory. The
    host accesses buffers in host and shared memory in place: `numpy` returns a view of them, and they are arrays to
    whatever reads `__array_interface__` or DLPack. Those in device memory are copied.
    """

    def __init__(
        self,
        session: Session,
        shape: tuple[int, ...],
        dtype: np.dtype[np.generic],
        memory: MemoryKind = MemoryKind.DEVICE,
    ) -> None:
        if dtype.hasobject or not dtype.isnative:
            raise ValueError(f"a buffer of {dtype} elements, which a device cannot use")
        if any(extent < 0 for extent in shape):
            raise ValueError(f"a buffer of shape {shape}")
        self.shape = shape
        self.dtype = dtype
        self.memory = memory
        self.nbytes = math.prod(shape) * dtype.itemsize
        NOTES.work_off()
        self._session = session
        self._claim = Claim()
        self._note = note(self, session.context, self._claim.free)
        self.address = self._claim.allocate(lambda: _ALLOCATORS[memory](session, max(self.nbytes, 1)))
        strides = tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))
        self._view = ArrayView(self.address, dtype, shape, strides, writable=True)

    def __repr__(self) -> str:
        place = "" if self.memory is MemoryKind.DEVICE else f" in {self.memory.value} memory"
        state = "" if self._alive else ", freed"
        return f"<Buffer {self.dtype}{list(self.shape)} at {self.address:#x}{place}{state}>"

    def __enter__(self) -> Buffer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.free()

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a buffer without dimensions has no length")
        return self.shape[0]

    @property
    def _alive(self) -> bool:
        return NOTES.is_written(self._note) and self._session.is_open

    @property
    def session(self) -> Session:
        """The session that the buffer was created in; kernels of the same session can use it."""
        return self._session

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    def view(self) -> ArrayView:
        """Returns the array as kernels see it; raises `ValueError` if it is freed."""
        if not self._alive:
            raise ValueError("the buffer was freed")
        return self._view

    def numpy(self) -> NDArray[np.generic]:
        """Returns the contents: in place if the host can access them, else a copy.

        Results of the device are visible when they are complete: after a launch, or `Stream.synchronize`. An array in
        place can be used after the buffer is freed, but is separate memory then.
        """
        if self.memory is not MemoryKind.DEVICE:
            return self._in_place()
        array = np.empty(self.shape, self.dtype)
        self._copy(array.reshape(-1).view(np.uint8), self.view().address)
        return array

    def write(self, values: ArrayLike) -> None:
        """Replaces the contents; raises `ValueError` unless `values` have the buffer's shape."""
        array = np.asarray(values, self.dtype, order="C")
        if array.shape != self.shape:
            raise ValueError(f"values of shape {array.shape} for a buffer of shape {self.shape}")
        if self.memory is not MemoryKind.DEVICE:
            np.copyto(self._in_place(), array)
        else:
            self._copy(self.view().address, array.reshape(-1).view(np.uint8))

    def free(self) -> None:
        """Frees the memory now."""
        context = self._session.context
        if self._alive and context.is_of_this_process:
            self._claim.free(context)
            NOTES.cancel(self._note)

    # Array protocols -------------------------------------------------------------------------------------------------

    def __array__(self, dtype: np.dtype[np.generic] | None = None, copy: bool | None = None) -> NDArray[np.generic]:
        """Returns the contents for numpy; raises `ValueError` for device memory that is not to be copied."""
        if copy is False and self.memory is MemoryKind.DEVICE:
            raise ValueError("device memory cannot be seen without a copy")
        array = self.numpy()
        if copy and self.memory is not MemoryKind.DEVICE:
            array = array.copy()
        return array if dtype is None else array.astype(dtype, copy=False)

    @property
    def __array_interface__(self) -> dict[str, object]:
        if self.memory is MemoryKind.DEVICE:
            raise AttributeError("the host cannot see device memory; Buffer.numpy() copies it")
        if np.dtype(self.dtype.str) != self.dtype:
            # Types that numpy does not have itself, like bfloat16. It asks `__array__` then, which says what they are.
            raise AttributeError(f"the array interface has no {self.dtype} elements")
        interface: dict[str, object] = self._in_place().__array_interface__
        return interface

    def __dlpack_device__(self) -> tuple[int, int]:
        """Returns type and number of the device, as DLPack counts them: the CPU for memory that the host can access."""
        return (DLPACK_ONE_API if self.memory is MemoryKind.DEVICE else DLPACK_CPU), 0

    def __dlpack__(
        self,
        *,
        stream: object = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> object:
        """Returns the contents as a DLPack capsule, for the CPU.

        Raises:
            BufferError: Another device is asked for, or a copy is needed and not allowed.
        """
        target = self.__dlpack_device__() if dl_device is None else dl_device
        if target != (DLPACK_CPU, 0):
            raise BufferError("other libraries cannot access simulated device memory; ask for the CPU, or use numpy()")
        if copy is False and self.memory is MemoryKind.DEVICE:
            raise BufferError("device memory cannot be seen without a copy")
        array = cast(NDArray[np.number], self.numpy())
        if copy and self.memory is not MemoryKind.DEVICE:
            array = array.copy()
        return array.__dlpack__() if max_version is None else array.__dlpack__(max_version=max_version)

    def _in_place(self) -> NDArray[np.generic]:
        """Returns the bytes that the host can access, which live as long as the array."""
        allocation = self._session.context.machine.memory.find(self.view().address)
        assert allocation is not None, "a buffer that is not freed"
        return np.frombuffer(allocation.view()[: self.nbytes], np.uint8).view(self.dtype).reshape(self.shape)

    def _copy(self, target: Operand, source: Operand) -> None:
        session = self._session
        session.execute(lambda: ze.zeCommandListAppendMemoryCopy(session.commands, target, source, self.nbytes))
