"""Address spaces of messages: global memory, shared local memory and scratch. Every access is checked."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.interpreter.threads.values import Bools, Bytes
from runtime.simulator.launch.faults import FaultKind
from runtime.simulator.machine.fault import Fault
from runtime.simulator.memory import RangeTable

Addresses = NDArray[np.uint64]


class MessageSpace(Protocol):
    """Bytes that loads and stores access by address; addresses must be multiples of `alignment`, a power of two."""

    def read(self, addresses: Addresses, size: int, alignment: int) -> Bytes:
        """Returns the `size` bytes at each address, shape [addresses, size]; raises `Fault`."""
        ...

    def write(self, addresses: Addresses, data: Bytes, alignment: int) -> None:
        """Stores a row of `data` at each address, the last one of equal addresses last; raises `Fault`."""
        ...

    def check_writable(self, addresses: Addresses, size: int) -> None:
        """Raises the `Fault` of a store of `size` bytes, aligned to that size, at each address."""
        ...

    def overhung(self, *, writes: bool) -> MessageSpace:
        """Returns the same bytes for a message whose elements may overhang allocations."""
        ...


class LocalSpace:
    """Bytes of one thread or work-group, the `owner`, addressed from 0; `kind` is the fault of accesses outside."""

    def __init__(self, size: int, kind: FaultKind, owner: str):
        self.bytes: Bytes = np.zeros(size, np.uint8)
        self._kind = kind
        self._owner = owner

    def read(self, addresses: Addresses, size: int, alignment: int) -> Bytes:
        return self.bytes[self._checked_offsets(addresses, size, alignment)]

    def write(self, addresses: Addresses, data: Bytes, alignment: int) -> None:
        self.bytes[self._checked_offsets(addresses, data.shape[1], alignment)] = data

    def check_writable(self, addresses: Addresses, size: int) -> None:
        self._checked_offsets(addresses, size, size)

    def overhung(self, *, writes: bool) -> LocalSpace:
        return self

    def _checked_offsets(self, addresses: Addresses, size: int, alignment: int) -> NDArray[np.int64]:
        available = len(self.bytes)
        outside = (addresses > np.uint64(max(available - size, 0))) | (size > available)
        detail = f"the {self._owner} has {available} bytes"
        _refuse(addresses, size, alignment, {self._kind: outside}, detail)
        return _byte_offsets(addresses, size)


class GlobalMemory:
    """Device memory, as a snapshot of the live allocations."""

    def __init__(self, table: RangeTable):
        self.table = table
        self._starts = table.starts
        self._sizes = table.ends - table.starts
        self._writable = table.writable.astype(np.bool_)
        self._allocations = table.allocations
        self._bytes: dict[int, Bytes] = {}

    def read(self, addresses: Addresses, size: int, alignment: int) -> Bytes:
        data = np.empty((len(addresses), size), np.uint8)
        for owner, part in self._owners(addresses, size, alignment, write=False):
            data[part] = self._allocation(owner)[_byte_offsets(addresses[part] - self._starts[owner], size)]
        return data

    def write(self, addresses: Addresses, data: Bytes, alignment: int) -> None:
        size = data.shape[1]
        for owner, part in self._owners(addresses, size, alignment, write=True):
            self._allocation(owner)[_byte_offsets(addresses[part] - self._starts[owner], size)] = data[part]

    def check_writable(self, addresses: Addresses, size: int) -> None:
        self.check(addresses, size, size, write=True)

    def check(self, addresses: Addresses, size: int, alignment: int, *, write: bool) -> None:
        """Raises the `Fault` of an access of `size` bytes at each address."""
        self._owners(addresses, size, alignment, write=write)

    def origin(self, address: int) -> int:
        """Returns the first address of the allocation that an address is in; 0 if it is in none."""
        return self.table.origin(address)

    def overhung(self, *, writes: bool) -> OverhungMemory:
        return OverhungMemory(self, writes=writes)

    def bytes_inside(self, addresses: Addresses, *, write: bool) -> Bools:
        """Returns whether each byte is in an allocation, and may be written if that is wanted."""
        if not len(self._starts):
            return np.zeros(addresses.shape, np.bool_)
        owners = np.searchsorted(self._starts, addresses, side="right") - 1
        inside: Bools = (owners >= 0) & (addresses - self._starts[owners] < self._sizes[owners])
        return inside & self._writable[owners] if write else inside

    def rows(self, address: int, pitch: int, rows: int, size: int, *, write: bool) -> Bytes:
        """Returns a view, shape [rows, size], of rows `pitch` bytes apart that one allocation covers; raises
        `Fault`.
        """
        extent = (rows - 1) * pitch + size
        ((owner, _),) = self._owners(np.array([address], np.uint64), extent, 1, write=write)
        first = address - int(self._starts[owner])
        whole = self._allocation(owner)[first : first + extent]
        return np.lib.stride_tricks.as_strided(whole, (rows, size), (pitch, 1), writeable=write)

    def _allocation(self, owner: int) -> Bytes:
        if owner not in self._bytes:
            self._bytes[owner] = self._allocations[owner].data
        return self._bytes[owner]

    def _owners(
        self, addresses: Addresses, size: int, alignment: int, *, write: bool
    ) -> list[tuple[int, slice | Bools]]:
        """Returns the allocations that cover the accesses, each with the accesses that it covers."""
        if len(self._starts):
            owners = np.searchsorted(self._starts, addresses, side="right") - 1
            available = self._sizes[owners]
            fits = (available >= size) & (addresses - self._starts[owners] <= available - np.uint64(size))
            outside = (owners < 0) | ~fits
            read_only = ~self._writable[owners] & write
        else:
            owners = np.zeros(len(addresses), np.int64)
            outside, read_only = np.ones(len(addresses), np.bool_), np.zeros(len(addresses), np.bool_)
        kinds = {FaultKind.OUT_OF_BOUNDS: outside, FaultKind.READ_ONLY: read_only}
        _refuse(addresses, size, alignment, kinds)
        if (owners == owners[0]).all():
            return [(int(owners[0]), slice(None))]
        return [(int(owner), owners == owner) for owner in np.unique(owners)]


class OverhungMemory:
    """Device memory as words see it that may overhang allocations: other bytes are zero and stay what they are."""

    def __init__(self, memory: GlobalMemory, *, writes: bool):
        self._memory = memory
        self._writes = writes

    def read(self, addresses: Addresses, size: int, alignment: int) -> Bytes:
        places, inside = self._checked_bytes(addresses, size, alignment)
        data = np.zeros(places.shape, np.uint8)
        data[inside] = self._memory.read(places[inside], 1, 1)[:, 0]
        return data

    def write(self, addresses: Addresses, data: Bytes, alignment: int) -> None:
        places, inside = self._checked_bytes(addresses, data.shape[1], alignment)
        self._memory.write(places[inside], data[inside][:, None], 1)

    def check_writable(self, addresses: Addresses, size: int) -> None:
        self._checked_bytes(addresses, size, size)

    def overhung(self, *, writes: bool) -> OverhungMemory:
        return OverhungMemory(self._memory, writes=writes)

    def _checked_bytes(self, addresses: Addresses, size: int, alignment: int) -> tuple[Addresses, Bools]:
        """Returns the addresses of the bytes and whether they may be accessed, shape [addresses, size].

        Raises the `Fault` of the first element none of whose bytes may be.
        """
        places = np.add(addresses[:, None], np.arange(size, dtype=np.uint64), dtype=np.uint64)
        inside = self._memory.bytes_inside(places, write=self._writes)
        well = inside.any(axis=1) & (addresses & np.uint64(alignment - 1) == 0)
        if not well.all():
            first = int(well.argmin())
            try:
                self._memory.check(addresses[first : first + 1], size, alignment, write=self._writes)
            except Fault as fault:
                fault.lane = first
                raise
        return places, inside


def _byte_offsets(offsets: Addresses, size: int) -> NDArray[np.int64]:
    """Returns the offset of every byte of accesses that start at `offsets`, shape [accesses, size]."""
    return offsets.astype(np.int64)[:, None] + np.arange(size)


def _refuse(addresses: Addresses, size: int, alignment: int, kinds: dict[FaultKind, Bools], detail: str = "") -> None:
    """Raises the first fault in order of access; for one access, misalignment precedes `kinds` in their order."""
    misaligned = (addresses & np.uint64(alignment - 1)) != 0
    wrong = np.logical_or.reduce([misaligned, *kinds.values()])
    if not wrong.any():
        return
    index = int(wrong.argmax())
    kind = next((k for k, where in kinds.items() if where[index]), FaultKind.MISALIGNED)
    if misaligned[index]:
        kind, detail = FaultKind.MISALIGNED, f"the address is no multiple of {alignment}"
    raise Fault(kind, detail, lane=index, address=int(addresses[index]), size=size)
