"""The lock of a card's file, which threads and processes take to change settings or to become users.

The system releases the lock of a process that ends, however it ends.
"""

from __future__ import annotations

import fcntl
import os
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager

from runtime.concurrency import LockRank, ranked_lock

_PATIENCE_SECONDS = 10.0

_PAUSE_SECONDS = 0.0002


class CardBusy(TimeoutError):
    """Another thread or process holds the lock of a card for too long: it may be stopped."""


class FileLock:
    """The lock of one open file, which it closes when it is no longer used."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        weakref.finalize(self, os.close, descriptor)
        self._threads = ranked_lock(LockRank.CARD)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Holds the lock.

        Raises:
            CardBusy: It is not free within ten seconds.
        """
        if not self._threads.acquire(timeout=_PATIENCE_SECONDS):
            raise CardBusy("another thread changes the card")
        try:
            with locked(self._descriptor):
                yield
        finally:
            self._threads.release()


@contextmanager
def locked(descriptor: int) -> Iterator[None]:
    """Holds the lock of an open file against other processes.

    Raises:
        CardBusy: It is not free within ten seconds.
    """
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise CardBusy("another process changes the card, and does not go on") from None
            time.sleep(_PAUSE_SECONDS)
    try:
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
