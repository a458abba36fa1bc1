"""A process that checks texts, so that no text can stop the server: its time and its memory are bounded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from xdsl.context import Context

from tools.bounded import BoundedProcess, ProcessEnded, TookTooLong
from tools.opt.inputs import split
from xegpu.diagnostics import CompileError, Diagnostic, Severity, SourceBuffer, handling
from xegpu.dialects import register_dialects
from xegpu.mlir import parse_module, verify

MAX_TEXT = 4 << 20
"""The characters of the longest text that is checked."""

_Checker = Callable[[SourceBuffer], Sequence[Diagnostic]]


class CheckingProcess:
    """Checks one text at a time, in a process that is replaced when a text takes it too long or ends it.

    Args:
        timeout: The seconds that one text may take.
        allow_unregistered: Whether operations of unknown dialects are accepted.
    """

    def __init__(self, timeout: float, *, allow_unregistered: bool) -> None:
        self._timeout = timeout
        self._process = BoundedProcess(partial(_prepared, allow_unregistered))

    def check(self, source: SourceBuffer) -> Sequence[Diagnostic]:
        """Returns the errors and warnings of a text, or the reason why it has not been checked."""
        if len(source.text) > MAX_TEXT:
            return [_unchecked(source, f"longer than {MAX_TEXT >> 20} Mi characters")]
        try:
            return self._process.ask(source, self._timeout)
        except TookTooLong:
            return [_unchecked(source, f"checking takes longer than {self._timeout:g} seconds (--timeout)")]
        except ProcessEnded:
            return [_unchecked(source, "the process that checks has ended")]

    def close(self) -> None:
        """Ends the process, and a check that is under way with it."""
        self._process.close()


def _unchecked(source: SourceBuffer, reason: str) -> Diagnostic:
    return Diagnostic(Severity.WARNING, f"not checked: {reason}", source.locate(0))


def _check(source: SourceBuffer, *, allow_unregistered: bool) -> Sequence[Diagnostic]:
    """Returns the errors and warnings of a text; its pieces between split markers are modules of their own."""
    found: dict[Diagnostic, None] = {}
    context = Context(allow_unregistered=allow_unregistered)
    register_dialects(context)

    def keep(diagnostic: Diagnostic) -> None:
        found[diagnostic] = None

    with handling(keep):
        for piece in split(source):
            try:
                verify(parse_module(context, piece))
            except CompileError as error:
                found.update(dict.fromkeys(error.diagnostics))
    return list(found)


def _prepared(allow_unregistered: bool) -> _Checker:
    """Loads the dialects, and returns the function that checks with them."""
    checker = partial(_check, allow_unregistered=allow_unregistered)
    checker(SourceBuffer("", ""))
    return checker
