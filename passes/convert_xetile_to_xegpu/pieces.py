"""Division of values into the pieces that accesses of one element per lane take."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import VectorType, i1
from xdsl.ir import SSAValue

from passes.support.op_builder import OpBuilder
from passes.support.vectors.constants import splat_constant
from xegpu.dialects.upstream.vector import ExtractStridedSliceOp, InsertStridedSliceOp, ShapeCastOp, vector_type


def flat(builder: OpBuilder, value: SSAValue) -> SSAValue:
    """Returns the elements in a vector of rank 1."""
    type = vector_type(value)
    if type.get_num_dims() == 1:
        return value
    return builder.add(ShapeCastOp(value, VectorType(type.element_type, [type.element_count()])))


def piece(builder: OpBuilder, value: SSAValue, start: int, count: int) -> SSAValue:
    """Returns `count` elements of a vector of rank 1."""
    if (start, count) == (0, vector_type(value).element_count()):
        return value
    return builder.add(ExtractStridedSliceOp(value, [start], [count]))


def joined(builder: OpBuilder, pieces: Sequence[tuple[int, SSAValue]], type: VectorType) -> SSAValue:
    """Joins pieces, each given with the index of its first element, to a value of a type."""
    count = type.element_count()
    if len(pieces) == 1:
        whole = pieces[0][1]
    else:
        whole = builder.add(splat_constant(VectorType(type.element_type, [count]), 0))
        for start, part in pieces:
            whole = builder.add(InsertStridedSliceOp(part, whole, [start]))
    return whole if whole.type == type else builder.add(ShapeCastOp(whole, type))


def all_lanes(builder: OpBuilder, lanes: int) -> SSAValue:
    """Returns a mask that is true in all lanes."""
    return builder.add(splat_constant(VectorType(i1, [lanes]), 1))
