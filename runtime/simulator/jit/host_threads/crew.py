"""Crews: host threads that run the work-groups of one launch at a time."""

from __future__ import annotations

import ctypes
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from runtime.concurrency import start_thread
from runtime.simulator.jit.host_threads.crew_code import CrewRecord, HelperRecord, crew_code

_LOOK_SECONDS = 0.1
"""The longest sleep of a thread that waits for a crew: a signal may have come right before it."""


class Crew:
    """Threads that sleep between launches. They are daemons and never return to Python: nothing waits for them when the
    process ends.
    """

    def __init__(self) -> None:
        self._code = crew_code()
        self._record = CrewRecord(done=self._lock())
        self._address = ctypes.addressof(self._record)
        self._helpers: list[HelperRecord] = []
        self._used: object = None
        """What the launch refers to. If its caller is interrupted again and again, helpers may outlive the call."""

    def run(
        self,
        run_groups: int,
        workers: Sequence[int],
        own: int | None,
        used: object,
        look: Callable[[], None] | None = None,
        period: float | None = None,
    ) -> None:
        """Runs a worker on each helper, and `own` on the calling thread, until all have ended.

        Args:
            run_groups: The address of the kernel's code.
            workers: The addresses of workers' records.
            own: The worker of the calling thread; without one it only waits, and signal handlers run meanwhile.
            used: What helpers use; it is kept until they have ended.
            look: Called about every `period` seconds.
            period: Seconds, None if `look` need not be called.

        Whatever `look` or a signal handler raises is raised at once: the launch has to be stopped then, and `join`ed.
        """
        self._grow(len(workers))
        self._used = used
        self._record.run_groups = run_groups
        for helper, worker in zip(self._helpers, workers, strict=False):
            helper.worker = worker
        microseconds = int((period or _LOOK_SECONDS) * 1e6)
        has_ended = self._code.hand_out(self._address, len(workers), own, microseconds)
        while not has_ended:
            if look is not None and period is not None:
                look()
            has_ended = self._code.wait(self._address, microseconds)
        self._used = None

    def join(self) -> None:
        """Waits until no helper works any more."""
        while not self._code.wait(self._address, int(_LOOK_SECONDS * 1e6)):
            pass
        self._used = None

    @property
    def is_idle(self) -> bool:
        pending: int = self._record.pending
        return pending == 0

    def _grow(self, count: int) -> None:
        """Makes sure that there are `count` helpers."""
        while len(self._helpers) < count:
            helper = HelperRecord(wake=self._lock())
            address = ctypes.addressof(helper)
            start_thread(partial(self._help, helper))
            if self._helpers:
                self._helpers[-1].next = address
            else:
                self._record.first = address
            self._helpers.append(helper)

    def _help(self, helper: HelperRecord) -> None:
        """Keeps the records alive while the helper's thread refers to them, which is for ever."""
        self._code.help(self._address, ctypes.addressof(helper))

    def _lock(self) -> int:
        """Returns the address of a lock that is taken. It is never freed, as a helper may wait for it for ever."""
        lock = self._code.new_lock()
        if lock is None:
            raise MemoryError("the system has no more locks")
        self._code.acquire(lock, 1)
        return lock


_idle: deque[Crew] = deque()
"""The crews of this process that no launch uses; there are as many as launches have run at the same time."""


@contextmanager
def crew() -> Iterator[Crew]:
    """Lends a crew; one that still works after an interrupt is not lent again."""
    try:
        lent = _idle.pop()
    except IndexError:
        lent = Crew()
    try:
        yield lent
    finally:
        if lent.is_idle:
            _idle.append(lent)


if hasattr(os, "register_at_fork"):  # fork copies the crews, but none of their threads
    os.register_at_fork(after_in_child=_idle.clear)
