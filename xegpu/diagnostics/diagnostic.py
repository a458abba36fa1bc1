"""Messages about a program: the error, its location, and notes on related locations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException, PassFailedException, ShrinkException

from xegpu.diagnostics.source import SourceLocation, location_of, resolve, written_name

Where = Operation | LocationAttr | SourceLocation | None


XDSL_FAILURES = (Exception,)
"""The exceptions that xDSL raises for unexpected input: assertions, look-ups, and `Exception` itself (the verifiers of
its memref dialect raise that), so nothing narrower covers it. Only calls into xDSL are guarded with it.
"""


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"
    REMARK = "remark"
    NOTE = "note"


@dataclass(frozen=True)
class Diagnostic:
    """One message, with notes that belong to it."""

    severity: Severity
    message: str
    location: SourceLocation | None = None
    notes: tuple[Diagnostic, ...] = ()

    def __str__(self) -> str:
        text = f"{self.severity.value}: {self.message}"
        return _escaped(text if self.location is None else f"{self.location}: {text}")


def diagnose(severity: Severity, where: Where, message: str, notes: Sequence[Diagnostic] = ()) -> Diagnostic:
    """A message about a source location, or an op, whose name then leads it.

    An op that passes have made stands behind the one that the user has written.
    """
    location: SourceLocation | None
    if isinstance(where, Operation):
        location = location_of(where)
        written = written_name(where)
        names = f"'{where.name}' op" if written in (None, where.name) else f"'{written}' op (as '{where.name}')"
        message = f"{names} {message}"
    elif where is None or isinstance(where, SourceLocation):
        location = where
    else:
        location = resolve(where)
    return Diagnostic(severity, message, location, tuple(notes))


def note(where: Where, message: str) -> Diagnostic:
    """A note at an op or source location; the op's name is not repeated."""
    location = location_of(where) if isinstance(where, Operation) else where
    return diagnose(Severity.NOTE, location, message)


class CompileError(PassFailedException):
    """The program is wrong or cannot be compiled.

    Passes raise it with the op that they refuse: `raise CompileError(op, "needs a static shape")`. `diagnostics` are
    the messages for the user, the first of which is the error itself.
    """

    diagnostics: tuple[Diagnostic, ...]

    def __init__(self, where: Where, message: str, notes: Sequence[Diagnostic] = ()):
        self.diagnostics = (diagnose(Severity.ERROR, where, message, notes),)
        super().__init__(str(self.diagnostics[0]))

    @staticmethod
    def of(diagnostics: Sequence[Diagnostic]) -> CompileError:
        """An error that carries several messages; at least one."""
        error = CompileError(diagnostics[0].location, diagnostics[0].message, diagnostics[0].notes)
        error.diagnostics = tuple(diagnostics)
        return error


@contextmanager
def failing_as(what: str) -> Iterator[None]:
    """Turns any exception in the block into a `CompileError` that says where it happened."""
    try:
        yield
    except (CompileError, ShrinkException):
        raise
    except RecursionError:
        raise CompileError(None, f"{what} failed: the input is nested too deeply") from None
    except XDSL_FAILURES as error:
        reason = " ".join(str(error).split())
        if not isinstance(error, DiagnosticException):
            reason = f"{type(error).__name__}: {reason}"
        raise CompileError(None, f"{what} failed: {reason}") from error


class Handler(Protocol):
    """Takes messages that do not stop the compiler."""

    def __call__(self, diagnostic: Diagnostic, /) -> None: ...


def _ignore(_: Diagnostic, /) -> None:
    """Warnings reach only callers that ask for them."""


_handler: ContextVar[Handler] = ContextVar("diagnostic handler", default=_ignore)


@contextmanager
def handling(handler: Handler) -> Iterator[None]:
    """Within the block, warnings and remarks go to `handler`."""
    token = _handler.set(handler)
    try:
        yield
    finally:
        _handler.reset(token)


def report(diagnostic: Diagnostic) -> None:
    """Passes on a warning or remark."""
    _handler.get()(diagnostic)


def warn(where: Where, message: str) -> None:
    """Reports something that is legal but surely not meant."""
    report(diagnose(Severity.WARNING, where, message))


def remark(where: Where, message: str) -> None:
    """Reports a decision of the compiler that the user may want to know."""
    report(diagnose(Severity.REMARK, where, message))


def _escaped(text: str) -> str:
    """`text` with everything that a terminal would not show, or would obey, as an escape; line ends remain."""
    return text if text.isprintable() else "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character.isprintable() or character in "\n\t":
        return character
    return character.encode("unicode_escape").decode()
