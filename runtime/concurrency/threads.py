"""Threads of the runtime, and latches that others wait for.

`threading.Thread` and `threading.Event` are Python code with locks inside: an interrupt at the wrong moment leaves them
locked. The functions of `_thread` are single calls.
"""

from __future__ import annotations

import _thread
import sys
from collections.abc import Callable


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

    __slots__ = ("_closed",)

    def __init__(self) -> None:
        self._closed = _thread.allocate_lock()
        self._closed.acquire()

    def open(self) -> None:
        """Lets all that wait go on. May be called once."""
        self._closed.release()

    def wait(self, seconds: float | None = None) -> bool:
        """Waits at most `seconds`; returns whether the latch is open."""
        if not self._closed.acquire(timeout=-1 if seconds is None else max(seconds, 0)):
            return False
        self._closed.release()
        return True
