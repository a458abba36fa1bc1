"""A map from intervals of integers to values."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Generic, TypeVar

V = TypeVar("V")


class Intervals(Generic[V]):
    """Disjoint half-open intervals `[start, end)`, each with a value. They do not change: changes are new maps."""

    def __init__(self, *parts: tuple[int, int, V]) -> None:
        self._parts = tuple(sorted(parts, key=lambda part: part[0]))
        self._starts = [part[0] for part in self._parts]

    def __iter__(self) -> Iterator[tuple[int, int, V]]:
        return iter(self._parts)

    def within(self, start: int, end: int) -> Iterator[tuple[int, int, V]]:
        """Yields the parts of intervals that lie in `[start, end)`, in ascending order."""
        for first, behind, value in self._parts[max(bisect_right(self._starts, start) - 1, 0) :]:
            if first >= end:
                return
            if behind > start:
                yield max(first, start), min(behind, end), value

    def without(self, start: int, end: int) -> Intervals[V]:
        """Returns the map without `[start, end)`; intervals that cross its bounds are cut."""
        parts = []
        for first, behind, value in self._parts:
            if first < start:
                parts.append((first, min(behind, start), value))
            if behind > end:
                parts.append((max(first, end), behind, value))
        return Intervals(*parts)

    def having(self, start: int, end: int, value: V) -> Intervals[V]:
        """Returns the map in which `[start, end)` has a value."""
        return Intervals(*self.without(start, end), (start, end, value))
