"""The main path: the instructions that are taken to be executed, where nobody knows which way conditions go."""

from __future__ import annotations

from xegpu.isa.cost.instruction import is_taken
from xegpu.isa.cost.loops import LoopForest
from xegpu.isa.flow import Block
from xegpu.isa.program import Program
from xegpu.isa.table import Format


def main_path(program: Program, forest: LoopForest, loop: int | None) -> list[int]:
    """Instructions of one turn of a loop, or of the program outside of loops (None), in the order of execution.

    Jumps down that have a predicate are not taken: compilers put the usual case behind them. Loops inside are passed;
    subroutines belong to the place that first calls them.
    """
    blocks = {block.start: block for block in forest.blocks}
    exits = _exits(forest)
    path: list[int] = []
    seen: set[int] = set()
    ways_back: list[int] = []
    start: int | None = forest.blocks[0].start if loop is None else forest.loops[loop].header
    while start is not None and start in blocks and start not in seen:
        seen.add(start)
        # A subroutine is in none of the loops that it is called from.
        outer = None if ways_back else loop
        inner = forest.around(start, outer)
        if inner is not None:
            start = exits.get(inner)
            continue
        if forest.innermost.get(start) != outer:
            break
        block = blocks[start]
        path += range(block.start, block.end)
        start = _following(program, block, seen, ways_back)
    return path


def _exits(forest: LoopForest) -> dict[int, int]:
    """The first block behind each loop that a block of it leads to."""
    found: dict[int, int] = {}
    for block in forest.blocks:
        number = forest.innermost.get(block.start)
        while number is not None:
            for successor in block.successors:
                if not _contains(forest, number, successor):
                    found[number] = min(successor, found.get(number, successor))
            number = forest.loops[number].parent
    return found


def _contains(forest: LoopForest, loop: int, start: int) -> bool:
    number = forest.innermost.get(start)
    while number is not None and number != loop:
        number = forest.loops[number].parent
    return number == loop


def _following(program: Program, block: Block, seen: set[int], ways_back: list[int]) -> int | None:
    """The block that control goes to; None at the end of the thread."""
    if block.start == block.end:
        return None
    index = block.end - 1
    last = program.instructions[index]
    match last.spec.format:
        case Format.BRANCH | Format.GOTO if is_taken(last):
            parks_all = last.spec.format is Format.GOTO and last.target >= 0
            return program.join_target(index) if parks_all else program.branch_target(index)
        case Format.CALL:
            target = program.branch_target(index)
            if target not in seen:
                ways_back.append(block.end)
                return target
        case Format.RETURN:
            return ways_back.pop() if ways_back else None
    return None if last.ends_thread or last.mnemonic == "illegal" else block.end
