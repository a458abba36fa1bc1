"""Costs of a program's instructions by the cost model: computed once, used by all launches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.launch.counts import ExecutionCounts
from xegpu.isa import Program
from xegpu.isa.cost import Pipe, Traffic, TrafficSpace, instruction_cost, instruction_cycles, traffic
from xegpu.targets import Target


@dataclass(frozen=True, eq=False)
class ProgramCosts:
    """Costs of one execution of each instruction of a program.

    Attributes:
        cycles: Cycles that it adds to a thread that has an EU for itself.
        occupancy: Cycles for which it occupies its pipe.
        pipes: The pipe of each instruction.
        channel_bytes: Bytes of global memory that each enabled channel reads or writes.
        channel_loads: Those of them that it reads.
    """

    cycles: NDArray[np.int64]
    occupancy: NDArray[np.int64]
    pipes: tuple[Pipe, ...]
    channel_bytes: NDArray[np.int64]
    channel_loads: NDArray[np.int64]

    def thread_cycles(self, counts: ExecutionCounts) -> int:
        """Returns the cycles of all threads together."""
        return int(counts.executed.astype(np.int64) @ self.cycles)

    def pipe_cycles(self, counts: ExecutionCounts) -> dict[Pipe, int]:
        """Returns the cycles for which all threads together occupy each pipe."""
        taken = counts.executed.astype(np.int64) * self.occupancy
        return {pipe: int(taken[[index for index, own in enumerate(self.pipes) if own is pipe]].sum()) for pipe in Pipe}

    def global_bytes(self, counts: ExecutionCounts) -> int:
        """Returns the bytes of global memory that were read or written."""
        return int(counts.channels.astype(np.int64) @ self.channel_bytes)

    def loaded_bytes(self, counts: ExecutionCounts) -> int:
        """Returns the bytes of global memory that were read."""
        return int(counts.channels.astype(np.int64) @ self.channel_loads)

    def memory_bytes(self, counts: ExecutionCounts) -> int:
        """Returns the bytes that came from memory: each byte is counted once, because repeated reads hit the caches."""
        return min(self.global_bytes(counts), counts.allocated)


def program_costs(program: Program, target: Target, grf_count: int) -> ProgramCosts:
    """Returns the costs of a program that is legal for a target."""
    found = [instruction_cost(instruction, target) for instruction in program.instructions]
    moved = [traffic(instruction) for instruction in program.instructions]
    return ProgramCosts(
        np.array(instruction_cycles(program, target, grf_count), np.int64),
        np.array([cost.occupancy for cost in found], np.int64),
        tuple(cost.pipe for cost in found),
        np.array([m.channel_bytes * (m.loads + m.stores) if _is_global(m) else 0 for m in moved], np.int64),
        np.array([m.channel_bytes * m.loads if _is_global(m) else 0 for m in moved], np.int64),
    )


def _is_global(moved: Traffic | None) -> TypeGuard[Traffic]:
    return moved is not None and moved.space is TrafficSpace.GLOBAL


@dataclass(frozen=True)
class AverageInstruction:
    """The average of a program's instructions: cycles of each pipe, and bytes of global memory with all channels on."""

    pipe_cycles: Mapping[Pipe, float]
    read: float
    written: float


def average_instruction(program: Program, target: Target) -> AverageInstruction:
    """Returns the average instruction of a program."""
    count = max(len(program.instructions), 1)
    cycles = dict.fromkeys(Pipe, 0.0)
    read = written = 0
    times = Counter(map(id, program.instructions))  # decoders make one object of equal words
    for instruction in {id(instruction): instruction for instruction in program.instructions}.values():
        cost, moved, own = instruction_cost(instruction, target), traffic(instruction), times[id(instruction)]
        cycles[cost.pipe] += own * cost.occupancy / count
        if _is_global(moved):
            read += own * moved.bytes if moved.loads else 0
            written += own * moved.bytes if moved.stores else 0
    return AverageInstruction(cycles, read / count, written / count)
