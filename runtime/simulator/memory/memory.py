"""The set of live allocations."""

from __future__ import annotations

import mmap
import sys
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from runtime.concurrency import step
from runtime.simulator.memory.addresses import address_of
from runtime.simulator.memory.allocations import (
    Account,
    Allocation,
    FreedAllocation,
    Holder,
    Nobody,
    OverlapsLiveMemory,
)
from runtime.simulator.memory.poison import fill_with_poison
from runtime.simulator.memory.ranges import Bounds, Edit, RangeTable, bounds_after, bounds_of

_HUGE_PAGES_FROM = 16 << 20
"""The least size in bytes of allocations that ask for huge pages."""

_ADDRESS_END = 1 << 64

_NO_RESERVE = 0x4000
"""Linux's MAP_NORESERVE, which Python's `mmap` lacks before 3.13."""

_REMEMBERED = 1024
"""The number of freed ranges that are remembered for reports."""

_MOST_EDITS = 16
"""The number of changes after which a table is made from the ranges instead of from the table before."""


def _zeros(size: int, whole_pages: bool) -> NDArray[np.uint8]:
    """Returns zeroed bytes that are committed when they are first touched; the host may have less memory than that.

    With `whole_pages` their pages hold nothing else, where the system supports that. Raises `MemoryError` when there is
    no address space left.
    """
    if (size <= _HUGE_PAGES_FROM and not whole_pages) or sys.platform != "linux":
        return np.zeros(size, np.uint8)
    try:
        pages = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NO_RESERVE)
    except (OSError, OverflowError) as error:
        raise MemoryError(f"the host has no {size} bytes") from error
    if size > _HUGE_PAGES_FROM:
        with suppress(OSError):  # kernels can be built without huge pages
            pages.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(pages, np.uint8)


_ADDRESS = attrgetter("address")


