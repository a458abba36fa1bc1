"""Forward analyses over the blocks of a kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from xdsl.ir import Operation, Region, SSAValue

from passes.control_flow import branch_operands

T = TypeVar("T")


def forward(
    body: Region,
    transfer: Callable[[Operation, Mapping[SSAValue, T]], T | None],
    join: Callable[[T, T], T],
    entry: T | None = None,
) -> dict[SSAValue, T]:
    """Least fixed point: `transfer` gives the fact of an operation's results, `entry` is that of the arguments.

    None stands for no fact. A value that is not reached yet has none, and takes no part in a join.
    """
    facts: dict[SSAValue, T] = {} if entry is None else dict.fromkeys(body.blocks[0].args, entry)

    def merge(value: SSAValue, fact: T) -> bool:
        merged = fact if value not in facts else join(facts[value], fact)
        changed = value not in facts or merged != facts[value]
        facts[value] = merged
        return changed

    changed = True
    while changed:
        changed = False
        for block in body.blocks:
            for op in block.ops:
                fact = transfer(op, facts)
                if fact is not None:
                    for result in op.results:
                        changed |= merge(result, fact)
                for argument, operand in branch_operands(op):
                    if operand in facts:
                        changed |= merge(argument, facts[operand])
    return facts
