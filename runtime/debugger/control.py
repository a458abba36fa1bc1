"""The debuggers that commands work on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from runtime.debugger.breakpoints import KernelBreakpoints
from runtime.debugger.expressions import ExpressionScope
from runtime.debugger.listing import KernelListing
from runtime.debugger.stops import Stop, StoppedThread
from runtime.simulator.interpreter import Execution, Thread


class KernelState(Protocol):
    """The stopped kernel and its work-group, of which one thread is selected. What is not there raises `DebugError`."""

    @property
    def listing(self) -> KernelListing:
        """The code of the stopped kernel."""

    @property
    def scope(self) -> ExpressionScope:
        """The selected thread."""

    @property
    def thread(self) -> Thread:
        """The registers of the selected thread."""

    @property
    def execution(self) -> Execution:
        """The stopped launch."""

    def threads(self) -> list[StoppedThread]:
        """The states of the threads of the stopped work-group, by number."""

    def select(self, number: int) -> None:
        """Selects another thread of the stopped work-group."""

    def backtrace(self) -> list[int]:
        """Returns the call stack of the selected thread, innermost first."""

    def barriers(self) -> list[str]:
        """Describes the barriers of the work-group, a line each."""

    def registers_changed(self) -> None:
        """Makes values written into the registers of the selected thread take effect."""


class KernelDebugger(Protocol):
    """A debugger of kernels, in this process or in another. What cannot be done raises `DebugError`."""

    @property
    def breakpoints(self) -> KernelBreakpoints:
        """All breakpoints, by number."""

    @property
    def state(self) -> KernelState:
        """The stopped kernel."""

    def run(self, launch: Callable[[], object]) -> Stop:
        """Starts a launch, and stops before its first instruction."""

    def resume(self) -> Stop:
        """Continues to the next breakpoint, a fault or the end."""

    def step_instruction(self, *, over_calls: bool = False) -> Stop:
        """Executes one instruction of the thread."""

    def step_line(self, *, over_calls: bool = False) -> Stop:
        """Continues to code of another source line in the thread."""

    def finish(self) -> Stop:
        """Continues until the subroutine returns, or outside of one until the thread has ended."""

    def close(self) -> None:
        """Ends debugging."""

    def detach(self) -> Stop | None:
        """Ends debugging and lets the launch go on; returns its end, if that is waited for."""
