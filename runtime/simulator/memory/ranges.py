"""Snapshots of the live ranges, which launches work on."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.memory.addresses import address_of
from runtime.simulator.memory.allocations import Allocation


class RangeTable:
    """An immutable snapshot of the live ranges, sorted by address; adjacent ranges are not merged.

    `starts` and `ends` are uint64 arrays of first addresses and of addresses after the last byte, `writable` uint8
    flags. The snapshot holds its allocations, so that memory freed during a launch stays mapped until the launch ends.
    """

    def __init__(self, allocations: tuple[Allocation, ...], bounds: Bounds | None = None):
        self.allocations = allocations
        self.bounds = bounds_of(allocations) if bounds is None else bounds
        self.starts, self.ends, self.writable = self.bounds

    def origin(self, address: int) -> int:
        """Returns the first address of the allocation that an address is in; 0 if it is in none."""
        index = bisect_right(self.allocations, address, key=lambda allocation: allocation.address) - 1
        found = self.allocations[index] if index >= 0 else None
        return found.address if found is not None and address < found.end else 0

    @cached_property
    def addresses(self) -> tuple[int, int, int]:
        """The addresses of `starts`, `ends` and `writable`, which many launches share."""
        return address_of(self.starts), address_of(self.ends), address_of(self.writable)


Bounds = tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint8]]
"""First addresses, addresses after the last byte, and flags of ranges."""

Edit = tuple[int, int, Bounds]
"""A change of the live ranges: those from one position to before another one were replaced."""


def bounds_of(allocations: Sequence[Allocation]) -> Bounds:
    return _frozen(
        np.array([a.address for a in allocations], np.uint64),
        np.array([a.end for a in allocations], np.uint64),
        np.array([a.writable for a in allocations], np.uint8),
    )


def _frozen(starts: NDArray[np.uint64], ends: NDArray[np.uint64], writable: NDArray[np.uint8]) -> Bounds:
    for array in (starts, ends, writable):
        array.flags.writeable = False
    return starts, ends, writable


_RANGES_PER_EDIT = 24
"""The number of ranges that can be looked at in the time that one change takes."""


def bounds_after(bounds: Bounds, edits: Sequence[Edit] | None, allocations: Sequence[Allocation]) -> Bounds:
    """Returns the bounds of allocations, which `edits`, if they are known, have made of other bounds.

    Of a few allocations they are made anew. Else blocks of memory are copied, which takes a fraction of the time that
    looking at thousands of ranges takes.
    """
    if edits is None or len(allocations) <= _RANGES_PER_EDIT * len(edits):
        return bounds_of(allocations)
    for first, behind, new in edits:
        starts, ends, writable = bounds
        bounds = _frozen(
            np.concatenate((starts[:first], new[0], starts[behind:])),
            np.concatenate((ends[:first], new[1], ends[behind:])),
            np.concatenate((writable[:first], new[2], writable[behind:])),
        )
    return bounds
