"""Sharing elements out to accesses of one element a lane, of which there may be a power of two."""

from __future__ import annotations

from collections.abc import Iterator


def stretches(count: int, most: int) -> Iterator[tuple[int, int]]:
    """(first element, lanes) of accesses of at most `most` lanes that have an element for each of their lanes."""
    start = 0
    while start < count:
        lanes = min(most, 1 << (count - start).bit_length() - 1)
        yield start, lanes
        start += lanes
