"""Where launches stop, and what their threads do then."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from runtime.debugger.breakpoints import Breakpoint
from runtime.simulator import DeviceFault, Triple
from xegpu.isa.code import SourcePlace


class StopReason(Enum):
    """Why a launch does not run at the moment."""

    ENTRY = "entry"
    """It is in front of the first instruction of its first thread."""
    BREAKPOINT = "breakpoint"
    STEP = "step"
    """A step is done; when the thread ends during one, another thread is stopped."""
    INTERRUPT = "interrupt"
    FAULT = "fault"
    """The thread is at the instruction at fault; the launch ends when it goes on."""
    END = "end"
    """The launch is over, well or not."""


@dataclass(frozen=True)
class Stop:
    """Where a launch stopped: at instruction `index` of thread number `thread` of work-group `group`.

    `breakpoints` are those that were hit, `problem` is why the condition of one of them could not be computed, `fault`
    what stopped the thread. At the end of a launch, `result` is what it returned or `error` what it raised, and the
    rest is not there.
    """

    reason: StopReason
    group: Triple = (0, 0, 0)
    thread: int = 0
    index: int = 0
    offset: int = 0
    source: SourcePlace | None = None
    breakpoints: tuple[Breakpoint, ...] = ()
    problem: str = ""
    fault: DeviceFault | None = None
    result: object = None
    error: BaseException | None = None


class StoppedThread(Enum):
    """What a hardware thread of the stopped work-group does."""

    STOPPED = "stopped here"
    WAITING = "waits at a barrier"
    SPINNING = "gives way in a loop"
    NOT_STARTED = "has not started"
    ENDED = "has ended"
