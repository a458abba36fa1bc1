"""Positions of the elements of a tile in the register layout of a loaded or stored value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering
from xegpu.dialects.xegpu import Distribution, LoadNdOp, StoreNdOp, TensorDescType, element_bits, packing_factor

Place = Callable[[int, int, int], int]
"""Maps (block, row, column) of a tile to the position of the element in the register layout."""


@dataclass(frozen=True)
class Tile:
    """`count` blocks of `rows` x `columns` elements of `size` bytes, and the position of each element in registers.

    If `fragment`, the layout is that of a fragment, shared by the lanes of a subgroup.
    """

    rows: int
    columns: int
    count: int
    size: int
    place: Place
    fragment: bool

    @property
    def elements(self) -> int:
        return self.rows * self.columns * self.count


def is_fragment(lowering: KernelLowering, op: Operation, desc: TensorDescType, type: Attribute) -> bool:
    """Returns whether a value of this type is a lane's part of the tile rather than the whole of it."""
    if desc.lane_map is None or not isinstance(type, VectorType):
        return False
    rows, columns = desc.tile
    if type.element_count() == rows * columns * desc.array_length:
        return False
    if lowering.lanes == 1:
        lowering.refuse(op, f"has a work-item's part of a tile, {type}, in a kernel that works on whole subgroups")
    return True


def _distribution(lowering: KernelLowering, op: Operation, desc: TensorDescType, transposed: bool) -> Distribution:
    distribution = desc.distribution(transposed)
    assert distribution is not None
    if distribution.map.lanes != lowering.lanes:
        lowering.refuse(
            op, f"has an sg_map of {distribution.map.lanes} lanes in a kernel with subgroups of {lowering.lanes}"
        )
    return distribution


def _fragment_place(distribution: Distribution, lanes: int) -> Place:
    width = distribution.map.data_size

    def place(block: int, row: int, column: int) -> int:
        lane, f, e = distribution.place(row, column, block)
        return (f * lanes + lane) * width + e

    return place


def load_tile(lowering: KernelLowering, op: LoadNdOp, size: int) -> Tile:
    """Returns the tile of a load, with the register layout of its result."""
    desc = op.desc
    rows, columns = desc.tile
    if is_fragment(lowering, op, desc, op.value.type):
        distribution = _distribution(lowering, op, desc, op.is_transposed)
        place = _fragment_place(distribution, lowering.lanes)
        return Tile(rows, columns, desc.array_length, size, place, True)
    return Tile(rows, columns, desc.array_length, size, _whole_place(op), False)


def _whole_place(op: LoadNdOp) -> Place:
    desc = op.desc
    rows, columns = desc.tile
    unit = 1
    if op.is_transposed and op.transpose_bit_width is not None:
        unit = op.transpose_bit_width.value.data // element_bits(desc.element_type)
    factor = packing_factor(desc.element_type)

    def plain(block: int, row: int, column: int) -> int:
        return (block * rows + row) * columns + column

    def transposed(block: int, row: int, column: int) -> int:
        return ((block * columns // unit + column // unit) * rows + row) * unit + column % unit

    def packed(block: int, row: int, column: int) -> int:
        return block * rows * columns + (row // factor * columns + column) * factor + row % factor

    return transposed if op.is_transposed else packed if op.is_packed else plain


def store_tile(lowering: KernelLowering, op: StoreNdOp, size: int) -> Tile:
    """Returns the tile of a store, with the register layout of the stored value."""
    desc = op.desc
    rows, columns = desc.tile
    if is_fragment(lowering, op, desc, op.value.type):
        place = _fragment_place(_distribution(lowering, op, desc, False), lowering.lanes)
        return Tile(rows, columns, desc.array_length, size, place, True)

    def plain(block: int, row: int, column: int) -> int:
        return (block * rows + row) * columns + column

    return Tile(rows, columns, desc.array_length, size, plain, False)
