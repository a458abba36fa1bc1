"""Accesses of a block row by row: by lines of neighbouring elements, or by lanes of which each has its own address."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects.arith import AddiOp, ConstantOp
from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from passes.convert_xetile_to_xegpu.described import describe
from passes.convert_xetile_to_xegpu.forms import TileForm, check_number, lane_descriptor, memory_space_of
from passes.convert_xetile_to_xegpu.padding import padded
from passes.convert_xetile_to_xegpu.pieces import all_lanes, flat, joined, piece
from passes.support.lane_stretches import stretches
from passes.support.op_builder import OpBuilder
from passes.support.tiles.offsets import PlaneBlock, indices, splat
from xegpu.dialects.xegpu import (
    AtomicRMWOp,
    BlockTensorDescAttr,
    CreateDescOp,
    LoadNdOp,
    LoadOp,
    StoreNdOp,
    StoreOp,
    TensorDescType,
)
from xegpu.dialects.xetile import AtomicRMWOp as TileAtomicRMWOp
from xegpu.dialects.xetile import LoadTileOp, StoreTileOp


class RowSegment(NamedTuple):
    """Elements of one row that are accessed at once; `start` is their place in the row-major block."""

    start: int
    row: int
    column: int
    length: int


class ElementAccess(ABC):
    """A way to access a block in pieces; values are [rows, columns] in the order of memory."""

    def __init__(self, form: TileForm, builder: OpBuilder, block: PlaneBlock):
        self.form, self.builder, self.block = form, builder, block
        self.type = VectorType(form.tile.element_type, block.shape)

    @abstractmethod
    def load(self, op: LoadTileOp) -> SSAValue: ...

    @abstractmethod
    def store(self, op: StoreTileOp, value: SSAValue) -> None: ...

    def vector(self, count: int) -> VectorType:
        return VectorType(self.form.tile.element_type, [count])


class Lines(ElementAccess):
    """One block message of neighbouring elements for each row, or one for all rows if they follow one another.

    Nothing is checked: the block must lie inside its plane.
    """

    def load(self, op: LoadTileOp) -> SSAValue:
        loaded = [
            (line.start, self.builder.add(LoadNdOp(self._describe(line), self.vector(line.length), hints=op.hints)))
            for line in self._lines()
        ]
        return joined(self.builder, loaded, self.type)

    def store(self, op: StoreTileOp, value: SSAValue) -> None:
        value = flat(self.builder, value)
        for line in self._lines():
            part = piece(self.builder, value, line.start, line.length)
            self.builder.insert(StoreNdOp(part, self._describe(line), op.hints))

    def _lines(self) -> Iterator[RowSegment]:
        rows, columns = self.block.shape
        if self.block.placement.pitch == columns:
            yield RowSegment(0, 0, 0, rows * columns)
        else:
            check_number(self.builder.place, rows)
            yield from (RowSegment(row * columns, row, 0, columns) for row in range(rows))

    def _describe(self, line: RowSegment) -> SSAValue:
        tile, block, builder = self.form.tile, self.block, self.builder
        desc = TensorDescType([line.length], tile.element_type, BlockTensorDescAttr(memory_space_of(tile)))
        row, column = builder.plus(block.row, line.row), builder.plus(block.column, line.column)
        return describe(builder, block.placement, row, column, desc)


class LaneAddresses(ElementAccess):
    """One address a lane; elements outside of the plane are left out."""

    def load(self, op: LoadTileOp) -> SSAValue:
        loaded = [
            (part.start, self.builder.add(LoadOp(desc, mask, self.vector(part.length), hints=op.hints)))
            for part, desc, mask in self._accesses()
        ]
        value = joined(self.builder, loaded, self.type)
        return value if self._mask is None else padded(self.builder, self._mask, value, op.padding)

    def store(self, op: StoreTileOp, value: SSAValue) -> None:
        value = flat(self.builder, value)
        for part, desc, mask in self._accesses():
            self.builder.insert(
                StoreOp(piece(self.builder, value, part.start, part.length), desc, mask, hints=op.hints)
            )

    def update(self, op: TileAtomicRMWOp, value: SSAValue) -> SSAValue:
        """The elements as they were before each was combined with one of `value`."""
        builder, value = self.builder, flat(self.builder, value)
        old = [
            (
                part.start,
                builder.add(AtomicRMWOp(op.atomic_kind, desc, mask, piece(builder, value, part.start, part.length))),
            )
            for part, desc, mask in self._accesses()
        ]
        return joined(builder, old, self.type)

    @cached_property
    def _mask(self) -> SSAValue | None:
        return self.block.mask(self.builder)

    def _accesses(self) -> Iterator[tuple[RowSegment, SSAValue, SSAValue]]:
        """Pieces, with descriptor and mask."""
        builder, block, tile = self.builder, self.block, self.form.tile
        source = block.placement.line(builder)
        mask = None if self._mask is None else flat(builder, self._mask)
        rows, columns = block.shape
        check_number(builder.place, rows * len(list(stretches(columns, self.form.target.physical_simd_width))))
        for row in range(rows):
            for column, lanes in stretches(columns, self.form.target.physical_simd_width):
                part = RowSegment(row * columns + column, row, column, lanes)
                first = block.placement.linear(
                    builder, builder.plus(block.row, row), builder.plus(block.column, column)
                )
                offsets = builder.add(
                    AddiOp(splat(builder, first, lanes), builder.add(ConstantOp(indices(range(lanes)))))
                )
                desc = builder.add(CreateDescOp(source, offsets, lane_descriptor(tile, lanes)))
                own = all_lanes(builder, lanes) if mask is None else piece(builder, mask, part.start, lanes)
                yield part, desc, own
