"""Kernels as the simulator sees them, and the input and output of one launch."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod

from runtime.simulator.launch.counts import ExecutionCounts
from xegpu.isa import has_header
from xegpu.isa.code import NO_LINES, LineTable
from xegpu.isa.model import Dim3, KernelFacts
from xegpu.isa.native import hidden_registers
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
        code: The text from the kernel's symbol on: header word (unless native), instructions, optional zero padding.
        target: The GPU that the kernel is loaded for.
        facts: The facts that `.ze_info` states.
        lines: The source location of each instruction, for reports.
        source_attributes: The attributes that the program gave the kernel, as OpenCL C spells them.
        entry: The offset at which native code begins that finds the payload in the registers.
        private_memory: The bytes of global memory that each hardware thread has as private memory.
        private_size: The bytes of a hardware thread for private memory, in scratch space or in global memory.
        spill_size: The bytes of a hardware thread for values that its registers do not hold.
        implicit_version: The version of the structure in which native functions find what their kernels do not pass.
        functions: The offsets in native code at which functions of other sections of the binary begin.
    """

    name: str
    code: bytes
    target: Target
    facts: KernelFacts
    lines: LineTable = NO_LINES
    source_attributes: str = ""
    entry: int = 0
    private_memory: int = 0
    private_size: int = 0
    spill_size: int = 0
    implicit_version: int = 0
    functions: tuple[int, ...] = ()

    @property
    def is_native(self) -> bool:
        return not has_header(self.code)

    @cached_property
    def register_count(self) -> int:
        """General registers, and those behind them that native code has under other names."""
        hidden = hidden_registers(self.target.platform.grf_bytes, len(self.facts.bindings)) if self.is_native else 0
        return self.facts.grf_count + hidden

    @property
    def max_group_size(self) -> int:
        """Work-items of the largest work-group that fits a core of the target."""
        return self.facts.max_group_size(self.target)


@dataclass(frozen=True)
class Dispatch:
    """One launch: a grid of `group_count` work-groups, each of `local_size` work-items, and the kernel's arguments.

    `cross_thread` are the bytes of the cross-thread payload, laid out by the kernel's payload arguments. `slm_size` are
    bytes of shared local memory in addition to the kernel's own. `part` are the first of the work-groups that run, and
    the one after the last, in the order in which x changes fastest; None stands for all. `global_offset` is the
    global id of the first work-item, which code may ask for.
    """

    group_count: Dim3
    local_size: Dim3
    cross_thread: bytes = b""
    slm_size: int = 0
    part: tuple[int, int] | None = None
    global_offset: Dim3 = (0, 0, 0)

    @property
    def running_groups(self) -> range:
        """The numbers of the work-groups that run."""
        return range(prod(self.group_count)) if self.part is None else range(*self.part)


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
