"""Loop unrolling."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.arith import AddiOp
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import SSAValue

from passes.support.loops.counted import (
    constant,
    copy_iteration,
    empty_loop,
    known_step,
    known_trip_count,
    lowered_bound,
    replace_loop,
    type_limit,
)
from passes.support.op_builder import OpBuilder
from xegpu.dialects.upstream.scf import ForOp
from xegpu.dialects.xegpu.ops import constant_index

NO_UNROLL = "no_unroll"
"""The attribute of loops that must not be unrolled."""

_MAX_OPERATIONS = 4096
"""The maximum number of operations in the body of an unrolled loop."""


def unroll(loop: ForOp, factor: int) -> None:
    """Unrolls a loop by `factor`; a second loop executes the remaining iterations.

    If the trip count is known, the remaining iterations become straight-line code, and so does the whole loop if there
    are fewer than twice `factor` iterations. Loops without a known step stay unchanged; the factor is reduced for large
    bodies. The unrolled loop gets the attribute `no_unroll`.
    """
    step, size = known_step(loop), sum(1 for _ in loop.body.walk())
    factor = min(factor, _MAX_OPERATIONS // size)
    if factor < 2 or step is None or factor * step >= type_limit(loop.lb.type):
        return
    count, lower = known_trip_count(loop), constant_index(loop.lb)
    if count is not None and lower is not None:
        replace_loop(loop, _unroll_known(loop, factor, count, lower, step))
    else:
        replace_loop(loop, _unroll_unknown(loop, factor, step))


def _unroll_known(loop: ForOp, factor: int, count: int, lower: int, step: int) -> Sequence[SSAValue]:
    builder = OpBuilder(loop)
    carried: Sequence[SSAValue] = loop.iter_args
    repeated = count // factor * factor if count >= 2 * factor else 0
    if repeated:
        upper = loop.ub if repeated == count else constant(builder, lower + repeated * step, loop.lb.type)
        carried = _unrolled_loop(loop, builder, upper, factor, step).results
    for iteration in range(repeated, count):
        carried = copy_iteration(loop, builder, constant(builder, lower + iteration * step, loop.lb.type), carried)
    return carried


def _unroll_unknown(loop: ForOp, factor: int, step: int) -> Sequence[SSAValue]:
    builder = OpBuilder(loop)
    # The number behind the last iteration must not exceed the bound, behind which numbers may wrap around.
    upper = lowered_bound(builder, loop.ub, factor * step - 1)
    position, *carried = _unrolled_loop(loop, builder, upper, factor, step, [loop.lb]).results
    rest, end = empty_loop(builder, position, loop.ub, loop.step, carried)
    counter, *arguments = rest.body.block.args
    end.operands = copy_iteration(loop, OpBuilder(end), counter, arguments)
    _mark(rest, loop)
    return rest.results


def _unrolled_loop(
    loop: ForOp, builder: OpBuilder, upper: SSAValue, factor: int, step: int, position: Sequence[SSAValue] = ()
) -> ForOp:
    """Inserts a loop up to `upper` that executes `factor` iterations in one.

    If it carries a position, its first result is the value of the induction variable at which it stops.
    """
    type = loop.lb.type
    distances = [constant(builder, iteration * step, type) for iteration in range(1, factor + 1)]
    unrolled, end = empty_loop(builder, loop.lb, upper, distances[-1], [*position, *loop.iter_args])
    counter, *carried = unrolled.body.block.args
    inner = OpBuilder(end)
    values = copy_iteration(loop, inner, counter, carried[len(position) :])
    for distance in distances[:-1]:
        values = copy_iteration(loop, inner, inner.add(AddiOp(counter, distance)), values)
    end.operands = [*(inner.add(AddiOp(counter, distances[-1])) for _ in position), *values]
    _mark(unrolled, loop)
    return unrolled


def _mark(loop: ForOp, original: ForOp) -> None:
    loop.attributes.update(original.attributes | {NO_UNROLL: UnitAttr()})
    for argument, old in zip(reversed(loop.body.block.args), reversed(original.body.block.args), strict=False):
        argument.name_hint = old.name_hint
