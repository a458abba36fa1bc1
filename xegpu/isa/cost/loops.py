"""The loops of a program: which blocks they have, and how they are nested."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from xegpu.graphs import DominatorTree
from xegpu.isa.code.flow import BasicBlock, basic_blocks
from xegpu.isa.code.program import Program
from xegpu.on_demand import dataclass


@dataclass(frozen=True)
class ProgramLoop:
    """A loop that is entered at its `header`: the first instruction of a block.

    `parent` is the number of the loop around it, None for outermost ones. `end` is one more than the largest number of
    the loops inside.
    """

    header: int
    parent: int | None
    end: int


@dataclass(frozen=True)
class LoopForest:
    """The basic blocks of a program in order, and its loops in the order of their headers, outer ones first.

    `innermost` is the number of the loop that a block, named by its first instruction, is in; others are in none.
    """

    blocks: tuple[BasicBlock, ...]
    loops: tuple[ProgramLoop, ...]
    innermost: Mapping[int, int]

    def own_blocks(self) -> dict[int | None, list[BasicBlock]]:
        """Returns the blocks of each loop, and of the program (None), that are in no inner loop."""
        found: dict[int | None, list[BasicBlock]] = {None: [], **{number: [] for number in range(len(self.loops))}}
        for block in self.blocks:
            found[self.innermost.get(block.start)].append(block)
        return found

    def around(self, start: int, outer: int | None) -> int | None:
        """Returns the loop that a block is in, of those directly in loop `outer` (None: in the program)."""
        number = self.innermost.get(start)
        while number is not None and self.loops[number].parent != outer:
            number = self.loops[number].parent
        return number

    def contains(self, loop: int, start: int) -> bool:
        """Returns whether a block is in a loop, or in one inside of it."""
        number = self.innermost.get(start)
        return number is not None and loop <= number < self.loops[loop].end

    def headed_by(self, instruction: int) -> int | None:
        """Returns the loop in whose header an instruction is."""
        index = bisect_right(self.blocks, instruction, key=lambda block: block.start) - 1
        start = self.blocks[index].start
        number = self.innermost.get(start)
        return number if number is not None and self.loops[number].header == start else None


def find_loops(program: Program) -> LoopForest:
    """Returns the natural loops of a program: jumps back to a block that dominates the jump.

    A call is assumed to come back, so that subroutines belong to no loop around their calls.
    """
    blocks = tuple(basic_blocks(program))
    successors = {block.start: _successors(program, block) for block in blocks}
    tree = DominatorTree(blocks[0].start, successors.__getitem__)
    order, predecessors = tree.order, tree.predecessors
    sources = {header: [p for p in predecessors[header] if tree.dominates(header, p)] for header in order}
    back = {header: found for header, found in sources.items() if found}
    return _forest(blocks, sorted(back), _collapse(order, predecessors, back))


def _collapse(
    order: Sequence[int], predecessors: Mapping[int, Sequence[int]], back: Mapping[int, Sequence[int]]
) -> dict[int, int]:
    """Returns for blocks in loops the header of their loop, and for headers that of the loop around theirs.

    Inner loops come first, and then stand for all their blocks: so every block is looked at once.
    """
    leader = {start: start for start in order}

    def outermost(start: int) -> int:
        while leader[start] != start:
            leader[start] = leader[leader[start]]
            start = leader[start]
        return start

    around: dict[int, int] = {}
    for header in reversed(order):
        pending = [outermost(source) for source in back.get(header, ())]
        while pending:
            start = pending.pop()
            if start != header and leader[start] == start:
                leader[start] = around[start] = header
                pending += [outermost(p) for p in predecessors[start]]
    return around


def _forest(blocks: tuple[BasicBlock, ...], headers: Sequence[int], around: Mapping[int, int]) -> LoopForest:
    """Returns the numbers the loops: outer ones first, and those side by side in the order of their headers."""
    inside: dict[int | None, list[int]] = {}
    for header in headers:
        inside.setdefault(around.get(header), []).append(header)
    numbers: dict[int, int] = {}
    ends: dict[int, int] = {}
    pending = [(header, False) for header in reversed(inside.get(None, []))]
    while pending:
        header, is_done = pending.pop()
        if is_done:
            ends[header] = len(numbers)
            continue
        numbers[header] = len(numbers)
        pending.append((header, True))
        pending += [(inner, False) for inner in reversed(inside.get(header, []))]
    loops = tuple(
        ProgramLoop(header, numbers[around[header]] if header in around else None, ends[header]) for header in numbers
    )
    innermost = {start: numbers[header] for start, header in around.items()} | numbers
    return LoopForest(blocks, loops, innermost)


def _successors(program: Program, block: BasicBlock) -> tuple[int, ...]:
    if block.start == block.end:
        return ()
    last = program.instructions[block.end - 1]
    if last.spec.flow.returns:
        return ()
    if last.spec.flow.calls:
        return (*block.successors, block.end) if block.end < len(program.instructions) else block.successors
    return tuple(s for s in block.successors if s < len(program.instructions))
