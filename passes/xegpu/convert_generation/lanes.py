"""Operations of work-items, whose values are the elements that a lane owns, as vectors of rank 1."""

from __future__ import annotations

from math import prod

from xdsl.dialects.arith import AddiOp
from xdsl.dialects.builtin import IndexType, UnitAttr, VectorType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from passes.support.matrix_operands import fragment_maps
from passes.support.normal_forms import unravel
from passes.support.op_builder import Index, OpBuilder
from passes.support.vectors.constants import splat_constant
from passes.xegpu.convert_generation.blocks import descriptor_at
from passes.xegpu.convert_generation.gathers import chunk_parts, gather_type, prefetched
from passes.xegpu.convert_generation.matrices import memory_of
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp, LaneIdOp
from xegpu.dialects.upstream.memref import LoadOp as MemRefLoadOp, StoreOp as MemRefStoreOp
from xegpu.dialects.upstream.vector import (
    BroadcastOp,
    ExtractOp,
    ExtractStridedSliceOp,
    FromElementsOp,
    InsertStridedSliceOp,
    ShapeCastOp,
    vector_type,
)
from xegpu.dialects.xegpu import (
    LLVM22_LANES,
    CreateDescOp,
    DpasOp,
    LoadMatrixOp,
    LoadNdOp,
    LoadOp,
    PrefetchOp,
    SgMapAttr,
    StoreMatrixOp,
    StoreNdOp,
    StoreOp,
    TensorDescType,
    element_bits,
    packing_factor,
)
from xegpu.targets import Target


def is_fragment(value: SSAValue, desc: TensorDescType) -> bool:
    """Returns whether the value of a block access is the part of one lane."""
    return (
        desc.lane_map is None
        and isa(value.type, VectorType)
        and value.type.get_num_dims() == 1
        and value.type.element_count() < desc.element_count() * desc.array_length
    )


def is_access_of_lane(op: Operation) -> bool:
    """Returns whether an operation is a block access of one lane."""
    return isinstance(op, LoadNdOp | StoreNdOp) and is_fragment(op.value, op.desc)


def check_subgroup_size(function: FuncOp, target: Target) -> None:
    """Raises `CompileError` for accesses of lanes if subgroups of the GPU have another size than they are made for."""
    for op in function.walk() if target.platform.subgroup_size != LLVM22_LANES else ():
        if is_access_of_lane(op) or (isinstance(op, LoadOp | StoreOp | PrefetchOp) and _is_of_lane(op)):
            raise CompileError(
                op,
                f"is an access of a lane in a subgroup of {LLVM22_LANES}, a subgroup of {target.name} has "
                f"{target.platform.subgroup_size}: write the kernel for whole subgroups, or compile it for another GPU",
            )


