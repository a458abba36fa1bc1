"""The cost of a kernel: of one iteration of each loop, and of the code outside of loops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from xegpu.isa.code.program import Program
from xegpu.isa.cost.loops import find_loops
from xegpu.isa.cost.path import MainPaths
from xegpu.isa.cost.scoreboard import Scoreboard
from xegpu.isa.model.costs import KernelCost, Pipe, RegionCost, StallReason, TripCount
from xegpu.isa.model.traffic import TrafficSpace, traffic
from xegpu.targets import Target


def kernel_cost(program: Program, target: Target, grf_count: int, trips: Mapping[int, TripCount]) -> KernelCost:
    """Returns the cost of a kernel; `trips` has trip counts by the index of an instruction in a loop's first block."""
    forest = find_loops(program)
    known = {forest.headed_by(index): count for index, count in trips.items()}
    children = Counter(loop.parent for loop in forest.loops)
    paths = MainPaths(program, forest)
    costs = []
    for loop in (None, *range(len(forest.loops))):
        path = paths.of(loop)
        cycles, occupancy = _scheduled(program, path, target, grf_count, iterations=1 if loop is None else 2)
        moved = [traffic(program.instructions[index]) for index in path]
        shared = [m for m in moved if m is not None and m.space is TrafficSpace.GLOBAL]
        costs.append(
            RegionCost(
                cycles,
                occupancy,
                sum(m.bytes for m in shared if m.loads),
                sum(m.bytes for m in shared if m.stores),
                children[loop],
                None if loop is None else known.get(loop),
            )
        )
    return KernelCost(costs[0], tuple(costs[1:]))


def instruction_cycles(program: Program, target: Target, grf_count: int) -> list[int]:
    """Returns the cycles that each instruction adds to a thread per execution, with those that it waits for others.

    Instructions that are on no main path are scheduled block by block.
    """
    return [issue.cycles for issue in _issues(program, target, grf_count)]


def instruction_stalls(program: Program, target: Target, grf_count: int) -> list[Mapping[StallReason, int]]:
    """Returns those cycles of each instruction in which a thread waits, by the reason."""
    return [issue.stalls for issue in _issues(program, target, grf_count)]


class _Issue(NamedTuple):
    """The cycles that an instruction adds to a thread, and those of them in which it waits."""

    cycles: int
    stalls: Mapping[StallReason, int]


def _issues(program: Program, target: Target, grf_count: int) -> list[_Issue]:
    forest = find_loops(program)
    paths = MainPaths(program, forest)
    found: dict[int, _Issue] = {}
    for loop, blocks in forest.own_blocks().items():
        iterations = 1 if loop is None else 2
        path = paths.of(loop)
        usual = set(path)
        rest = [range(block.start, block.end) for block in blocks if block.start not in usual]
        for part, times in ((path, iterations), *((other, 1) for other in rest)):
            found.update(zip(part, _explained(program, part, target, grf_count, times), strict=True))
    return [found[index] for index in range(len(program.instructions))]


def _explained(
    program: Program, indexes: Sequence[int], target: Target, grf_count: int, iterations: int
) -> list[_Issue]:
    """Returns the last of some iterations of some instructions, as `_scheduled` has it, with the reasons for waits."""
    board = Scoreboard(target, grf_count)
    works = [board.work(program.instructions[index]) for index in indexes]
    for _ in range(iterations):
        issues = [_Issue(stalls=board.stalls(work), cycles=board.issue(work)) for work in works]
    return issues


def _scheduled(
    program: Program, indexes: Sequence[int], target: Target, grf_count: int, iterations: int
) -> tuple[int, dict[Pipe, int]]:
    """Returns the cycles of the last of some iterations of some instructions, and those of each pipe.

    A loop costs what its second iteration does, when operands of the iteration before are still under way.
    """
    board = Scoreboard(target, grf_count)
    works = [board.work(program.instructions[index]) for index in indexes]
    for _ in range(iterations):
        before, start = dict(board.occupancy), board.now
        for work in works:
            board.issue(work)
    return board.now - start, {pipe: board.occupancy[pipe] - before[pipe] for pipe in Pipe}
