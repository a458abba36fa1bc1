"""The register sets that a debugger reads and writes, with the numbers that they have for Intel's GPUs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, IntFlag
from struct import Struct

from xegpu.isa.model import ADDRESS, CHANNEL_ENABLE, FLAGS, STATE
from xegpu.targets import Target


class RegisterSet(IntEnum):
    """The register sets."""

    GRF = 1
    ADDRESS = 2
    FLAG = 3
    CHANNEL_ENABLE = 4
    STATE = 5
    CONTROL = 6
    """`cr0`: modes of arithmetic, `ExceptionStatus`, and the offset of the next instruction from the base of code."""
    ACCUMULATOR = 8
    """The accumulators of native code."""
    BASES = 11
    """Addresses at which memory spaces begin."""
    THREAD = 12
    """`dbg0`: the ids of the work-group along x, y and z, the number of the thread in it, and how many it has."""


BREAKPOINT_SUPPRESS = 1 << 15
"""The bit of `cr0.0` that has a thread, when it is resumed, execute an instruction that has a breakpoint."""


class ExceptionStatus(IntFlag):
    """The bits of `cr0.1`: why a thread has stopped."""

    PAGE_FAULT = 1 << 16
    ILLEGAL_INSTRUCTION = 1 << 28
    SOFTWARE = 1 << 29
    """Any other fault."""
    EXTERNAL_HALT = 1 << 30
    BREAKPOINT = 1 << 31
    """A breakpoint or a step. If the bit is set together with `BREAKPOINT_SUPPRESS` when a thread is resumed, it
    executes one instruction.
    """


INSTRUCTION_BASE, SCRATCH_BASE, BASE_COUNT = 4, 7, 8
"""The registers of `BASES` that are not zero, and how many there are."""

CONTROL = Struct("<4I")
THREAD = Struct("<8I")
BASES = Struct("<8Q")

_SHAPE = Struct("<HHIII")


@dataclass(frozen=True)
class RegisterSetShape:
    """The registers of a set: how many, how many bytes each has, and whether they can be written."""

    type: RegisterSet
    count: int
    size: int
    is_writable: bool = True

    def pack(self) -> bytes:
        """Returns the shape as bytes of an answer."""
        return _SHAPE.pack(self.type, self.is_writable, self.count, self.size, 0)

    @staticmethod
    def unpack_all(data: bytes) -> list[RegisterSetShape]:
        """Returns the shapes in an answer."""
        whole = len(data) // _SHAPE.size * _SHAPE.size
        return [
            RegisterSetShape(RegisterSet(type), count, size, bool(writable))
            for type, writable, count, size, _ in _SHAPE.iter_unpack(data[:whole])
        ]


def thread_sets(target: Target, grf_count: int, accumulators: int) -> tuple[RegisterSetShape, ...]:
    """Returns the register sets of a thread with `grf_count` general registers."""
    found = (
        RegisterSetShape(RegisterSet.GRF, grf_count, target.platform.grf_bytes),
        RegisterSetShape(RegisterSet.ADDRESS, 1, ADDRESS.size),
        RegisterSetShape(RegisterSet.FLAG, target.platform.flag_registers, FLAGS[0].size),
        RegisterSetShape(RegisterSet.CHANNEL_ENABLE, 1, CHANNEL_ENABLE.size, is_writable=False),
        RegisterSetShape(RegisterSet.STATE, 1, STATE.size, is_writable=False),
        RegisterSetShape(RegisterSet.CONTROL, 1, CONTROL.size),
        RegisterSetShape(RegisterSet.ACCUMULATOR, accumulators, target.platform.grf_bytes),
        RegisterSetShape(RegisterSet.BASES, BASE_COUNT, 8, is_writable=False),
        RegisterSetShape(RegisterSet.THREAD, 1, THREAD.size, is_writable=False),
    )
    return tuple(shape for shape in found if shape.count)


def device_sets(target: Target) -> tuple[RegisterSetShape, ...]:
    """Returns the register sets of a device: those of threads with the fewest registers."""
    return thread_sets(target, min(target.platform.grf_counts), 0)
