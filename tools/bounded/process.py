"""A process that answers requests, so that no request can stop the program that serves it."""

from __future__ import annotations

import fcntl
import os
import resource
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

from xegpu.python_children import safe_path

Q = TypeVar("Q")
A = TypeVar("A")

_START_SECONDS = 60
"""The time that a new process may take to load what it needs, on a busy machine."""


class ProcessEnded(Exception):
    """The process has ended instead of answering, or has been closed."""


class TookTooLong(Exception):
    """The process has not answered in time, and has been ended for it."""


@dataclass(frozen=True)
class ProcessLimits:
    """The bytes that a process may have.

    Attributes:
        memory: Its address space.
        files: The size of each file that it writes; None for no limit.
    """

    memory: int = 4 << 30
    files: int | None = None


class BoundedProcess(Generic[Q, A]):
    """Answers one request at a time, in a process that is replaced when a request takes it too long or ends it.

    Args:
        prepare: Loads what answers need, in the new process, and returns the function that answers.
        limits: The memory that the process gets.
    """

    def __init__(self, prepare: Callable[[], Callable[[Q], A]], limits: ProcessLimits | None = None) -> None:
        self._prepare = prepare
        self._limits = limits or ProcessLimits()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._lifeline: Connection | None = None
        self._closed = threading.Event()

    def start(self) -> None:
        """Starts the process if there is none. Raises `ProcessEnded` if it does not come up."""
        self._started()

    def ask(self, request: Q, timeout: float) -> A:
        """Returns the answer to a request, for which the process gets `timeout` seconds.

        Raises:
            TookTooLong: There is no answer in time.
            ProcessEnded: The process has ended.
        """
        try:
            pipe = self._started()
            pipe.send(request)
            if not pipe.poll(timeout):
                self._end()
                raise TookTooLong
            answer: A = pipe.recv()
        except (EOFError, OSError):
            self._end()
            raise ProcessEnded from None
        return answer

    def close(self) -> None:
        """Ends the process, and a request that is under way with it."""
        self._closed.set()
        if self._process is not None:
            _kill(self._process)

    def _started(self) -> Connection:
        if self._closed.is_set():
            raise ProcessEnded
        if self._pipe is None:
            context = get_context("spawn")
            pipe, far_end = context.Pipe()
            watched, lifeline = context.Pipe(duplex=False)
            self._process = context.Process(
                target=_serve, args=(far_end, watched, self._prepare, self._limits), daemon=True
            )
            with safe_path():
                self._process.start()
            far_end.close()
            watched.close()
            self._pipe, self._lifeline = pipe, lifeline
            try:
                if not pipe.poll(_START_SECONDS):
                    raise EOFError
                pipe.recv()
            except (EOFError, OSError):
                self._end()
                raise ProcessEnded from None
        return self._pipe

    def _end(self) -> None:
        if self._process is not None:
            _kill(self._process)
            self._process.join()
        for end in (self._pipe, self._lifeline):
            if end is not None:
                end.close()
        self._process = self._pipe = self._lifeline = None


def _kill(process: BaseProcess) -> None:
    """Ends a process and those that it has started, which are in its session."""
    if process.pid is not None:
        with suppress(ProcessLookupError):
            if os.getpgid(process.pid) == process.pid:
                os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _end_with(lifeline: Connection) -> None:
    """Lets the kernel end this process and those that it starts as soon as the other end of a pipe closes.

    The other end closes with the process that holds it, however that ends, and a process that computes does not look.
    """
    fcntl.fcntl(lifeline, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(lifeline, fcntl.F_SETFL, fcntl.fcntl(lifeline, fcntl.F_GETFL) | os.O_ASYNC)
    if lifeline.poll():  # it has closed before the kernel was asked
        os.killpg(0, signal.SIGKILL)


def _serve(
    pipe: Connection, lifeline: Connection, prepare: Callable[[], Callable[[Q], A]], limits: ProcessLimits
) -> None:
    """Answers the requests that arrive until the pipe closes."""
    os.setsid()
    _end_with(lifeline)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)  # what the parent writes there may be a protocol
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if limits.files is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limits.files, limits.files))
    answer = prepare()
    pipe.send(())
    while True:
        try:
            request = pipe.recv()
        except EOFError:
            return
        pipe.send(answer(request))
