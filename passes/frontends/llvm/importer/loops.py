"""Loops in the body of a kernel."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.arith import AddiOp
from xdsl.dialects.cf import BranchOp, ConditionalBranchOp
from xdsl.ir import Block, SSAValue

from passes.frontends.llvm.importer.builder import Builder, i64
from xegpu.dialects.upstream.arith import CmpiOp

Step = Callable[[SSAValue, list[SSAValue]], list[SSAValue]]


def counted_loop(
    builder: Builder, first: SSAValue, end: SSAValue, distance: SSAValue, state: list[SSAValue], step: Step
) -> list[SSAValue]:
    """Executes `step` for numbers of 64 bits below `end`, `distance` apart; each gets what the one before it gives."""
    region = builder.block.parent
    assert region is not None
    head, inside, after = Block(arg_types=[i64, *(value.type for value in state)]), Block(), Block()
    for block in (head, inside, after):
        region.add_block(block)
    builder.insert(BranchOp(head, first, *state))
    builder.block = head
    more = builder.add(CmpiOp(head.args[0], end, "ult"))
    builder.insert(ConditionalBranchOp(more, inside, [], after, []))
    builder.block = inside
    results = step(head.args[0], list(head.args[1:]))
    builder.insert(BranchOp(head, builder.add(AddiOp(head.args[0], distance)), *results))
    builder.block = after
    return list(head.args[1:])
