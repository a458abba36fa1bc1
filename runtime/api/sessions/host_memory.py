"""Arrays of the caller as device memory, for as long as a launch needs them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from runtime.concurrency import FOREVER
from runtime.simulator import Allocation, Holder, Memory, OverlapsLiveMemory, PointerAlignment, address_of
from runtime.ze.driver import Machine


@dataclass(frozen=True, eq=False)
class HostArray:
    """A non-empty array of the caller, its first element at `address`, and whether the kernel may write it.

    `alignment` is the one that the kernel needs, and `strides` are the strides in bytes, if they are not the array's.
    The array is copied for the launch if it has others, or a smaller alignment. That of surfaces may count from the
    first byte of the memory that the launch borrows, which is where the array begins unless others overlap it.
    """

    name: str
    array: NDArray[np.generic]
    address: int
    writes: bool
    alignment: PointerAlignment
    strides: tuple[int, ...] | None = None

    def is_usable(self, origin: int) -> bool:
        """Returns whether the array can be used in place, in memory that begins at an address."""
        elements, surfaces = self.alignment
        if self.strides is not None or self.address % elements:
            return False
        return self.address % surfaces == 0 or (self.address - origin) % surfaces == 0

    def shares_copy(self, other: HostArray) -> bool:
        """Returns whether one copy suits this array and one that overlaps it."""
        if self.strides is None and other.strides is None:
            return (other.address - self.address) % max(self.alignment) == 0
        form, others = (self.address, self.array.shape), (other.address, other.array.shape)
        return (form, self.strides, self.array.strides) == (others, other.strides, other.array.strides)


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


class Loan(Holder):
    """The arrays that one launch borrows, until `ended` is True: a store in a `finally` clause, which signals cannot
    prevent. Whoever comes next to borrow takes back what the launch itself did not.
    """

    __slots__ = ("_copies", "ended")

    def __init__(self) -> None:
        super().__init__()
        self.ended = False
        self._copies: list[tuple[_Copy, HostArray]] = []

    def lends_copy(self, copy: _Copy, lent: HostArray) -> None:
        """Notes that the launch works on a copy of an array."""
        self._copies.append((copy, lent))

    def copy_back(self) -> None:
        """Copies the kernel's results back to the arrays of which it had copies."""
        for copy, lent in self._copies:
            if lent.writes:
                np.copyto(lent.array, copy.like(lent))


class HostMemory:
    """Lends arrays to launches of any number of threads.

    Device memory has no overlapping allocations. So overlapping extents of one launch become one, and a launch waits
    while another one holds an extent that overlaps one of its own without being the same.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._memory = machine.memory
        self._loans: dict[Loan, None] = {}

    def lend(self, loan: Loan, arrays: Sequence[HostArray]) -> list[int]:
        """Returns the addresses at which the device finds `arrays` until the loan ends.

        Aligned arrays are used in place. The others are copied; `Loan.copy_back` copies back those that the kernel
        writes.

        Raises:
            OverlapError: Arrays overlap that cannot be aligned together, and the kernel writes one of them.
        """
        if not arrays:
            return []
        self._take_back_ended()
        extents = [_extent(lent) for lent in arrays]
        copies = _copy_misaligned(arrays, extents, self._memory)
        needed = [copy.replace(extent) if copy else extent for copy, extent in zip(copies, extents, strict=True)]
        self._loans[loan] = None
        merged = _merge(needed)
        while (conflict := self._register(loan, merged)) is not None:
            # Another launch holds the memory. Nothing is held while this one waits.
            self._return(loan)
            self._machine.wait(partial(self._is_free, conflict), FOREVER)
        for copy, lent in zip(copies, arrays, strict=True):
            if copy:
                loan.lends_copy(copy, lent)
        return [copy.address if copy else lent.address for copy, lent in zip(copies, arrays, strict=True)]

    def take_back(self, loan: Loan) -> None:
        """Takes back the memory of a loan that has ended."""
        if loan in self._loans:
            self._return(loan)
            self._loans.pop(loan, None)
            self._machine.notify()

    def _register(self, loan: Loan, extents: Sequence[RegisteredExtent]) -> Allocation | None:
        """Registers extents; returns the memory of another loan that prevents it, if there is any."""
        for extent in extents:
            if _device_memory(self._memory, extent) is not None:
                continue
            size = extent.end - extent.start
            try:
                self._memory.register(extent.start, size, "host", extent.name, extent.writes, lender=loan)
            except OverlapsLiveMemory as error:
                if not error.other.is_lent:
                    raise
                return error.other
        return None

    def _return(self, loan: Loan) -> None:
        """Frees the memory of a loan. Several threads may do this, and again after an interrupt."""
        for allocation in loan.held:
            self._memory.free(allocation, loan)

    def _take_back_ended(self) -> None:
        """Takes back the memory of interrupted launches."""
        for loan in tuple(self._loans):
            if loan.ended:
                self.take_back(loan)

    def _is_free(self, allocation: Allocation) -> bool:
        """Returns whether lent memory is no longer held."""
        self._take_back_ended()
        return self._memory.find(allocation.address) is not allocation


class _Copy:
    """A copy of an array: its own memory or part of a copy that it shares with arrays that overlap it."""

    def __init__(self, array: NDArray[np.generic], start: int, end: int) -> None:
        """`array` is the copy, in the bytes from address `start` to `end`."""
        self._array = array
        self._start, self._end = start, end
        self.address: int = array.__array_interface__["data"][0]

    def replace(self, extent: RegisteredExtent) -> RegisteredExtent:
        """Returns the bytes to register instead of the caller's own."""
        return RegisteredExtent(self._start, self._end, extent.writes, extent.name)

    def like(self, lent: HostArray) -> NDArray[np.generic]:
        """Returns the copy with the shape and type of the array."""
        return self._array


