"""The units of a register or scratch file that are taken while a linear scan goes over the starts of live ranges."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Sequence
from functools import lru_cache
from typing import Generic, TypeVar

from passes.xe.allocate_registers.liveness import Segment, overlap

T = TypeVar("T")
"""An owner of units: a web, or a slot."""


class Occupation(Generic[T]):
    """The owners of units of a file at the position that the scan has reached, or later.

    Most are live without a hole from their start, which the scan has passed, to their end. One mask holds the units of
    all of these; only the others are compared with each new live range.
    """

    def __init__(self) -> None:
        self._taken: dict[T, tuple[Sequence[Segment], int]] = {}
        self._with_holes: set[T] = set()
        self._solid = 0
        self._ends: list[tuple[int, int, T]] = []
        self._numbers = itertools.count()

    def take(self, owner: T, segments: Sequence[Segment], address: int, size: int, *, started: bool = True) -> None:
        """Gives units to an owner; `started` tells that the scan has reached its start."""
        units = ((1 << size) - 1) << address
        self._taken[owner] = (segments, units)
        if started and len(segments) == 1:
            self._solid |= units
        else:
            self._with_holes.add(owner)
        heapq.heappush(self._ends, (segments[-1][1], next(self._numbers), owner))

    def release(self, owner: T) -> None:
        """Frees the units of an owner."""
        _, units = self._taken.pop(owner)
        if owner in self._with_holes:
            self._with_holes.remove(owner)
        else:
            self._solid ^= units

    def advance(self, position: int) -> None:
        """Frees the units of the owners that end before the scan reaches a position, or there."""
        while self._ends and self._ends[0][0] <= position:
            owner = heapq.heappop(self._ends)[2]
            if owner in self._taken:
                self.release(owner)

    def units(self, segments: Sequence[Segment]) -> int:
        """Returns a mask of the units that are taken at the same time as a live range that starts here."""
        found = self._solid
        for owner in self._with_holes:
            live, units = self._taken[owner]
            if overlap(live, segments):
                found |= units
        return found

    def owners(self, segments: Sequence[Segment]) -> list[T]:
        """Returns the owners of units at the same time as a live range that starts here, in the order of taking."""
        return [
            owner
            for owner, (live, _) in self._taken.items()
            if owner not in self._with_holes or overlap(live, segments)
        ]


def first_fit(occupied: int, size: int, alignment: int, limit: int) -> int | None:
    """Returns the lowest aligned address of `size` free units below `limit`; None if there is none.

    `occupied` has one bit per occupied unit. A bit of `free` tells that as many units as the loop has reached are free
    from its place on.
    """
    limit = min(limit, occupied.bit_length() + alignment + size)
    free = ~occupied & (1 << limit) - 1
    length = 1
    while length < size and free:
        step = min(length, size - length)
        free &= free >> step
        length += step
    free &= _multiples(alignment, limit)
    return (free & -free).bit_length() - 1 if free else None


def _multiples(alignment: int, limit: int) -> int:
    """Returns a mask of the multiples of an alignment, as far as `limit` at least."""
    return _multiples_below(alignment, 1 << limit.bit_length())


@lru_cache(maxsize=256)
def _multiples_below(alignment: int, limit: int) -> int:
    mask, length = 1, alignment
    while length < limit:
        mask |= mask << length
        length *= 2
    return mask
