"""Assembly text as input of `xe-asm`, and the errors in it."""

from __future__ import annotations

from tools.cli import CommandError, ReportedError
from xegpu.isa import AssemblyError


def decoded(name: str, data: bytes) -> str:
    """Returns the text of a file. Raises `CommandError` if it is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise CommandError("not UTF-8 text (-d disassembles)", f"{name}:{line}:{column}") from None


def reported(name: str, error: AssemblyError) -> ReportedError:
    """Returns the report of an error and of those behind it."""
    errors = (error, *error.others)
    return ReportedError("\n".join(f"{name}:{e.line}:{e.column}: error: {e.message}" for e in errors))
