"""Ownership: the elements of a vector that each lane holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from xegpu.dialects.xegpu import Distribution

Indexes = NDArray[np.int64]
"""Row-major indices of elements of a vector."""

MOST_ELEMENTS = 1 << 16
"""The maximum number of elements of a distributed vector, far above what registers can hold."""


@dataclass(frozen=True, eq=False)
class Ownership:
    """The distribution of a vector: `elements[lane, position]` is the element at a position of a lane's fragment.

    Positions are row-major in a fragment of `shape`. Several lanes, and several positions, may hold the same element.
    """

    elements: Indexes
    shape: tuple[int, ...]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Ownership)
            and self.shape == other.shape
            and bool(np.array_equal(self.elements, other.elements))
        )

    def __hash__(self) -> int:
        return hash((self.shape, self.elements.tobytes()))

    @property
    def lanes(self) -> int:
        return int(self.elements.shape[0])

    @classmethod
    def of_columns(cls, columns: Sequence[Indexes]) -> Ownership:
        """Creates the distribution from the elements of all lanes at each position."""
        return cls(np.stack(columns, axis=1), (len(columns), 1))

    @classmethod
    def of_tile(cls, distribution: Distribution, order: Indexes) -> Ownership:
        """Creates the distribution of a tile whose element [block, row, column] has index `order[...]`."""
        return cls(order.ravel()[_tile_elements(distribution)], distribution.fragment)

    def is_complete(self, count: int) -> bool:
        """Returns whether each of `count` elements is held by some lane."""
        return bool(np.bincount(self.elements.ravel(), minlength=count).all())

    # Movements of elements

    def positions_of(self, wanted: Indexes) -> list[int] | None:
        """Returns the position of each column of `wanted`; None if lanes would need different positions."""
        positions = {column.tobytes(): position for position, column in enumerate(self.elements.T.copy())}
        found = [positions.get(column.tobytes()) for column in wanted.T.copy()]
        known = [position for position in found if position is not None]
        return known if len(known) == len(found) else None

    def sources(self, picks: Indexes) -> Ownership:
        """Returns the distribution of the operand with which each lane can compute its elements of the result.

        Element i of the result is element `picks[i]` of the operand.
        """
        wanted = picks[self.elements]
        if prod(self.shape) == self.elements.shape[1] and len(np.unique(picks)) == len(picks):
            return Ownership(wanted, self.shape)
        columns = {column.tobytes(): column for column in wanted.T.copy()}
        return Ownership.of_columns(list(columns.values()))

    def carried(self, picks: Indexes, count: int) -> Ownership | None:
        """Returns the distribution of the result if no element moves to another lane.


        Args:
            picks: Element i of the result is element `picks[i]` of the operand, which has this distribution.
            count: The number of elements of the operand.


        Returns:
            None if lanes would get fragments of different sizes.

        """
        order = np.argsort(picks, kind="stable")
        copies = np.bincount(picks, minlength=count)
        starts = np.concatenate(([0], np.cumsum(copies)))
        columns: list[Indexes] = []
        kept: list[int] = []
        for position, column in enumerate(self.elements.T):
            number = copies[column]
            if (number != number[0]).any():
                return None
            columns += [order[starts[column] + copy] for copy in range(int(number[0]))]
            kept += [position] * int(number[0])
        if not columns:
            return None
        width = self.shape[-1] if len(self.shape) > 1 else 1
        rows = len(kept) // width
        if len(kept) % width == 0 and all(kept[i] % width == i % width for i in range(len(kept))):
            shape = self.shape if len(kept) == prod(self.shape) else (rows, width)
            return Ownership(np.stack(columns, axis=1), shape)
        return Ownership.of_columns(columns)

    def holders(self, count: int) -> Indexes:
        """Returns the holder of each of `count` elements, as lane * positions + position."""
        result = np.full(count, -1, np.int64)
        flat = self.elements.ravel()
        result[flat[::-1]] = np.arange(flat.size - 1, -1, -1)
        assert (result >= 0).all()
        return result


@lru_cache
def _tile_elements(distribution: Distribution) -> Indexes:
    """Returns the elements [lane, position] of a tile, counted row-major through its blocks."""
    (rows, columns), (l0, l1), (d0, d1) = distribution.units, distribution.map.layout, distribution.map.data
    elements: Indexes = np.arange(distribution.blocks * rows * l0 * d0 * columns * l1 * d1, dtype=np.int64)
    split = elements.reshape(distribution.blocks, rows, l0, d0, columns, l1, d1)
    order = (2, 5, 0, 4, 1, 6, 3) if distribution.transposed else (2, 5, 0, 1, 4, 3, 6)
    return split.transpose(order).reshape(l0 * l1, -1)
