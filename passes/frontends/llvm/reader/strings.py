"""Finds the constant strings that pointers stand for."""

from __future__ import annotations

from passes.frontends.llvm.reader.module import Module
from passes.frontends.llvm.reader.values import Constant, Expression, Global, Value, constant_value


def string_at(module: Module, pointer: Value) -> str | None:
    """Returns the string at which a pointer starts; None if it is no constant of the module."""
    if isinstance(pointer, Constant) and pointer.value is None:
        return "(null)"
    start = 0
    while isinstance(pointer, Expression):
        offsets = [constant_value(index) for index in pointer.operands[1:]]
        if any(offset is None for offset in offsets):
            return None
        start += offsets[-1] or 0 if offsets else 0
        pointer = pointer.operands[0]
    variable = module.variables.get(pointer.name.strip('@"')) if isinstance(pointer, Global) else None
    if variable is None or not isinstance(variable.value, Constant):
        return None
    content = variable.value.value
    if content is None:
        return ""
    return content[start:].split(b"\0")[0].decode("utf-8", "replace") if isinstance(content, bytes) else None
