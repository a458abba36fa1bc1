"""What passes ask of branches."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import BlockArgument, Operation, SSAValue


def branch_operands(op: Operation) -> Iterator[tuple[BlockArgument, SSAValue]]:
    """The pairs (argument of a successor, value that a `cf` terminator passes for it)."""
    if op.name == "cf.br":
        yield from zip(op.successors[0].args, op.operands, strict=True)
    elif op.name == "cf.cond_br":
        then_block, else_block = op.successors
        split = 1 + len(then_block.args)
        yield from zip(then_block.args, op.operands[1:split], strict=True)
        yield from zip(else_block.args, op.operands[split:], strict=True)
