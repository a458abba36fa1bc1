"""Commands of the debugger that show the state of the stopped launch."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from runtime.debugger import memory, registers
from runtime.debugger.breakpoints import instructions_at
from runtime.debugger.commands.session import DebuggerSession, count
from runtime.debugger.errors import DebugError
from runtime.debugger.expressions import Expression
from xegpu.isa import DataType
from xegpu.isa.code import source_lines
from xegpu.isa.model import BY_TEXT

_AROUND = 8
"""Instructions and source lines that are shown before and after the current one."""

_ROW_BYTES = 32
_MOST_NUMBER = 1 << 31

_EXAMINE = re.compile(r"(?:/(\d{1,6})?([a-z]\w*)?(?:\s|$))?\s*(?:(global|slm|scratch):)?(.*)", re.DOTALL)
_DEFAULT_COUNT = 8


def info(session: DebuggerSession, arguments: str) -> None:
    """Shows a topic, whose name may be abbreviated."""
    topic, _, rest = arguments.partition(" ")
    found = [name for name in TOPICS if topic and name.startswith(topic)]
    if len(found) != 1:
        raise DebugError(f"info takes one of {', '.join(TOPICS)}")
    TOPICS[found[0]](session, rest.split())


def _registers(session: DebuggerSession, names: list[str]) -> None:
    thread, listing = session.state.thread, session.state.listing
    if names:
        for name in names:
            session.print(f"{name} = {registers.read(name, thread).text()}")
        return
    offset = listing.program.offsets[thread.index]
    session.print(f"next instruction #{thread.index} at {offset:#x}, mask {thread.mask:#010x}")
    _flags(session, names)
    for name in ("a0", "cr0", "sr0"):
        session.print(f"{name} = {registers.read(name, thread).text()}")
    rows = thread.registers.reshape(-1, thread.target.platform.grf_bytes)
    for number in np.flatnonzero(rows.any(axis=1)).tolist():
        session.print(f"r{number} = {registers.read(f'r{number}', thread).text()}")
    session.print("All other registers are zero.")


def _flags(session: DebuggerSession, names: list[str]) -> None:
    for line in registers.flag_text(session.state.thread):
        session.print(line)


def _threads(session: DebuggerSession, names: list[str]) -> None:
    stopped = session.state
    execution, selected = stopped.execution, stopped.thread.number
    indices = {number: suspended.index for number, suspended in execution.waiting.items()}
    indices[execution.thread.number] = execution.thread.index
    for number, state in enumerate(stopped.threads()):
        waits_for = execution.waiting[number].waits_for if number in execution.waiting else None
        barrier = "" if waits_for is None else f" {waits_for}"
        where = f": #{indices[number]} {stopped.listing.text(indices[number])}" if number in indices else ""
        mark = "*" if number == selected else " "
        session.print(f"{mark} subgroup {number} of work-group {execution.group} {state.value}{barrier}{where}")


def _breakpoints(session: DebuggerSession, names: list[str]) -> None:
    for breakpoint in session.breakpoints.values():
        session.print(session.breakpoint_text(breakpoint))
    if not session.breakpoints:
        session.print("There are no breakpoints.")


def _memory(session: DebuggerSession, names: list[str]) -> None:
    for line in session.state.scope.memory.lines():
        session.print(line)


def _barriers(session: DebuggerSession, names: list[str]) -> None:
    lines = session.state.barriers()
    for line in lines:
        session.print(line)
    if not lines:
        session.print("The kernel has no barriers.")


def _kernel(session: DebuggerSession, names: list[str]) -> None:
    execution = session.state.execution
    description, dispatch = execution.executable.description, execution.dispatch
    target, instructions = description.target, session.state.listing.program.instructions
    session.print(
        f"{description.name} for {target.name}: {len(instructions)} instructions, "
        f"SIMD size {description.facts.simd_size}, "
        f"{description.facts.grf_count} registers of {target.platform.grf_bytes} bytes"
    )
    if dispatch is not None:
        session.print(f"grid {dispatch.group_count}, work-group {dispatch.local_size}")


def _line(session: DebuggerSession, names: list[str]) -> None:
    session.show_location()


TOPICS: Mapping[str, Callable[[DebuggerSession, list[str]], None]] = {
    "registers": _registers,
    "flags": _flags,
    "threads": _threads,
    "breakpoints": _breakpoints,
    "memory": _memory,
    "barriers": _barriers,
    "kernel": _kernel,
    "line": _line,
}
"""The topics of `info`."""


def thread(session: DebuggerSession, arguments: str) -> None:
    """Selects the thread to inspect, and shows its location."""
    if arguments:
        session.state.select(count(arguments, 0, _MOST_NUMBER))
    session.show_location()


def backtrace(session: DebuggerSession, arguments: str) -> None:
    """Shows the call stack of the thread, innermost first."""
    listing = session.state.listing
    for depth, index in enumerate(session.state.backtrace()):
        source = listing.location(index)
        session.print(f"{depth}  #{index} {listing.text(index)}{'' if source is None else f'  at {source}'}")


def print_value(session: DebuggerSession, arguments: str) -> None:
    """Shows the value of an expression, in hexadecimal after `/x`."""
    hexadecimal = arguments.startswith("/x")
    expression, scope = Expression.parse(arguments.removeprefix("/x")), session.state.scope
    operand = expression.operand(scope)
    if operand is not None:
        session.print(f"{expression} = {replace(operand, is_raw=operand.is_raw or hexadecimal).text()}")
        return
    value = expression.value(scope)
    # Booleans are integers in Python, but are not printed as numbers.
    texts = [hex(number) if hexadecimal and type(number) is int else str(number) for number in value]
    session.print(f"{expression} = {texts[0] if len(texts) == 1 else '[' + ' '.join(texts) + ']'}")


def examine(session: DebuggerSession, arguments: str) -> None:
    """Shows elements of memory, in rows; without a type as dwords in hexadecimal."""
    match = _EXAMINE.fullmatch(arguments)
    type = None if match is None else BY_TEXT.get(match[2] or DataType.UD.text)
    if match is None or type is None:
        raise DebugError(f"there is no type '{match[2]}'" if match else "expected x/COUNTTYPE ADDRESS")
    scope, space = session.state.scope, match[3] or "global"
    address = Expression.parse(match[4]).number(scope)
    values = memory.read(scope, space, address, int(match[1] or _DEFAULT_COUNT), type)
    texts, step = replace(values, is_raw=match[2] is None).texts(), max(_ROW_BYTES // type.size, 1)
    for first in range(0, len(texts), step):
        here = address + first * type.size
        session.print(f"{here:#x}{memory.relative_text(scope, space, here)}: {' '.join(texts[first : first + step])}")


def disassemble(session: DebuggerSession, arguments: str) -> None:
    """Shows instructions around the next one or a location, or all."""
    breakpoints, listing, here = session.breakpoints, session.state.listing, session.state.thread.index
    marks = {index: "b" for point in breakpoints.values() for index in breakpoints.instructions_of(point)}
    marks[here] = "=>"
    first, last = 0, len(listing.program.instructions)
    if arguments != "all":
        centre = min(instructions_at(arguments, listing)) if arguments else here
        first, last = centre - _AROUND, centre + _AROUND
    for line in listing.lines(first, last, marks):
        session.print(line)


def list_source(session: DebuggerSession, arguments: str) -> None:
    """Shows source lines around the current one or another one."""
    source = session.state.listing.location(session.state.thread.index)
    if source is None:
        raise DebugError("the source of this instruction is not known")
    lines = source_lines(source.file)
    if not lines:
        raise DebugError(f"{source.file} cannot be read")
    centre = count(arguments, source.line, len(lines))
    for number in range(max(centre - _AROUND, 1), min(centre + _AROUND, len(lines)) + 1):
        session.print(f"{'=>' if number == source.line else '':2} {number:>5}  {lines[number - 1]}")
