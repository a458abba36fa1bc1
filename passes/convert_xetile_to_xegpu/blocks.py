"""Blocks of global memory: each tile becomes a block descriptor."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from passes.convert_xetile_to_xegpu.forms import Parts, TileForm, block_descriptor, refuse
from passes.support.op_builder import Index, OpBuilder
from passes.support.tiles.offsets import Placement
from passes.support.tiles.webs import TileWeb
from xegpu.dialects.upstream.vector import TransposeOp
from xegpu.dialects.xegpu import CreateNdDescOp, LoadNdOp, PrefetchNdOp, StoreNdOp, TensorDescType, UpdateNdOffsetOp
from xegpu.dialects.xetile import InitTileOp, LoadTileOp, PrefetchTileOp, StoreTileOp, TileType, UpdateTileOffsetOp
from xegpu.targets import Target


class DescriptorForm(TileForm):
    """The form of tiles that become one descriptor each.

    Descriptors describe memory order: column-major tiles are transposed in registers.
    """

    def __init__(self, web: TileWeb, target: Target):
        super().__init__(web, target)
        self.desc = block_descriptor(web.type)

    @property
    def types(self) -> Sequence[Attribute]:
        return (self.desc,)

    def init(self, builder: OpBuilder, op: InitTileOp) -> Parts:
        placement = Placement.of(op)
        row, column = placement.in_memory_order(op.start[-2:])
        return (describe(builder, placement, row, column, self.desc),)

    def update(self, builder: OpBuilder, op: UpdateTileOffsetOp, parts: Parts) -> Parts:
        moves = reversed(op.moves) if self.tile.is_column_major else op.moves
        return (builder.add(UpdateNdOffsetOp(parts[0], list(moves))),)

    def access(self, builder: OpBuilder, op: Operation, parts: Parts) -> Sequence[SSAValue]:
        (desc,) = parts
        match op:
            case LoadTileOp():
                return (in_memory_order(builder, self.tile, builder.add(load_block(op, desc))),)
            case StoreTileOp():
                builder.insert(StoreNdOp(in_memory_order(builder, self.tile, op.value), desc, op.hints))
            case PrefetchTileOp():
                builder.insert(PrefetchNdOp(desc, op.hints))
            case _:
                refuse(op, self.tile)
        return ()


def describe(builder: OpBuilder, placement: Placement, row: Index, column: Index, desc: TensorDescType) -> SSAValue:
    """Creates the descriptor of the block, or 1-D block, of a plane that begins at (row, column)."""
    offsets = (*placement.outer, row, column)
    lists = (placement.sizes, placement.strides) if placement.explicit else ()
    return builder.add(CreateNdDescOp(placement.source, offsets, desc, *lists))


def load_block(op: LoadTileOp, desc: SSAValue) -> LoadNdOp:
    """Returns the load of a block, in memory order."""
    type = desc.type
    assert isinstance(type, TensorDescType)
    return LoadNdOp(desc, VectorType(type.element_type, type.get_shape()), hints=op.hints)


def in_memory_order(builder: OpBuilder, tile: TileType, value: SSAValue) -> SSAValue:
    """Converts a value of the tile to memory order, and back: it transposes values of column-major tiles."""
    return builder.add(TransposeOp(value, (1, 0))) if tile.is_column_major else value
