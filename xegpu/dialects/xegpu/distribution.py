"""The mapping of the elements of a tile to the lanes of a subgroup: the meaning of `#xegpu.sg_map`.

A map arranges the lanes of a subgroup as a grid (`wi_layout`) and gives each lane a box of neighbouring elements
(`wi_data`). One *unit* is what all lanes hold together once; units tile the tile. A lane's *fragment* has one row for
each unit and one column for each position inside the unit.

Shapes are (rows, columns); a 1-D tile of N elements is (1, N). Nothing here knows of xDSL.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

Shape2D = tuple[int, int]


class FragmentPosition(NamedTuple):
    """The lane that owns an element, and the row and column of the element in that lane's fragment."""

    lane: int
    row: int
    column: int


@dataclass(frozen=True)
class LaneMap:
    """`wi_layout` and `wi_data` of a map. Lanes are numbered row-major over `layout`."""

    layout: Shape2D
    data: Shape2D

    @property
    def lanes(self) -> int:
        """Lanes that the map arranges: the subgroup size."""
        return self.layout[0] * self.layout[1]

    @property
    def data_size(self) -> int:
        """Elements that one lane owns in one unit."""
        return self.data[0] * self.data[1]

    @property
    def unit(self) -> Shape2D:
        """Shape of one distribution unit."""
        return (self.layout[0] * self.data[0], self.layout[1] * self.data[1])

    def tiles(self, tile: Shape2D) -> bool:
        """Returns whether units fill `tile` exactly."""
        return all(size >= unit and size % unit == 0 for size, unit in zip(tile, self.unit, strict=True))


@dataclass(frozen=True)
class Distribution:
    """A tile spread over lanes by a map that `tiles` it.

    `transposed` says that the tile is transposed on its way to registers: units, and the elements inside a lane's box,
    are then counted in the order of the result. `blocks` such tiles (array_length) follow each other in the fragment.
    """

    tile: Shape2D
    map: LaneMap
    transposed: bool = False
    blocks: int = 1

    def __post_init__(self) -> None:
        if not self.map.tiles(self.tile):
            raise ValueError(f"a tile of {self.tile} cannot be divided into units of {self.map.unit}")

    @property
    def units(self) -> Shape2D:
        """Units along each dimension of the tile."""
        return (self.tile[0] // self.map.unit[0], self.tile[1] // self.map.unit[1])

    @property
    def rows_per_block(self) -> int:
        return self.units[0] * self.units[1]

    @property
    def fragment(self) -> Shape2D:
        """Shape of the fragment that one lane holds."""
        return (self.blocks * self.rows_per_block, self.map.data_size)

    def place(self, i: int, j: int, block: int = 0) -> FragmentPosition:
        """Returns the owner of element `[i, j]` of a block."""
        (l0, l1), (d0, d1), (u0, u1) = self.map.layout, self.map.data, self.map.unit
        lane = (i // d0 % l0) * l1 + j // d1 % l1
        if self.transposed:
            row = (j // u1) * self.units[0] + i // u0
            column = (j % d1) * d0 + i % d0
        else:
            row = (i // u0) * self.units[1] + j // u1
            column = (i % d0) * d1 + j % d1
        return FragmentPosition(lane, block * self.rows_per_block + row, column)

    def element(self, place: FragmentPosition) -> tuple[int, int, int]:
        """The (block, i, j) that lives at `place`; the inverse of `place`."""
        (_, l1), (d0, d1), (u0, u1) = self.map.layout, self.map.data, self.map.unit
        block, row = divmod(place.row, self.rows_per_block)
        if self.transposed:
            unit_column, unit_row = divmod(row, self.units[0])
            box_column, box_row = divmod(place.column, d0)
        else:
            unit_row, unit_column = divmod(row, self.units[1])
            box_row, box_column = divmod(place.column, d1)
        i = unit_row * u0 + (place.lane // l1) * d0 + box_row
        j = unit_column * u1 + (place.lane % l1) * d1 + box_column
        return block, i, j


def gather_fragment(chunk: int, lane_map: LaneMap) -> tuple[int, ...]:
    """Shape of one lane's fragment of a scattered load of `chunk` elements a lane: rank 1 when `chunk` is 1."""
    if chunk == 1:
        return (lane_map.data_size,)
    return (chunk // lane_map.data_size, lane_map.data_size)
