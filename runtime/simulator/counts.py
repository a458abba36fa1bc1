"""Execution counts: how often each instruction of a kernel was executed, and by how many channels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.memory import RangeTable
from xegpu.isa import Instruction
from xegpu.isa.formats import channel_count
from xegpu.isa.model import predicate_chooses
from xegpu.records import dataclass

Numbers = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class ExecutionCounts:
    """Counts of a launch, summed over all threads, with one number for each instruction of the program.

    Attributes:
        executed: Executions of the instruction.
        channels: Enabled channels, summed over all executions. Block messages count one channel; instructions that have
            no channels (jumps, barriers, fences) count none.
        allocated: Bytes of global memory that the launch could access.
    """

    executed: Numbers
    channels: Numbers
    allocated: int = 0


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
