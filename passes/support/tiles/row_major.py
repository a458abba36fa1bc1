"""Converts column-major tiles to tiles of the transposed plane."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from xdsl.dialects.builtin import AffineMapAttr, MemRefType, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from passes.support.op_builder import OpBuilder
from passes.support.tiles.webs import TileWeb, tile_webs
from passes.support.value_expansion import ValueExpansion
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.memref import TransposeOp as TransposedViewOp
from xegpu.dialects.xetile import (
    AtomicRMWOp,
    InitTileOp,
    LoadTileOp,
    PrefetchTileOp,
    StoreTileOp,
    TileType,
    TransposeOp,
    UpdateTileOffsetOp,
)

T = TypeVar("T")


def make_row_major(function: FuncOp) -> None:
    """Converts the column-major tiles of global memory, and transposes the values loaded and stored.

    Tiles of shared local memory stay, because no message transposes them there. So do tiles with maps, whose numbering
    of elements would change.
    """
    webs = [web for web in tile_webs(function) if _is_convertible(web)]
    if webs:
        _RowMajorTiles(webs).run(function.body)


def _is_convertible(web: TileWeb) -> bool:
    tile = web.type
    return (
        tile.is_column_major
        and tile.memory_space == 0
        and tile.wg_map is None
        and tile.sg_map is None
        and not tile.is_scattered
        and all(_view_exists(init.source.type) for init in web.inits)
    )


def _view_exists(source: Attribute) -> bool:
    """Returns whether the source has a transposed view: `memref.transpose` does not support affine maps."""
    return not (isa(source, MemRefType) and source.has_static_shape() and isinstance(source.layout, AffineMapAttr))


class _RowMajorTiles(ValueExpansion):
    """Converts all tiles of some webs."""

    def __init__(self, webs: Iterable[TileWeb]):
        super().__init__()
        self._converted = {value for web in webs for value in web.values}

    def types(self, value: SSAValue) -> Sequence[Attribute] | None:
        return [_transposed_type(value.type)] if value in self._converted else None

    def rewrite(self, op: Operation) -> bool:
        builder = OpBuilder(op)
        match op:
            case InitTileOp() if op.tile in self._converted:
                self.bind(op.tile, [builder.add(_init(builder, op))])
            case UpdateTileOffsetOp() if op.result in self._converted:
                first, second = op.moves
                self._copy(builder, op, [self._tile(op.tile), second, first])
            case PrefetchTileOp() if op.tile in self._converted:
                self._copy(builder, op, [self._tile(op.tile)])
            case LoadTileOp() if op.source in self._converted:
                (loaded,) = self._copy(builder, op, [self._tile(op.source)])
                op.value.replace_all_uses_with(builder.add(TransposeOp(loaded)))
            case StoreTileOp() if op.tile in self._converted:
                self._copy(builder, op, [builder.add(TransposeOp(op.value)), self._tile(op.tile)])
            case AtomicRMWOp() if op.tile in self._converted:
                (old,) = self._copy(builder, op, [builder.add(TransposeOp(op.value)), self._tile(op.tile)])
                op.result.replace_all_uses_with(builder.add(TransposeOp(old)))
            case _:
                return False
        return True

    def _tile(self, value: SSAValue) -> SSAValue:
        (tile,) = self.parts(value)
        return tile

    def _copy(self, builder: OpBuilder, op: Operation, operands: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """Inserts the same operation on transposed tiles and vectors."""
        made = type(op).create(
            operands=operands,
            result_types=[_transposed_type(result.type) for result in op.results],
            properties=dict(op.properties),
            attributes=dict(op.attributes),
        )
        builder.insert(made)
        for result, transposed in zip(op.results, made.results, strict=True):
            if result in self._converted:
                self.bind(result, [transposed])
        return made.results


def _init(builder: OpBuilder, op: InitTileOp) -> InitTileOp:
    """Creates the tile of the transposed plane, from a transposed view of the memref or from swapped sizes."""
    type = _transposed_type(op.tile.type)
    assert isinstance(type, TileType)
    source = op.source
    if op.mixed_sizes is None:
        assert isa(source.type, MemRefType)
        source = builder.add(TransposedViewOp(source, _swapped(range(source.type.get_num_dims()))))
    sizes = None if op.mixed_sizes is None else _swapped(op.mixed_sizes)
    strides = None if op.mixed_strides is None else _swapped(op.mixed_strides)
    init = InitTileOp(source, _swapped(op.start), type, sizes, strides)
    init.attributes.update(op.attributes)
    return init


def _swapped(entries: Sequence[T]) -> list[T]:
    """Returns the entries of all dimensions, with the innermost two exchanged."""
    *outer, rows, columns = entries
    return [*outer, columns, rows]


def _transposed_type(type: Attribute) -> Attribute:
    """Returns the type of a transposed vector or tile; converted tiles have no further attributes."""
    if isinstance(type, TileType):
        return TileType(_swapped(type.get_shape()), type.element_type)
    assert isa(type, VectorType)
    return VectorType(type.element_type, _swapped(type.get_shape()))
