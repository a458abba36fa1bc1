"""The machine behind a driver: device memory, the lock of its objects, and waiting with a time-out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from runtime.simulator import Memory

FOREVER = (1 << 64) - 1
"""The time-out that never ends, in nanoseconds (specification: UINT64_MAX)."""

_SPIN_NS = 200_000

_LONGEST_SLEEP_NS = int(threading.TIMEOUT_MAX) * 1_000_000_000


class Machine:
    """The simulated machine behind a driver.

    `changed` is the lock of the driver: it guards every state that one thread changes and another waits for, and is
    notified at each change. These are the states of events and fences, the pending submissions of queues and
    `CommandList.in_flight`, the loss of a device, its clock, its queues and its `local_bytes`, and `executing`, the
    queues that execute a command. Functions whose names end in `_locked` must be called with the lock held. Commands
    run without it. It is reentrant, so callbacks at the end of a submission may take it again.
    """

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.changed = threading.Condition()
        self.executing: set[object] = set()
        self._pausing = 0

    def enter_locked(self, stream: object) -> None:
        """Notes that a queue starts a command."""
        self.executing.add(stream)

    def leave(self, stream: object) -> None:
        """Notes that the command of a queue has ended."""
        with self.changed:
            self.executing.discard(stream)
            if self._pausing:
                self.changed.notify_all()

    @contextmanager
    def paused(self, seconds: float) -> Iterator[bool]:
        """Yields while no command executes and none starts; yields False if a command does not end within `seconds`."""
        with self.changed:
            self._pausing += 1
            try:
                yield self.changed.wait_for(lambda: not self.executing, seconds)
            finally:
                self._pausing -= 1

    def wait(self, ready: Callable[[], bool], timeout: int) -> bool:
        """Waits at most `timeout` nanoseconds until `ready()`, which is called with the lock held; returns whether it
        is.

        Zero asks once, `FOREVER` waits without end.
        """
        with self.changed:
            if ready():
                return True
            if timeout >= FOREVER:
                return self.changed.wait_for(ready)
            deadline = time.monotonic_ns() + timeout
            while (remaining := deadline - time.monotonic_ns()) > 0:
                sleep = min(remaining - _SPIN_NS, _LONGEST_SLEEP_NS)
                self.changed.wait(max(sleep, 0) * 1e-9)
                if ready():
                    return True
            return False
