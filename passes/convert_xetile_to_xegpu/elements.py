"""Accesses of a block row by row: with 1-D blocks of contiguous elements, or with one address per lane."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects.arith import AddiOp, ConstantOp
from xdsl.dialects.builtin import VectorType
from xdsl.ir import SSAValue

from passes.convert_xetile_to_xegpu.blocks import describe
from passes.convert_xetile_to_xegpu.forms import TileForm, check_access_count, lane_descriptor, memory_space_of
from passes.convert_xetile_to_xegpu.padding import padded
from passes.convert_xetile_to_xegpu.pieces import all_lanes, flat, joined, piece
from passes.support.op_builder import OpBuilder
from passes.support.tiles.offsets import PlaneBlock, indices, splat
from passes.support.vectors.lane_stretches import stretches
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
from xegpu.dialects.xetile import AtomicRMWOp as TileAtomicRMWOp, LoadTileOp, StoreTileOp


class RowSegment(NamedTuple):
    """Elements of one row that are accessed together; `start` is their offset in the row-major block."""

    start: int
    row: int
    column: int
    length: int


class ElementAccess(ABC):
    """A way to access a block in pieces; values have shape [rows, columns], in memory order."""

    def __init__(self, form: TileForm, builder: OpBuilder, block: PlaneBlock):
        self.form, self.builder, self.block = form, builder, block
        self.type = VectorType(form.tile.element_type, block.shape)

    @abstractmethod
    def load(self, op: LoadTileOp) -> SSAValue: ...

    @abstractmethod
    def store(self, op: StoreTileOp, value: SSAValue) -> None: ...

    def vector(self, count: int) -> VectorType:
        return VectorType(self.form.tile.element_type, [count])


class RowAccess(ElementAccess):
    """One 1-D block per row, or one for all rows if they are contiguous.

    There is no bounds check: the block must lie inside its plane.
    """

    def load(self, op: LoadTileOp) -> SSAValue:
        loaded = []
        for segment in self._segments():
            load = LoadNdOp(self._describe(segment), self.vector(segment.length), hints=op.hints)
            loaded.append((segment.start, self.builder.add(load)))
        return joined(self.builder, loaded, self.type)

    def store(self, op: StoreTileOp, value: SSAValue) -> None:
        value = flat(self.builder, value)
        for segment in self._segments():
            part = piece(self.builder, value, segment.start, segment.length)
            self.builder.insert(StoreNdOp(part, self._describe(segment), op.hints))

    def _segments(self) -> Iterator[RowSegment]:
        rows, columns = self.block.shape
        if self.block.placement.pitch == columns:
            yield RowSegment(0, 0, 0, rows * columns)
        else:
            check_access_count(self.builder.anchor, rows)
            yield from (RowSegment(row * columns, row, 0, columns) for row in range(rows))

    def _describe(self, segment: RowSegment) -> SSAValue:
        tile, block, builder = self.form.tile, self.block, self.builder
        encoding = BlockTensorDescAttr(memory_space_of(tile), boundary_check=False)
        desc = TensorDescType([segment.length], tile.element_type, encoding)
        row, column = builder.plus(block.row, segment.row), builder.plus(block.column, segment.column)
        return describe(builder, block.placement, row, column, desc)


class LaneAddresses(ElementAccess):
    """One address per lane; elements outside of the plane are masked off."""

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
        """Emits atomic updates. Returns the previous elements."""
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
        """Yields the pieces of the block, each with descriptor and mask."""
        builder, block, tile = self.builder, self.block, self.form.tile
        source = block.placement.flat_memref(builder)
        mask = None if self._mask is None else flat(builder, self._mask)
        rows, columns = block.shape
        check_access_count(
            builder.anchor, rows * len(list(stretches(columns, self.form.target.platform.physical_simd_width)))
        )
        for row in range(rows):
            for column, lanes in stretches(columns, self.form.target.platform.physical_simd_width):
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
