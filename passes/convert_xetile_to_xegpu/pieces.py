"""Values in pieces: what goes through accesses of one element a lane, a stretch of elements at a time."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import VectorType, i1
from xdsl.ir import SSAValue

from passes.support.constant_vectors import splat_constant
from passes.support.op_builder import OpBuilder
from xegpu.dialects.upstream.vector import ExtractStridedSliceOp, InsertStridedSliceOp, ShapeCastOp, vector_type


def flat(builder: OpBuilder, value: SSAValue) -> SSAValue:
    """The elements in a vector of one dimension."""
    type = vector_type(value)
    if type.get_num_dims() == 1:
        return value
    return builder.add(ShapeCastOp(value, VectorType(type.element_type, [type.element_count()])))


def piece(builder: OpBuilder, value: SSAValue, start: int, count: int) -> SSAValue:
    """`count` elements of a vector of one dimension."""
    if (start, count) == (0, vector_type(value).element_count()):
        return value
    return builder.add(ExtractStridedSliceOp(value, [start], [count]))


def joined(builder: OpBuilder, pieces: Sequence[tuple[int, SSAValue]], type: VectorType) -> SSAValue:
    """The value of a type that is made of pieces, each with the place of its first element."""
    count = type.element_count()
    if len(pieces) == 1:
        whole = pieces[0][1]
    else:
        whole = builder.add(splat_constant(VectorType(type.element_type, [count]), 0))
        for start, part in pieces:
            whole = builder.add(InsertStridedSliceOp(part, whole, [start]))
    return whole if whole.type == type else builder.add(ShapeCastOp(whole, type))


def all_lanes(builder: OpBuilder, lanes: int) -> SSAValue:
    """A mask that leaves out nothing."""
    return builder.add(splat_constant(VectorType(i1, [lanes]), 1))
