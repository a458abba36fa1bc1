"""Reductions of values that are distributed over lanes."""

from __future__ import annotations

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

from passes.support.op_builder import OpBuilder
from passes.support.vectors.combining import combine
from passes.support.vectors.constants import neutral_element, splat_constant
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import Reduction, SubgroupReduceOp
from xegpu.dialects.upstream.vector import MultiDimReductionOp, ShapeCastOp
from xegpu.dialects.xegpu import OwnerGrid


def reduced(builder: OpBuilder, op: MultiDimReductionOp, source: SSAValue, acc: SSAValue, grid: OwnerGrid) -> SSAValue:
    """Returns a lane's part of a reduction.

    Args:
        builder: Inserts operations.
        op: The reduction of whole values.
        source: The lane's elements of its source, which it owns by `grid`.
        acc: The lane's elements of its accumulator.
        grid: The distribution of the source.

    """
    if all(grid.counts[grid.dims[dim]] == 1 or grid.shape[dim] == 1 for dim in op.reduced_dims):
        return builder.add(MultiDimReductionOp(op.kind, source, acc, op.reduced_dims))
    others = (dim for dim in range(len(grid.shape)) if dim not in op.reduced_dims)
    if any(grid.counts[grid.dims[dim]] > 1 < grid.shape[dim] for dim in others):
        raise CompileError(op, "cannot be distributed over lanes: only some of the lanes would reduce together")
    kind = op.kind.data
    neutral = _constant(builder, acc.type, neutral_element(kind, get_element_type_or_self(acc.type)))
    own = builder.add(MultiDimReductionOp(op.kind, source, neutral, op.reduced_dims))
    shape = own.type
    if isa(shape, VectorType):
        own = builder.add(ShapeCastOp(own, VectorType(shape.element_type, [shape.element_count()])))
    total = builder.add(SubgroupReduceOp(own, Reduction(str(kind))))
    if isa(shape, VectorType):
        total = builder.add(ShapeCastOp(total, shape))
    return builder.add(combine(kind, total, acc))


def _constant(builder: OpBuilder, type_: Attribute, number: float) -> SSAValue:
    if isa(type_, VectorType):
        return builder.add(splat_constant(type_, number))
    if isinstance(type_, IntegerType | IndexType):
        return builder.add(ConstantOp(IntegerAttr(int(number), type_)))
    assert isa(type_, AnyFloat)
    return builder.add(ConstantOp(FloatAttr(float(number), type_)))
