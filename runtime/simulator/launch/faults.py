"""Faults of device code, and their reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from runtime.simulator.memory import Allocation, FreedAllocation
from xegpu.isa.code import SourcePlace
from xegpu.isa.model import Dim3


class IllegalCode(Exception):
    """A kernel that the simulator refuses. The text names the kernel, the offset in its code and the reason."""


class FaultKind(IntEnum):
    """Why a thread was stopped. Compiled code reports the numbers; 0 means no fault."""

    OUT_OF_BOUNDS = 1
    """No single live allocation covers the access."""
    READ_ONLY = 2
    """A store to an allocation that cannot be written."""
    MISALIGNED = 3
    """An address is no multiple of the element size."""
    ILLEGAL_INSTRUCTION = 4
    """The thread reached an `illegal` word."""
    BAD_BLOCK = 5
    """A block-2D payload breaks the surface rules or disagrees with its message."""
    RUNAWAY = 6
    """The thread executed more instructions than its limit."""
    SCRATCH_OVERFLOW = 7
    """An access outside of the thread's scratch space."""
    BAD_REGISTER = 8
    """The address of an indirect operand is no multiple of the element size, or outside of the general registers."""
    SLM_OVERFLOW = 9
    """An access outside of the work-group's shared local memory."""
    BARRIER = 10
    """A signal or a wait that breaks the rules of barriers."""
    DEADLOCK = 11
    """Threads wait at barriers, and no thread of the work-group can go on."""
    DIVERGENCE = 12
    """Channels of a thread took different branches and do not reconverge as required."""
    USE_AFTER_FREE = 13
    """An access to memory that has been freed."""
    UNINITIALIZED = 14
    """A value read from uninitialized memory decides a branch, or is stored."""
    UNWRITTEN_REGISTER = 15
    """The same for a register or flag that was never written."""
    RACE = 16
    """Two unordered accesses to one byte, at least one of them a write."""
    BARRIER_MISMATCH = 17
    """Threads of a group execute different barriers, or a different number of them."""
    ARITHMETIC = 18
    """An integer division that has no result."""
    LAYOUT = 19
    """Channels are disabled in an instruction that needs all of them."""
    TIME_LIMIT = 20
    """The launch has exceeded its time limit."""

    BAD_SURFACE = 21
    """A surface state of an image message is missing or breaks a rule."""
    BAD_SAMPLER = 22
    """The same for a sampler state."""
    BAD_TARGET = 23
    """An indirect call to an address that is no subroutine, or a return to one that follows no call."""
    ASSERTION = 24
    """An assertion of the kernel's program does not hold."""


_HEADLINES = {
    FaultKind.OUT_OF_BOUNDS: "out-of-bounds access",
    FaultKind.READ_ONLY: "store to read-only memory",
    FaultKind.MISALIGNED: "misaligned access",
    FaultKind.ILLEGAL_INSTRUCTION: "illegal instruction",
    FaultKind.BAD_BLOCK: "bad block-2D message",
    FaultKind.RUNAWAY: "endless loop",
    FaultKind.SCRATCH_OVERFLOW: "access outside of scratch space",
    FaultKind.BAD_REGISTER: "indirect access to no register",
    FaultKind.SLM_OVERFLOW: "access outside of shared local memory",
    FaultKind.BARRIER: "misuse of a barrier",
    FaultKind.DEADLOCK: "deadlock",
    FaultKind.DIVERGENCE: "divergent control flow",
    FaultKind.TIME_LIMIT: "time limit",
    FaultKind.USE_AFTER_FREE: "use after free",
    FaultKind.UNINITIALIZED: "use of uninitialized memory",
    FaultKind.UNWRITTEN_REGISTER: "use of an unwritten register",
    FaultKind.RACE: "data race",
    FaultKind.BARRIER_MISMATCH: "barrier mismatch",
    FaultKind.ARITHMETIC: "integer division",
    FaultKind.LAYOUT: "missing lanes",
    FaultKind.BAD_SURFACE: "bad surface state",
    FaultKind.BAD_SAMPLER: "bad sampler state",
    FaultKind.BAD_TARGET: "call or return to an invalid target",
    FaultKind.ASSERTION: "failed assertion",
}


NO_MEMORY = frozenset({FaultKind.SCRATCH_OVERFLOW, FaultKind.BAD_REGISTER, FaultKind.SLM_OVERFLOW})
"""Faults whose address is not in global memory."""


