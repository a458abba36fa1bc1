"""`xetile-canonicalization`: brings the vectors and tiles of kernels into the forms that later passes know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.utils.hints import isa

from passes.support.op_builder import OpBuilder
from passes.support.tiles.row_major import make_row_major
from passes.support.vector_combining import combine
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.vector import BroadcastOp as VectorBroadcastOp
from xegpu.dialects.upstream.vector import ExtractOp, MultiDimReductionOp, ShapeCastOp, vector_type
from xegpu.dialects.upstream.vector import TransposeOp as VectorTransposeOp
from xegpu.dialects.xegpu import integers
from xegpu.dialects.xetile import BroadcastOp, ReductionOp, TransposeOp


@dataclass(frozen=True)
class XetileCanonicalizationPass(ModulePass):
    """Makes operations of XeTile of what `vector` does to matrices, and row-major tiles of column-major ones.

    In kernels with tiles, `vector.transpose`, `vector.broadcast` and `vector.multi_reduction` of matrices become
    `xetile.transpose`, `xetile.broadcast` and `xetile.reduction`; a transpose of a transpose is what it was made from.
    What users attached to an operation stays with it.
    """

    name = "xetile-canonicalization"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [o for o in op.walk() if isinstance(o, FuncOp)]:
            if any(inner.name.startswith("xetile.") for inner in function.walk()):
                make_row_major(function)
                _convert_vectors(function)
                _fold_transposes(function)


def _convert_vectors(function: FuncOp) -> None:
    for op in list(function.walk()):
        if (rule := _RULES.get(type(op))) is not None and (value := rule(OpBuilder(op), op)) is not None:
            (result,) = op.results
            result.replace_all_uses_with(value)
            Rewriter.erase_op(op)


def _fold_transposes(function: FuncOp) -> None:
    for op in [inner for inner in function.walk() if isinstance(inner, TransposeOp)]:
        if (folded := op.fold()) is not None:
            op.result.replace_all_uses_with(folded[0])
    for op in [inner for inner in function.walk(reverse=True) if isinstance(inner, TransposeOp)]:
        if not op.result.uses:
            Rewriter.erase_op(op)


def _add(builder: OpBuilder, made: Operation, origin: Operation) -> SSAValue:
    """Adds an operation that stands for another one."""
    made.attributes.update(origin.attributes)
    return builder.add(made)


def _transpose(builder: OpBuilder, op: Operation) -> SSAValue | None:
    assert isinstance(op, VectorTransposeOp)
    permutation = integers(op.permutation)
    return _add(builder, TransposeOp(op.vector), op) if permutation == (1, 0) else None


def _broadcast(builder: OpBuilder, op: Operation) -> SSAValue | None:
    """A vector is the row that all rows are like."""
    assert isinstance(op, VectorBroadcastOp)
    source, result, type = op.source, op.vector.type, op.source.type
    if result.get_num_dims() != 2 or not isa(type, VectorType) or type.get_num_dims() == 0:
        return None
    shape = type.get_shape()
    if len(shape) == 1:
        shape = (1, *shape)
        source = builder.add(ShapeCastOp(source, VectorType(type.element_type, shape)))
    dims = [dim for dim, (old, new) in enumerate(zip(shape, result.get_shape(), strict=True)) if old != new]
    return _add(builder, BroadcastOp(source, dims, result), op) if dims else source


def _reduction(builder: OpBuilder, op: Operation) -> SSAValue | None:
    """What is left of a matrix is a vector, or a number; the accumulator comes last."""
    assert isinstance(op, MultiDimReductionOp)
    source, dims, kind = vector_type(op.source), integers(op.reduction_dims), op.kind.data
    if source.get_num_dims() != 2 or not dims:
        return None
    reduced = _add(builder, ReductionOp(kind, op.source, dims), op)
    if isa(op.acc.type, VectorType):
        reduced = builder.add(ShapeCastOp(reduced, op.acc.type))
    else:
        reduced = builder.add(ExtractOp(reduced, [0, 0]))
    return builder.add(combine(kind, reduced, op.acc))


_RULES: Mapping[type[Operation], Callable[[OpBuilder, Operation], SSAValue | None]] = {
    MultiDimReductionOp: _reduction,
    VectorBroadcastOp: _broadcast,
    VectorTransposeOp: _transpose,
}
"""What the result of an operation is from now on; None if the operation stays."""
