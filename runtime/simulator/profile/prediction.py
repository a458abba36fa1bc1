"""Profiles of launches that did not run: counts of instructions that the cost model expects."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.simulator.execution.engine import Executable
from runtime.simulator.launch.counts import ExecutionCounts
from runtime.simulator.launch.dispatch import Dispatch, Statistics
from runtime.simulator.machine.residency import residency
from runtime.simulator.profile.profile import Profile
from xegpu.isa.cost import find_loops
from xegpu.isa.formats import channel_count


def predicted_profile(
    executable: Executable, dispatch: Dispatch, iterations: Sequence[float], allocated: int
) -> Profile:
    """Returns the profile of a launch whose threads run each loop as often as is said, with all channels on.

    Both sides of branches count.

    Args:
        executable: The kernel.
        dispatch: The launch, whose arguments do not matter.
        iterations: The iterations of each loop, in the order of the program; one of those that are missing.
        allocated: Bytes of global memory that the launch could access.

    """
    program = executable.program
    forest = find_loops(program)
    placed = residency(executable.description, dispatch)
    threads = placed.groups * placed.group_threads
    times: list[float] = []
    for number, loop in enumerate(forest.loops):
        own = iterations[number] if number < len(iterations) else 1.0
        times.append(own * (1.0 if loop.parent is None else times[loop.parent]))
    executed = np.zeros(len(program.instructions), np.uint64)

    for block in forest.blocks:
        inside = forest.innermost.get(block.start)
        executed[block.start : block.end] = round(threads * (1.0 if inside is None else times[inside]))
    channels = executed * np.array([channel_count(instruction) for instruction in program.instructions], np.uint64)
    counts = ExecutionCounts(executed, channels, allocated)
    return Profile(executable, dispatch, Statistics(int(executed.sum()), threads, placed.groups, 0.0, counts))
