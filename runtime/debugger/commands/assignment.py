"""The command that changes registers and memory."""

from __future__ import annotations

import re

from runtime.debugger import registers
from runtime.debugger.commands.session import DebuggerSession
from runtime.debugger.errors import DebugError
from runtime.debugger.expressions import Expression
from runtime.debugger.values import NUMBERS
from xegpu.isa.model import BY_TEXT

_MEMORY = re.compile(r"\{([a-z]\w*)\}\s*(?:(global|slm|scratch):)?(.*)", re.DOTALL)
_ASSIGNMENT = re.compile(r"(.*?[^=!<>])=([^=].*)", re.DOTALL)


def set_value(session: DebuggerSession, arguments: str) -> None:
    """Sets a register, or elements of memory, to the value of an expression."""
    match = _ASSIGNMENT.fullmatch(arguments.strip())
    if match is None:
        raise DebugError("expected set REGISTER = EXPRESSION, or set {TYPE} ADDRESS = EXPRESSION")
    scope, target = session.state.scope, match[1].strip()
    value = Expression.parse(match[2]).value(scope)
    place = _MEMORY.fullmatch(target)
    if place is None:
        registers.write(target, scope.thread, value)
        session.state.registers_changed()
        return
    type = BY_TEXT.get(place[1])
    if type is None or type not in NUMBERS:
        raise DebugError(f"there is no type '{place[1]}'")
    address = Expression.parse(place[3]).number(scope)
    scope.memory.write(place[2] or "global", address, registers.elements(value, type, len(value)).tobytes())
