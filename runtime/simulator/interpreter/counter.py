"""Execution counts of the interpreter."""

from __future__ import annotations

import numpy as np

from runtime.simulator.counts import ExecutionCounts, predicate_masks
from runtime.simulator.interpreter.observer import Execution, Observer
from xegpu.isa import Program
from xegpu.isa.formats import channel_count


class Counter(Observer):
    """Counts executions and enabled channels. An instruction counts after its execution, with the channels before
    it.
    """

    def __init__(self, program: Program):
        self._instructions = program.instructions
        self._channels = [channel_count(instruction) for instruction in program.instructions]
        self._masks = [predicate_masks(instruction) for instruction in program.instructions]
        count = len(program.instructions)
        self.counts = ExecutionCounts(np.zeros(count, np.uint64), np.zeros(count, np.uint64))

    def before(self, execution: Execution, index: int) -> None:
        """Counts the enabled channels: flags and the execution mask are still as the instruction finds them."""
        counts, channels, thread = self.counts, self._channels[index], execution.thread
        counts.executed[index] += 1
        if channels:
            instruction = self._instructions[index]
            enabled = (thread.enabled if self._masks[index] else thread.base_channels)(instruction, channels)
            counts.channels[index] += enabled.bit_count()