def implied_map(desc: TensorDescType, *, packed: bool = False, transposed: bool = False) -> SgMapAttr:
    """Returns the map of a block over the lanes, which in LLVM 22 its shape, its type and its use determine."""
    factor = packing_factor(desc.element_type)
    if transposed:
        return SgMapAttr([LLVM22_LANES, 1], [1, 1])
    if packed:
        return SgMapAttr([1, LLVM22_LANES], [factor, 1])
    if desc.get_num_dims() == 1:
        return SgMapAttr([1, LLVM22_LANES], [1, 1])
    # A lane's elements of a row fill 16 bits, if the row has enough of them; lanes without a column have other rows.
    width, columns = max(1, 16 // element_bits(desc.element_type)), desc.tile[1]
    if columns < LLVM22_LANES and LLVM22_LANES % columns == 0:
        return SgMapAttr([LLVM22_LANES // columns, columns], [1, 1])
    return SgMapAttr([1, LLVM22_LANES], [1, width if columns % (width * LLVM22_LANES) == 0 else 1])


def _fragment_type(desc: TensorDescType, count: int) -> VectorType:
    shape = desc.fragment_shape()
    assert shape is not None and prod(shape) == count
    return VectorType(desc.element_type, shape)


def _check(op: LoadNdOp | StoreNdOp, desc: TensorDescType, value: VectorType) -> None:
    shape = desc.fragment_shape()
    if shape is None or prod(shape) != value.element_count():
        raise CompileError(
            op,
            f"distributes {desc} over {LLVM22_LANES} lanes: expected {prod(shape or (0,))} elements per lane, "
            f"got {value}",
        )


def _only_feeds_b(value: SSAValue) -> bool:
    """Returns whether a value is needed as the B operand of products only, so that it may be loaded packed."""
    return bool(value.uses) and all(
        isinstance(use.operation, DpasOp) and use.index == 1 and use.operation.is_of_lanes for use in value.uses
    )


class LaneLoad(RewritePattern):
    """Loads a lane's elements of a block."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoadNdOp, rewriter: PatternRewriter) -> None:
        if not is_fragment(op.value, op.desc):
            return
        type_ = vector_type(op.value)
        can_pack = packing_factor(type_.element_type) > 1 and op.desc.get_num_dims() == 2 and not op.is_transposed
        packed = op.is_packed or (can_pack and _only_feeds_b(op.value))
        lane_map = implied_map(op.desc, packed=packed, transposed=op.is_transposed)
        builder = OpBuilder(op)
        desc = descriptor_at(builder, op, lane_map)
        assert isinstance(desc.type, TensorDescType)
        _check(op, desc.type, type_)
        properties = {name: value for name, value in op.properties.items() if name not in ("const_offsets", "packed")}
        if packed:
            properties["packed"] = UnitAttr()
        fragment = _fragment_type(desc.type, type_.element_count())
        load = builder.add(LoadNdOp.create(operands=[desc], result_types=[fragment], properties=properties))
        rewriter.replace(op, ShapeCastOp(load, type_))


class LaneStore(RewritePattern):
    """Stores a lane's elements of a block."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: StoreNdOp, rewriter: PatternRewriter) -> None:
        if not is_fragment(op.value, op.desc):
            return
        builder, type_ = OpBuilder(op), vector_type(op.value)
        desc = descriptor_at(builder, op, implied_map(op.desc))
        assert isinstance(desc.type, TensorDescType)
        _check(op, desc.type, type_)
        fragment = builder.add(ShapeCastOp(op.value, _fragment_type(desc.type, type_.element_count())))
        rewriter.replace(op, StoreNdOp(fragment, desc, op.hints))


class LaneProduct(RewritePattern):
    """Multiplies the fragments of matrices that a lane owns."""

    def __init__(self, target: Target):
        self._target = target

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DpasOp, rewriter: PatternRewriter) -> None:
        if not op.is_of_lanes:
            return
        builder = OpBuilder(op)
        maps = fragment_maps(vector_type(op.lhs).element_type, self._target)

        def fragment(value: SSAValue, sg_map: SgMapAttr) -> SSAValue:
            type_, width = vector_type(value), sg_map.lane_map.data_size
            if type_.element_count() % width != 0:
                raise CompileError(op, f"expected a multiple of {width} elements per lane, got {type_}")
            shape = (type_.element_count() // width, width)
            return builder.add(ShapeCastOp(value, VectorType(type_.element_type, shape)))

        a, b = fragment(op.lhs, maps[0]), fragment(op.rhs, maps[1])
        c = None if op.acc is None else fragment(op.acc, maps[2])
        result = vector_type(op.result)
        product = DpasOp(a, b, c, VectorType(result.element_type, (result.element_count(), 1)), maps)
        rewriter.replace(op, [product, ShapeCastOp(product, result)])


# Gathers -------------------------------------------------------------------------------------------------------------


def _is_of_lane(op: LoadOp | StoreOp | PrefetchOp) -> bool:
    """Returns whether an access has a base and the offset of one lane."""
    return not op.has_descriptor and op.offsets is not None and prod(_shape(op.offsets)) == 1


def _shape(value: SSAValue) -> tuple[int, ...]:
    return value.type.get_shape() if isa(value.type, VectorType) else (1,)


def _lane_descriptor(
    builder: OpBuilder,
    op: LoadOp | StoreOp | PrefetchOp,
    element: Attribute,
    offsets: SSAValue,
    part: tuple[int, int] = (0, 1),
) -> SSAValue:
    """Returns a descriptor of a part of each lane's chunk, given by its first element and its length."""
    start, length = part
    lane_map = (
        SgMapAttr([1, LLVM22_LANES], [1, 1])
        if length == 1
        else SgMapAttr([LLVM22_LANES, 1], [1, packing_factor(element)])
    )
    if start:
        offsets = builder.add(AddiOp(offsets, builder.add(splat_constant(VectorType(IndexType(), [1]), start))))
    return builder.add(
        CreateDescOp(op.source, offsets, gather_type(op.source.type, LLVM22_LANES, length, element, lane_map))
    )


def _as_vector(builder: OpBuilder, value: SSAValue) -> SSAValue:
    """Returns a scalar as a vector of one element."""
    return value if isa(value.type, VectorType) else builder.add(BroadcastOp(value, VectorType(value.type, [1])))


def _fragment(desc: SSAValue) -> VectorType:
    assert isinstance(desc.type, TensorDescType)
    shape = desc.type.fragment_shape()
    assert shape is not None
    return VectorType(desc.type.element_type, shape)


class LaneGather(RewritePattern):
    """Loads at the address of a lane."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoadOp, rewriter: PatternRewriter) -> None:
        if not _is_of_lane(op):
            return
        assert op.offsets is not None
        builder, element = OpBuilder(op), get_element_type_or_self(op.value.type)
        offsets, mask = _as_vector(builder, op.offsets), _as_vector(builder, op.mask)
        chunk = op.chunk(op.value.type)
        whole = VectorType(element, [chunk])
        result: SSAValue | None = None
        for start, length in chunk_parts(chunk, element):
            desc = _lane_descriptor(builder, op, element, offsets, (start, length))
            part = builder.add(LoadOp(desc, mask, _fragment(desc), transpose=length > 1, hints=op.hints))
            part = builder.add(ShapeCastOp(part, VectorType(element, [length])))
            if length == chunk:
                result = part
            else:
                if result is None:
                    result = builder.add(splat_constant(whole, 0))
                result = builder.add(InsertStridedSliceOp(part, result, [start]))
        assert result is not None
        if isa(op.value.type, VectorType):
            rewriter.replace(op, ShapeCastOp(result, op.value.type))
        else:
            rewriter.replace(op, ExtractOp(result, [0]))


class LaneScatter(RewritePattern):
    """Stores at the address of a lane."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: StoreOp, rewriter: PatternRewriter) -> None:
        if not _is_of_lane(op):
            return
        assert op.offsets is not None
        builder, element = OpBuilder(op), get_element_type_or_self(op.value.type)
        offsets, mask = _as_vector(builder, op.offsets), _as_vector(builder, op.mask)
        chunk = op.chunk(op.value.type)
        value = builder.add(ShapeCastOp(_as_vector(builder, op.value), VectorType(element, [chunk])))
        for start, length in chunk_parts(chunk, element):
            desc = _lane_descriptor(builder, op, element, offsets, (start, length))
            part = value if length == chunk else builder.add(ExtractStridedSliceOp(value, [start], [length]))
            part = builder.add(ShapeCastOp(part, _fragment(desc)))
            builder.insert(StoreOp(part, desc, mask, transpose=length > 1, hints=op.hints))
        rewriter.erase(op)


class LanePrefetch(RewritePattern):
    """Prefetches at the address of a lane."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: PrefetchOp, rewriter: PatternRewriter) -> None:
        if not _is_of_lane(op):
            return
        assert op.offsets is not None
        builder = OpBuilder(op)
        offsets, element = prefetched(builder, op, _as_vector(builder, op.offsets))
        rewriter.replace(op, PrefetchOp(_lane_descriptor(builder, op, element, offsets), op.hints))


# Matrices in shared local memory -------------------------------------------------------------------------------------


class LaneMatrixLoad(RewritePattern):
    """Loads from consecutive addresses of a matrix, or with `subgroup_block_io` from those of all lanes in turn."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoadMatrixOp, rewriter: PatternRewriter) -> None:
        if not op.is_of_lane:
            return
        builder = OpBuilder(op)
        memory, start, step = _consecutive(builder, op)
        if not isa(op.value.type, VectorType):
            rewriter.replace(op, MemRefLoadOp(memory, [builder.value(start)]))
            return
        elements = [
            builder.add(MemRefLoadOp(memory, [builder.value(builder.plus(start, step * k))]))
            for k in range(op.value.type.element_count())
        ]
        rewriter.replace(op, FromElementsOp(elements, op.value.type))


class LaneMatrixStore(RewritePattern):
    """Stores to consecutive addresses of a matrix, or with `subgroup_block_io` to those of all lanes in turn."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: StoreMatrixOp, rewriter: PatternRewriter) -> None:
        if not op.is_of_lane:
            return
        builder = OpBuilder(op)
        memory, start, step = _consecutive(builder, op)
        vector = op.value.type if isa(op.value.type, VectorType) else None
        for k in range(1 if vector is None else vector.element_count()):
            value = op.value if vector is None else builder.add(ExtractOp(op.value, unravel(k, vector.get_shape())))
            address = builder.value(builder.plus(start, step * k))
            builder.insert(MemRefStoreOp(value, memory, [address]))
        rewriter.erase(op)


def _consecutive(builder: OpBuilder, op: LoadMatrixOp | StoreMatrixOp) -> tuple[SSAValue, Index, int]:
    """Returns the memory, the offset in it of a lane's first element, and the distance to the next."""
    outer, inner = op.desc.block_strides()
    start: Index = 0
    for index, block, far, near in zip(op.mixed_offsets, op.desc.block, outer, inner, strict=True):
        start = builder.plus(start, builder.times(builder.quotient(index, block), far))
        start = builder.plus(start, builder.times(builder.remainder(index, block), near))
    if op.subgroup_block_io is None:
        return memory_of(op), start, 1
    lane = builder.add(LaneIdOp.build(result_types=[IndexType()]))
    return memory_of(op), builder.plus(start, lane), LLVM22_LANES
