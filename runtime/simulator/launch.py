"""Kernels as the simulator sees them, and the input and output of one launch."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.simulator.counts import ExecutionCounts
from xegpu.isa.code import NO_LINES, LineTable
from xegpu.isa.model import Dim3, KernelFacts
from xegpu.targets import Target

MOST_GROUPS = 1 << 62
"""The largest number of work-groups of a launch: their counters do not wrap around."""


class LaunchRefused(ValueError):
    """A launch that does not fit its kernel or the simulator."""


@dataclass(frozen=True)
class KernelDescription:
    """A kernel as its ZEBIN describes it, which is all that a launch needs to know.

    Attributes:
        name: The kernel's name.
        code: The text from the kernel's symbol on: header word, instructions, optional zero padding.
        target: The GPU that the kernel is loaded for.
        facts: The facts that `.ze_info` states.
        lines: The source location of each instruction, for reports.
        source_attributes: The attributes that the program gave the kernel, as OpenCL C spells them.
    """

    name: str
    code: bytes
    target: Target
    facts: KernelFacts
    lines: LineTable = NO_LINES
    source_attributes: str = ""

    @property
    def max_group_size(self) -> int:
        """Work-items of the largest work-group that fits a core of the target."""
        return self.facts.max_group_size(self.target)


@dataclass(frozen=True)
class Dispatch:
    """One launch: a grid of `group_count` work-groups, each of `local_size` work-items, and the kernel's arguments.

    `cross_thread` are the bytes of the cross-thread payload, laid out by the kernel's payload arguments. `slm_size` are
    bytes of shared local memory in addition to the kernel's own.
    """

    group_count: Dim3
    local_size: Dim3
    cross_thread: bytes = b""
    slm_size: int = 0


@dataclass(frozen=True)
class Statistics:
    """Statistics of a launch: executed instructions over all threads, hardware threads, groups, wall-clock seconds.

    `counts` are the counts of each instruction, if the launch was asked to count.
    """

    instructions: int
    threads: int
    groups: int
    seconds: float
    counts: ExecutionCounts | None = None
