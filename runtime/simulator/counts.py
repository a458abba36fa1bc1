"""How often the instructions of a kernel were executed, and by how many channels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runtime.simulator.memory import RangeTable
from xegpu.isa import Instruction
from xegpu.isa.formats import channel_count
from xegpu.isa.model import predicate_chooses

Numbers = NDArray[np.uint64]


@dataclass(frozen=True, eq=False)
class ExecutionCounts:
    """Of all threads of a launch together, one number for each instruction of the program.

    `executed` is how often it was executed, `channels` how many channels were on at these times together. Instructions
    that are not for channels (jumps, barriers, fences) have none; block messages have one. `allocated` are the bytes of
    global memory that the launch could reach.
    """

    executed: Numbers
    channels: Numbers
    allocated: int = 0


def allocated_bytes(table: RangeTable) -> int:
    """Bytes of all live allocations."""
    return int((table.ends - table.starts).sum())


def predicate_masks(instruction: Instruction) -> bool:
    """Whether an instruction has a predicate that switches channels off, rather than one that chooses a source."""
    return instruction.predicate is not None and not predicate_chooses(instruction)


def constant_channels(instruction: Instruction, mask: int | None) -> int | None:
    """Channels that are on at each execution; None if that differs. `mask` is the execution mask where it is known."""
    count = channel_count(instruction)
    if count == 0 or (instruction.no_mask and not predicate_masks(instruction)):
        return count
    if mask is None or predicate_masks(instruction):
        return None
    return (mask >> instruction.channel_offset & (1 << count) - 1).bit_count()
