"""Expansion of loops over several dimensions into nested loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.scf import ReduceReturnOp, YieldOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern
from xdsl.rewriter import InsertPoint, Rewriter

from passes.support.op_builder import Index, OpBuilder
from xegpu.diagnostics import inherit_location
from xegpu.dialects.upstream.scf import ForOp, ParallelOp, ReduceOp

Bounds = tuple[Index, Index, Index]
"""Lower bound, upper bound and step."""
Body = Callable[[OpBuilder, Sequence[SSAValue], Sequence[SSAValue]], Sequence[SSAValue]]
"""Builds the innermost body from the induction variables and the carried values; returns the values to yield."""


def loop_nest(
    build: OpBuilder, bounds: Sequence[Bounds], carried: Sequence[SSAValue], body: Body, outer: Sequence[SSAValue] = ()
) -> Sequence[SSAValue]:
    """Builds nested `scf.for` loops.

    Args:
        build: Inserts the loops.
        bounds: The bounds of each loop, the outermost first.
        carried: The initial values of the loop-carried variables.
        body: Builds the innermost body.
        outer: The induction variables of loops around these ones.

    Returns:
        The final values of the loop-carried variables.

    """
    if not bounds:
        return body(build, outer, carried)
    low, high, step = (build.value(bound) for bound in bounds[0])
    block = Block(arg_types=[low.type, *(value.type for value in carried)])
    end = YieldOp()
    inherit_location(build.anchor, end)
    block.add_op(end)
    induction, *inner = block.args
    results = loop_nest(OpBuilder(end), bounds[1:], inner, body, (*outer, induction))
    end.operands = results
    loop = ForOp(low, high, step, carried, Region(block))
    build.insert(loop)
    return loop.results


class ExpandParallel(RewritePattern):
    """Expands `scf.parallel`: each work-item, or subgroup, executes its iterations one after the other."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: ParallelOp, rewriter: PatternRewriter) -> None:
        bounds = list(zip(op.lowerBound, op.upperBound, op.step, strict=True))
        block = op.body.detach_block(op.body.block)
        end = block.last_op
        assert isinstance(end, ReduceOp)
        block.detach_op(end)

        def body(build: OpBuilder, inductions: Sequence[SSAValue], carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
            Rewriter.inline_block(block, InsertPoint.before(build.anchor), inductions)
            return [
                _reduced(build, region.detach_block(region.block), total, value)
                for region, total, value in zip(end.reductions, carried, end.args, strict=True)
            ]

        results = loop_nest(OpBuilder(op), bounds, op.initVals, body)
        rewriter.replace(op, [], list(results))


def _reduced(build: OpBuilder, block: Block, total: SSAValue, value: SSAValue) -> SSAValue:
    """Inlines the operations of one reduction at the end of the loop; returns its result."""
    end = block.last_op
    assert isinstance(end, ReduceReturnOp)
    block.detach_op(end)
    Rewriter.inline_block(block, InsertPoint.before(build.anchor), [total, value])
    result = end.result
    end.erase()
    return result
