"""`xetile-canonicalization`: rewrites vectors and tiles of kernels in the forms that later passes expect."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, VectorType
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    GreedyRewritePatternApplier,
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.hints import isa

from passes.support.op_builder import OpBuilder
from passes.support.tiles.row_major import make_row_major
from passes.support.vectors.combining import combine
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.vector import (
    BroadcastOp as VectorBroadcastOp,
    ExtractOp,
    MultiDimReductionOp,
    ShapeCastOp,
    TransposeOp as VectorTransposeOp,
    vector_type,
)
from xegpu.dialects.xegpu import integers
from xegpu.dialects.xetile import BroadcastOp, ReductionOp, TransposeOp


@dataclass(frozen=True)
class XetileCanonicalizationPass(ModulePass):
    """Replaces `vector` operations on matrices by those of XeTile, and column-major tiles by row-major ones.

    In kernels with tiles, `vector.transpose`, `vector.broadcast` and `vector.multi_reduction` of matrices become
    `xetile.transpose`, `xetile.broadcast` and `xetile.reduction`; a transpose of a transpose folds to the original
    value. Discardable attributes stay with their operations.
    """

    name = "xetile-canonicalization"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [o for o in op.walk() if isinstance(o, FuncOp)]:
            if any(inner.name.startswith("xetile.") for inner in function.walk()):
                make_row_major(function)
                patterns = GreedyRewritePatternApplier([_Transpose(), _Broadcast(), _Reduction()], dce_enabled=False)
                PatternRewriteWalker(patterns, apply_recursively=False).rewrite_region(function.body)
                PatternRewriteWalker(_FoldTranspose()).rewrite_region(function.body)


def _add(builder: OpBuilder, made: Operation, origin: Operation) -> SSAValue:
    """Adds an operation that replaces `origin` and keeps its discardable attributes; returns the result."""
    made.attributes.update(origin.attributes)
    return builder.add(made)


class _Transpose(RewritePattern):
    """Converts transposes of matrices."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: VectorTransposeOp, rewriter: PatternRewriter) -> None:
        if integers(op.permutation) == (1, 0):
            rewriter.replace(op, [], [_add(OpBuilder(op), TransposeOp(op.vector), op)])


class _Broadcast(RewritePattern):
    """Converts broadcasts of vectors to matrices; a 1-D vector is a row, as `vector.broadcast` defines it."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: VectorBroadcastOp, rewriter: PatternRewriter) -> None:
        source, result, type, builder = op.source, op.vector.type, op.source.type, OpBuilder(op)
        if result.get_num_dims() != 2 or not isa(type, VectorType) or type.get_num_dims() == 0:
            return
        shape = type.get_shape()
        if len(shape) == 1:
            shape = (1, *shape)
            source = builder.add(ShapeCastOp(source, VectorType(type.element_type, shape)))
        dims = [dim for dim, (old, new) in enumerate(zip(shape, result.get_shape(), strict=True)) if old != new]
        rewriter.replace(op, [], [_add(builder, BroadcastOp(source, dims, result), op) if dims else source])


class _Reduction(RewritePattern):
    """Converts reductions of matrices to vectors or scalars; the accumulator is combined with the result."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: MultiDimReductionOp, rewriter: PatternRewriter) -> None:
        source, dims, kind = vector_type(op.source), integers(op.reduction_dims), op.kind.data
        if source.get_num_dims() != 2 or not dims:
            return
        builder = OpBuilder(op)
        reduced = _add(builder, ReductionOp(kind, op.source, dims), op)
        if isa(op.acc.type, VectorType):
            reduced = builder.add(ShapeCastOp(reduced, op.acc.type))
        else:
            reduced = builder.add(ExtractOp(reduced, [0, 0]))
        rewriter.replace(op, [], [builder.add(combine(kind, reduced, op.acc))])


class _FoldTranspose(RewritePattern):
    """Replaces a transpose of a transpose by the original value, and erases transposes without users."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: TransposeOp, rewriter: PatternRewriter) -> None:
        if not op.result.uses:
            rewriter.erase(op)
        elif (folded := op.fold()) is not None:
            rewriter.replace(op, [], folded)
