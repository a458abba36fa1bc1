"""Forward analyses over the blocks and regions of a kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeVar

from xdsl.ir import Operation, Region, SSAValue

from passes.kernel.simt import passed_values
from passes.support.control_flow import operations_in, passed

T = TypeVar("T")
Pairs = Callable[[Operation], Iterable[tuple[SSAValue, SSAValue]]]
"""Returns pairs of a value and another one whose fact it gets."""


def forward(
    body: Region,
    transfer: Callable[[Operation, Mapping[SSAValue, T]], T | None],
    join: Callable[[T, T], T],
    entry: T | None = None,
) -> dict[SSAValue, T]:
    """Returns the least fixed point; `transfer` computes facts of results, `entry` is that of the arguments.

    None stands for no fact. A value that is not reached yet has none, and takes no part in a join.
    """
    facts: dict[SSAValue, T] = {} if entry is None else dict.fromkeys(body.blocks[0].args, entry)

    def merge(value: SSAValue, fact: T) -> bool:
        merged = fact if value not in facts else join(facts[value], fact)
        changed = value not in facts or merged != facts[value]
        facts[value] = merged
        return changed

    steps = [(op, tuple(_received(op))) for op in operations_in(body)]
    changed = True
    while changed:
        changed = False
        for op, received in steps:
            if op.results and (fact := transfer(op, facts)) is not None:
                for result in op.results:
                    changed |= merge(result, fact)
            for target, operand in received:
                if operand in facts:
                    changed |= merge(target, facts[operand])
    return facts


def reached(
    body: Region,
    is_source: Callable[[Operation], bool],
    follows: Callable[[Operation], bool],
    influences: Pairs,
) -> set[SSAValue]:
    """Returns the results of sources, and all values that get theirs from them.

    Results of operations get theirs from operands if the operation `follows`, others from branches, from regions, and
    as `influences` says.
    """
    pending: list[SSAValue] = []
    receivers: dict[SSAValue, list[SSAValue]] = {}
    for op in operations_in(body):
        if op.results and is_source(op):
            pending += op.results
        for target, operand in _received(op, influences):
            receivers.setdefault(operand, []).append(target)
    found: set[SSAValue] = set()
    while pending:
        value = pending.pop()
        if value in found:
            continue
        found.add(value)
        pending += receivers.get(value, ())
        for use in value.uses:
            user = use.operation
            if user.results and follows(user):
                pending += user.results
    return found


def _received(op: Operation, *others: Pairs) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Yields (value, operand whose fact it gets); only operations with regions and the last ones of blocks have any."""
    if op.regions or op.next_op is None:
        for pairs in (passed, passed_values, *others):
            yield from pairs(op)