class Memory:
    """The live allocations of one device.

    Threads, signal handlers and finalizers may use it at any time: a change is prepared for one version of the live
    ranges, and made in one step if that is still the version, else prepared again.

    Args:
        limit: Largest size in bytes of all allocations together; None for no limit but the host's.
        red_zone: Bytes around each allocation that belong to none, for checks.
        quarantine: Bytes of freed allocations, the latest ones, that are not reused, for checks.
        tracks_values: Whether allocations start as poison, and those of device memory record what is initialized.
    """

    def __init__(
        self, limit: int | None = None, *, red_zone: int = 0, quarantine: int = 0, tracks_values: bool = False
    ):
        self._red_zone = red_zone
        self._quarantine = quarantine
        self.tracks_values = tracks_values
        self._held: deque[Allocation] = deque()
        self._held_bytes = 0
        self._freed: deque[FreedAllocation] = deque(maxlen=_REMEMBERED)
        """Ranges that were freed, the latest one last."""
        self._limit = limit
        self._live: list[Allocation] = []
        """The live ranges, sorted by address."""
        self._version = object()
        """Another object with each change of the other attributes."""
        self._used = 0
        self._table: RangeTable | None = None
        """The snapshot of this version, if there is one."""
        self._bounds: Bounds = bounds_of(())
        """The bounds of an earlier version."""
        self._edits: list[Edit] | None = []
        """The changes since that version; None if there were many. They hold no allocations, as those may end."""

    @step
    def _replace(
        self,
        version: object,
        where: slice,
        new: list[Allocation],
        edits: list[Edit] | None,
        fresh: object,
        taken: int,
        account: Account,
        counted: int,
        holder: Holder,
        held: list[Allocation],
    ) -> bool:
        """Replaces live ranges if nothing has changed since `version`; returns whether it did.

        Args:
            version: The version for which the change was prepared.
            where: The positions of the ranges that end.
            new: The ranges that begin.
            edits: The changes that the next table needs, with this one.
            fresh: The new version.
            taken: The bytes that the change takes of the limit.
            account: The account that is charged.
            counted: The bytes that it is charged.
            holder: The holder of the allocations.
            held: What it holds from now on.
        """
        if self._version is not version:
            return False
        self._live[where] = new
        self._table = None
        self._edits = edits
        self._version = fresh
        self._used += taken
        account.local_bytes += counted
        holder.held = held
        return True

    @step
    def _refer(
        self, version: object, fresh: object, allocation: Allocation, count: int, holder: Holder, held: list[Allocation]
    ) -> bool:
        """Counts references to a live range if nothing has changed since `version`; returns whether it did."""
        if self._version is not version:
            return False
        self._version = fresh
        allocation.references += count
        holder.held = held
        return True

    @step
    def _publish(self, version: object, fresh: object, table: RangeTable, bounds: Bounds, none: list[Edit]) -> bool:
        """Keeps the table of a version; returns whether that is still the version.

        Changes that are being prepared have looked at the edits, so this makes a new version, too.
        """
        if self._version is not version:
            return False
        self._version = fresh
        self._table = table
        self._bounds = bounds
        self._edits = none
        return True

    def _with_edit(self, first: int, behind: int, new: Sequence[Allocation]) -> list[Edit] | None:
        edits = self._edits
        return None if edits is None or len(edits) == _MOST_EDITS else [*edits, (first, behind, bounds_of(new))]

    def allocate(
        self,
        size: int,
        alignment: int = 64,
        kind: str = "device",
        label: str = "",
        *,
        whole_pages: bool = False,
        account: Account | None = None,
        record: Callable[[Allocation], object] | None = None,
    ) -> Allocation:
        """Returns new memory: zeros, or poison if the memory tracks values.

        Args:
            size: The size in bytes.
            alignment: The alignment in bytes, a power of two.
            kind: What it is called in reports.
            label: The name of this one in reports.
            whole_pages: True if its pages are to hold nothing else, so that they can be shared with other processes.
            account: The account that counts its bytes while it is live.
            record: Returns what its owner notes about it; called before the memory is live.

        Raises:
            ValueError: The size is below 1, or the alignment no power of two.
            MemoryError: The limit or the host has no more.
        """
        if size < 1:
            raise ValueError(f"allocation of {size} bytes")
        if alignment < 1 or alignment & (alignment - 1):
            raise ValueError(f"alignment {alignment} is not a power of two")
        self._require_room(size)
        backing = _zeros(size + alignment - 1 + 2 * self._red_zone, whole_pages)
        address = -(-(address_of(backing) + self._red_zone) // alignment) * alignment
        allocation = Allocation(address, size, kind, label, True, backing, account=account)
        if record is not None:
            allocation.record = record(allocation)
        if self.tracks_values:
            fill_with_poison(backing)
            if kind == "device":
                allocation.initialized = np.zeros(size, np.uint8)
        self._insert(allocation, size)
        return allocation

    def _require_room(self, size: int) -> None:
        if self._limit is not None and self._used + size > self._limit:
            raise MemoryError(f"{size} bytes do not fit: {self._used} of {self._limit} bytes are in use")

    def _insert(self, allocation: Allocation, taken: int) -> None:
        """Makes a range live that overlaps no other one."""
        holder, fresh = Holder(), object()
        while True:
            version = self._version
            self._require_room(taken)
            index = bisect_right(self._live, allocation.address, key=_ADDRESS)
            new, where = [allocation], slice(index, index)
            edits = self._with_edit(index, index, new)
            if self._replace(
                version, where, new, edits, fresh, taken, allocation.account, allocation.size, holder, new
            ):
                allocation.account.charged()
                return

    def register(
        self,
        address: int,
        size: int,
        kind: str,
        label: str = "",
        writable: bool = True,
        *,
        record: object = None,
        lender: Holder | None = None,
    ) -> Allocation:
        """Makes existing host bytes accessible in place; the caller keeps them alive until `free`.

        The same range may be registered several times: it stays live until it was freed as often, and is writable once
        one registration was.

        Args:
            address: The first address.
            size: The size in bytes.
            kind: What the memory is called in reports.
            label: Its name in reports.
            writable: True if kernels may write it.
            record: What its owner notes about it.
            lender: Who lends the memory to a launch, if it is lent.

        Raises:
            OverlapsLiveMemory: The range overlaps live memory in another way.
            ValueError: There is no such range.
        """
        if size < 1 or address < 1 or address + size > _ADDRESS_END:
            raise ValueError(f"no range of memory: {size} bytes at {address:#x}")
        holder, fresh = lender or Holder(), object()
        allocation = Allocation(address, size, kind, label, writable, record=record, is_lent=lender is not None)
        while True:
            version = self._version
            index = bisect_right(self._live, address, key=_ADDRESS)
            same = None
            for other in self._live[max(index - 1, 0) : index + 1]:
                if (other.address, other.size) == (address, size):
                    same = other
                elif other.address < address + size and address < other.end and self._version is version:
                    raise OverlapsLiveMemory(f"{size} bytes at {address:#x} overlap {other}", other)
            if same is not None:
                if self._refer(version, fresh, same, 1, holder, [*holder.held, same]):
                    if writable and not same.writable:
                        self._set_writable(same, True)
                    return same
                continue
            new, where = [allocation], slice(index, index)
            edits = self._with_edit(index, index, new)
            held = [*holder.held, allocation]
            if self._replace(version, where, new, edits, fresh, 0, allocation.account, size, holder, held):
                allocation.account.charged()
                return allocation

    @step
    def adopt(self, allocation: Allocation, account: Account, record: object) -> None:
        """Charges an account for a live allocation that nobody has accounted for, and notes a record."""
        allocation.account = account
        allocation.record = record
        account.local_bytes += allocation.size

    def exchange(self, start: int, end: int, ranges: Callable[[Sequence[Allocation]], Sequence[Allocation]]) -> None:
        """Replaces the live ranges from address `start` to `end` by others that lie there, all at once.

        `ranges` returns the new ranges, given the old ones; those that it returns stay live throughout. It is called
        again if the memory changes meanwhile.
        """
        fresh, holder, nobody = object(), Holder(), Nobody()
        while True:
            version, live = self._version, self._live
            first = bisect_left(live, start, key=_ADDRESS)
            behind = bisect_left(live, end, key=_ADDRESS)
            old = live[first:behind]
            new = list(ranges(old))
            edits = self._with_edit(first, behind, new)
            if self._replace(version, slice(first, behind), new, edits, fresh, 0, nobody, 0, holder, new):
                for gone in old:
                    if gone not in new:
                        self._remember(gone)
                return

    def write(self, allocation: Allocation, offset: int, data: bytes) -> None:
        """Overwrites bytes of a live allocation, even if kernels may only read it."""
        allocation.write(offset, data)

    def protect(self, allocation: Allocation) -> None:
        """Makes a live allocation read-only for kernels, from the next launch on."""
        self._set_writable(allocation, False)

    def _set_writable(self, allocation: Allocation, writable: bool) -> None:
        allocation.writable = writable
        fresh, holder, nobody = object(), Holder(), Nobody()
        while True:
            version = self._version
            index = bisect_right(self._live, allocation.address, key=_ADDRESS) - 1
            new = self._live[max(index, 0) : index + 1]
            edits = self._with_edit(index, index + 1, new)
            if self._replace(version, slice(index, index + 1), new, edits, fresh, 0, nobody, 0, holder, new):
                return

    def free(self, allocation: Allocation, lender: Holder | None = None) -> None:
        """Drops one reference; the last one ends the allocation.

        If a `lender` is given, it must hold the reference; nothing happens if it does not any more.

        Raises:
            ValueError: The allocation is not live.
        """
        holder, fresh = lender or Holder(), object()
        none: list[Allocation] = []
        while True:
            version = self._version
            if lender is not None and allocation not in lender.held:
                return
            index = bisect_right(self._live, allocation.address, key=_ADDRESS) - 1
            found = self._live[max(index, 0) : index + 1]
            if not found or found[0] is not allocation:
                if self._version is not version:
                    continue
                raise ValueError(f"not live: {allocation}")
            held = [*holder.held]
            if allocation in held:
                held.remove(allocation)
            if allocation.references > 1:
                if self._refer(version, fresh, allocation, -1, holder, held):
                    return
                continue
            where, edits = slice(index, index + 1), self._with_edit(index, index + 1, none)
            taken = -allocation.size if allocation.is_owned else 0
            if self._replace(
                version, where, none, edits, fresh, taken, allocation.account, -allocation.size, holder, held
            ):
                break
        allocation.account.charged()
        self._remember(allocation)

    def _remember(self, allocation: Allocation) -> None:
        """Notes that an allocation is no longer live."""
        allocation.record = None  # which may refer to the allocation
        self._freed.append(FreedAllocation(allocation.address, allocation.size, allocation.kind, allocation.label))
        if allocation.is_owned and allocation.size <= self._quarantine:
            self._held.append(allocation)
            self._held_bytes += allocation.size
            with suppress(IndexError):  # another thread may take the last one
                while self._held_bytes > self._quarantine:
                    gone = self._held.popleft()
                    self._held_bytes -= gone.size

    def freed(self, address: int) -> FreedAllocation | None:
        """Returns the most recent freed allocation that contained the byte at `address`, if it is remembered."""
        newer: list[FreedAllocation] = []
        for freed in reversed(self._freed.copy()):
            if freed.address <= address < freed.end:
                is_used_again = any(other.address < freed.end and freed.address < other.end for other in newer)
                return None if is_used_again or self.has_live(freed.address, freed.end) else freed
            newer.append(freed)
        return None

    def has_live(self, start: int, end: int) -> bool:
        """Returns whether live memory overlaps some addresses."""
        behind = bisect_left(self._live, end, key=_ADDRESS)
        return any(other.end > start for other in self._live[max(behind - 1, 0) : behind])

    def find(self, address: int) -> Allocation | None:
        """Returns the live allocation that contains the byte at `address`."""
        while True:
            version = self._version
            index = bisect_right(self._live, address, key=_ADDRESS)
            found = self._live[index - 1 : index] if index else []
            if self._version is version:
                return found[0] if found and address < found[0].end else None

    def nearest(self, address: int) -> Allocation | None:
        """Returns the live allocation with the least distance from `address` to one of its bytes."""
        index = bisect_right(self._live, address, key=_ADDRESS)
        candidates = self._live[max(index - 1, 0) : index + 1]
        return min(candidates, key=lambda a: max(a.address - address, address - a.end + 1, 0), default=None)

    def live(self) -> tuple[Allocation, ...]:
        """Returns the live ranges, in ascending order of their addresses."""
        return tuple(self._live)

    def table(self) -> RangeTable:
        """Returns a snapshot of the live ranges, the same object until the set changes."""
        while True:
            version, table = self._version, self._table
            if table is not None:
                return table
            bounds, edits, allocations = self._bounds, self._edits, tuple(self._live)
            if self._version is version:
                table = RangeTable(allocations, bounds_after(bounds, edits, allocations))
                if self._publish(version, object(), table, table.bounds, []):
                    return table
