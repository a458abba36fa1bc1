"""`xetile-blockop-fallback`: replaces block tiles by scattered ones where block messages cannot access memory."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass

from xdsl.dialects.arith import AddiOp, AndIOp, ConstantOp, MuliOp
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, IndexType, MemRefType, VectorType, i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from passes.analysis.integers import IntegerFacts
from passes.analysis.tile_edges import stays_inside
from passes.kernel.target_pass import TargetPass
from passes.support.op_builder import Index, OpBuilder
from passes.support.tiles.offsets import Placement, common_placement
from passes.support.tiles.refusals import check_subgroup_operation
from passes.support.tiles.webs import TileWeb, tile_webs
from passes.support.value_expansion import ValueExpansion
from passes.support.vectors.constants import splat_constant
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.arith import CmpiOp, SelectOp
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.memref import memref_strides
from xegpu.dialects.upstream.vector import BroadcastOp as VectorBroadcastOp
from xegpu.dialects.xegpu import MemorySpace, element_bits, is_scalar
from xegpu.dialects.xetile import (
    AtomicRMWOp,
    BroadcastOp,
    InitTileOp,
    LoadOp,
    LoadTileOp,
    PrefetchTileOp,
    StoreOp,
    StoreTileOp,
    TileAttr,
    TileType,
    UpdateTileOffsetOp,
)
from xegpu.targets import Target


@dataclass(frozen=True)
class XetileBlockopFallbackPass(TargetPass):
    """Replaces some block tiles by scattered tiles.

    These are blocks whose surface has a pitch that block messages do not support, blocks of shared local memory that
    may cross an edge, and blocks that are updated atomically and do not cross an edge. Kernels then keep the row and
    column of a tile, and each access creates the scattered tile and a mask of the elements inside.
    """

    name = "xetile-blockop-fallback"

    pitch: bool = True
    """Consider the pitch of surfaces. Otherwise lowering decides about surfaces of global memory."""

    def compile(self, scope: Operation, target: Target) -> None:
        for function in [o for o in scope.walk() if isinstance(o, FuncOp)]:
            facts = IntegerFacts()
            chosen = [web for web in tile_webs(function) if _falls_back(web, target, facts, self.pitch)]
            for inner in (access for web in chosen for access in web.accesses):
                check_subgroup_operation(inner, target)
            if chosen:
                inside = {web for web in chosen if stays_inside(web, Placement.of(web.inits[0]), facts)}
                _Fallback(chosen, inside).run(function.body)


def _falls_back(web: TileWeb, target: Target, facts: IntegerFacts, by_pitch: bool) -> bool:
    tile = web.type
    if tile.is_scattered or tile.wg_map is not None or not web.inits or not is_scalar(tile.element_type):
        return False
    if any(not _has_static_offset(init.source.type) for init in web.inits):
        return False
    placement = Placement.of(web.inits[0])
    inside = stays_inside(web, placement, facts)
    if any(isinstance(access, AtomicRMWOp) for access in web.accesses):
        return inside
    if tile.memory_space == MemorySpace.SLM.number:
        return not inside
    return by_pitch and _has_unfit_pitch(placement, tile, target)


def _has_static_offset(source: Attribute) -> bool:
    layout = memref_strides(source) if isa(source, MemRefType) else None
    return layout is not None and layout[1] is not None


def _has_unfit_pitch(placement: Placement, tile: TileType, target: Target) -> bool:
    limits, pitch = target.platform.block2d, placement.pitch
    if limits is None or not isinstance(pitch, int):
        return False
    size = pitch * element_bits(tile.element_type) // 8
    return size < limits.min_surface_width or size % limits.pitch_multiple != 0


class _Fallback(ValueExpansion):
    """Replaces tiles by their rows and columns; those `inside` do not cross edges."""

    def __init__(self, webs: Sequence[TileWeb], inside: Set[TileWeb]):
        super().__init__()
        self._inside = inside
        self._webs = {value: web for web in webs for value in web.values}

    def types(self, value: SSAValue) -> Sequence[Attribute] | None:
        return (IndexType(), IndexType()) if value in self._webs else None

    def rewrite(self, op: Operation) -> bool:
        tile = next((value for value in (*op.operands, *op.results) if value in self._webs), None)
        if tile is None or not op.name.startswith("xetile."):
            return False
        builder = OpBuilder(op)
        if isinstance(op, InitTileOp):
            self.bind(op.tile, [builder.value(index) for index in op.start[-2:]])
        elif isinstance(op, UpdateTileOffsetOp):
            pairs = zip(self.parts(op.tile), op.moves, strict=True)
            self.bind(op.result, [builder.value(builder.plus(part, move)) for part, move in pairs])
        else:
            web = self._webs[tile]
            _Access(web, op, self.parts(tile), web in self._inside).rewrite()
        return True


class _Access:
    """One access of a block, element by element."""

    def __init__(self, web: TileWeb, op: Operation, start: Sequence[SSAValue], inside: bool):
        self.op, self.builder, self.start = op, OpBuilder(op), start
        self.placement = common_placement(web, op)
        self.shape = web.type.get_shape()
        self.inside = inside
        space = web.type.memory_space or None
        self.type = TileType(self.shape, web.type.element_type, TileAttr(memory_space=space, scattered=True))

    def rewrite(self) -> None:
        """Inserts the replacement of the access."""
        op, builder = self.op, self.builder
        match op:
            case LoadTileOp():
                load = LoadOp(self._tile(), self._mask(), padding=op.padding, hints=op.hints)
                op.value.replace_all_uses_with(builder.add(load))
            case StoreTileOp():
                builder.insert(StoreOp(op.value, self._tile(), self._mask(), op.hints))
            case PrefetchTileOp():
                builder.insert(PrefetchTileOp(self._tile(safely=True), op.hints))
            case AtomicRMWOp():
                op.result.replace_all_uses_with(builder.add(AtomicRMWOp(op.atomic_kind, op.value, self._tile())))
            case _:
                raise CompileError(op, f"of {self.type} has no form for scattered tiles")

    def _tile(self, *, safely: bool = False) -> SSAValue:
        """Returns the scattered tile; with `safely`, it has no addresses outside of the buffer."""
        builder, placement = self.builder, self.placement
        outer = builder.dot(placement.outer, placement.strides[:-2])
        strides = placement.in_memory_order(placement.strides[-2:])
        rows, columns = (
            self._numbers(dimension, builder.times(start, stride), stride)
            for dimension, (start, stride) in enumerate(zip(self.start, strides, strict=True))
        )
        if outer != 0:
            columns = builder.add(AddiOp(columns, self._splat(outer, columns.type)))
        indices = builder.add(AddiOp(self._spread(rows, 1), self._spread(columns, 0)))
        if safely and not self.inside:
            zero = builder.add(splat_constant(VectorType(IndexType(), self.shape), 0))
            indices = builder.add(SelectOp(self._mask(), indices, zero))
        return builder.add(InitTileOp(placement.flat_memref(builder), None, self.type, indices=indices))

    def _mask(self) -> SSAValue:
        """Returns a mask of the elements inside the plane."""
        builder = self.builder
        if self.inside:
            return builder.add(splat_constant(VectorType(i1, self.shape), 1))
        masks = []
        for dimension, (start, size) in enumerate(
            zip(self.start, self.placement.in_memory_order(self.placement.plane), strict=True)
        ):
            numbers = self._numbers(dimension, start, 1)
            inside = builder.add(CmpiOp(numbers, self._splat(size, numbers.type), "ult"))
            masks.append(self._spread(inside, 1 - dimension))
        return builder.add(AndIOp(masks[0], masks[1]))

    def _numbers(self, dimension: int, start: Index, stride: Index) -> SSAValue:
        """Returns the numbers `start`, `start + stride`, ... along a dimension of the tile."""
        builder, size = self.builder, self.shape[dimension]
        type = VectorType(IndexType(), [size, 1] if dimension == 0 else [1, size])
        factor = stride if isinstance(stride, int) else 1
        steps = builder.add(ConstantOp(DenseIntOrFPElementsAttr.from_list(type, [factor * i for i in range(size)])))
        if not isinstance(stride, int):
            steps = builder.add(MuliOp(steps, self._splat(stride, type)))
        return steps if start == 0 else builder.add(AddiOp(self._splat(start, type), steps))

    def _splat(self, index: Index, type: Attribute) -> SSAValue:
        assert isa(type, VectorType[IndexType])
        if isinstance(index, int):
            return self.builder.add(splat_constant(type, index))
        return self.builder.add(VectorBroadcastOp(index, type))

    def _spread(self, numbers: SSAValue, dimension: int) -> SSAValue:
        """Repeats a row or column over the shape of the tile."""
        assert isa(numbers.type, VectorType)
        result = VectorType(numbers.type.element_type, self.shape)
        return numbers if numbers.type == result else self.builder.add(BroadcastOp(numbers, [dimension], result))
