"""Execution counts: how often each instruction of a kernel was executed, and by how many channels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.memory import RangeTable
from xegpu.isa import Instruction
from xegpu.isa.cost import Pipe
from xegpu.isa.formats import channel_count
from xegpu.isa.model import predicate_chooses

Numbers = NDArray[np.uint64]


@dataclass(frozen=True)
class ThreadSpread:
    """Distribution of the work of a launch over its threads and work-groups, each as if it had the EUs for itself.

    Attributes:
        slowest: The cycles of the thread that takes longest.
        groups: The cycles of the slowest thread of each group, summed over the groups.
        busiest: The cycles for which a single group occupies each pipe at most.
    """

    slowest: int = 0
    groups: int = 0
    busiest: Mapping[Pipe, int] = field(default_factory=dict)

    def __add__(self, other: ThreadSpread) -> ThreadSpread:
        """Returns the distribution of these work-groups and of others."""
        pipes = {pipe: max(self.busiest.get(pipe, 0), other.busiest.get(pipe, 0)) for pipe in Pipe}
        return ThreadSpread(
            max(self.slowest, other.slowest),
            self.groups + other.groups,
            {pipe: cycles for pipe, cycles in pipes.items() if cycles},
        )


@dataclass(frozen=True, eq=False)
class ExecutionCounts:
    """Counts of a launch, summed over all threads, with one number for each instruction of the program.

    Attributes:
        executed: Executions of the instruction.
        channels: Enabled channels, summed over all executions. Block messages count one channel; instructions that have
            no channels (jumps, barriers, fences) count none.
        allocated: Bytes of global memory that the launch could access.
        spread: The distribution of the work over threads and groups; None if all are taken to be alike.
    """

    executed: Numbers
    channels: Numbers
    allocated: int = 0
    spread: ThreadSpread | None = None


def allocated_bytes(table: RangeTable) -> int:
    """Returns the size in bytes of all live allocations."""
    return int(np.add.reduce(table.ends - table.starts))


def predicate_masks(instruction: Instruction) -> bool:
    """Returns whether an instruction has a predicate that disables channels, rather than one that selects a source."""
    return instruction.predicate is not None and not predicate_chooses(instruction)


def constant_channels(instruction: Instruction, mask: int | None) -> int | None:
    """Returns the number of channels that are enabled at each execution, None if it varies.

    `mask` is the execution mask where it is known.
    """
    count = channel_count(instruction)
    if count == 0 or (instruction.no_mask and not predicate_masks(instruction)):
        return count
    if mask is None or predicate_masks(instruction):
        return None
    return (mask >> instruction.channel_offset & (1 << count) - 1).bit_count()
