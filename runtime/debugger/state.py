"""The state of a launch in this process, as the events of the interpreter tell it."""

from __future__ import annotations

from runtime.debugger.errors import DebugError
from runtime.debugger.expressions import ExpressionScope
from runtime.debugger.listing import KernelListing
from runtime.debugger.stops import StoppedThread
from runtime.simulator.interpreter import Execution, Observer, Thread


class LaunchState(Observer):
    """The stopped kernel and its work-group, of which one thread is selected for inspection.

    Attributes:
        running: The launch that is executed, if there is one.
    """

    def __init__(self) -> None:
        self.running: Execution | None = None
        self._listing: KernelListing | None = None
        self._selected: Thread | None = None
        self._calls: dict[int, list[int]] = {}
        """Calls that have not returned, by thread of the work-group."""
        self._is_taken = False
        """True if the current call or return is taken."""
        self._started = -1

    @property
    def listing(self) -> KernelListing:
        """The code of the stopped kernel."""
        if self._listing is None:
            raise DebugError("no kernel is running")
        return self._listing

    @property
    def scope(self) -> ExpressionScope:
        """The selected thread, for `Expression.value` and the like."""
        if self.running is None or self._selected is None:
            raise DebugError("no kernel is running")
        return ExpressionScope.of(self.running, self._selected)

    @property
    def thread(self) -> Thread:
        """The architecture state of the selected thread: the one that stopped, unless another one was selected."""
        return self.scope.thread

    @property
    def execution(self) -> Execution:
        """The stopped launch."""
        return self.scope.execution

    @property
    def depth(self) -> int:
        """The number of subroutines that the thread is in that has stopped, or runs."""
        return 0 if self.running is None else len(self._calls.get(self.running.thread.number, []))

    def threads(self) -> list[StoppedThread]:
        """The states of the threads of the stopped work-group, by number."""
        execution = self.execution
        states = []
        for number in range(execution.threads):
            if number == execution.thread.number:
                states.append(StoppedThread.STOPPED)
            elif number in execution.waiting:
                waits = execution.waiting[number].waits_for is not None
                states.append(StoppedThread.WAITING if waits else StoppedThread.SPINNING)
            else:
                states.append(StoppedThread.NOT_STARTED if number > self._started else StoppedThread.ENDED)
        return states

    def select(self, number: int) -> None:
        """Selects another thread of the stopped work-group for inspection. It must have started."""
        states, execution = self.threads(), self.execution
        if not 0 <= number < len(states):
            raise DebugError(f"there is no thread {number}, the work-group has {len(states)}")
        if states[number] in (StoppedThread.NOT_STARTED, StoppedThread.ENDED):
            raise DebugError(f"thread {number} {states[number].value}")
        if states[number] is StoppedThread.STOPPED:
            self._selected = execution.thread
            return
        thread = Thread(execution.executable.description)
        thread.resume(execution.waiting[number])
        thread.number = number
        thread.slm, thread.memory, thread.barriers = (
            execution.thread.slm,
            execution.thread.memory,
            execution.thread.barriers,
        )
        self._selected = thread

    def select_current(self, execution: Execution | None) -> None:
        """Selects the thread that stops; none when the launch goes on."""
        self._selected = None if execution is None else execution.thread

    def backtrace(self) -> list[int]:
        """Returns the call stack of the selected thread, innermost first: the next instruction, then the calls."""
        thread = self.thread
        return [thread.index, *reversed(self._calls.get(thread.number, []))]

    def barriers(self) -> list[str]:
        """Describes the barriers of the work-group, a line each."""
        return [
            f"barrier {number}: {state.arrived_producers} of {state.producers} producers and "
            f"{state.arrived_consumers} of {state.consumers} consumers have arrived, fired {state.fired} times"
            for number, state in enumerate(self.thread.barriers.states)
        ]

    def registers_changed(self) -> None:
        """Makes values written to registers of the selected thread, which must be the one that stopped, take effect."""
        if self.thread is not self.execution.thread:
            raise DebugError("only registers of the thread that has stopped are changed, not of one that waits")

    def launch_started(self, execution: Execution) -> None:
        self.running, self._listing = execution, KernelListing(execution.executable)

    def launch_ended(self, execution: Execution) -> None:
        self.running = self._listing = self._selected = None
        self._calls.clear()

    def group_started(self, execution: Execution) -> None:
        self._calls.clear()
        self._started = -1

    def thread_started(self, execution: Execution) -> None:
        self._started = execution.thread.number

    def before(self, execution: Execution, index: int) -> None:
        instruction = execution.executable.program.instructions[index]
        if instruction.spec.flow.calls or instruction.spec.flow.returns:
            self._is_taken = bool(execution.thread.predicate(instruction, 1))

    def after(self, execution: Execution, index: int) -> None:
        flow = execution.executable.program.instructions[index].spec.flow
        if flow.calls and self._is_taken:
            self._calls.setdefault(execution.thread.number, []).append(index)
        elif flow.returns and self._is_taken and self.depth:
            self._calls[execution.thread.number].pop()
