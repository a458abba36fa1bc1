"""Rewrites the operations of a kernel as operations of one subgroup."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.vector import CombiningKindAttr
from xdsl.ir import Attribute, Operation, SSAValue

from passes.support.control_flow import CARRIERS
from passes.support.op_builder import OpBuilder
from passes.support.value_expansion import ValueExpansion
from passes.support.vectors.combining import combine
from passes.xetile.wg_to_sg.exchange import Exchange, reshaped
from passes.xetile.wg_to_sg.exchange_memory import ExchangeMemory
from passes.xetile.wg_to_sg.leaves import leaf_parts
from passes.xetile.wg_to_sg.reconciliation import RedistributeOp
from passes.xetile.wg_to_sg.reductions import TileReduction, combined
from passes.xetile.wg_to_sg.rules import is_distributable_elementwise, is_leaf
from passes.xetile.wg_to_sg.sharing import Sharing
from passes.xetile.wg_to_sg.subgroups import Subgroups
from xegpu.diagnostics import CompileError, definition_of
from xegpu.dialects.upstream import BroadcastInterface, TransposeInterface
from xegpu.dialects.upstream.vector import ExtractOp, MultiDimReductionOp, ShapeCastOp, vector_type
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
    TileMMAOp,
    TileType,
    UpdateTileOffsetOp,
    WgMapAttr,
)

MAX_PARTS = 1024
"""The maximum number of parts of one value in one subgroup; each becomes an operation."""

_MAPS_OF_PRODUCT = frozenset({"wg_map_a", "wg_map_b", "wg_map_c"})


def without_maps(attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """Returns the attributes without the maps of work-groups."""
    return {name: value for name, value in attributes.items() if not isinstance(value, WgMapAttr)}


class SubgroupDistribution(ValueExpansion):
    """Replaces each shared value by the parts that a subgroup owns.

    Operands must already be shared as their operations need them.
    """

    def __init__(self, sharings: Mapping[SSAValue, Sharing], subgroups: Subgroups, memory: ExchangeMemory):
        super().__init__()
        self._sharings, self._subgroups, self._memory = sharings, subgroups, memory

    def types(self, value: SSAValue) -> Sequence[Attribute] | None:
        sharing = self._sharings.get(value)
        if sharing is None:
            return None
        if sharing.part_count > MAX_PARTS:
            raise CompileError(
                definition_of(value),
                f"gives each subgroup {sharing.part_count} parts, expected at most {MAX_PARTS}: {sharing}",
            )
        type_ = value.type
        part = (
            _part_of_tile(type_, sharing)
            if isinstance(type_, TileType)
            else VectorType(vector_type(value).element_type, sharing.part_shape)
        )
        return [part] * sharing.part_count

    def rewrite(self, op: Operation) -> bool:
        shared = [value for value in (*op.operands, *op.results) if value in self._sharings]
        if not shared or op.name in CARRIERS:
            op.attributes = without_maps(op.attributes)
            return False
        for result in op.results:
            self.types(result)
        if is_leaf(op):
            self.bind(op.results[0], leaf_parts(op, self._sharings[op.results[0]], self._subgroups))
        elif is_distributable_elementwise(op):
            self._part_by_part(op)
        elif isinstance(op, TransposeInterface):
            self._transpose(op)
        elif isinstance(op, BroadcastInterface):
            self._broadcast(op)
        elif (handler := _HANDLERS.get(type(op))) is not None:
            handler(self, op)
        else:
            self._as_a_whole(op)
        return True

    # Part by part ----------------------------------------------------------------------------------------------------

    def _part_by_part(self, op: Operation) -> None:
        """Rewrites an operation for each part; values that are not shared are operands of all of them."""
        sharing = self._sharings[next(value for value in (*op.results, *op.operands) if value in self._sharings)]
        results: list[list[SSAValue]] = [[] for _ in op.results]
        for i in range(sharing.part_count):
            new = self._remade(op, [self._part(value, i) for value in op.operands], i)
            OpBuilder(op).insert(new)
            for parts, part in zip(results, new.results, strict=True):
                parts.append(part)
        for result, parts in zip(op.results, results, strict=True):
            self.bind(result, parts)

    def _part(self, value: SSAValue, index: int) -> SSAValue:
        return self.parts(value)[index] if value in self._sharings else value

    def _remade(self, op: Operation, operands: Sequence[SSAValue], index: int) -> Operation:
        """Returns the operation on the parts `operands`, for the parts numbered `index` of its results."""
        types: list[Attribute] = []
        for result in op.results:
            expanded = self.types(result)
            types.append(result.type if expanded is None else expanded[index])
        return type(op).create(
            operands=operands,
            result_types=types,
            properties={name: value for name, value in op.properties.items() if name not in _MAPS_OF_PRODUCT},
            attributes=without_maps(op.attributes),
        )

    def _as_a_whole(self, op: Operation) -> None:
        """Rewrites an operation that needs whole values, which every subgroup must own."""
        for value in (*op.operands, *op.results):
            sharing = self._sharings.get(value)
            if sharing is not None and not (sharing.is_whole and value in op.operands):
                raise CompileError(
                    op,
                    f"cannot be distributed over the subgroups of a work-group, which share {value.type} as {sharing}",
                )
        if op.regions or any(isinstance(value.type, TileType) for value in op.operands):
            raise CompileError(op, "cannot be distributed over the subgroups of a work-group")
        new = self._remade(op, [self._part(value, 0) for value in op.operands], 0)
        OpBuilder(op).insert(new)
        for old, made in zip(op.results, new.results, strict=True):
            old.replace_all_uses_with(made)

    # Tiles -----------------------------------------------------------------------------------------------------------

    def _init_tile(self, op: InitTileOp) -> None:
        sharing = self._sharings[op.tile]
        builder = OpBuilder(op)
        type_ = _part_of_tile(op.tile.type, sharing)
        tiles: list[SSAValue] = []
        for i, position in enumerate(sharing.positions()):
            if op.indices is not None:
                tiles.append(builder.add(InitTileOp(op.source, None, type_, indices=self._part(op.indices, i))))
                continue
            offsets = self._subgroups.offsets(sharing, position)
            start = op.start
            outer = len(start) - len(offsets)
            moved = [builder.plus(a, b) for a, b in zip(start[outer:], offsets, strict=True)]
            tiles.append(
                builder.add(InitTileOp(op.source, [*start[:outer], *moved], type_, op.mixed_sizes, op.mixed_strides))
            )
        self.bind(op.tile, tiles)

    def _scattered_store(self, op: StoreOp) -> None:
        """Rewrites a store so that one owner stores the elements that have several owners."""
        sharing = self._sharings[op.tile]
        stores = [self._remade(op, [self._part(v, i) for v in op.operands], i) for i in range(sharing.part_count)]
        self._subgroups.only_first_owner(sharing, stores, OpBuilder(op))

    def _atomic(self, op: AtomicRMWOp) -> None:
        sharing = self._sharings[op.tile]
        if not sharing.is_exclusive(self._subgroups.count):
            raise CompileError(
                op, f"would update elements several times: {self._subgroups.count} subgroups share {sharing}"
            )
        self._part_by_part(op)

    # Vectors ---------------------------------------------------------------------------------------------------------

    def _tile_mma(self, op: TileMMAOp) -> None:
        """Rewrites a product: each block is that of a row of blocks of A and a column of blocks of B."""
        sharing = self._sharings[op.output]
        parts: list[SSAValue] = []
        for i, (row, column) in enumerate(sharing.positions()):
            operands = [self.parts(op.a)[row], self.parts(op.b)[column]]
            if op.c is not None:
                operands.append(self.parts(op.c)[i])
            new = self._remade(op, operands, i)
            OpBuilder(op).insert(new)
            parts.append(new.results[0])
        self.bind(op.output, parts)

    def _transpose(self, op: TransposeInterface) -> None:
        sharing, source = self._sharings[op.results[0]], self._sharings[op.operands[0]]
        permutation = op.permuted_dims
        parts: list[SSAValue] = []
        for i, position in enumerate(sharing.positions()):
            permuted = [position[permutation.index(dim)] for dim in range(len(permutation))]
            new = self._remade(op, [self.parts(op.operands[0])[source.index(permuted)]], i)
            OpBuilder(op).insert(new)
            parts.append(new.results[0])
        self.bind(op.results[0], parts)

    def _broadcast(self, op: Operation) -> None:
        sharing, source = self._sharings[op.results[0]], self._sharings[op.operands[0]]
        missing = len(sharing.dims) - len(source.dims)
        parts: list[SSAValue] = []
        made: dict[int, SSAValue] = {}
        for i, position in enumerate(sharing.positions()):
            origin = source.index(
                [p if dim.parts > 1 else 0 for p, dim in zip(position[missing:], source.dims, strict=True)]
            )
            if origin not in made:
                new = self._remade(op, [self.parts(op.operands[0])[origin]], i)
                OpBuilder(op).insert(new)
                made[origin] = new.results[0]
            parts.append(made[origin])
        self.bind(op.results[0], parts)

    def _shape_cast(self, op: ShapeCastOp) -> None:
        if op.result not in self._sharings or op.source not in self._sharings:
            value = op.source if op.source in self._sharings else op.result
            raise CompileError(
                op,
                f"cannot be distributed over subgroups: {self._sharings[value]} has no corresponding parts as "
                f"{op.result.type if value is op.source else op.source.type}",
            )
        shape = self._sharings[op.result].part_shape
        self.bind(op.result, [reshaped(part, shape, OpBuilder(op)) for part in self.parts(op.source)])

    def _move(self, op: RedistributeOp | ConvertLayoutOp) -> None:
        exchange = Exchange(op, self._subgroups, self._memory)
        parts = exchange.move(self.parts(op.source), self._sharings[op.source], self._sharings[op.result])
        self.bind(op.result, parts)

    # Reductions ------------------------------------------------------------------------------------------------------

    def _reduction(self, op: ReductionOp) -> None:
        reduction = TileReduction(op, self._subgroups, self._memory, op.kind.data, op.reduced_dims)
        self.bind(op.result, reduction.run(self.parts(op.source), self._sharings[op.source]))

    def _multi_reduction(self, op: MultiDimReductionOp) -> None:
        kind = op.kind
        assert isinstance(kind, CombiningKindAttr)
        if op.source not in self._sharings:
            raise CompileError(op, "cannot be distributed over subgroups: its source belongs to a single subgroup")
        builder = OpBuilder(op)
        reduction = TileReduction(op, self._subgroups, self._memory, kind.data, op.reduced_dims)
        parts = reduction.run(self.parts(op.source), self._sharings[op.source])
        if op.dest in self._sharings:
            self.bind(op.dest, combined(kind.data, parts, self.parts(op.acc), builder))
            return
        (part,) = parts
        total = builder.add(ExtractOp(part, [0] * len(self._sharings[op.source].dims)))
        op.dest.replace_all_uses_with(builder.add(combine(kind.data, total, op.acc)))


def _part_of_tile(tile: TileType, sharing: Sharing) -> TileType:
    """The type of a subgroup's part: all that the tile is but its wg_map."""
    encoding = TileAttr(
        sg_map=tile.sg_map,
        order=(0, 1) if tile.is_column_major else (1, 0),
        memory_space=tile.memory_space or None,
        scattered=True if tile.is_scattered else None,
    )
    return TileType(sharing.part_shape, tile.element_type, None if encoding == PLAIN else encoding)


_HANDLERS: Mapping[type[Operation], Callable[..., None]] = {
    InitTileOp: SubgroupDistribution._init_tile,
    **dict.fromkeys(
        (LoadTileOp, LoadOp, StoreTileOp, PrefetchTileOp, UpdateTileOffsetOp), SubgroupDistribution._part_by_part
    ),
    StoreOp: SubgroupDistribution._scattered_store,
    AtomicRMWOp: SubgroupDistribution._atomic,
    TileMMAOp: SubgroupDistribution._tile_mma,
    ShapeCastOp: SubgroupDistribution._shape_cast,
    ConvertLayoutOp: SubgroupDistribution._move,
    RedistributeOp: SubgroupDistribution._move,
    ReductionOp: SubgroupDistribution._reduction,
    MultiDimReductionOp: SubgroupDistribution._multi_reduction,
}
