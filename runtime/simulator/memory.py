"""Device memory: the set of live allocations. A device address is the host address of the bytes."""

from __future__ import annotations

import ctypes
import mmap
import sys
import threading
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

POISON = 0xFF
"""Fill of new allocations: a NaN in every float type, -1 in every signed integer type."""

POISON_LIMIT = 16 << 20
"""Larger allocations start as zeros instead: filling them would commit every page."""

_ADDRESS_END = 1 << 64

_NO_RESERVE = 0x4000
"""Linux's MAP_NORESERVE, which Python's `mmap` lacks before 3.13."""

_REMEMBERED = 1024
"""The number of freed ranges that are remembered for reports."""


class Allocation:
    """A range of live memory. `kind` is device, host, shared or whatever the owner calls it; `label` is for reports."""

    def __init__(
        self, address: int, size: int, kind: str, label: str, writable: bool, backing: NDArray[np.uint8] | None = None
    ):
        self.address = address
        self.size = size
        self.kind = kind
        self.label = label
        self.writable = writable
        self.references = 1
        self.initialized: NDArray[np.uint8] | None = None
        """A nonzero byte for each initialized byte; None if all of them count as initialized."""
        self._backing = backing

    @property
    def end(self) -> int:
        """The first address after the allocation."""
        return self.address + self.size

    @property
    def is_owned(self) -> bool:
        """Returns whether the bytes were allocated here, rather than registered."""
        return self._backing is not None

    @property
    def pages(self) -> tuple[int, int]:
        """Returns address and size of the whole pages of an allocation that was made with `whole_pages`."""
        assert self._backing is not None
        size = self._backing.size
        return self._backing.ctypes.data, -(-size // mmap.PAGESIZE) * mmap.PAGESIZE

    def view(self) -> memoryview:
        """Returns the bytes in place, read-only if the allocation is. A view keeps allocated (not registered) bytes
        alive.

        Writes through a view are not tracked, so all bytes count as initialized from then on.
        """
        self.initialized = None
        return self.data.data

    @property
    def data(self) -> NDArray[np.uint8]:
        """The bytes as an array, for callers that report what they write with `initialize`."""
        if self._backing is not None:
            start = self.address - self._backing.ctypes.data
            array = self._backing[start : start + self.size]
        else:
            array = np.frombuffer(memoryview((ctypes.c_ubyte * self.size).from_address(self.address)), np.uint8)
        array.flags.writeable = self.writable
        return array

    def initialize(self, start: int, size: int) -> None:
        """Marks `size` bytes from byte `start` on as initialized."""
        if self.initialized is not None:
            self.initialized[start : start + size] = 1

    def __str__(self) -> str:
        name = f" '{self.label}'" if self.label else ""
        return f"{self.kind} memory{name}, {self.size} bytes at {self.address:#x}"


@dataclass(frozen=True)
class FreedAllocation:
    """A range that was live in the past, for reports."""

    address: int
    size: int
    kind: str
    label: str

    @property
    def end(self) -> int:
        """The first address after the range."""
        return self.address + self.size

    def __str__(self) -> str:
        name = f" '{self.label}'" if self.label else ""
        return f"freed {self.kind} memory{name}, {self.size} bytes at {self.address:#x}"


def _address(range: Allocation | FreedAllocation) -> int:
    return range.address


def _end(range: Allocation | FreedAllocation) -> int:
    return range.end


def _zeros(size: int, whole_pages: bool) -> NDArray[np.uint8]:
    """Returns zeroed bytes that are committed when they are first touched; the host may have less memory than that.

    With `whole_pages` their pages hold nothing else, where the system supports that. Raises `MemoryError` when there is
    no address space left.
    """
    if (size <= POISON_LIMIT and not whole_pages) or sys.platform != "linux":
        return np.zeros(size, np.uint8)
    try:
        pages = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE)
    except (OSError, OverflowError) as error:
        raise MemoryError(f"the host has no {size} bytes") from error
    if size > POISON_LIMIT:
        with suppress(OSError):  # kernels can be built without huge pages
            pages.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(pages, np.uint8)


