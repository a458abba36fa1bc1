"""Execution counts of the interpreter."""

from __future__ import annotations

from collections import Counter as TallyOf

import numpy as np

from runtime.simulator.execution.engine import Executable
from runtime.simulator.interpreter.observer import Execution, Observer
from runtime.simulator.launch.counts import ExecutionCounts, ThreadSpread, predicate_masks
from xegpu.isa.cost import Pipe
from xegpu.isa.formats import channel_count
from xegpu.isa.model import Dim3


class Counter(Observer):
    """Counts executions and enabled channels. An instruction counts after its execution, with the channels before
    it.
    """

    def __init__(self, executable: Executable):
        program = executable.program
        self._instructions = program.instructions
        self._cycles = executable.costs.cycles.tolist()
        self._occupancy = executable.costs.occupancy.tolist()
        self._pipes = executable.costs.pipes
        self._running: dict[Dim3, tuple[TallyOf[int], TallyOf[Pipe]]] = {}
        """The cycles of each thread and of each pipe, by the groups that have not ended."""
        self._channels = [channel_count(instruction) for instruction in program.instructions]
        self._masks = [predicate_masks(instruction) for instruction in program.instructions]
        count = len(program.instructions)
        self.counts = ExecutionCounts(np.zeros(count, np.uint64), np.zeros(count, np.uint64))
        self.spread = ThreadSpread()
        """The distribution of the work over the groups that have ended."""

    def before(self, execution: Execution, index: int) -> None:
        """Counts the enabled channels: flags and the execution mask are still as the instruction finds them."""
        counts, channels, thread = self.counts, self._channels[index], execution.thread
        counts.executed[index] += 1
        threads, pipes = self._running.setdefault(execution.group, (TallyOf(), TallyOf()))
        threads[thread.number] += self._cycles[index]
        pipes[self._pipes[index]] += self._occupancy[index]
        if channels:
            instruction = self._instructions[index]
            enabled = (thread.enabled if self._masks[index] else thread.base_channels)(instruction, channels)
            counts.channels[index] += enabled.bit_count()

    def group_ended(self, execution: Execution) -> None:
        """Adds the group to the distribution of the work."""
        threads, pipes = self._running.pop(execution.group)
        slowest = max(threads.values())
        self.spread += ThreadSpread(slowest, slowest, pipes)
