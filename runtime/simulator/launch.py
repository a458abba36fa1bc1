"""Kernels as the simulator sees them, and the input and output of one launch."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.simulator.counts import ExecutionCounts
from xegpu.isa.code import NO_LINES, LineTable
from xegpu.targets import Target

Triple = tuple[int, int, int]


@dataclass(frozen=True)
class KernelDescription:
    """A kernel as its ZEBIN describes it.

    Attributes:
        code: The text from the kernel's symbol on: header word, instructions, optional zero padding.
        simd_size: Work-items per hardware thread; 1 when one hardware thread runs one work-item.
        local_id_dimensions: Local ids in the per-thread payload, 0 for none.
        walk_order: Dimensions of the group, fastest first.
        cross_thread_size, slm_size, scratch_size: Sizes in bytes; SLM is per group, scratch per hardware thread.
        lines: Source locations of the instructions, for reports.
    """

    name: str
    code: bytes
    target: Target
    simd_size: int
    grf_count: int
    local_id_dimensions: int = 0
    walk_order: Triple = (0, 1, 2)
    cross_thread_size: int = 0
    barrier_count: int = 0
    slm_size: int = 0
    scratch_size: int = 0
    lines: LineTable = NO_LINES


@dataclass(frozen=True)
class Dispatch:
    """One launch: a grid of `group_count` work-groups, each of `local_size` work-items, and the kernel's arguments.

    `cross_thread` are the bytes of the cross-thread payload, laid out by the kernel's payload arguments. `slm_size` are
    bytes of shared local memory in addition to the kernel's own.
    """

    group_count: Triple
    local_size: Triple
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
