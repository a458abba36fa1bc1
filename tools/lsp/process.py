"""A process that checks texts, so that no text can stop the server: its time and its memory are bounded."""

from __future__ import annotations

import os
import resource
import threading
from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from tools.lsp.checking import check
from xegpu.diagnostics import Diagnostic, Severity, SourceBuffer

MAX_TEXT = 4 << 20
"""The characters of the longest text that is checked."""

_MAX_MEMORY = 4 << 30
"""The bytes of address space that the process gets."""

_START_SECONDS = 60
"""The time that a new process may take to load the dialects, on a busy machine."""


class CheckingProcess:
    """Checks one text at a time, in a process that is replaced when a text takes it too long or ends it.

    Args:
        timeout: The seconds that one text may take.
        allow_unregistered: Whether operations of unknown dialects are accepted.
    """

    def __init__(self, timeout: float, *, allow_unregistered: bool) -> None:
        self._timeout = timeout
        self._allow_unregistered = allow_unregistered
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._closed = threading.Event()

    def check(self, source: SourceBuffer) -> Sequence[Diagnostic]:
        """Returns the errors and warnings of a text, or the reason why it has not been checked."""
        if len(source.text) > MAX_TEXT:
            return [_unchecked(source, f"longer than {MAX_TEXT >> 20} Mi characters")]
        try:
            pipe = self._started()
            pipe.send(source)
            if not pipe.poll(self._timeout):
                self._end()
                return [_unchecked(source, f"checking takes longer than {self._timeout:g} seconds (--timeout)")]
            found: Sequence[Diagnostic] = pipe.recv()
        except (EOFError, OSError):
            self._end()
            return [_unchecked(source, "the process that checks has ended")]
        return found

    def close(self) -> None:
        """Ends the process, and a check that is under way with it."""
        self._closed.set()
        process = self._process
        if process is not None:
            process.kill()

    def _started(self) -> Connection:
        if self._closed.is_set():
            raise EOFError
        if self._pipe is None:
            context = get_context("spawn")
            pipe, far_end = context.Pipe()
            self._process = context.Process(target=_serve, args=(far_end, self._allow_unregistered), daemon=True)
            self._process.start()
            far_end.close()
            self._pipe = pipe
            if not pipe.poll(_START_SECONDS):
                raise EOFError
            pipe.recv()
        return self._pipe

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None


def _unchecked(source: SourceBuffer, reason: str) -> Diagnostic:
    return Diagnostic(Severity.WARNING, f"not checked: {reason}", source.locate(0))


def _serve(pipe: Connection, allow_unregistered: bool) -> None:
    """Checks the texts that arrive until the pipe closes."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)  # what the parent writes there is the protocol
    resource.setrlimit(resource.RLIMIT_AS, (_MAX_MEMORY, _MAX_MEMORY))
    check(SourceBuffer("", ""), allow_unregistered=allow_unregistered)
    pipe.send(())
    while True:
        try:
            source = pipe.recv()
        except EOFError:
            return
        pipe.send(check(source, allow_unregistered=allow_unregistered))
