"""A map from intervals of integers to values."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from typing import Generic, TypeVar

V = TypeVar("V")


class Intervals(Generic[V]):
    """Disjoint half-open intervals `[start, end)`, each with a value."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._parts: list[tuple[int, int, V]] = []

    def __iter__(self) -> Iterator[tuple[int, int, V]]:
        return iter(self._parts)

    def within(self, start: int, end: int) -> Iterator[tuple[int, int, V]]:
        """Yields the parts of intervals that lie in `[start, end)`, in ascending order."""
        for first, behind, value in self._parts[max(bisect_right(self._starts, start) - 1, 0) :]:
            if first >= end:
                return
            if behind > start:
                yield max(first, start), min(behind, end), value

    def clear(self, start: int, end: int) -> None:
        """Removes `[start, end)`, cutting intervals that cross its bounds."""
        parts = []
        for first, behind, value in self._parts:
            if first < start:
                parts.append((first, min(behind, start), value))
            if behind > end:
                parts.append((max(first, end), behind, value))
        self._set(parts)

    def assign(self, start: int, end: int, value: V) -> None:
        """Gives `[start, end)` a value."""
        self.clear(start, end)
        self._set([*self._parts, (start, end, value)])

    def _set(self, parts: list[tuple[int, int, V]]) -> None:
        self._parts = sorted(parts, key=lambda part: part[0])
        self._starts = [part[0] for part in self._parts]