@dataclass(frozen=True)
class Related:
    """Another instruction that is involved in a fault, and how. For the other access of a race, also its thread."""

    what: str
    offset: int
    instruction: str
    source: SourcePlace | None = None
    group: Dim3 | None = None
    subgroup: int = 0
    lane: int | None = None

    def lines(self) -> list[str]:
        found = [f"  {self.what}:"]
        if self.group is not None:
            found.append(f"    at: {_thread(self.group, self.subgroup, self.lane)}")
        found.append(f"    instruction at offset {self.offset:#x}: {self.instruction}")
        if self.source is not None:
            found.append(f"    source: {self.source}")
        return found


@dataclass(frozen=True)
class FaultAccess:
    """The channel at fault, None for the whole thread, and the memory that it accessed, if it did.

    `size` is that of one lane's access, or of the whole block, in bytes; `space` is the address space if that is not
    global memory.
    """

    lane: int | None = None
    address: int | None = None
    size: int = 0
    space: str = ""


NO_ACCESS = FaultAccess()


class DeviceFault(Exception):
    """A thread was stopped by an error, or a check found one; `str()` is the whole report.

    Attributes:
        subgroup: The thread's number in its work-group.
        lane: The first channel at fault, None for the whole thread.
        offset: Where the instruction starts, in bytes from the start of the kernel's code.
        source: The source location of the instruction, if the kernel has debug information.
        address, size, space, access: The memory access, if there is one (see `FaultAccess`); `access` is "read" or
        "write".
        nearest: The live allocation closest to the access, or the freed one that contains it.
        related: Other instructions that are involved.
        times: How often a check has found the same.
        findings: All findings of the launch, of which the first one is raised.
    """

    def __init__(
        self,
        kind: FaultKind,
        *,
        kernel: str,
        group: Dim3,
        subgroup: int,
        offset: int,
        instruction: str,
        source: SourcePlace | None = None,
        at: FaultAccess = NO_ACCESS,
        access: str = "",
        nearest: Allocation | FreedAllocation | None = None,
        detail: str = "",
        related: Sequence[Related] = (),
    ):
        self.kind = kind
        self.kernel = kernel
        self.group = group
        self.subgroup = subgroup
        self.lane = at.lane
        self.offset = offset
        self.instruction = instruction
        self.source = source
        self.address = at.address
        self.size = at.size
        self.space = at.space
        self.access = access
        self.nearest = nearest
        self.detail = detail
        self.related = tuple(related)
        self.times = 1
        self.findings: tuple[DeviceFault, ...] = (self,)
        super().__init__(kind.name, detail)

    def __str__(self) -> str:
        reports = [finding.report() for finding in self.findings]
        if len(reports) == 1:
            return reports[0]
        return "\n\n".join([f"{len(reports)} errors in kernel '{self.kernel}'", *reports])

    def report(self) -> str:
        """Returns the report of this finding alone."""
        headline = f"{_HEADLINES[self.kind]} in kernel '{self.kernel}'"
        lines = [headline + (f": {self.detail}" if self.detail else "")]
        lines.append(f"  at: {_thread(self.group, self.subgroup, self.lane)}")
        lines.append(f"  instruction at offset {self.offset:#x}: {self.instruction}")
        if self.source is not None:
            lines.append(f"  source: {self.source}")
        if self.address is not None:
            where = f" of {self.space}" if self.space else ""
            lines.append(f"  {self.access or 'access'} of {self.size} bytes at {self.address:#x}{where}")
            if self.kind not in NO_MEMORY and not self.space:
                what = "allocation" if self.kind is FaultKind.USE_AFTER_FREE else "nearest allocation"
                lines.append(f"  {what}: {_distance(self.address, self.size, self.nearest)}")
        for related in self.related:
            lines += related.lines()
        if self.times > 1:
            lines.append(f"  found {self.times} times at this instruction")
        return "\n".join(lines)


def _thread(group: Dim3, subgroup: int, lane: int | None) -> str:
    x, y, z = group
    return f"work-group ({x}, {y}, {z}), subgroup {subgroup}" + ("" if lane is None else f", lane {lane}")


def _distance(address: int, size: int, nearest: Allocation | FreedAllocation | None) -> str:
    """Describes the position of an access relative to an allocation."""
    if nearest is None:
        return "none is live"
    start, end = nearest.address, nearest.address + nearest.size
    if address >= end:
        where = f"the access starts {address - end} bytes behind its end"
    elif address < start:
        where = f"the access starts {start - address} bytes before it"
    elif address + size > end:
        where = f"the access starts at its byte {address - start} and runs {address + size - end} bytes over its end"
    else:
        where = f"the access starts at its byte {address - start}"
    return f"{nearest}; {where}"
