"""The machine behind a driver: device memory, the engine, and waiting with a time-out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from runtime.concurrency import FOREVER as FOREVER, Waiters, lazy, step

if TYPE_CHECKING:  # programs that are not debugged do not wait for it
    from runtime.debuggee import DebuggedProgram
    from runtime.simulator import Memory
    from runtime.simulator.profile import Profile


class ExecutingWork(Protocol):
    """Commands of which one executes."""

    @property
    def is_ending(self) -> bool:
        """True if nothing is left but to note the end."""


class Machine:
    """The simulated machine behind a driver.

    No lock guards it, nor any other state of the driver: state changes in steps (`runtime.concurrency`), which
    `notify` announces to those that wait. `executing` has the submissions of which a command executes; while there are
    `pauses`, no command begins.
    """

    def __init__(self, make_memory: Callable[[], Memory]) -> None:
        self._make_memory = make_memory
        self.executing: dict[ExecutingWork, None] = {}
        self.pauses: dict[object, None] = {}
        self.followers: dict[object, Callable[[], None]] = {}
        """The functions that are called after each change."""
        self.profiler: Callable[[Profile], None] | None = None
        """Takes the profile of each launch; without it, only launches whose time is asked for have one."""
        self.debugged: DebuggedProgram | None = None
        """The program as debuggers see it, if its environment makes it debuggable."""
        self._waiters = Waiters()

    @lazy
    def memory(self) -> Memory:
        """The memory of all devices, made when first needed, as listing devices needs none."""
        return self._make_memory()

    @step
    def enter(self, submission: ExecutingWork) -> bool:
        """Notes that a command of a submission starts; returns whether it may."""
        if self.pauses:
            return False
        self.executing[submission] = None
        return True

    def notify(self) -> None:
        """Wakes those that wait: something has changed."""
        if self.followers:
            for follow in tuple(self.followers.values()):
                follow()
        self._waiters.notify()

    def wait(self, ready: Callable[[], bool], timeout: int) -> bool:
        """Waits at most `timeout` nanoseconds until `ready()`, and returns whether it is.

        Zero asks once, `FOREVER` waits without end.
        """
        return self._waiters.wait(ready, timeout)
