"""Waiting for a change of shared state, without a lock."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue

from runtime.concurrency.steps import step

FOREVER = (1 << 64) - 1
"""The time-out that never ends, in nanoseconds (Level Zero: UINT64_MAX)."""

_SPIN_NS = 200_000
"""The last part of a time-out is waited for in short sleeps, as the system may wake a thread late."""

_LOOK_NS = 100_000_000
"""The longest sleep. Who changes something wakes those that wait; if a signal interrupts it right before, they find the
change by themselves.
"""

_NEVER = float("inf")

Inbox = SimpleQueue[object]
"""A queue at which a thread sleeps until another one puts any object into it."""


class Waiters:
    """The threads that wait for the state of a machine to change."""

    def __init__(self) -> None:
        self._inboxes: dict[Inbox, None] = {}

    def notify(self) -> None:
        """Wakes the threads that wait: something has changed."""
        if self._inboxes:
            for inbox in self._take({}):
                inbox.put(None)

    @step
    def _take(self, fresh: dict[Inbox, None]) -> dict[Inbox, None]:
        taken = self._inboxes
        self._inboxes = fresh
        return taken

    def register(self, inbox: Inbox) -> None:
        """Has the next change put something into an inbox, unless `withdraw` comes first."""
        self._inboxes[inbox] = None

    def withdraw(self, inbox: Inbox) -> None:
        """Takes back `register`."""
        self._inboxes.pop(inbox, None)

    def wait(self, ready: Callable[[], bool], timeout: int) -> bool:
        """Waits at most `timeout` nanoseconds until `ready()`, and returns whether it is.

        Zero asks once, `FOREVER` waits without end.
        """
        if ready():
            return True
        if not timeout:
            return False
        deadline = _NEVER if timeout >= FOREVER else time.monotonic_ns() + timeout
        inbox: Inbox = SimpleQueue()
        try:
            while True:
                self.register(inbox)
                if ready():
                    return True
                remaining = min(deadline - time.monotonic_ns(), _LOOK_NS + _SPIN_NS)
                if remaining <= 0:
                    return False
                sleep(inbox, max(remaining - _SPIN_NS, 0) * 1e-9)
        finally:
            self.withdraw(inbox)


def sleep(inbox: Inbox, seconds: float) -> None:
    """Waits until something is in an inbox, at most `seconds`, and empties it."""
    try:
        inbox.get(timeout=min(seconds, threading.TIMEOUT_MAX))
        while True:
            inbox.get_nowait()
    except Empty:
        return
