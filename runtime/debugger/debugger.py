"""The debugger: runs a launch on a thread of its own, and stops it at breakpoints and steps."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from queue import SimpleQueue

from runtime.concurrency import LockRank, ranked_lock
from runtime.debugger.breakpoints import Breakpoint, Breakpoints, instructions_at
from runtime.debugger.errors import DebugError
from runtime.debugger.expressions import ExpressionScope
from runtime.debugger.listing import KernelListing
from runtime.debugger.stops import Stop, StoppedThread, StopReason
from runtime.simulator import DeviceFault
from runtime.simulator.interpreter import Execution, Observer, Thread
from xegpu.isa.model import Dim3


class LaunchAbandoned(Exception):
    """Raised in a launch that the debugger abandons."""


_Plan = Callable[[Execution, int], bool]
"""Decides whether to stop before an instruction."""


class Debugger(Observer):
    """Stops kernels at breakpoints, faults and steps, and shows their state.

        debugger = Debugger()
        kernel = Device("pvc", engine="interpreter", observers=[debugger]).load("gemm.zebin")["gemm"]
        with debugger:
            stop = debugger.run(lambda: kernel[(32, 16)](a, b, c))
            debugger.add_breakpoint("gemm.mlir:21", "group_x == 3")
            stop = debugger.resume()

    Methods that resume the launch return the next `Stop`; when the launch has ended, its reason is `END`. Between stops
    the state can be inspected, from the thread that uses the debugger. `KeyboardInterrupt` while a launch runs stops it
    at its next instruction. Invalid requests raise `DebugError`. Leaving the context abandons a launch that has not
    ended.
    """

    def __init__(self) -> None:
        self._breakpoints = Breakpoints()
        self.stop: Stop | None = None
        """The current stop; None before the first one, and while the launch runs."""
        self._stops: SimpleQueue[Stop] = SimpleQueue()
        self._going_on: SimpleQueue[None] = SimpleQueue()
        self._serial = ranked_lock(LockRank.DEBUGGED_LAUNCH)
        self._worker: threading.Thread | None = None
        self._is_given_up = self._is_interrupted = False
        self._plan: _Plan | None = None
        self._execution: Execution | None = None
        self._listing: KernelListing | None = None
        self._calls: dict[int, list[int]] = {}
        """Calls that have not returned, by thread of the work-group."""
        self._is_taken = False
        """Returns whether the current call or return is taken."""
        self._started = -1
        self._selected: Thread | None = None
        self._is_at_entry = False
        self._focus: tuple[Dim3, int] | None = None
        """Work-group and number of the thread that stopped last."""

    def __enter__(self) -> Debugger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Running

    def run(self, launch: Callable[[], object]) -> Stop:
        """Starts `launch`, which must run one or more kernels on a device that this debugger observes.

        Stops before the first instruction. A previous launch that has not ended is abandoned.
        """
        self.close()
        self._is_given_up = self._is_interrupted = False
        self._is_at_entry, self._plan = True, None
        future: Future[object] = Future()
        self._worker = threading.Thread(target=_execute, args=(launch, future), name="debugged launch", daemon=True)
        future.add_done_callback(self._ended)
        self._worker.start()
        return self._wait()

    def resume(self) -> Stop:
        """Continues to the next breakpoint, a fault or the end."""
        return self._go(None)

    def step_instruction(self, *, over_calls: bool = False) -> Stop:
        """Executes one instruction of the thread; with `over_calls`, a call includes the whole subroutine."""
        depth = self._depth
        return self._go(lambda execution, index: not over_calls or self._depth <= depth)

    def step_line(self, *, over_calls: bool = False) -> Stop:
        """Continues to code of another source line in the thread; one instruction where no source is known."""
        here, depth = self.listing.location(self._at()), self._depth
        if here is None:
            return self.step_instruction(over_calls=over_calls)
        start = here.file, here.line

        def is_elsewhere(execution: Execution, index: int) -> bool:
            source = self.listing.location(index)
            is_other = source is not None and (source.file, source.line) != start
            return is_other and (not over_calls or self._depth <= depth)

        return self._go(is_elsewhere)

    def finish(self) -> Stop:
        """Continues until the subroutine returns, or outside of one until the thread has ended."""
        depth = self._depth
        return self._go(lambda execution, index: self._depth < depth)

    def detach(self) -> Stop | None:
        """Removes all breakpoints and continues to the end."""
        for number in list(self._breakpoints):
            self._breakpoints.remove(number)
        stop = self.stop
        while stop is not None and stop.reason is not StopReason.END:
            stop = self.resume()
        return stop

    def interrupt(self) -> None:
        """Stops a running launch at its next instruction. May be called from any host thread."""
        self._is_interrupted = True

    def close(self) -> None:
        """Abandons the launch if it has not ended."""
        worker, self._worker = self._worker, None
        if worker is not None and worker.is_alive():
            self._is_given_up = True
            self._going_on.put(None)
            worker.join()
        self._stops, self._going_on = SimpleQueue(), SimpleQueue()
        self.stop = None

    # Breakpoints

    def add_breakpoint(self, location: str, condition: str = "", *, temporary: bool = False) -> Breakpoint:
        """Adds a breakpoint at location `location` (`breakpoints.instructions_at`), with `condition` (`Expression`).

        Raises `DebugError` for a location that the stopped kernel does not have.
        """
        return self._breakpoints.add(location, condition, temporary=temporary)

    def delete_breakpoint(self, number: int) -> None:
        """Removes a breakpoint."""
        self._breakpoints.remove(number)

    @property
    def breakpoints(self) -> Mapping[int, Breakpoint]:
        """All breakpoints, by number."""
        return self._breakpoints

    def instructions_of(self, breakpoint: Breakpoint) -> frozenset[int]:
        """Returns the instructions of the current kernel at which a breakpoint stops; none if it lacks the location."""
        return self._breakpoints.instructions_of(breakpoint)

    def instructions_at(self, location: str) -> frozenset[int]:
        """Returns the instructions of the stopped kernel at a location; raises `DebugError` if it lacks it."""
        return instructions_at(location, self.listing)

    # State

    @property
    def listing(self) -> KernelListing:
        """The code of the stopped kernel."""
        if self._listing is None:
            raise DebugError("no kernel is running")
        return self._listing

    @property
    def scope(self) -> ExpressionScope:
        """The selected thread, for `Expression.value` and the like."""
        if self._execution is None or self._selected is None:
            raise DebugError("no kernel is running")
        return ExpressionScope.of(self._execution, self._selected)

    @property
    def thread(self) -> Thread:
        """The architecture state of the selected thread: the one that stopped, unless another one was selected."""
        return self.scope.thread

    @property
    def execution(self) -> Execution:
        """The stopped launch."""
        return self.scope.execution

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

    def _at(self) -> int:
        return self.execution.thread.index

    @property
    def _depth(self) -> int:
        """Returns the number of subroutines that the current thread is in."""
        execution = self._execution
        return 0 if execution is None else len(self._calls.get(execution.thread.number, []))

    # The thread of the debugger's user

    def _go(self, plan: _Plan | None) -> Stop:
        stop, execution = self.stop, self._execution
        if stop is None or stop.reason is StopReason.END or execution is None:
            raise DebugError("no kernel is running")
        focus = self._focus

        def for_thread(running: Execution, index: int) -> bool:
            return (running.group, running.thread.number) == focus and plan is not None and plan(running, index)

        self._plan = None if plan is None else for_thread
        self.stop = self._selected = None
        self._going_on.put(None)
        return self._wait()

    def _wait(self) -> Stop:
        try:
            self.stop = self._stops.get()
        except KeyboardInterrupt:
            self.interrupt()
            self.stop = self._stops.get()
        return self.stop

    # The thread of the launch

    def launch_started(self, execution: Execution) -> None:
        self._serial.acquire()  # only one launch at a time is debugged, others wait
        self._execution, self._listing = execution, KernelListing(execution.executable)
        self._breakpoints.bind(self._listing)

    def launch_ended(self, execution: Execution) -> None:
        self._execution = self._listing = self._selected = None
        self._breakpoints.bind(None)
        self._calls.clear()
        self._serial.release()

    def group_started(self, execution: Execution) -> None:
        self._calls.clear()
        self._started = -1

    def thread_started(self, execution: Execution) -> None:
        self._started = execution.thread.number

    def thread_ended(self, execution: Execution) -> None:
        stop = self._plan
        if stop is not None and self._focus == (execution.group, execution.thread.number):
            self._plan = _anywhere

    def before(self, execution: Execution, index: int) -> None:
        if self._is_given_up:
            raise LaunchAbandoned("the debugger gave the launch up")
        instruction = execution.executable.program.instructions[index]
        if instruction.spec.flow.calls or instruction.spec.flow.returns:
            self._is_taken = bool(execution.thread.predicate(instruction, 1))
        if self._is_at_entry:
            self._is_at_entry = False
            self._pause(execution, StopReason.ENTRY)
            return
        hit, problem = self._breakpoints.hit(ExpressionScope.of(execution, execution.thread), index)
        if hit:
            self._pause(execution, StopReason.BREAKPOINT, hit, problem)
        elif self._is_interrupted:
            self._pause(execution, StopReason.INTERRUPT)
        elif self._plan is not None and self._plan(execution, index):
            self._pause(execution, StopReason.STEP)

    def after(self, execution: Execution, index: int) -> None:
        flow = execution.executable.program.instructions[index].spec.flow
        if flow.calls and self._is_taken:
            self._calls.setdefault(execution.thread.number, []).append(index)
        elif flow.returns and self._is_taken and self._depth:
            self._calls[execution.thread.number].pop()

    def faulted(self, execution: Execution, fault: DeviceFault) -> None:
        self._pause(execution, StopReason.FAULT, fault=fault)

    def _pause(
        self,
        execution: Execution,
        reason: StopReason,
        breakpoints: tuple[Breakpoint, ...] = (),
        problem: str = "",
        fault: DeviceFault | None = None,
    ) -> None:
        thread = execution.thread
        self._plan, self._is_interrupted, self._selected = None, False, thread
        self._focus = execution.group, thread.number
        offset = execution.executable.program.offsets[thread.index]
        source = execution.executable.description.lines.at(offset)
        where = execution.group, thread.number, thread.index, offset, source
        self._stops.put(Stop(reason, *where, breakpoints, problem, fault))
        self._going_on.get()
        if self._is_given_up:
            raise LaunchAbandoned("the debugger gave the launch up")

    def _ended(self, future: Future[object]) -> None:
        error = future.exception()
        self._stops.put(Stop(StopReason.END, result=None if error else future.result(), error=error))


def _anywhere(execution: Execution, index: int) -> bool:
    return True


def _execute(launch: Callable[[], object], future: Future[object]) -> None:
    try:
        result = launch()
    except BaseException as error:  # any exception belongs to the thread that uses the debugger
        future.set_exception(error)
    else:
        future.set_result(result)
