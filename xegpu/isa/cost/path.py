"""The main path: the instructions that the cost model assumes to be executed, since conditions are not known."""

from __future__ import annotations

from xegpu.isa.code.flow import BasicBlock
from xegpu.isa.code.program import Program
from xegpu.isa.cost.loops import LoopForest
from xegpu.isa.formats.parts.distances import is_taken
from xegpu.isa.model.flow import NextInstruction


class MainPaths:
    """The main paths of a program: one for each loop, and one for the code outside of loops."""

    def __init__(self, program: Program, forest: LoopForest):
        self._program = program
        self._forest = forest
        self._blocks = {block.start: block for block in forest.blocks}
        self._exits = _exits(forest)

    def of(self, loop: int | None) -> list[int]:
        """Returns the instructions of one iteration of a loop, or of the program outside of loops (None), in order.

        Jumps down that have a predicate are not taken: compilers place the usual case after them. Inner loops are
        skipped; subroutines belong to the first instruction that calls them.
        """
        forest = self._forest
        path: list[int] = []
        seen: set[int] = set()
        ways_back: list[int] = []
        start: int | None = forest.blocks[0].start if loop is None else forest.loops[loop].header
        while start is not None and start in self._blocks and start not in seen:
            seen.add(start)
            # A subroutine is in none of the loops that it is called from.
            outer = None if ways_back else loop
            inner = forest.around(start, outer)
            if inner is not None:
                start = self._exits.get(inner)
                continue
            if forest.innermost.get(start) != outer:
                break
            block = self._blocks[start]
            path += range(block.start, block.end)
            start = _following(self._program, block, seen, ways_back)
        return path


def _exits(forest: LoopForest) -> dict[int, int]:
    """Returns for each loop the first block outside of it that one of its blocks leads to."""
    found: dict[int, int] = {}
    for block in forest.blocks:
        for successor in block.successors:
            number = forest.innermost.get(block.start)
            while number is not None and not forest.contains(number, successor):
                found[number] = min(successor, found.get(number, successor))
                number = forest.loops[number].parent
    return found


def _following(program: Program, block: BasicBlock, seen: set[int], ways_back: list[int]) -> int | None:
    """Returns the block that control goes to; None at the end of the thread."""
    if block.start == block.end:
        return None
    index = block.end - 1
    last = program.instructions[index]
    flow = last.spec.flow
    if flow.returns:
        return ways_back.pop() if ways_back else None
    if flow.calls and flow.jumps:
        target = program.branch_target(index)
        if target not in seen:
            ways_back.append(block.end)
            return target
    elif flow.jumps and is_taken(last):
        parks_all = flow.parks and last.target >= 0
        return program.join_target(index) if parks_all else program.branch_target(index)
    return None if flow.following is NextInstruction.NEVER and not flow.jumps else block.end
