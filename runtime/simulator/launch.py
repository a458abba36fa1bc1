"""What a kernel is to the simulator, what one launch asks for, and what it reports."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.simulator.counts import ExecutionCounts
from xegpu.isa.code import NO_LINES, LineTable
from xegpu.targets import Target

Triple = tuple[int, int, int]


@dataclass(frozen=True)
class KernelDescription:
    """A kernel as its ZEBIN describes it.

    `code` is the text from the kernel's symbol on: header word, instructions, perhaps zero padding. `simd_size` is 1
    when one hardware thread runs one work-item, else the number of work-items per thread. `local_id_dimensions` is the
    number of local ids in the per-thread payload (0: none). `walk_order` lists the dimensions of the group, fastest
    first. `cross_thread_size`, `slm_size` (per group) and `scratch_size` (per hardware thread) are bytes. `lines` says
    which source the code comes from, for reports.
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

    `cross_thread` are the bytes of the cross-thread payload, laid out by the kernel's payload arguments. `slm_size` is
    what the launch adds to the kernel's own shared local memory, in bytes.
    """

    group_count: Triple
    local_size: Triple
    cross_thread: bytes = b""
    slm_size: int = 0


@dataclass(frozen=True)
class Statistics:
    """What a launch did: executed instructions over all threads, hardware threads, groups, wall-clock seconds.

    `counts` are those of the single instructions, for a launch that was to count them.
    """

    instructions: int
    threads: int
    groups: int
    seconds: float
    counts: ExecutionCounts | None = None
