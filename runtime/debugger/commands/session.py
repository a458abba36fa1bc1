"""Sessions: the state that the commands of the debugger share."""

from __future__ import annotations

from collections.abc import Callable

from runtime.debugger.breakpoints import Breakpoint
from runtime.debugger.control import KernelDebugger
from runtime.debugger.errors import DebugError
from runtime.debugger.stops import Stop, StopReason
from xegpu.isa.code import printable, source_lines


class DebuggerSession:
    """A debugger, its launch, and the output of its commands.

    `last` is the stop at which the launch was last resumed or stopped.
    """

    def __init__(self, debugger: KernelDebugger, launch: Callable[[], object], write: Callable[[str], object]):
        self.debugger, self.state, self.breakpoints = debugger, debugger.state, debugger.breakpoints
        self.launch = launch
        self.last: Stop | None = None
        self._write = write

    def print(self, text: str) -> None:
        """Writes a line; control characters are written as escape sequences."""
        self._write("\n".join(map(printable, text.split("\n"))) + "\n")

    def show_stop(self, stop: Stop) -> None:
        """Shows why and where the launch stopped."""
        before, self.last = self.last, stop
        if stop.reason is StopReason.END:
            was_told = before is not None and before.reason is StopReason.FAULT
            failure = "The launch has failed." if was_told else f"The launch has failed: {stop.error}"
            self.print((stop.note or "The launch has ended.") if stop.error is None else failure)
            return
        if stop.fault is not None:
            self.print(str(stop.fault))
        for breakpoint in stop.breakpoints:
            self.print(f"Breakpoint {breakpoint.number}, {breakpoint.location}")
        if stop.note:
            self.print(stop.note)
        if stop.problem:
            self.print(f"error: condition {stop.problem}")
        if stop.reason is StopReason.INTERRUPT:
            self.print("Interrupted.")
        self.show_location()

    def show_location(self) -> None:
        """Shows the location of the selected thread: work-group, subgroup, source line, instruction."""
        listing, thread = self.state.listing, self.state.thread
        location = listing.location(thread.index)
        where = f" at {location}" if location is not None else ""
        self.print(f"{listing.name}, work-group {self.state.execution.group}, subgroup {thread.number}{where}")
        if location is not None and 0 < location.line <= len(source_lines(location.file)):
            self.print(f"{location.line:>6}  {source_lines(location.file)[location.line - 1]}")
        for line in listing.lines(thread.index, thread.index, {thread.index: "=>"}):
            self.print(line)

    def add_breakpoint(self, arguments: str, *, temporary: bool = False) -> None:
        """Adds the breakpoint `[LOCATION] [if CONDITION]`; without a location, at the next instruction."""
        location, is_conditional, condition = f" {arguments} ".partition(" if ")
        if is_conditional and not condition.strip():
            raise DebugError("a condition is missing behind 'if'")
        location = location.strip() or f"#{self.state.thread.index}"
        breakpoint = self.breakpoints.add(location, condition.strip(), temporary=temporary)
        self.print(f"Breakpoint {self.breakpoint_text(breakpoint)}")

    def breakpoint_text(self, breakpoint: Breakpoint) -> str:
        """Formats a breakpoint, and the instructions at which it stops."""
        locations = []
        for index in sorted(self.breakpoints.instructions_of(breakpoint)):
            location = self.state.listing.location(index)
            locations.append(f"#{index}" if location is None else f"#{index} ({location})")
        return f"{breakpoint}, at {', '.join(locations)}" if locations else str(breakpoint)


def count(text: str, default: int, most: int) -> int:
    """Parses an integer argument of a command; raises `DebugError`."""
    text = text.strip()
    if not text:
        return default
    if not text.isdecimal() or len(text) > 10 or int(text) > most:
        raise DebugError(f"'{text[:40]}' is no number from 0 to {most}")
    return int(text)
