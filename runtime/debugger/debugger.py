"""The debugger: runs a launch on a thread of its own, and stops it at breakpoints and steps."""

from __future__ import annotations

from collections.abc import Callable

from runtime.concurrency import LockRank, ranked_lock
from runtime.debugger.breakpoints import Breakpoint, Breakpoints
from runtime.debugger.errors import DebugError
from runtime.debugger.expressions import ExpressionScope
from runtime.debugger.state import LaunchState
from runtime.debugger.stops import Stop, StopReason
from runtime.debugger.turns import LaunchTurns
from runtime.simulator import DeviceFault
from runtime.simulator.interpreter import Execution, Observer
from xegpu.isa.model import Dim3

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

    Attributes:
        breakpoints: All breakpoints, by number.
        state: The stopped kernel, its work-group and the selected thread.
        stop: The current stop; None before the first one, and while the launch runs.
    """

    def __init__(self) -> None:
        self.breakpoints = Breakpoints()
        self.state = LaunchState()
        self.stop: Stop | None = None
        self._turns = LaunchTurns()
        self._serial = ranked_lock(LockRank.DEBUGGED_LAUNCH)
        self._is_interrupted = self._is_at_entry = False
        self._plan: _Plan | None = None
        self._focus: tuple[Dim3, int] | None = None
        """Work-group and number of the thread that stopped last."""

    def __enter__(self) -> Debugger:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add_breakpoint(self, location: str, condition: str = "", *, temporary: bool = False) -> Breakpoint:
        """Adds a breakpoint at location `location` (`breakpoints.instructions_at`), with `condition` (`Expression`).

        Raises `DebugError` for a location that the stopped kernel does not have.
        """
        return self.breakpoints.add(location, condition, temporary=temporary)

    @property
    def scope(self) -> ExpressionScope:
        """The selected thread, for `Expression.value` and the like."""
        return self.state.scope

    # The thread of the debugger's user

    def run(self, launch: Callable[[], object]) -> Stop:
        """Starts `launch`, which must run one or more kernels on a device that this debugger observes.

        Stops before the first instruction. A previous launch that has not ended is abandoned.
        """
        self.close()
        self._is_interrupted, self._is_at_entry, self._plan = False, True, None
        self._turns.start(launch)
        return self._wait()

    def resume(self) -> Stop:
        """Continues to the next breakpoint, a fault or the end."""
        return self._go(None)

    def step_instruction(self, *, over_calls: bool = False) -> Stop:
        """Executes one instruction of the thread; with `over_calls`, a call includes the whole subroutine."""
        depth = self.state.depth
        return self._go(lambda execution, index: not over_calls or self.state.depth <= depth)

    def step_line(self, *, over_calls: bool = False) -> Stop:
        """Continues to code of another source line in the thread; one instruction where no source is known."""
        state = self.state
        here, depth = state.listing.location(state.execution.thread.index), state.depth
        if here is None:
            return self.step_instruction(over_calls=over_calls)
        start = here.file, here.line

        def is_elsewhere(execution: Execution, index: int) -> bool:
            source = state.listing.location(index)
            is_other = source is not None and (source.file, source.line) != start
            return is_other and (not over_calls or state.depth <= depth)

        return self._go(is_elsewhere)

    def finish(self) -> Stop:
        """Continues until the subroutine returns, or outside of one until the thread has ended."""
        depth = self.state.depth
        return self._go(lambda execution, index: self.state.depth < depth)

    def detach(self) -> Stop | None:
        """Removes all breakpoints and continues to the end."""
        for number in list(self.breakpoints):
            self.breakpoints.remove(number)
        stop = self.stop
        while stop is not None and stop.reason is not StopReason.END:
            stop = self.resume()
        return stop

    def interrupt(self) -> None:
        """Stops a running launch at its next instruction. May be called from any host thread."""
        self._is_interrupted = True

    def close(self) -> None:
        """Abandons the launch if it has not ended."""
        self._turns.abandon()
        self.stop = None

    def _go(self, plan: _Plan | None) -> Stop:
        stop = self.stop
        if stop is None or stop.reason is StopReason.END or self.state.running is None:
            raise DebugError("no kernel is running")
        focus = self._focus

        def for_thread(running: Execution, index: int) -> bool:
            return (running.group, running.thread.number) == focus and plan is not None and plan(running, index)

        self._plan = None if plan is None else for_thread
        self.stop = None
        self.state.select_current(None)
        self._turns.go_on()
        return self._wait()

    def _wait(self) -> Stop:
        try:
            self.stop = self._turns.next_stop()
        except KeyboardInterrupt:
            self.interrupt()
            self.stop = self._turns.next_stop()
        return self.stop

    # The thread of the launch

    def launch_started(self, execution: Execution) -> None:
        self._serial.acquire()  # only one launch at a time is debugged, others wait
        self.state.launch_started(execution)
        self.breakpoints.bind(self.state.listing)

    def launch_ended(self, execution: Execution) -> None:
        self.state.launch_ended(execution)
        self.breakpoints.bind(None)
        self._serial.release()

    def group_started(self, execution: Execution) -> None:
        self.state.group_started(execution)

    def thread_started(self, execution: Execution) -> None:
        self.state.thread_started(execution)

    def thread_ended(self, execution: Execution) -> None:
        if self._plan is not None and self._focus == (execution.group, execution.thread.number):
            self._plan = _anywhere

    def before(self, execution: Execution, index: int) -> None:
        self._turns.require_interest()
        self.state.before(execution, index)
        if self._is_at_entry:
            self._is_at_entry = False
            self._pause(execution, StopReason.ENTRY)
            return
        hit, problem = self.breakpoints.hit(ExpressionScope.of(execution, execution.thread), index)
        if hit:
            self._pause(execution, StopReason.BREAKPOINT, hit, problem)
        elif self._is_interrupted:
            self._pause(execution, StopReason.INTERRUPT)
        elif self._plan is not None and self._plan(execution, index):
            self._pause(execution, StopReason.STEP)

    def after(self, execution: Execution, index: int) -> None:
        self.state.after(execution, index)

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
        self._plan, self._is_interrupted = None, False
        self.state.select_current(execution)
        self._focus = execution.group, thread.number
        offset = execution.executable.program.offsets[thread.index]
        source = execution.executable.description.lines.at(offset)
        where = execution.group, thread.number, thread.index, offset, source
        self._turns.stop(Stop(reason, *where, breakpoints, problem, fault))


def _anywhere(execution: Execution, index: int) -> bool:
    return True
