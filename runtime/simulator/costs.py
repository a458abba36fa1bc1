"""Costs of a program's instructions by the cost model: computed once, used by all launches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.counts import ExecutionCounts
from xegpu.isa import Program
from xegpu.isa.cost import Pipe, TrafficSpace, instruction_cost, instruction_cycles, traffic
from xegpu.targets import Target


@dataclass(frozen=True, eq=False)
class ProgramCosts:
    """Costs of one execution of each instruction of a program.

    Attributes:
        cycles: Cycles that it adds to a thread that has an EU for itself.
        occupancy: Cycles for which it occupies its pipe.
        pipes: The pipe of each instruction.
        channel_bytes: Bytes of global memory that each enabled channel reads or writes.
    """

    cycles: NDArray[np.int64]
    occupancy: NDArray[np.int64]
    pipes: tuple[Pipe, ...]
    channel_bytes: NDArray[np.int64]

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
        np.array(
            [
                m.channel_bytes * (m.loads + m.stores) if m is not None and m.space is TrafficSpace.GLOBAL else 0
                for m in moved
            ],
            np.int64,
        ),
    )
