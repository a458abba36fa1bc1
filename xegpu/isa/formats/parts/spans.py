"""Spans of the register file, of which the footprints of instructions consist."""

from __future__ import annotations

from xegpu.isa.model.operands import ARCHITECTURE, CHANNEL_ENABLE, Register, RegisterFile
from xegpu.on_demand import dataclass
from xegpu.targets import Target

FIRST_ARCHITECTURE = 288
"""Number of the first architecture register in the register file of compiled code.

It is after the largest GRF, and after the registers behind it that native code has under other names.
"""

_ARCHITECTURE_ORDER = tuple(ARCHITECTURE)


@dataclass(frozen=True, slots=True)
class Span:
    """`size` bytes of the register file from byte `start` on, accessed in elements of `unit` bytes.

    `by_address` marks bytes that are handed to a function by address.
    """

    start: int
    size: int
    unit: int
    by_address: bool = False

    @property
    def end(self) -> int:
        return self.start + self.size

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Footprint:
    """The spans that an instruction reads and writes; a span that may keep some of its bytes is in both."""

    reads: tuple[Span, ...] = ()
    writes: tuple[Span, ...] = ()

    def depends_on(self, other: Footprint) -> bool:
        """Returns whether the two instructions must keep their order."""
        pairs = ((self.reads, other.writes), (self.writes, other.reads), (self.writes, other.writes))
        return any(a.overlaps(b) for ours, theirs in pairs for a in ours for b in theirs)


def byte_of(register: Register, target: Target) -> int:
    """Returns the byte of the register file at which a register starts, from its subregister on.

    Architecture registers have numbers after all general ones; they are never in memory.
    """
    number = register.number
    if register.file is RegisterFile.ARF:
        number = FIRST_ARCHITECTURE + _ARCHITECTURE_ORDER.index(number)
    return number * target.platform.grf_bytes + register.byte


def is_apart(register: Register) -> bool:
    """Returns whether a register is in no footprint: `null`, flags and the execution mask."""
    if register.file is not RegisterFile.ARF:
        return False
    return register.is_null or register.flag is not None or register.is_part_of(CHANNEL_ENABLE)
