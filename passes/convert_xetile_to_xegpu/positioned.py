"""Blocks whose row and column the kernel keeps, because a block descriptor does not support their accesses.

Shared local memory has no 2-D blocks, atomic updates work element by element, and padding with anything but zeros needs
to know which elements are outside. A tile becomes the row and column of its first element in its plane, and each access
creates the descriptors that it needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute, Operation, SSAValue

from passes.analysis.integers import IntegerFacts
from passes.analysis.tile_edges import stays_inside
from passes.convert_xetile_to_xegpu.blocks import describe, in_memory_order, load_block
from passes.convert_xetile_to_xegpu.elements import ElementAccess, LaneAddresses, RowAccess
from passes.convert_xetile_to_xegpu.forms import Parts, TileForm, block_descriptor, refuse
from passes.convert_xetile_to_xegpu.padding import padded, padding_number
from passes.support.op_builder import OpBuilder
from passes.support.tiles.offsets import Placement, PlaneBlock, common_placement
from passes.support.tiles.webs import TileWeb
from xegpu.dialects.xegpu import MemorySpace, PrefetchNdOp, StoreNdOp
from xegpu.dialects.xetile import AtomicRMWOp, InitTileOp, LoadTileOp, PrefetchTileOp, StoreTileOp, UpdateTileOffsetOp
from xegpu.targets import Target


def needs_position(web: TileWeb) -> bool:
    """Returns whether accesses of the web's tiles need the position of the block."""
    return web.type.memory_space != MemorySpace.GLOBAL.number or any(
        isinstance(op, AtomicRMWOp) or (isinstance(op, LoadTileOp) and padding_number(op.padding) != 0)
        for op in web.accesses
    )


class PositionForm(TileForm):
    """The form of tiles that become the row and column of their first element, in memory order."""

    def __init__(self, web: TileWeb, target: Target, facts: IntegerFacts):
        super().__init__(web, target)
        is_shared = self.tile.memory_space != MemorySpace.GLOBAL.number and web.inits
        self._inside = bool(is_shared) and stays_inside(web, Placement.of(web.inits[0]), facts)

    @property
    def types(self) -> Sequence[Attribute]:
        return (IndexType(), IndexType())

    def init(self, builder: OpBuilder, op: InitTileOp) -> Parts:
        return [builder.value(index) for index in Placement.of(op).in_memory_order(op.start[-2:])]

    def update(self, builder: OpBuilder, op: UpdateTileOffsetOp, parts: Parts) -> Parts:
        row, column = reversed(op.moves) if self.tile.is_column_major else op.moves
        return [builder.value(builder.plus(part, move)) for part, move in zip(parts, (row, column), strict=True)]

    def access(self, builder: OpBuilder, op: Operation, parts: Parts) -> Sequence[SSAValue]:
        placement = common_placement(self.web, op)
        block = PlaneBlock(placement, parts[0], parts[1], placement.shape(self.tile))
        if isinstance(op, AtomicRMWOp):
            value = in_memory_order(builder, self.tile, op.value)
            return (in_memory_order(builder, self.tile, LaneAddresses(self, builder, block).update(op, value)),)
        if self.tile.memory_space == MemorySpace.GLOBAL.number:
            return self._access_global(builder, op, block)
        kind = RowAccess if self._inside else LaneAddresses
        return self._access_shared(builder, op, kind(self, builder, block))

    def _access_global(self, builder: OpBuilder, op: Operation, block: PlaneBlock) -> Sequence[SSAValue]:
        desc = describe(builder, block.placement, block.row, block.column, block_descriptor(self.tile))
        match op:
            case LoadTileOp():
                value = builder.add(load_block(op, desc))
                if (mask := block.mask(builder)) is not None:
                    value = padded(builder, mask, value, op.padding)
                return (in_memory_order(builder, self.tile, value),)
            case StoreTileOp():
                builder.insert(StoreNdOp(in_memory_order(builder, self.tile, op.value), desc, op.hints))
            case PrefetchTileOp():
                builder.insert(PrefetchNdOp(desc, op.hints))
            case _:
                refuse(op, self.tile)
        return ()

    def _access_shared(self, builder: OpBuilder, op: Operation, elements: ElementAccess) -> Sequence[SSAValue]:
        match op:
            case LoadTileOp():
                return (in_memory_order(builder, self.tile, elements.load(op)),)
            case StoreTileOp():
                elements.store(op, in_memory_order(builder, self.tile, op.value))
            case PrefetchTileOp():
                pass  # shared local memory has no caches
            case _:
                refuse(op, self.tile)
        return ()
