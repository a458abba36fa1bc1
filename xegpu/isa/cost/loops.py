"""The loops of a program: which blocks they have, and how they are nested."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from xegpu.isa.flow import Block, basic_blocks
from xegpu.isa.program import Program
from xegpu.isa.table import Format


@dataclass(frozen=True)
class Loop:
    """A loop that is entered at its `header`: the first instruction of a block.

    `parent` is the number of the loop around it, None for outermost ones.
    """

    header: int
    parent: int | None


@dataclass(frozen=True)
class LoopForest:
    """The basic blocks of a program in order, and its loops in the order of their headers, outer ones first.

    `innermost` is the number of the loop that a block, named by its first instruction, is in; others are in none.
    """

    blocks: tuple[Block, ...]
    loops: tuple[Loop, ...]
    innermost: Mapping[int, int]

    def own_blocks(self) -> dict[int | None, list[Block]]:
        """Blocks of each loop, and of the program (None), that are not in a loop inside of it."""
        found: dict[int | None, list[Block]] = {None: [], **{number: [] for number in range(len(self.loops))}}
        for block in self.blocks:
            found[self.innermost.get(block.start)].append(block)
        return found

    def around(self, start: int, outer: int | None) -> int | None:
        """The loop that a block is in, of those directly in loop `outer` (None: in the program)."""
        number = self.innermost.get(start)
        while number is not None and self.loops[number].parent != outer:
            number = self.loops[number].parent
        return number

    def headed_by(self, instruction: int) -> int | None:
        """The loop in whose header an instruction is."""
        index = bisect_right(self.blocks, instruction, key=lambda block: block.start) - 1
        start = self.blocks[index].start
        number = self.innermost.get(start)
        return number if number is not None and self.loops[number].header == start else None


def find_loops(program: Program) -> LoopForest:
    """The natural loops of a program: jumps back to a block that every way to the jump passes.

    A call is taken to come back, so that subroutines belong to no loop around their calls.
    """
    blocks = tuple(basic_blocks(program))
    successors = {block.start: _successors(program, block) for block in blocks}
    order = _reverse_post_order(blocks[0].start, successors)
    predecessors: dict[int, list[int]] = {start: [] for start in order}
    for start in order:
        for successor in successors[start]:
            predecessors[successor].append(start)
    dominators = _immediate_dominators(order, predecessors)
    number = {start: n for n, start in enumerate(order)}
    bodies: dict[int, set[int]] = {}
    for start in order:
        for header in successors[start]:
            if number[header] <= number[start] and _dominates(header, start, dominators):
                bodies.setdefault(header, {header}).update(_reaching(start, header, predecessors))
    return _nested(blocks, bodies)


def _nested(blocks: tuple[Block, ...], bodies: Mapping[int, set[int]]) -> LoopForest:
    """Natural loops lie in each other or apart: the larger ones are around the smaller ones."""
    numbers = {header: n for n, header in enumerate(sorted(bodies))}
    innermost: dict[int, int] = {}
    parents: dict[int, int | None] = {}
    for header in sorted(bodies, key=lambda h: -len(bodies[h])):
        parents[header] = innermost.get(header)
        innermost.update(dict.fromkeys(bodies[header], numbers[header]))
    return LoopForest(blocks, tuple(Loop(header, parents[header]) for header in numbers), innermost)


def _successors(program: Program, block: Block) -> tuple[int, ...]:
    if block.start == block.end:
        return ()
    last = program.instructions[block.end - 1]
    if last.spec.format is Format.RETURN:
        return ()
    if last.spec.format in (Format.CALL, Format.INDIRECT_CALL):
        return (*block.successors, block.end) if block.end < len(program.instructions) else block.successors
    return tuple(s for s in block.successors if s < len(program.instructions))


def _reverse_post_order(entry: int, successors: Mapping[int, Sequence[int]]) -> list[int]:
    order: list[int] = []
    seen = {entry}
    pending = [(entry, iter(successors[entry]))]
    while pending:
        start, rest = pending[-1]
        following = next((s for s in rest if s not in seen), None)
        if following is None:
            order.append(start)
            pending.pop()
        else:
            seen.add(following)
            pending.append((following, iter(successors[following])))
    return order[::-1]


def _immediate_dominators(order: Sequence[int], predecessors: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """The last block in front of each one that all ways to it pass (the entry: itself), by Cooper, Harvey, Kennedy."""
    number = {start: n for n, start in enumerate(order)}
    found = {order[0]: order[0]}

    def common(a: int, b: int) -> int:
        while a != b:
            while number[a] > number[b]:
                a = found[a]
            while number[b] > number[a]:
                b = found[b]
        return a

    changed = True
    while changed:
        changed = False
        for start in order[1:]:
            known = [p for p in predecessors[start] if p in found]
            dominator = known[0]
            for other in known[1:]:
                dominator = common(dominator, other)
            if found.get(start) != dominator:
                found[start] = dominator
                changed = True
    return found


def _dominates(header: int, start: int, dominators: Mapping[int, int]) -> bool:
    while start != header and dominators[start] != start:
        start = dominators[start]
    return start == header


def _reaching(start: int, header: int, predecessors: Mapping[int, Sequence[int]]) -> set[int]:
    """Blocks from which a way leads to `start` that does not pass the header."""
    found, pending = {start} - {header}, [start]
    while pending:
        block = pending.pop()
        if block != header:
            new = [p for p in predecessors[block] if p not in found and p != header]
            found.update(new)
            pending += new
    return found
