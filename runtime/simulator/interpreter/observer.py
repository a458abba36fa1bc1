"""Observers of the interpreter: the events of a launch, and the state that is visible at each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from runtime.simulator.execution.engine import Executable
from runtime.simulator.interpreter.threads.thread import Suspended, Thread
from runtime.simulator.launch.dispatch import Dispatch
from runtime.simulator.launch.faults import DeviceFault
from runtime.simulator.memory import Memory
from xegpu.isa.model import Dim3


@dataclass(eq=False)
class Execution:
    """One launch while it runs; the same object at all events of the launch.

    `thread` holds the state of the current hardware thread, number `thread.number` of the `threads` of work-group
    `group`. All threads use this one object in turn; those that wait at barriers, or have yielded in a loop that may
    spin, are kept in `waiting`, by number. All others of the group with lower numbers than the highest one that ran
    have ended. `dispatch` is None when a single thread is run from a given state. Reports call the first thread of the
    group `first_subgroup`.
    """

    executable: Executable
    dispatch: Dispatch | None
    memory: Memory
    thread: Thread
    group: Dim3 = (0, 0, 0)
    threads: int = 0
    first_subgroup: int = 0
    waiting: Mapping[int, Suspended] = field(default_factory=dict)


class Observer:
    """Receives the events of the interpreter, in this order; a method that is not overridden does nothing.

        launch_started
            group_started                       for each work-group, one after the other
                thread_started or thread_resumed
                    before, after               for each instruction
                thread_suspended or thread_ended
            group_ended
        launch_ended                            also after a fault

    Whatever a method raises ends the launch and reaches the caller. Launches of several host threads share an observer.
    """

    def launch_started(self, execution: Execution) -> None:
        """Called before the first work-group starts."""

    def launch_ended(self, execution: Execution) -> None:
        """Called when nothing of the launch runs any more."""

    def group_started(self, execution: Execution) -> None:
        """Called with new shared local memory and barriers, before a thread of the group has started."""

    def group_ended(self, execution: Execution) -> None:
        """Called when all threads of the group have ended."""

    def thread_started(self, execution: Execution) -> None:
        """Called with the payload in the registers."""

    def thread_resumed(self, execution: Execution) -> None:
        """Called when the thread runs again; perhaps only to find that it still has to wait."""

    def thread_suspended(self, execution: Execution) -> None:
        """Called when the thread has stopped before the instruction `thread.index`.

        It waits at a barrier, and `before` was called for that instruction; or it has yielded, and `before` was not
        called.
        """

    def thread_ended(self, execution: Execution) -> None:
        """Called when the thread has executed its last instruction."""

    def before(self, execution: Execution, index: int) -> None:
        """Called before instruction number `index` is executed; only once if it has to wait."""

    def after(self, execution: Execution, index: int) -> None:
        """Called when instruction number `index` was executed."""

    def faulted(self, execution: Execution, fault: DeviceFault) -> None:
        """Called when a fault stops the thread at the instruction `thread.index`; its state is as the fault left it."""