class RangeTable:
    """An immutable snapshot of the live ranges, sorted by address; adjacent ranges are not merged.

    `starts` and `ends` are uint64 arrays of first addresses and of addresses after the last byte, `writable` uint8
    flags. The snapshot holds its allocations, so that memory freed during a launch stays mapped until the launch ends.
    """

    def __init__(self, allocations: Iterable[Allocation]):
        self.allocations = tuple(allocations)
        self.starts = np.array([a.address for a in self.allocations], np.uint64)
        self.ends = np.array([a.end for a in self.allocations], np.uint64)
        self.writable = np.array([a.writable for a in self.allocations], np.uint8)
        for array in (self.starts, self.ends, self.writable):
            array.flags.writeable = False


class Memory:
    """The live allocations of one device. Thread-safe.

    Args:
        limit: Largest size in bytes of all allocations together; None for no limit but the host's.
        red_zone: Bytes around each allocation that belong to none, for checks.
        quarantine: Bytes of freed allocations, the latest ones, that are not reused, for checks.
        tracks_values: Whether allocations of device memory record which bytes are initialized.
    """

    def __init__(
        self, limit: int | None = None, *, red_zone: int = 0, quarantine: int = 0, tracks_values: bool = False
    ):
        self._red_zone = red_zone
        self._quarantine = quarantine
        self._tracks_values = tracks_values
        self._held: deque[Allocation] = deque()
        self._held_bytes = 0
        self._freed: list[FreedAllocation] = []
        """Freed ranges, sorted by address, without overlaps with each other or with live ones."""
        self._freed_order: deque[FreedAllocation] = deque()
        self._limit = limit
        self._lock = threading.Lock()
        self._allocations: list[Allocation] = []
        self._starts: list[int] = []
        self._used = 0
        self._table: RangeTable | None = None

    def allocate(
        self, size: int, alignment: int = 64, kind: str = "device", label: str = "", *, whole_pages: bool = False
    ) -> Allocation:
        """Returns new memory of `size` bytes. Its contents are undefined: small ones are filled with `POISON`.

        With `whole_pages` its pages hold nothing else, so that they can be shared with other processes. Raises
        `ValueError` for a size below 1 or an alignment that is no power of two, `MemoryError` beyond the limit.
        """
        if size < 1:
            raise ValueError(f"allocation of {size} bytes")
        if alignment < 1 or alignment & (alignment - 1):
            raise ValueError(f"alignment {alignment} is not a power of two")
        with self._lock:
            if self._limit is not None and self._used + size > self._limit:
                raise MemoryError(f"{size} bytes do not fit: {self._used} of {self._limit} bytes are in use")
            backing = _zeros(size + alignment - 1 + 2 * self._red_zone, whole_pages)
            address = -(-(backing.ctypes.data + self._red_zone) // alignment) * alignment
            if size <= POISON_LIMIT:
                backing.fill(POISON)
            allocation = Allocation(address, size, kind, label, True, backing)
            if self._tracks_values and kind == "device":
                allocation.initialized = np.zeros(size, np.uint8)
            self._insert(allocation)
            self._used += size
        return allocation

    def register(self, address: int, size: int, kind: str, label: str = "", writable: bool = True) -> Allocation:
        """Makes existing host bytes accessible in place; the caller keeps them alive until `free`.

        The same range may be registered several times: it stays live until it was freed as often, and is writable once
        one registration was. Any other overlap with live memory raises `ValueError`, as does an impossible range.
        """
        if size < 1 or address < 1 or address + size > _ADDRESS_END:
            raise ValueError(f"no range of memory: {size} bytes at {address:#x}")
        with self._lock:
            index = bisect_right(self._starts, address)
            for other in self._allocations[max(index - 1, 0) : index + 1]:
                if (other.address, other.size) == (address, size):
                    other.references += 1
                    if writable and not other.writable:
                        other.writable = True
                        self._table = None
                    return other
                if other.address < address + size and address < other.end:
                    raise ValueError(f"{size} bytes at {address:#x} overlap {other}")
            allocation = Allocation(address, size, kind, label, writable)
            self._insert(allocation)
        return allocation

    def _insert(self, allocation: Allocation) -> None:
        index = bisect_right(self._starts, allocation.address)
        self._allocations.insert(index, allocation)
        self._starts.insert(index, allocation.address)
        self._table = None
        self._forget(allocation)

    def write(self, allocation: Allocation, offset: int, data: bytes) -> None:
        """Overwrites bytes of a live allocation, even if kernels may only read it."""
        with self._lock:
            writable, allocation.writable = allocation.writable, True
            allocation.data[offset : offset + len(data)] = np.frombuffer(data, np.uint8)
            allocation.writable = writable

    def protect(self, allocation: Allocation) -> None:
        """Makes a live allocation read-only for kernels, from the next launch on."""
        with self._lock:
            allocation.writable = False
            self._table = None

    def free(self, allocation: Allocation) -> None:
        """Drops one reference; the last one ends the allocation. Raises `ValueError` when it is not live."""
        with self._lock:
            index = bisect_right(self._starts, allocation.address) - 1
            if index < 0 or self._allocations[index] is not allocation:
                raise ValueError(f"not live: {allocation}")
            allocation.references -= 1
            if allocation.references:
                return
            del self._allocations[index], self._starts[index]
            if allocation.is_owned:
                self._used -= allocation.size
            self._table = None
            self._remember(allocation)

    def _remember(self, allocation: Allocation) -> None:
        freed = FreedAllocation(allocation.address, allocation.size, allocation.kind, allocation.label)
        self._freed.insert(bisect_left(self._freed, freed.address, key=_address), freed)
        self._freed_order.append(freed)
        if len(self._freed_order) > _REMEMBERED:
            self._forget(self._freed_order[0])
        if allocation.is_owned and allocation.size <= self._quarantine:
            self._held.append(allocation)
            self._held_bytes += allocation.size
            while self._held_bytes > self._quarantine:
                self._held_bytes -= self._held.popleft().size

    def _forget(self, new: Allocation | FreedAllocation) -> None:
        """Forgets freed ranges that overlap a new one."""
        first = bisect_right(self._freed, new.address, key=_end)
        behind = bisect_left(self._freed, new.end, key=_address)
        for freed in self._freed[first:behind]:
            self._freed_order.remove(freed)
        del self._freed[first:behind]

    def freed(self, address: int) -> FreedAllocation | None:
        """Returns the most recent freed allocation that contained the byte at `address`, if it is remembered."""
        with self._lock:
            index = bisect_right(self._freed, address, key=_address) - 1
            if index >= 0 and address < self._freed[index].end:
                return self._freed[index]
        return None

    def find(self, address: int) -> Allocation | None:
        """Returns the live allocation that contains the byte at `address`."""
        with self._lock:
            index = bisect_right(self._starts, address) - 1
            if index >= 0 and address < self._allocations[index].end:
                return self._allocations[index]
        return None

    def nearest(self, address: int) -> Allocation | None:
        """Returns the live allocation with the least distance from `address` to one of its bytes."""
        with self._lock:
            index = bisect_right(self._starts, address)
            candidates = self._allocations[max(index - 1, 0) : index + 1]
        return min(candidates, key=lambda a: max(a.address - address, address - a.end + 1, 0), default=None)

    def table(self) -> RangeTable:
        """Returns a snapshot of the live ranges, the same object until the set changes."""
        with self._lock:
            if self._table is None:
                self._table = RangeTable(self._allocations)
            return self._table
