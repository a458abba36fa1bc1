"""The units of a register or scratch file that are taken while a linear scan goes over the starts of live ranges."""

from __future__ import annotations

import heapq
import itertools
from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from passes.xe.allocate_registers.liveness import Segment, overlap

T = TypeVar("T")
"""An owner of units: a web, or a slot."""


@dataclass(eq=False)
class _Place(Generic[T]):
    """The units of an owner, as a mask that is zero after their release, and whether it is live where the scan is."""

    owner: T
    number: int
    segments: Sequence[Segment]
    units: int
    is_live: bool = False


class Occupation(Generic[T]):
    """The owners of units of a file at the position that the scan has reached, or later.

    One mask holds the units of all that are live where the scan is: they meet each live range that starts there. The
    others wait in the order of their next starts, and only those that start before a live range ends are compared.
    """

    def __init__(self) -> None:
        self._taken: dict[T, _Place[T]] = {}
        self._position = 0
        self._live_units = 0
        self._ends: list[tuple[int, int, _Place[T]]] = []
        self._starts: list[tuple[int, int, _Place[T]]] = []
        self._numbers = itertools.count()

    def take(self, owner: T, segments: Sequence[Segment], address: int, size: int) -> None:
        """Gives units, which no other owner has at the same time, to an owner."""
        place = self._taken[owner] = _Place(owner, next(self._numbers), segments, ((1 << size) - 1) << address)
        self._settle(place)

    def release(self, owner: T) -> None:
        """Frees the units of an owner."""
        place = self._taken.pop(owner)
        if place.is_live:
            self._live_units ^= place.units
        place.units = 0

    def advance(self, position: int) -> None:
        """Moves the scan to a position, and frees the units of the owners that end before it, or there."""
        self._position = position
        moved: list[_Place[T]] = []
        while self._ends and self._ends[0][0] <= position:
            place = heapq.heappop(self._ends)[2]
            place.is_live = False
            self._live_units ^= place.units
            moved.append(place)
        started = bisect_right(self._starts, position, key=_position)
        moved += [place for _, _, place in self._starts[:started]]
        del self._starts[:started]
        for place in moved:
            if place.units:
                self._settle(place)

    def _settle(self, place: _Place[T]) -> None:
        """Makes an owner live or waiting, or forgets it, as its segments are about where the scan is."""
        segments = place.segments
        index = bisect_right(segments, self._position, key=_end)
        if index == len(segments):
            del self._taken[place.owner]
            return
        start, end = segments[index]
        if start <= self._position:
            place.is_live = True
            self._live_units ^= place.units
            heapq.heappush(self._ends, (end, place.number, place))
        else:
            insort(self._starts, (start, place.number, place))

    def units(self, segments: Sequence[Segment]) -> int:
        """Returns a mask of the units that are taken at the same time as a live range that starts here."""
        found = self._live_units
        for _, _, place in self._starts[: bisect_left(self._starts, segments[-1][1], key=_position)]:
            if place.units & ~found and overlap(place.segments, segments):
                found |= place.units
        return found

    def owners(self, segments: Sequence[Segment]) -> list[T]:
        """Returns the owners of units at the same time as a live range that starts here, in the order of taking."""
        return [owner for owner, place in self._taken.items() if place.is_live or overlap(place.segments, segments)]


def _position(event: tuple[int, int, object]) -> int:
    return event[0]


def _end(segment: Segment) -> int:
    return segment[1]


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
