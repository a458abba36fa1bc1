"""Loops over unsigned numbers as loops over signed ones."""

from __future__ import annotations

from xdsl.dialects.arith import XOrIOp
from xdsl.ir import SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint

from passes.support.loops.counted import constant, type_limit
from passes.support.op_builder import OpBuilder
from xegpu.diagnostics import inherit_location
from xegpu.dialects.upstream.scf import ForOp
from xegpu.dialects.xegpu.ops import constant_index


class SignedBounds(RewritePattern):
    """Makes the bounds of `scf.for unsigned` signed.

    The order of unsigned numbers is that of signed ones whose highest bit is inverted. Bounds that are non-negative
    constants are in the same order either way.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ForOp, rewriter: PatternRewriter) -> None:
        if not op.is_unsigned:
            return
        op.is_unsigned = False
        rewriter.has_done_action = True
        bounds = [constant_index(bound) for bound in (op.lb, op.ub)]
        if all(bound is not None and bound >= 0 for bound in bounds):
            return
        counter = op.body.block.args[0]
        highest = -type_limit(counter.type)
        build = OpBuilder(op)
        op.operands[0], op.operands[1] = (_inverted(build, bound, highest) for bound in (op.lb, op.ub))
        bit = constant(build, highest, counter.type)
        number = XOrIOp(counter, bit)
        inherit_location(op, number)
        rewriter.insert(number, InsertPoint.at_start(op.body.block))
        counter.replace_uses_with_if(number.result, lambda use: use.operation is not number)


def _inverted(build: OpBuilder, bound: SSAValue, highest: int) -> SSAValue:
    known = constant_index(bound)
    if known is not None:
        return constant(build, known % (-2 * highest) + highest, bound.type)
    return build.add(XOrIOp(bound, constant(build, highest, bound.type)))
