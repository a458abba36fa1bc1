"""What a kernel costs: each of its loops for one turn, and the code outside of loops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xegpu.isa.cost.instruction import Pipe
from xegpu.isa.cost.loops import LoopForest, find_loops
from xegpu.isa.cost.scoreboard import Scoreboard
from xegpu.isa.cost.traffic import Space, traffic
from xegpu.isa.cost.trips import TripCount
from xegpu.isa.program import Program
from xegpu.targets import Target


@dataclass(frozen=True)
class RegionCost:
    """What one turn of a loop, or the code outside of loops, costs a thread; loops inside count for themselves.

    `cycles` are those of a thread that has an EU for itself, `occupancy` those that its instructions take of each pipe.
    Bytes are those of global memory, as if every channel were on. `children` is the number of loops directly inside.
    """

    cycles: int
    occupancy: Mapping[Pipe, int]
    bytes_loaded: int
    bytes_stored: int
    children: int
    trips: TripCount | None = None
    """Of a loop, where it is known."""


@dataclass(frozen=True)
class KernelCost:
    """The cost of the code outside of loops, and of each loop in the order of their first instructions."""

    outside: RegionCost
    loops: tuple[RegionCost, ...] = ()


@dataclass(frozen=True)
class _Region:
    """Instructions of a loop (None: outside of loops) in the order of the program, and the cycles that each adds."""

    loop: int | None
    instructions: list[int]
    cycles: list[int]
    occupancy: Mapping[Pipe, int]


def _regions(program: Program, forest: LoopForest, target: Target, grf_count: int) -> Iterator[_Region]:
    for loop, indexes in forest.own_instructions().items():
        board = Scoreboard(target, grf_count)
        if loop is not None:
            # A loop costs what its later turns do: then operands of the turn before are under way.
            for index in indexes:
                board.issue(program.instructions[index])
        before = dict(board.occupancy)
        cycles = [board.issue(program.instructions[index]) for index in indexes]
        yield _Region(loop, indexes, cycles, {pipe: board.occupancy[pipe] - before[pipe] for pipe in Pipe})


def kernel_cost(program: Program, target: Target, grf_count: int, trips: Mapping[int, TripCount]) -> KernelCost:
    """The cost of a kernel. `trips` are trip counts by the index of an instruction in the loop's first block."""
    forest = find_loops(program)
    known = {forest.headed_by(index): count for index, count in trips.items()}
    children = Counter(loop.parent for loop in forest.loops)
    costs = []
    for region in _regions(program, forest, target, grf_count):
        moved = [traffic(program.instructions[index]) for index in region.instructions]
        shared = [m for m in moved if m is not None and m.space is Space.GLOBAL]
        costs.append(
            RegionCost(
                sum(region.cycles),
                region.occupancy,
                sum(m.bytes for m in shared if m.loads),
                sum(m.bytes for m in shared if m.stores),
                children[region.loop],
                None if region.loop is None else known.get(region.loop),
            )
        )
    return KernelCost(costs[0], tuple(costs[1:]))


def instruction_cycles(program: Program, target: Target, grf_count: int) -> list[int]:
    """Cycles that each instruction adds to a thread each time it is executed, with those that it waits for others."""
    found = [0] * len(program.instructions)
    for region in _regions(program, find_loops(program), target, grf_count):
        for index, cycles in zip(region.instructions, region.cycles, strict=True):
            found[index] = cycles
    return found
