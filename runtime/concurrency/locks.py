"""Locks with ranks, and the check of the order in which threads take them.

A thread takes locks in the order of `LockRank`. With `XEGPU_DEBUG_LOCKS=1` in the environment, when this module is
imported, each lock checks that; else a lock is that of `threading` and nothing more.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from enum import IntEnum
from types import TracebackType
from typing import Protocol


class LockRank(IntEnum):
    """The locks of the runtime, in the order in which a thread may take them: those that are held longest first."""

    COMPILER_CONTEXT = 0
    DEBUGGED_LAUNCH = 1
    DEBUGGABLE_LAUNCH = 2
    LAYERS = 3
    VALIDATION = 4
    COMPILATION = 5
    CARD = 6
    DEBUGGEE = 7
    DEBUGGER = 8


class LockOrderError(RuntimeError):
    """A thread takes a lock while it holds one that must be taken later, or that it takes again."""


class Lock(Protocol):
    """A lock of `threading`, as far as the runtime uses it."""

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool: ...

    def release(self) -> None: ...

    def __enter__(self) -> bool: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class _Held(threading.local):
    """The locks that the thread holds, in the order in which it took them."""

    def __init__(self) -> None:
        self.locks: list[CheckedLock] = []


_held = _Held()


class CheckedLock:
    """A lock that checks its rank against those of the locks that the thread holds."""

    def __init__(self, rank: LockRank, lock: Lock, *, reentrant: bool) -> None:
        self._rank = rank
        self._lock = lock
        self._reentrant = reentrant

    def __repr__(self) -> str:
        return f"{self._rank.name} (rank {self._rank.value})"

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """Takes the lock.

        Raises:
            LockOrderError: The thread holds a lock of this rank or a higher one.
        """
        again = self._reentrant and self in _held.locks
        latest = max(_held.locks, key=lambda lock: lock._rank, default=None)
        if latest is not None and not again and latest._rank >= self._rank:
            raise LockOrderError(
                f"thread '{threading.current_thread().name}' takes {self!r} while it holds {latest!r}; locks are taken "
                "in the order of their ranks"
            )
        taken = self._lock.acquire(blocking, timeout)
        if taken:
            _held.locks.append(self)
        return taken

    def release(self) -> None:
        """Releases the lock; a thread may release one that another thread has taken."""
        if self in _held.locks:
            _held.locks.remove(self)
        self._lock.release()

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


IS_CHECKED = os.environ.get("XEGPU_DEBUG_LOCKS") == "1"
"""True if locks check the order in which they are taken."""


def ranked_lock(rank: LockRank, *, reentrant: bool = False, checked: bool = IS_CHECKED) -> Lock:
    """Returns a lock; a `reentrant` one may be taken again by the thread that holds it."""
    make: Callable[[], Lock] = threading.RLock if reentrant else threading.Lock
    return CheckedLock(rank, make(), reentrant=reentrant) if checked else make()
