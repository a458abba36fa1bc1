"""Costs of instructions and kernels: the records that the cost model fills in (`xegpu.isa.cost`)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from xegpu.on_demand import dataclass


class Pipe(Enum):
    """The units of an EU that execute instructions; each takes one instruction at a time."""

    INTEGER = "integer"
    FLOAT = "float"
    LONG = "long"
    MATH = "math"
    DPAS = "dpas"
    SEND = "send"
    CONTROL = "control"

    __hash__ = object.__hash__
    """Enum's own hashes the name, in Python: scheduling an instruction looks at its pipe several times."""


class StallReason(Enum):
    """The reasons for which the next instruction of a thread is not issued."""

    MESSAGE = "message"
    """An operand comes from a message, or a message still reads it."""
    DEPENDENCY = "dependency"
    """An operand is the result of arithmetic that is not ready."""
    PIPE = "pipe"
    """The pipe is occupied."""
    SYNC = "sync"
    """A barrier or fence is waited for."""
    CONTROL = "control"
    """A jump is taken, or the thread ends."""


@dataclass(frozen=True, slots=True)
class InstructionCost:
    """Cycles: an instruction occupies its pipe for `occupancy`, and its results can be read `latency` after the issue.

    The next instruction of the thread is issued `stall` cycles later than it could be.
    """

    pipe: Pipe
    occupancy: int = 1
    latency: int = 0
    stall: int = 0


@dataclass(frozen=True, slots=True)
class TripCount:
    """The trip count of a loop: `(scale * argument + offset) / step` iterations, rounded up; none if that is negative.

    `argument` is the index of a kernel argument that is an integer, None where the count is a constant. `step` is
    positive.
    """

    offset: int
    step: int = 1
    argument: int | None = None
    scale: int = 0


@dataclass(frozen=True)
class RegionCost:
    """The cost, for one thread, of one iteration of a loop or of the code outside of loops; inner loops are left out.

    It is the cost of the main path (`xegpu.isa.cost.path`). `cycles` are those of a thread that has an EU for itself,
    `occupancy` those that its instructions take of each pipe. Bytes are those of global memory, as if every channel
    were on. `children` is the number of loops directly inside.
    """

    cycles: int
    occupancy: Mapping[Pipe, int]
    bytes_loaded: int
    bytes_stored: int
    children: int
    trips: TripCount | None = None
    """The trip count of the loop, where it is known."""


@dataclass(frozen=True)
class KernelCost:
    """The cost of the code outside of loops, and of each loop in the order of their first instructions."""

    outside: RegionCost
    loops: tuple[RegionCost, ...] = ()
