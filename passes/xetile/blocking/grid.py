"""Grids of blocks that fill a shape."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Grid:
    """A shape that blocks of one size fill exactly, numbered row-major."""

    shape: Shape
    block: Shape

    @property
    def counts(self) -> Shape:
        """The number of blocks along each dimension."""
        return tuple(size // block for size, block in zip(self.shape, self.block, strict=True))

    @property
    def count(self) -> int:
        """The number of blocks."""
        return prod(self.counts)

    @property
    def positions(self) -> Iterator[Shape]:
        """The coordinates of each block in the grid."""
        return product(*map(range, self.counts))

    @property
    def origins(self) -> Iterator[Shape]:
        """The coordinates of the first element of each block."""
        return (self.origin(position) for position in self.positions)

    def origin(self, position: Shape) -> Shape:
        """Returns the coordinates of the first element of a block."""
        return tuple(number * size for number, size in zip(position, self.block, strict=True))

    def index(self, position: Shape) -> int:
        """Returns the number of a block."""
        number = 0
        for coordinate, count in zip(position, self.counts, strict=True):
            number = number * count + coordinate
        return number

    def touched(self, origin: Shape, size: Shape) -> Iterator[Shape]:
        """Yields the coordinates of the blocks that overlap a box."""
        return product(
            *(
                range(first // block, (first + extent - 1) // block + 1)
                for first, extent, block in zip(origin, size, self.block, strict=True)
            )
        )


def divisors(number: int) -> list[int]:
    """Returns the divisors of a positive number, the largest first."""
    small = [d for d in range(1, int(number**0.5) + 1) if number % d == 0]
    return sorted({*small, *(number // d for d in small)}, reverse=True)


def largest_divisor(number: int, limit: int) -> int:
    """Returns the largest divisor that does not exceed the limit, which is at least 1."""
    return next(d for d in divisors(number) if d <= limit)
