"""Division of elements into accesses of one element per lane, whose numbers of lanes are powers of two."""

from __future__ import annotations

from collections.abc import Iterator


def stretches(count: int, most: int) -> Iterator[tuple[int, int]]:
    """Yields (first element, lanes) of accesses of at most `most` lanes that use all of their lanes."""
    start = 0
    while start < count:
        lanes = min(most, 1 << (count - start).bit_length() - 1)
        yield start, lanes
        start += lanes