def _room(size: int, before: int, alignment: int) -> NDArray[np.uint8]:
    """Returns `size` bytes of which the one behind the first `before` is aligned."""
    room = np.empty(size + alignment, np.uint8)
    skip = -(address_of(room) + before) % alignment
    return room[skip : skip + size]


def _packed(lent: HostArray, strides: tuple[int, ...]) -> _Copy:
    """Returns the copy of an array with other strides, which are not negative."""
    array = lent.array
    reach = sum((size - 1) * step for size, step in zip(array.shape, strides, strict=True))
    room = _room(reach + array.itemsize, 0, max(lent.alignment))
    start = address_of(room)
    return _Copy(np.ndarray(array.shape, array.dtype, room.data, 0, strides), start, start + room.size)


def _copied(lents: Sequence[HostArray], extents: Sequence[RegisteredExtent], whole: RegisteredExtent) -> list[_Copy]:
    """Returns the copies of arrays that have one copy together, of the bytes in `whole`."""
    first = lents[0]
    room = _room(whole.end - whole.start, first.address - whole.start, max(first.alignment))
    start = address_of(room)
    found = []
    for lent, extent in zip(lents, extents, strict=True):
        array, skip = lent.array, lent.address - whole.start
        there = np.ndarray(array.shape, array.dtype, room.data, skip, array.strides)
        found.append(_Copy(there, start + extent.start - whole.start, start + extent.end - whole.start))
    return found


def _extent(lent: HostArray) -> RegisteredExtent:
    start, end = _byte_range(lent.array, lent.address)
    return RegisteredExtent(start, end, lent.writes, lent.name)


def _device_memory(memory: Memory, extent: RegisteredExtent) -> Allocation | None:
    """Returns the device memory itself that an array is a view of, which needs no registration; None for others."""
    owner = memory.find(extent.start)
    return owner if owner is not None and owner.is_owned and extent.end <= owner.end else None


def _copy_misaligned(
    arrays: Sequence[HostArray], extents: Sequence[RegisteredExtent], memory: Memory
) -> list[_Copy | None]:
    """Returns copies of the arrays that the kernel cannot use where they are.

    Arrays that overlap have one copy, if it suits all of them. It does not matter where they are, only how far they are
    from each other.
    """
    copies: list[_Copy | None] = [None] * len(arrays)
    for whole in _merge(list(extents)):
        here = [index for index, extent in enumerate(extents) if whole.overlaps(extent.start, extent.end)]
        lents = [arrays[index] for index in here]
        owner = _device_memory(memory, whole)
        origin = whole.start if owner is None else owner.address
        if all(lent.is_usable(origin) for lent in lents):
            continue
        first = lents[0]
        other = next((lent for lent in lents if not first.shares_copy(lent)), None)
        if other is not None and whole.writes:
            raise OverlapError(
                f"arrays '{first.name}' and '{other.name}' overlap, and no copy suits both: the kernel needs "
                f"{max(first.alignment)}-byte alignment and the strides of their types, and they are "
                f"{abs(other.address - first.address)} bytes apart"
            )
        made: list[_Copy | None]
        if other is not None:
            made = [
                None if lent.is_usable(origin) else _alone(lent, extents[i])
                for i, lent in zip(here, lents, strict=True)
            ]
        elif first.strides is not None:
            made = [_packed(first, first.strides)] * len(lents)
        else:
            made = [*_copied(lents, [extents[index] for index in here], whole)]
        for index, lent, copy in zip(here, lents, made, strict=True):
            if copy is not None:
                np.copyto(copy.like(lent), lent.array)
                copies[index] = copy
    return copies


def _alone(lent: HostArray, extent: RegisteredExtent) -> _Copy:
    return _packed(lent, lent.strides) if lent.strides is not None else _copied([lent], [extent], extent)[0]


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


def _byte_range(array: NDArray[np.generic], address: int) -> tuple[int, int]:
    """Returns the first address of a non-empty array whose first element is at `address`, and the address behind its
    last byte.
    """
    if array.flags.c_contiguous:
        return address, address + array.nbytes
    reach = [(size - 1) * step for size, step in zip(array.shape, array.strides, strict=True)]
    start = address + sum(step for step in reach if step < 0)
    return start, address + sum(step for step in reach if step > 0) + array.itemsize
