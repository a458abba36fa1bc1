"""The use of the device by a launch, for its counters: cycles of the pipes, and bytes of memory.

A launch that counted its instructions is known exactly. Of others only the number of instructions is known: each is
taken to be an average one of the kernel, with all channels on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from runtime.simulator.execution.engine import Executable
from runtime.simulator.launch.dispatch import Dispatch, Statistics
from runtime.simulator.machine.residency import residency
from runtime.simulator.profile.estimate import MEMORY
from runtime.simulator.profile.profile import Profile
from xegpu.isa.cost import Pipe


@dataclass(frozen=True)
class LaunchUse:
    """The use of the device by a launch.

    Attributes:
        core_cycles: Cycles of the core clock that it takes, if the memory does not take longer.
        memory_seconds: The time that the memory takes.
        launch_cycles: Cycles to start it.
        pipe_cycles: Cycles for which all threads together occupy each pipe.
        read: Bytes that are read from memory.
        written: Bytes that are written to memory.
    """

    core_cycles: float
    memory_seconds: float
    launch_cycles: float
    pipe_cycles: Mapping[str, float]
    read: int
    written: int


def counted_use(profile: Profile) -> LaunchUse:
    """Returns the use of a launch that counted its instructions."""
    counts, costs, target = profile.statistics.counts, profile.executable.costs, profile.target
    assert counts is not None, "a profile is made of a launch that counted"
    found = profile.estimate
    core = max((cycles for name, cycles in found.limits.items() if name != MEMORY), default=0.0)
    moved, whole = costs.memory_bytes(counts), costs.global_bytes(counts)
    read = moved * costs.loaded_bytes(counts) // whole if whole else 0
    return LaunchUse(
        core,
        found.limits.get(MEMORY, 0.0) / (target.core_clock_mhz * 1e6),
        found.launch,
        {pipe.value: float(cycles) for pipe, cycles in costs.pipe_cycles(counts).items()},
        read,
        moved - read,
    )


def approximate_use(executable: Executable, dispatch: Dispatch, done: Statistics, allocated: int) -> LaunchUse:
    """Returns the use of a launch that did not count, at most once each byte that it could access."""
    target, average = executable.description.target, executable.average
    placed = residency(executable.description, dispatch)
    if not placed.groups:
        return LaunchUse(0.0, 0.0, target.timing.launch, {}, 0, 0)
    share = -(-placed.groups // placed.cores) / placed.groups * placed.cores / placed.eus
    pipe_cycles = {pipe: cycles * done.instructions for pipe, cycles in average.pipe_cycles.items()}
    core = max(cycles for pipe, cycles in pipe_cycles.items() if pipe is not Pipe.CONTROL) * share
    read, written = average.read * done.instructions, average.written * done.instructions
    part = min(1.0, allocated / (read + written)) if read + written else 0.0
    read, written = round(read * part), round(written * part)
    return LaunchUse(
        core,
        (read + written) / target.timing.memory_bandwidth,
        target.timing.launch,
        {pipe.value: cycles for pipe, cycles in pipe_cycles.items()},
        read,
        written,
    )
