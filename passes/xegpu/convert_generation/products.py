"""Batches of matrix products."""

from __future__ import annotations

from itertools import product

from xdsl.dialects.builtin import VectorType
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from passes.support.op_builder import OpBuilder
from passes.support.vectors.constants import splat_constant
from xegpu.dialects.upstream.vector import ExtractOp, InsertStridedSliceOp, vector_type
from xegpu.dialects.xegpu import DpasOp


class BatchedProduct(RewritePattern):
    """Multiplies the matrices of a batch one after the other."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: DpasOp, rewriter: PatternRewriter) -> None:
        shape = vector_type(op.result).get_shape()
        if len(shape) < 3:
            return
        builder = OpBuilder(op)
        element = vector_type(op.result).element_type
        result = builder.add(splat_constant(vector_type(op.result), 0))
        for position in product(*map(range, shape[:-2])):
            lhs, rhs = (builder.add(ExtractOp(value, position)) for value in (op.lhs, op.rhs))
            acc = None if op.acc is None else builder.add(ExtractOp(op.acc, position))
            matrix = builder.add(DpasOp(lhs, rhs, acc, VectorType(element, shape[-2:])))
            result = builder.add(InsertStridedSliceOp(matrix, result, (*position, 0, 0)))
        rewriter.replace(op, [], [result])
