"""Rewrites the operations of XeTile as operations of one subgroup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Attribute, Operation, SSAValue

from passes.support.op_builder import OpBuilder
from passes.support.op_table import OpTable
from passes.support.work_groups.distribution import SubgroupDistribution
from passes.support.work_groups.exchange import reshaped
from passes.support.work_groups.sharing import Sharing
from passes.xetile.wg_to_sg.maps import without_maps
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.vector import vector_type
from xegpu.dialects.xetile import (
    PLAIN,
    AtomicRMWOp,
    ConvertLayoutOp,
    InitTileOp,
    LoadOp,
    LoadTileOp,
    PrefetchTileOp,
    ReductionOp,
    StoreOp,
    StoreTileOp,
    TileAttr,
    TileType,
    UpdateTileOffsetOp,
)

_REWRITES = OpTable["TileDistribution", None]()
"""The operations of XeTile that are rewritten in ways of their own."""


class TileDistribution(SubgroupDistribution):
    """Replaces each shared tile and vector by the parts that a subgroup owns."""

    def part_type(self, type_: Attribute, sharing: Sharing) -> Attribute:
        return _part_of_tile(type_, sharing) if isinstance(type_, TileType) else super().part_type(type_, sharing)

    def kept(self, attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
        return without_maps(attributes)

    def rewrite_access(self, op: Operation) -> bool:
        handler = _REWRITES.get(op)
        if handler is None or not any(value in self._sharings for value in (*op.operands, *op.results)):
            return False
        handler(self, op)
        return True

    @_REWRITES.register(InitTileOp)
    def _init_tile(self, op: InitTileOp) -> None:
        sharing = self._sharings[op.tile]
        builder = OpBuilder(op)
        (type_, *_) = self.types(op.tile) or ()
        assert isinstance(type_, TileType)
        tiles: list[SSAValue] = []
        for i, position in enumerate(sharing.positions()):
            if op.indices is not None:
                tiles.append(builder.add(InitTileOp(op.source, None, type_, indices=self.part(op.indices, i))))
                continue
            offsets = self._subgroups.offsets(sharing, position)
            start = op.start
            outer = len(start) - len(offsets)
            moved = [builder.plus(a, b) for a, b in zip(start[outer:], offsets, strict=True)]
            tiles.append(
                builder.add(InitTileOp(op.source, [*start[:outer], *moved], type_, op.mixed_sizes, op.mixed_strides))
            )
        self.bind(op.tile, tiles)

    @_REWRITES.register(StoreOp)
    def _scattered_store(self, op: StoreOp) -> None:
        """Rewrites a store so that one owner stores the elements that have several owners."""
        sharing = self._sharings[op.tile]
        stores = [self.remade(op, [self.part(v, i) for v in op.operands], i) for i in range(sharing.part_count)]
        self._subgroups.store(sharing, stores, OpBuilder(op))

    @_REWRITES.register(AtomicRMWOp)
    def _atomic(self, op: AtomicRMWOp) -> None:
        sharing = self._sharings[op.tile]
        if not sharing.is_exclusive(self._subgroups.count):
            raise CompileError(
                op, f"would update elements several times: {self._subgroups.count} subgroups share {sharing}"
            )
        self.part_by_part(op)

    @_REWRITES.register(ReductionOp)
    def _reduction(self, op: ReductionOp) -> None:
        self.bind(op.result, self.reduce(op, op.kind.data, op.source, op.reduced_dims))

    @_REWRITES.register(ConvertLayoutOp)
    def _convert(self, op: ConvertLayoutOp) -> None:
        self.move(op, op.source, op.result)


def reduced_part(
    builder: OpBuilder, op: Operation, kind: CombiningKindFlag, part: SSAValue, dims: Sequence[int]
) -> SSAValue:
    """Combines the elements of a vector that has at most two dimensions of more than one element."""
    shape = vector_type(part).get_shape()
    result = [1 if dim in dims else size for dim, size in enumerate(shape)]
    long = [dim for dim, size in enumerate(shape) if size > 1]
    if len(long) > 2:
        raise CompileError(op, f"cannot reduce a subgroup's part of shape {list(shape)}: expected a matrix")
    rows = [dim for dim in range(len(shape)) if dim not in long][: 2 - len(long)]
    matrix = sorted([*rows, *long]) if len(shape) >= 2 else [0]
    current = reshaped(part, [shape[dim] for dim in matrix] if len(matrix) == 2 else [1, shape[0]], builder)
    positions = {dim: i + 2 - len(matrix) for i, dim in enumerate(matrix)}
    for dim in dims:
        if shape[dim] > 1:
            current = builder.add(ReductionOp(kind, current, [positions[dim]]))
    return reshaped(current, result, builder)


def _part_of_tile(tile: TileType, sharing: Sharing) -> TileType:
    """The type of a subgroup's part: all that the tile is but its wg_map."""
    encoding = TileAttr(
        sg_map=tile.sg_map,
        order=(0, 1) if tile.is_column_major else (1, 0),
        memory_space=tile.memory_space or None,
        scattered=True if tile.is_scattered else None,
    )
    return TileType(sharing.part_shape, tile.element_type, None if encoding == PLAIN else encoding)


_REWRITES.register(LoadTileOp, LoadOp, StoreTileOp, PrefetchTileOp, UpdateTileOffsetOp)(TileDistribution.part_by_part)
