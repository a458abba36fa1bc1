"""The commands of the debugger, with the names that they have in gdb."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from runtime.debugger.breakpoints import LOCATIONS
from runtime.debugger.commands import inspection
from runtime.debugger.commands.assignment import set_value
from runtime.debugger.commands.session import DebuggerSession, count
from runtime.debugger.expressions import VARIABLES
from runtime.debugger.spaces import SPACES
from runtime.debugger.stops import Stop, StopReason

_MOST_STEPS = 1_000_000
_MOST_NUMBER = 1 << 31


@dataclass(frozen=True)
class DebuggerCommand:
    """A command: its abbreviation if it has one, its arguments, a description, and its function."""

    short: str
    arguments: str
    help: str
    run: Callable[[DebuggerSession, str], None]


def _start(session: DebuggerSession, arguments: str) -> None:
    session.show_stop(session.debugger.run(session.launch))


def _run(session: DebuggerSession, arguments: str) -> None:
    stop = session.debugger.run(session.launch)
    if stop.reason is not StopReason.END:
        stop = session.debugger.resume()
    session.show_stop(stop)


def _continue(session: DebuggerSession, arguments: str) -> None:
    session.show_stop(session.debugger.resume())


def _step(session: DebuggerSession, arguments: str) -> None:
    _repeat(session, arguments, session.debugger.step_line)


def _next(session: DebuggerSession, arguments: str) -> None:
    _repeat(session, arguments, lambda: session.debugger.step_line(over_calls=True))


def _step_instruction(session: DebuggerSession, arguments: str) -> None:
    _repeat(session, arguments, session.debugger.step_instruction)


def _next_instruction(session: DebuggerSession, arguments: str) -> None:
    _repeat(session, arguments, lambda: session.debugger.step_instruction(over_calls=True))


def _repeat(session: DebuggerSession, arguments: str, step: Callable[[], Stop]) -> None:
    """Repeats a step, until something else stops the launch."""
    left = count(arguments, 1, _MOST_STEPS)
    stop = step()
    while left > 1 and stop.reason is StopReason.STEP:
        stop = step()
        left -= 1
    session.show_stop(stop)


def _finish(session: DebuggerSession, arguments: str) -> None:
    session.show_stop(session.debugger.finish())


def _break(session: DebuggerSession, arguments: str) -> None:
    session.add_breakpoint(arguments)


def _break_once(session: DebuggerSession, arguments: str) -> None:
    session.add_breakpoint(arguments, temporary=True)


def _delete(session: DebuggerSession, arguments: str) -> None:
    for number in arguments.split() or map(str, list(session.breakpoints)):
        session.breakpoints.remove(count(number, 0, _MOST_NUMBER))


def _detach(session: DebuggerSession, arguments: str) -> None:
    stop = session.debugger.detach()
    if stop is not None:
        session.show_stop(stop)


COMMANDS: Mapping[str, DebuggerCommand] = {
    "start": DebuggerCommand(
        "", "", "restart the kernel with its initial arguments, and stop at its first instruction", _start
    ),
    "run": DebuggerCommand("r", "", "restart the kernel, and continue to a breakpoint, a fault or the end", _run),
    "continue": DebuggerCommand("c", "", "continue to a breakpoint, a fault or the end", _continue),
    "step": DebuggerCommand("s", "[COUNT]", "continue to another source line, also into subroutines", _step),
    "next": DebuggerCommand("n", "[COUNT]", "continue to another source line, over subroutines", _next),
    "stepi": DebuggerCommand("si", "[COUNT]", "execute one instruction", _step_instruction),
    "nexti": DebuggerCommand("ni", "[COUNT]", "execute one instruction, or a subroutine as a whole", _next_instruction),
    "finish": DebuggerCommand(
        "", "", "continue until the subroutine returns, or outside of one until the thread ends", _finish
    ),
    "break": DebuggerCommand(
        "b", "[LOCATION] [if CONDITION]", "set a breakpoint; the condition must be true for any lane", _break
    ),
    "tbreak": DebuggerCommand("tb", "[LOCATION] [if CONDITION]", "set a breakpoint for one stop", _break_once),
    "delete": DebuggerCommand("d", "[NUMBER ...]", "remove breakpoints, or all", _delete),
    "info": DebuggerCommand("i", "TOPIC", "show a topic", inspection.info),
    "thread": DebuggerCommand("t", "[NUMBER]", "select a subgroup of the work-group", inspection.thread),
    "backtrace": DebuggerCommand("bt", "", "show the call stack, innermost call first", inspection.backtrace),
    "print": DebuggerCommand("p", "[/x] EXPRESSION", "show the value of an expression", inspection.print_value),
    "x": DebuggerCommand("", "[/COUNTTYPE] ADDRESS", "show memory, as in x/8f a+64 or x/4ud slm:0", inspection.examine),
    "set": DebuggerCommand(
        "", "TARGET = EXPRESSION", "set a register, as in r5.3:f, or memory, as in {f} a+64", set_value
    ),
    "disassemble": DebuggerCommand(
        "disas", "[LOCATION | all]", "show instructions around the current one or a location", inspection.disassemble
    ),
    "detach": DebuggerCommand("", "", "end debugging, and let the program go on", _detach),
    "list": DebuggerCommand("l", "[LINE]", "show source around the current or another line", inspection.list_source),
}
"""All commands but `help` and `quit`, which the command loop handles."""

NAMES: Mapping[str, str] = {
    **{name: name for name in COMMANDS},
    **{command.short: name for name, command in COMMANDS.items() if command.short},
    "q": "quit",
    "quit": "quit",
    "h": "help",
    "help": "help",
}
"""Command names and abbreviations to whole names."""


def help_text() -> str:
    """Returns the list of commands, and the forms of their arguments."""
    rows = [
        (f"{name}{f' ({command.short})' if command.short else ''} {command.arguments}".rstrip(), command.help)
        for name, command in COMMANDS.items()
    ]
    rows += [("quit (q)", "abandon the launch and quit"), ("help (h)", "this page")]
    width = max(len(usage) for usage, _ in rows)
    return "\n".join(
        (
            *(f"{usage:{width}}  {text}" for usage, text in rows),
            "",
            f"TOPIC: {', '.join(inspection.TOPICS)};",
            "  'registers' may be followed by names of registers",
            f"LOCATION: {LOCATIONS}",
            "EXPRESSION and CONDITION: numbers, + - * / % & | ^ ~ << >>, comparisons, && || !, [], any() all() abs()",
            "min() max() sum(), names of arrays (their address), and",
            "  registers: r5 (dwords), r5:f, r5.3:f (one element), r13:4:bf (four registers), r2.0<8;8,1>:w (as lanes",
            "  read it), f0.1, a0, cr0, mask",
            *(f"  {name}: {meaning}" for name, (meaning, _) in VARIABLES.items()),
            "ADDRESS: an expression, optionally after the name of an address space:",
            *(f"  {name}: {meaning}" for name, meaning in SPACES.items()),
        )
    )
