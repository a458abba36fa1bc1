"""The loops of an `xe.kernel`, which are cycles of blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.ir import Block, Region


@dataclass(frozen=True)
class KernelLoop:
    """A loop: its preheader, its header and all its blocks, the header included."""

    preheader: Block
    header: Block
    blocks: frozenset[Block]


def predecessors(body: Region) -> dict[Block, list[Block]]:
    """Returns the blocks that branch to each block."""
    found: dict[Block, list[Block]] = {block: [] for block in body.blocks}
    for block in body.blocks:
        last = block.last_op
        for successor in last.successors if last is not None else ():
            found[successor].append(block)
    return found


def loops(body: Region) -> Iterator[KernelLoop]:
    """Yields the loops whose only entry is a preheader with one successor; inner loops come before outer ones."""
    before = predecessors(body)
    order = {block: index for index, block in enumerate(body.blocks)}
    for header in reversed(body.blocks):
        back = [block for block in before[header] if order[block] >= order[header]]
        front = [block for block in before[header] if order[block] < order[header]]
        if not back or len(front) != 1:
            continue
        last = front[0].last_op
        inside = _reaching(header, back, before)
        entered = any(p not in inside for block in inside - {header} for p in before[block])
        if last is not None and len(last.successors) == 1 and not entered:
            yield KernelLoop(front[0], header, frozenset(inside))


def _reaching(header: Block, back: list[Block], before: dict[Block, list[Block]]) -> set[Block]:
    """Returns the header and all blocks from which a path leads back to it."""
    inside, pending = {header}, list(back)
    while pending:
        block = pending.pop()
        if block not in inside:
            inside.add(block)
            pending += before[block]
    return inside
