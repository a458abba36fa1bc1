"""Adds and removes loop-carried values of `scf.for`."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.scf import YieldOp
from xdsl.ir import BlockArgument, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from passes.support.loops.counted import replace_loop
from passes.support.loops.slices import needed_by_others
from xegpu.diagnostics import inherit_location
from xegpu.dialects.upstream.scf import ForOp


def carry(loop: ForOp, start: SSAValue, following: Callable[[BlockArgument, YieldOp], SSAValue]) -> ForOp:
    """Replaces a loop by one that carries one more value.


    Args:
        loop: The loop, which is erased.
        start: The initial value.
        following: Returns the value of the next iteration, given the current value and the terminator of the body.


    Returns:
        The new loop, whose last result is the final value.

    """
    block = loop.body.block
    argument = block.insert_arg(start.type, len(block.args))
    argument.name_hint = start.name_hint
    end = block.last_op
    assert isinstance(end, YieldOp)
    value = following(argument, end)
    end.operands = [*end.operands, value]
    wider = _with_body_of(loop, [*loop.iter_args, start])
    for old, new in zip(loop.results, wider.results, strict=False):
        new.name_hint = old.name_hint
    replace_loop(loop, wider.results[:-1])
    return wider


def drop_unused(loop: ForOp) -> None:
    """Removes loop-carried values, and the operations that compute them, that no one uses."""
    needed = needed_by_others(loop)
    block = loop.body.block
    kept = sorted(needed.carried)
    end = block.last_op
    assert end is not None
    if len(kept) == len(loop.iter_args):
        return
    end.operands = [end.operands[index] for index in kept]
    for op in reversed(list(block.ops)):
        if op is not end and op not in needed.operations and not any(use for r in op.results for use in r.uses):
            Rewriter.erase_op(op)
    for index in reversed(range(len(loop.iter_args))):
        if index not in needed.carried:
            block.erase_arg(block.args[1 + index])
    smaller = _with_body_of(loop, [loop.iter_args[index] for index in kept])
    values = list(loop.iter_args)
    for new, index in zip(smaller.results, kept, strict=True):
        values[index] = new
        new.name_hint = loop.results[index].name_hint
    replace_loop(loop, values)


def _with_body_of(loop: ForOp, carried: list[SSAValue]) -> ForOp:
    """Inserts a loop in front of another one, and moves its body there."""
    region = Region()
    loop.body.move_blocks(region)
    new = ForOp(loop.lb, loop.ub, loop.step, carried, region)
    new.attributes.update(loop.attributes)
    new.properties.update(loop.properties)
    inherit_location(loop, new)
    Rewriter.insert_op(new, InsertPoint.before(loop))
    return new
