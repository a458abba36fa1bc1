"""Pictures of values: which lanes or subgroups have each element, in which byte of their registers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import FixedBitwidthType, ShapedType
from xdsl.ir import Attribute

from tools.explore.protocol import Json
from xegpu.dialects.xegpu import (
    DistributionAttr,
    LayoutAttr,
    OwnerGrid,
    SliceAttr,
    TensorDescType,
    distribution_obstacle,
    instruction_shape,
    lane_grid,
    subgroup_grid,
)
from xegpu.dialects.xetile import TileType
from xegpu.targets import Target
from xegpu.view import MAX_BOXES, LayoutPicture, layout_of

SUBGROUPS, WORK_ITEMS, REGISTERS = "subgroup", "work-item", "register"
"""The kinds of owners."""


@dataclass(frozen=True)
class DrawnBox:
    """Neighbouring elements from a row and a column on, which begin at a byte of the registers of their owners."""

    row: int
    column: int
    height: int
    width: int
    owners: Sequence[int]
    byte: int


@dataclass(frozen=True)
class DrawnTile:
    """A picture of a value of two dimensions, whose elements have `size` bytes; `owners` is the kind of its owners."""

    owners: str
    rows: int
    columns: int
    size: int
    boxes: Sequence[DrawnBox]

    def json(self) -> dict[str, Json]:
        return {
            "owners": self.owners,
            "rows": self.rows,
            "columns": self.columns,
            "size": self.size,
            "boxes": [[box.row, box.column, box.height, box.width, list(box.owners), box.byte] for box in self.boxes],
        }


def drawn_type(type: Attribute, target: Target) -> Iterator[DrawnTile]:
    """Yields the pictures of a type: none for one that is no tile, or that is too large to be drawn."""
    if not isinstance(type, TensorDescType | TileType) or not (size := _element_bytes(type)):
        return
    layout = layout_of(type)
    if layout is not None:
        if layout.box_count <= MAX_BOXES:
            yield DrawnTile(
                layout.owners, layout.tile[0], layout.tile[1] * layout.blocks, size, list(_owned(layout, size))
            )
    elif isinstance(type, TensorDescType) and isinstance(type.map, LayoutAttr | SliceAttr):
        yield from drawn_value(type, type.map)
    else:
        rows, columns = _folded(type.get_shape()) or (0, 0)
        if 0 < rows * columns <= MAX_BOXES:
            yield DrawnTile(REGISTERS, rows, columns, size, list(_held(rows, columns, size, target.platform.grf_bytes)))


def drawn_value(type: ShapedType, layout: DistributionAttr) -> Iterator[DrawnTile]:
    """Yields the pictures of a value with a layout: its subgroups, and the lanes of each of them."""
    shape, size = type.get_shape(), _element_bytes(type)
    if not size or _folded(shape) is None or distribution_obstacle(layout, shape) is not None:
        return
    part: Sequence[int] = shape
    if (subgroups := subgroup_grid(layout, shape)) is not None:
        yield from _drawn_grid(SUBGROUPS, subgroups, shape, shape, size)
        part = subgroups.block
    piece = instruction_shape(layout) or part
    if (lanes := lane_grid(layout, piece)) is not None:
        yield from _drawn_grid(WORK_ITEMS, lanes, part, piece, size)


def _element_bytes(type: Attribute) -> int:
    """Returns the bytes of an element; 0 for elements that are no whole bytes, or whose size is not known."""
    element = getattr(type, "element_type", None)
    return element.bitwidth // 8 if isinstance(element, FixedBitwidthType) else 0


def _folded(shape: Sequence[int]) -> tuple[int, int] | None:
    """Returns a shape as rows and columns; None for one of another rank than 1 and 2."""
    return (1, shape[0]) if len(shape) == 1 else (shape[0], shape[1]) if len(shape) == 2 else None


def _owned(layout: LayoutPicture, size: int) -> Iterator[DrawnBox]:
    """Yields the boxes of a map.

    In a subgroup's registers, the rows of the lanes' fragments follow each other, and in these the lanes. A subgroup of
    a work-group has its own registers.
    """
    lanes = layout.map.lanes if layout.owners == WORK_ITEMS else 1
    for box in layout.boxes:
        height, width = box.shape
        owner = box.owner if lanes > 1 else 0
        byte = (box.share * lanes + owner) * height * width * size
        yield DrawnBox(box.row, box.column, height, width, (box.owner,), byte)


def _drawn_grid(
    owners: str, grid: OwnerGrid, shape: Sequence[int], piece: Sequence[int], size: int
) -> Iterator[DrawnTile]:
    """Yields the picture of a level of a layout, which repeats for each piece of a value."""
    pieces = [count // part for count, part in zip(shape, piece, strict=True)]
    rounds = prod(count // unit for count, unit in zip(piece, grid.unit, strict=True))
    if grid.owner_count * rounds * prod(pieces) > MAX_BOXES:
        return
    found: dict[tuple[int, ...], tuple[list[int], int]] = {}
    lanes, elements = (grid.owner_count if owners == WORK_ITEMS else 1), prod(grid.block)
    for owner in range(grid.owner_count):
        for number, start in enumerate(grid.starts(owner)):
            place = number * lanes + (owner if lanes > 1 else 0)
            found.setdefault(start, ([], place * elements * size))[0].append(owner)
    (down, across), (height, width) = _pair(pieces), _pair(grid.block)
    (piece_rows, piece_columns), (rows, columns) = _pair(piece), _pair(shape)
    boxes = [
        DrawnBox(i * piece_rows + row, j * piece_columns + column, height, width, who, byte)
        for i in range(down)
        for j in range(across)
        for (row, column), (who, byte) in ((_pair(start, 0), rest) for start, rest in found.items())
    ]
    yield DrawnTile(owners, rows, columns, size, boxes)


def _pair(numbers: Sequence[int], first: int = 1) -> tuple[int, int]:
    """Returns one or two numbers as two."""
    return (first, numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1])


def _held(rows: int, columns: int, size: int, grf_bytes: int) -> Iterator[DrawnBox]:
    """Yields the parts of the rows of a tile that lie in one register each: tiles lie row by row, and dense."""
    per_register = grf_bytes // size
    for row in range(rows):
        column = 0
        while column < columns:
            start = (row * columns + column) * size
            register, byte = divmod(start, grf_bytes)
            width = min(per_register - byte // size, columns - column)
            yield DrawnBox(row, column, 1, width, (register,), start)
            column += width
