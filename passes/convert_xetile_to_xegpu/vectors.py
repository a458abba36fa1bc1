"""Conversion of operations on the vectors of tiles."""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from passes.convert_xetile_to_xegpu.pieces import flat
from passes.support.op_builder import OpBuilder
from passes.support.op_table import OpTable
from passes.support.vectors.constants import neutral_element, splat_constant
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream import vector
from xegpu.dialects.upstream.vector import vector_type
from xegpu.dialects.xegpu import DpasOp, integers
from xegpu.dialects.xetile import BroadcastOp, ReductionOp, TileMMAOp, TransposeOp

_REWRITES = OpTable[OpBuilder, SSAValue]()


@_REWRITES.register(TileMMAOp)
def _multiply(builder: OpBuilder, op: TileMMAOp) -> SSAValue:
    return builder.add(DpasOp(op.a, op.b, op.c, vector_type(op.output)))


@_REWRITES.register(TransposeOp)
def _transpose(builder: OpBuilder, op: TransposeOp) -> SSAValue:
    return builder.add(vector.TransposeOp(op.vector, integers(op.permutation)))


@_REWRITES.register(BroadcastOp)
def _broadcast(builder: OpBuilder, op: BroadcastOp) -> SSAValue:
    return builder.add(vector.BroadcastOp(op.source, vector_type(op.result)))


@_REWRITES.register(ReductionOp)
def _reduce(builder: OpBuilder, op: ReductionOp) -> SSAValue:
    """Converts a reduction; `vector.multi_reduction` starts from the neutral element."""
    source, result, dims = vector_type(op.source), vector_type(op.result), integers(op.reduction_dims)
    if len(dims) == 2:
        total = builder.add(vector.ReductionOp(op.kind, flat(builder, op.source)))
        return builder.add(vector.BroadcastOp(total, result))
    flat_type = VectorType(source.element_type, [result.element_count()])
    start = builder.add(splat_constant(flat_type, neutral_element(op.kind.data, source.element_type)))
    reduced = builder.add(vector.MultiDimReductionOp(op.kind, op.source, start, dims))
    return builder.add(vector.ShapeCastOp(reduced, result))


def rewrite_vectors(op: Operation) -> bool:
    """Converts an operation on vectors. Returns False for any other operation."""
    if (rewrite := _REWRITES.get(op)) is None:
        return False
    if any(name in op.properties for name in ("wg_map_a", "wg_map_b", "wg_map_c")):
        raise CompileError(op, "works on a whole work-group: run xetile-wg-to-sg first")
    op.results[0].replace_all_uses_with(rewrite(OpBuilder(op), op))
    return True
