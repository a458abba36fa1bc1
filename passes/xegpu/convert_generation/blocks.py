"""Descriptors and accesses of dense blocks."""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.utils.hints import isa

from passes.support.op_builder import Index, OpBuilder
from passes.support.tiles.source_extent import explicit_extent
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.vector import ShapeCastOp
from xegpu.dialects.xegpu import (
    CreateNdDescOp,
    LoadNdOp,
    PrefetchNdOp,
    SgMapAttr,
    StoreNdOp,
    TensorDescType,
    UpdateNdOffsetOp,
)


class CompleteDescriptor(RewritePattern):
    """States the offsets, and the sizes and strides that the type of the source does not tell."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: CreateNdDescOp, rewriter: PatternRewriter) -> None:
        extent = explicit_extent(op)
        has_lists = op.mixed_shape is not None and op.mixed_strides is not None
        if op.const_offsets is not None and op.keyword_lists is None and has_lists is (extent is not None):
            return
        shape, strides = extent or (None, None)
        rewriter.replace(op, CreateNdDescOp(op.source, op.mixed_offsets, op.tensor_desc.type, shape, strides))


class BlockAccess(RewritePattern):
    """Moves the offsets of an access to a descriptor of its own."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoadNdOp | StoreNdOp | PrefetchNdOp, rewriter: PatternRewriter) -> None:
        if op.const_offsets is None:
            return
        desc = descriptor_at(OpBuilder(op), op)
        properties = {name: value for name, value in op.properties.items() if name != "const_offsets"}
        values = [op.value] if isinstance(op, StoreNdOp) else []
        rewriter.replace(
            op,
            type(op).create(
                operands=[*values, desc],
                result_types=op.result_types,
                properties=properties,
                attributes=op.attributes,
            ),
        )


def descriptor_at(
    builder: OpBuilder, op: LoadNdOp | StoreNdOp | PrefetchNdOp, lane_map: SgMapAttr | None = None
) -> SSAValue:
    """Returns a descriptor of the block of an access, distributed over lanes by `lane_map`.

    Raises `CompileError` for a map where the descriptor is not created in the kernel right away, and for one that gives
    lanes unequal parts.
    """
    offsets, create = op.mixed_offsets, op.tensor_desc.owner
    if not isinstance(create, CreateNdDescOp):
        if lane_map is not None:
            raise CompileError(
                op,
                "takes its part of a block through a descriptor that may be for one memory or another: create it where "
                "the memory is known",
            )
        return op.tensor_desc if offsets is None else builder.add(UpdateNdOffsetOp(op.tensor_desc, offsets))
    base = create.mixed_offsets
    inner = [0] * op.desc.get_num_dims() if offsets is None else offsets
    outer = len(base) - len(inner)
    total: list[Index] = [builder.plus(a, b) for a, b in zip(base[outer:], inner, strict=True)]
    type_ = create.tensor_desc.type
    if lane_map is not None:
        _check_map(op, op.desc, lane_map)
        type_ = type_.with_map(lane_map)
    return builder.add(
        CreateNdDescOp(create.source, [*base[:outer], *total], type_, create.mixed_shape, create.mixed_strides)
    )


def _check_map(op: Operation, desc: TensorDescType, lane_map: SgMapAttr) -> None:
    """Raises `CompileError` unless a map gives each lane as many elements as the others."""
    lanes = lane_map.lane_map
    for size, count, data in zip(desc.tile, lanes.layout, lanes.data, strict=True):
        if size % (count * data):
            raise CompileError(
                op, f"distributes {desc} by {lane_map}: expected a multiple of {count * data} elements, got {size}"
            )


class StackedBlocks(RewritePattern):
    """Loads several whole blocks as a vector of blocks, which has the same elements as blocks above one another."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoadNdOp, rewriter: PatternRewriter) -> None:
        blocks, type_ = op.desc.array_length, op.value.type
        if op.desc.lane_map is not None:
            return
        rows, *columns = op.whole_shape
        if blocks == 1 or not isa(type_, VectorType) or type_.get_shape() != (blocks * rows, *columns):
            return
        separate = VectorType(type_.element_type, (blocks, rows, *columns))
        load = LoadNdOp.create(
            operands=op.operands, result_types=[separate], properties=op.properties, attributes=op.attributes
        )
        rewriter.replace(op, [load, ShapeCastOp(load.value, type_)])
