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
"""The alignment in bytes that kernels may assume of an array. One that needs less says so in `HostArray.alignment`."""


@dataclass(frozen=True, eq=False)
class HostArray:
    """A non-empty array of the caller, its first element at `address`, and whether the kernel may write it.

    `alignment` is the one that the kernel needs, in bytes; the array is copied for the launch if it has a smaller one.
    """

    name: str
    array: NDArray[np.generic]
    address: int
    writes: bool
    alignment: int = ALIGNMENT

    @property
    def is_aligned(self) -> bool:
        """True if the array can be used in place."""
        return self.address % self.alignment == 0


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
            OverlapError: Arrays overlap that cannot be aligned together, and the kernel writes one of them.
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


class _Room:
    """Memory for a copy of an extent, in which address `anchor` becomes a multiple of `alignment`."""

    def __init__(self, extent: RegisteredExtent, anchor: int, alignment: int) -> None:
        size, before = extent.end - extent.start, anchor - extent.start
        room = np.empty(size + alignment, np.uint8)
        skip = -(room.ctypes.data + before) % alignment
        self.bytes = room[skip : skip + size]
        self.distance = self.bytes.ctypes.data - extent.start
        """The bytes from an address in the extent to the one of its copy."""


class _Copy:
    """A copy of an array, in a room that it may share with arrays that overlap it."""

    def __init__(self, room: _Room, lent: HostArray) -> None:
        self._room = room
        self.address = lent.address + room.distance

    def replace(self, extent: RegisteredExtent) -> RegisteredExtent:
        """Returns what must be registered instead of the caller's own bytes."""
        distance = self._room.distance
        return RegisteredExtent(extent.start + distance, extent.end + distance, extent.writes, extent.name)

    def like(self, lent: HostArray) -> NDArray[np.generic]:
        """Returns the copy with the shape and type of the array."""
        array, data = lent.array, self._room.bytes
        return np.ndarray(array.shape, array.dtype, data.data, self.address - data.ctypes.data, array.strides)


def _extent(lent: HostArray) -> RegisteredExtent:
    start, end = byte_range(lent.array, lent.address)
    return RegisteredExtent(start, end, lent.writes, lent.name)


def _copy_misaligned(arrays: Sequence[HostArray], extents: Sequence[RegisteredExtent]) -> list[_Copy | None]:
    """Returns copies of the arrays that are not aligned as the kernel needs it.

    Arrays that overlap have one copy, if all of them can be aligned in it. It does not matter where they are, only how
    far they are from each other.
    """
    copies: list[_Copy | None] = [None] * len(arrays)
    for whole in _merge(list(extents)):
        here = [index for index, extent in enumerate(extents) if whole.overlaps(extent.start, extent.end)]
        if all(arrays[index].is_aligned for index in here):
            continue
        first = arrays[here[0]]
        other = next((arrays[i] for i in here if (arrays[i].address - first.address) % first.alignment), None)
        if other is not None and whole.writes:
            raise OverlapError(
                f"arrays '{first.name}' and '{other.name}' overlap, and the kernel needs both aligned to "
                f"{first.alignment} bytes; they are {abs(other.address - first.address)} bytes apart"
            )
        room = None if other is not None else _Room(whole, first.address, first.alignment)
        for index in here:
            lent = arrays[index]
            if room is not None or not lent.is_aligned:
                copy = _Copy(room or _Room(extents[index], lent.address, lent.alignment), lent)
                np.copyto(copy.like(lent), lent.array)
                copies[index] = copy
    return copies


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
