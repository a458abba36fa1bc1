"""Stops of launches, and the states of their threads."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from runtime.debugger.breakpoints import Breakpoint
from runtime.simulator import DeviceFault
from xegpu.isa.code import SourcePlace
from xegpu.isa.model import Dim3


class StopReason(Enum):
    """The reason why a launch is stopped."""

    ENTRY = "entry"
    """The launch is before the first instruction of its first thread."""
    BREAKPOINT = "breakpoint"
    STEP = "step"
    """A step has ended. If the thread ended during the step, another thread is stopped."""
    INTERRUPT = "interrupt"
    FAULT = "fault"
    """The thread is at the faulting instruction; the launch ends when it is resumed."""
    END = "end"
    """The launch has ended, with or without an error."""


@dataclass(frozen=True)
class Stop:
    """A stop of a launch: at instruction `index` of thread number `thread` of work-group `group`.

    `breakpoints` are those that were hit, `problem` says why the condition of one of them could not be evaluated,
    `fault` is the fault that stopped the thread, and `note` says more. At the end of a launch, `result` is its result
    or `error` the exception that it raised, and the rest is None.
    """

    reason: StopReason
    group: Dim3 = (0, 0, 0)
    thread: int = 0
    index: int = 0
    offset: int = 0
    source: SourcePlace | None = None
    breakpoints: tuple[Breakpoint, ...] = ()
    problem: str = ""
    fault: DeviceFault | None = None
    result: object = None
    error: BaseException | None = None
    note: str = ""


class StoppedThread(Enum):
    """The state of a hardware thread of the stopped work-group."""

    STOPPED = "stopped here"
    WAITING = "waits at a barrier"
    SPINNING = "gives way in a loop"
    NOT_STARTED = "has not started"
    ENDED = "has ended"
    HELD = "is held"
    """It waits, and is stopped where it waits."""
    ELSEWHERE = "has not started, or has ended"
