"""Shadow memory: for each byte that messages access, whether it is initialized, or the origin of its undefined
value.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.checks.definedness.origins import DEFINED, UNWRITTEN, Numbers, Origins, UndefinedOrigin
from runtime.simulator.interpreter.messages.accesses import MemoryAccess, ReportedSpace
from runtime.simulator.machine.overhang import may_overhang
from runtime.simulator.memory import Allocation, RangeTable
from runtime.simulator.memory.poison import is_unwritten


class MemoryValues:
    """The shadows of device memory, shared local memory and scratch space.

    Device memory only records whether bytes are initialized: storing undefined values there is reported at once.
    """

    def __init__(self, table: RangeTable, scratch: Numbers, origins: Origins, *, unwritten: bool):
        """Makes the shadows; `scratch` is that of the current thread. With `unwritten`, memory starts uninitialized."""
        self._table = table
        self._origins = origins
        self._unwritten = unwritten
        self._local = {ReportedSpace.SCRATCH: scratch, ReportedSpace.SLM: np.zeros(0, np.int32)}

    def enter_group(self, slm_bytes: int) -> None:
        """Starts a work-group with new shared local memory."""
        self._local[ReportedSpace.SLM] = np.full(slm_bytes, UNWRITTEN if self._unwritten else DEFINED, np.int32)

    def read(self, access: MemoryAccess, index: int) -> Numbers:
        """Returns the numbers of the bytes of a valid access, shape [addresses, size]."""
        if access.space is not ReportedSpace.GLOBAL:
            numbers = self._local[access.space][_byte_offsets(access.addresses, access.size)]
            origin = UndefinedOrigin(index, f"those bytes of {access.space.value}", from_memory=True)
            return self._named(numbers, numbers == UNWRITTEN, origin)
        numbers = np.zeros((len(access.addresses), access.size), np.int32)
        if self._unwritten:
            for allocation, part, offsets in self._owners(access):
                missing = _is_missing(allocation, offsets)
                origin = UndefinedOrigin(index, f"those bytes of {allocation}", from_memory=True)
                numbers[part] = self._named(numbers[part], missing, origin)
        return numbers

    def write(self, access: MemoryAccess, numbers: Numbers, kept: NDArray[np.bool_] | None = None) -> None:
        """Records a valid store of all bytes but those `kept`.

        Device memory counts as initialized afterwards, whatever is stored.
        """
        written = np.ones(numbers.shape, np.bool_) if kept is None else ~kept
        if access.space is not ReportedSpace.GLOBAL:
            offsets = _byte_offsets(access.addresses, access.size)
            self._local[access.space][offsets[written]] = numbers[written]
        elif self._unwritten:
            for allocation, part, offsets in self._owners(access):
                if allocation.initialized is not None:
                    allocation.initialized[offsets[written[part]]] = 1

    def _named(self, numbers: Numbers, where: NDArray[np.bool_], origin: UndefinedOrigin) -> Numbers:
        if not where.any():
            return numbers
        return np.where(where, np.int32(self._origins.number(origin)), numbers)

    def _owners(
        self, access: MemoryAccess
    ) -> Iterator[tuple[Allocation, tuple[NDArray[np.intp], ...], NDArray[np.int64]]]:
        """Returns the allocations that contain bytes, each with the index of these bytes in the access and their
        offsets in it. Bytes of words that overhang are in none.
        """
        starts, size = self._table.starts, access.size
        if may_overhang(access.spec, size):
            places = np.add(access.addresses[:, None], np.arange(size, dtype=np.uint64), dtype=np.uint64)
            owners = np.searchsorted(starts, places, side="right") - 1
            inside = (owners >= 0) & (places < self._table.ends[owners])
            for owner in np.unique(owners[inside]):
                part = np.nonzero(inside & (owners == owner))
                yield self._table.allocations[owner], part, (places[part] - starts[owner]).astype(np.int64)
            return
        owners = np.searchsorted(starts, access.addresses, side="right") - 1
        for owner in np.unique(owners):
            part = np.nonzero(owners == owner)
            yield self._table.allocations[owner], part, _byte_offsets(access.addresses[part] - starts[owner], size)


def _is_missing(allocation: Allocation, offsets: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Returns whether nothing has written some bytes, as far as the allocation records it, or its contents show it."""
    unwritten = is_unwritten(allocation.data, offsets)
    return unwritten if allocation.initialized is None else unwritten | (allocation.initialized[offsets] == 0)


def _byte_offsets(offsets: NDArray[np.uint64], size: int) -> NDArray[np.int64]:
    return offsets.astype(np.int64)[:, None] + np.arange(size)
