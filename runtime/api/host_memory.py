"""Arrays of the caller as device memory, for as long as a launch needs them."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runtime.api.array_view import byte_range
from runtime.simulator import Allocation, Memory

ALIGNMENT = 64
"""The alignment in bytes that kernels may assume of an array. An array with a smaller one is copied for the launch."""


@dataclass(frozen=True, eq=False)
class HostArray:
    """A non-empty array of the caller, its first element at `address`, and whether the kernel may write it."""

    name: str
    array: NDArray[np.generic]
    address: int
    writes: bool


class OverlapError(ValueError):
    """Arrays of one launch share memory in a way that cannot be preserved."""


@dataclass(frozen=True, slots=True)
class RegisteredExtent:
    """Bytes that a launch needs registered, under the names of the arrays in them."""

    start: int
    end: int
    writes: bool
    name: str

    def overlaps(self, start: int, end: int) -> bool:
        return self.start < end and start < self.end


class HostMemory:
    """Lends arrays to launches of any number of threads.

    Device memory has no overlapping allocations. So overlapping extents of one launch become one, and a launch waits
    while another one holds an extent that overlaps one of its own without being the same.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._released = threading.Condition()
        self._held: list[Allocation] = []

    @contextmanager
    def lend(self, arrays: Sequence[HostArray]) -> Iterator[list[int]]:
        """Yields the addresses at which the device finds `arrays` while the context lasts.

        Aligned arrays are used in place. The others are copied, and those that the kernel writes are copied back when
        the context ends without an exception.

        Raises:
            OverlapError: An array that must be copied overlaps another one, without being the same, and the kernel
                writes one of them.
        """
        extents = [_extent(lent) for lent in arrays]
        copies = _copy_misaligned(arrays, extents)
        places = [copy.address if copy else lent.address for copy, lent in zip(copies, arrays, strict=True)]
        needed = [copy.replace(extent) if copy else extent for copy, extent in zip(copies, extents, strict=True)]
        allocations = self._acquire(_merge(needed))
        try:
            yield places
            for copy, lent in zip(copies, arrays, strict=True):
                if copy and lent.writes:
                    np.copyto(lent.array, copy.like(lent))
        finally:
            self._release(allocations)

    def _acquire(self, extents: list[RegisteredExtent]) -> list[Allocation]:
        if not extents:
            return []
        with self._released:
            self._released.wait_for(lambda: not self._conflicts(extents))
            allocations = [
                self._memory.register(extent.start, extent.end - extent.start, "host", extent.name, extent.writes)
                for extent in extents
                if not self._is_device_memory(extent)
            ]
            self._held += allocations
        return allocations

    def _is_device_memory(self, extent: RegisteredExtent) -> bool:
        """Returns whether the array is a view of device memory itself, which needs no registration."""
        owner = self._memory.find(extent.start)
        return owner is not None and owner.is_owned and extent.end <= owner.end

    def _release(self, allocations: list[Allocation]) -> None:
        if not allocations:
            return
        with self._released:
            for allocation in allocations:
                self._held.remove(allocation)
                self._memory.free(allocation)
            self._released.notify_all()

    def _conflicts(self, extents: list[RegisteredExtent]) -> bool:
        return any(
            extent.overlaps(held.address, held.end) and (extent.start, extent.end) != (held.address, held.end)
            for held in self._held
            for extent in extents
        )


class _Copy:
    """Memory of the same size as an array's, in which the first element is aligned."""

    def __init__(self, lent: HostArray, extent: RegisteredExtent) -> None:
        self._before = lent.address - extent.start
        size = extent.end - extent.start
        room = np.empty(size + ALIGNMENT, np.uint8)
        skip = -(room.ctypes.data + self._before) % ALIGNMENT
        self._bytes = room[skip : skip + size]
        self._start = self._bytes.ctypes.data
        self.address = self._start + self._before

    def replace(self, extent: RegisteredExtent) -> RegisteredExtent:
        """Returns what must be registered instead of the caller's own bytes."""
        return RegisteredExtent(self._start, self._start + self._bytes.size, extent.writes, extent.name)

    def like(self, lent: HostArray) -> NDArray[np.generic]:
        """Returns the copy with the shape and type of the array."""
        array = lent.array
        return np.ndarray(array.shape, array.dtype, self._bytes.data, self._before, array.strides)


def _extent(lent: HostArray) -> RegisteredExtent:
    start, end = byte_range(lent.array, lent.address)
    return RegisteredExtent(start, end, lent.writes, lent.name)


def _copy_misaligned(arrays: Sequence[HostArray], extents: Sequence[RegisteredExtent]) -> list[_Copy | None]:
    """Returns a copy of each array that is not aligned, the same one for arrays at the same address."""
    by_place: dict[tuple[int, int, int], _Copy] = {}
    copies: list[_Copy | None] = []
    for lent, extent in zip(arrays, extents, strict=True):
        if lent.address % ALIGNMENT == 0:
            copies.append(None)
            continue
        _check_overlaps(lent, extent, arrays, extents)
        place = (lent.address, extent.start, extent.end)
        if place not in by_place:
            by_place[place] = _Copy(lent, extent)
        copy = by_place[place]
        np.copyto(copy.like(lent), lent.array)
        copies.append(copy)
    return copies


def _check_overlaps(
    lent: HostArray, extent: RegisteredExtent, arrays: Sequence[HostArray], extents: Sequence[RegisteredExtent]
) -> None:
    for other, there in zip(arrays, extents, strict=True):
        same = (other.address, there.start, there.end) == (lent.address, extent.start, extent.end)
        if not same and extent.overlaps(there.start, there.end) and (lent.writes or other.writes):
            raise OverlapError(
                f"arrays '{lent.name}' and '{other.name}' overlap, and '{lent.name}' does not start at a multiple of "
                f"{ALIGNMENT} bytes"
            )


def _merge(extents: list[RegisteredExtent]) -> list[RegisteredExtent]:
    """Returns the same bytes as extents that do not overlap, in ascending order."""
    merged: list[RegisteredExtent] = []
    for extent in sorted(extents, key=lambda extent: extent.start):
        last = merged[-1] if merged else None
        if last is not None and extent.start < last.end:
            name = last.name if extent.name == last.name else f"{last.name}, {extent.name}"
            merged[-1] = RegisteredExtent(last.start, max(last.end, extent.end), last.writes or extent.writes, name)
        else:
            merged.append(extent)
    return merged
