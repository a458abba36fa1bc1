"""Threads of the runtime, and latches that others wait for.

`threading.Thread` and `threading.Event` are Python code with locks inside: an interrupt at the wrong moment leaves them
locked. The functions of `_thread` are single calls.
"""

from __future__ import annotations

import _thread
import math
import sys
import time
from collections.abc import Callable

_LOOK_SECONDS = 0.1
"""The longest sleep of a thread that waits for a latch."""


def start_thread(work: Callable[[], None]) -> None:
    """Starts a daemon thread.

    Raises:
        RuntimeError: The system has no more threads.
    """
    _thread.start_new_thread(work, ())


def can_start_threads() -> bool:
    """Returns whether new threads run: when the interpreter ends, they wait for ever."""
    return not sys.is_finalizing()


class Latch:
    """Something that happens once, and that threads can wait for."""

    __slots__ = ("_closed", "_is_open")

    def __init__(self) -> None:
        self._is_open = False
        self._closed = _thread.allocate_lock()
        self._closed.acquire()

    def open(self) -> None:
        """Lets all that wait go on. May be called once."""
        self._is_open = True
        self._closed.release()

    def wait(self, seconds: float | None = None) -> bool:
        """Waits at most `seconds`; returns whether the latch is open."""
        end = math.inf if seconds is None else time.monotonic() + seconds
        while not self._is_open:
            remaining = end - time.monotonic()
            if remaining <= 0:
                return False
            # The lock only wakes: an interrupt may come between these two calls and leave it locked.
            if self._closed.acquire(timeout=min(remaining, _LOOK_SECONDS)):
                self._closed.release()
        return True
