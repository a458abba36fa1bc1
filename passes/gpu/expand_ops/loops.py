"""Loops over several dimensions as nested loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.scf import ForOp, ParallelOp, ReduceOp, ReduceReturnOp, YieldOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from passes.support.op_builder import Index, OpBuilder
from xegpu.diagnostics import inherit_location

Bounds = tuple[Index, Index, Index]
"""Lower bound, upper bound and step."""
Body = Callable[[OpBuilder, Sequence[SSAValue], Sequence[SSAValue]], Sequence[SSAValue]]
"""Builds the innermost body from induction variables and what is carried; returns what is carried on."""


def loop_nest(
    build: OpBuilder, bounds: Sequence[Bounds], carried: Sequence[SSAValue], body: Body, outer: Sequence[SSAValue] = ()
) -> Sequence[SSAValue]:
    """`scf.for` loops in each other, the first of the bounds outermost; returns what they carry when they end."""
    if not bounds:
        return body(build, outer, carried)
    low, high, step = (build.value(bound) for bound in bounds[0])
    block = Block(arg_types=[low.type, *(value.type for value in carried)])
    end = YieldOp()
    inherit_location(build.place, end)
    block.add_op(end)
    induction, *inner = block.args
    results = loop_nest(OpBuilder(end), bounds[1:], inner, body, (*outer, induction))
    end.operands = results
    loop = ForOp(low, high, step, carried, Region(block))
    build.insert(loop)
    return loop.results


def parallel_to_for(op: Operation) -> None:
    """`scf.parallel`: the iterations of one work-item, or subgroup, run one after the other."""
    assert isinstance(op, ParallelOp)
    bounds = list(zip(op.lowerBound, op.upperBound, op.step, strict=True))
    block = op.body.detach_block(op.body.block)
    end = block.last_op
    assert isinstance(end, ReduceOp)
    block.detach_op(end)

    def body(build: OpBuilder, inductions: Sequence[SSAValue], carried: Sequence[SSAValue]) -> Sequence[SSAValue]:
        Rewriter.inline_block(block, InsertPoint.before(build.place), inductions)
        return [
            _reduced(build, region.detach_block(region.block), total, value)
            for region, total, value in zip(end.reductions, carried, end.args, strict=True)
        ]

    results = loop_nest(OpBuilder(op), bounds, op.initVals, body)
    Rewriter.replace_op(op, [], list(results))


def _reduced(build: OpBuilder, block: Block, total: SSAValue, value: SSAValue) -> SSAValue:
    """The result of one reduction, whose operations come in front of the end of the loop."""
    end = block.last_op
    assert isinstance(end, ReduceReturnOp)
    block.detach_op(end)
    Rewriter.inline_block(block, InsertPoint.before(build.place), [total, value])
    result = end.result
    end.erase()
    return result
