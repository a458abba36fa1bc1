"""What the objects of one driver share: device memory, one lock, and waiting with a time-out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from runtime.simulator import Memory

FOREVER = (1 << 64) - 1
"""The time-out that never ends, in nanoseconds."""

_SPIN_NS = 200_000

_LONGEST_SLEEP_NS = int(threading.TIMEOUT_MAX) * 1_000_000_000


class Machine:
    """The simulated machine behind a driver.

    `changed` guards every state that one thread changes and another waits for (events, fences, submissions, loss of a
    device) and is notified at each such change.
    """

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.changed = threading.Condition()
        self.executing: set[object] = set()
        self._pausing = 0

    def enter(self, stream: object) -> None:
        """Note that a queue starts a command; called with the machine locked."""
        self.executing.add(stream)

    def leave(self, stream: object) -> None:
        """Note that a queue has ended its command."""
        with self.changed:
            self.executing.discard(stream)
            if self._pausing:
                self.changed.notify_all()

    @contextmanager
    def paused(self, seconds: float) -> Iterator[bool]:
        """A time in which no command executes, and none starts. False if those that do not end within `seconds`."""
        with self.changed:
            self._pausing += 1
            try:
                yield self.changed.wait_for(lambda: not self.executing, seconds)
            finally:
                self._pausing -= 1

    def wait(self, ready: Callable[[], bool], timeout: int) -> bool:
        """Wait until `ready()`, at most `timeout` nanoseconds; whether it became ready.

        Zero asks once, `FOREVER` waits without end. The operating system wakes a sleeper some tens of microseconds
        late, so the last part of a finite wait yields instead of sleeping.
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
