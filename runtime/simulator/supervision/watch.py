"""Looking after a launch from the host: how far it is, whether its time is up, whether somebody stops it."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

PERIOD = 0.1
"""Seconds between two looks at a launch that is watched."""

PATIENCE = 1.0
"""Seconds that a launch takes before anything is shown."""


class LaunchStopped(Exception):
    """A launch was ended by `stop_launches`."""


class Progress(Protocol):
    """Shows how far one launch is; made when it has taken a while."""

    def update(self, done: int) -> None:
        """So many work-groups were started."""
        ...

    def close(self) -> None:
        """The launch is over, well or not."""
        ...


ProgressMaker = Callable[[str, int], Progress | None]
"""Makes a `Progress` for a kernel by its name and the number of its work-groups; None shows nothing."""


@dataclass(frozen=True)
class LaunchOptions:
    """How a launch is carried out: on up to `threads` host threads, in up to `seconds`, and who shows its progress.

    With `counts` it is counted how often each instruction is executed.
    """

    threads: int = 1
    seconds: float | None = None
    progress: ProgressMaker | None = None
    counts: bool = False


ALONE = LaunchOptions()
"""One host thread, as long as it takes, nothing shown."""


class Watch:
    """Watches over one launch of `groups` work-groups of a kernel; a context, inside of which the launch runs.

    `on_stop` is called, from any host thread, when the launch is to end early.
    """

    def __init__(self, options: LaunchOptions, kernel: str, groups: int, on_stop: Callable[[], None]):
        self._kernel = kernel
        self._groups = groups
        self._on_stop = on_stop
        self._limit = options.seconds
        self._maker = options.progress
        self._progress: Progress | None = None
        self._start = time.monotonic()
        self.period = PERIOD if options.seconds is not None or options.progress is not None else None
        """How often to call `look`, in seconds; None if there is no need to."""
        self.deadline = math.inf if options.seconds is None else self._start + options.seconds
        """When the launch has to end, on the clock `time.monotonic`."""
        self._is_stopped = False

    def __enter__(self) -> Self:
        with _lock:
            _running.add(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with _lock:
            _running.discard(self)
        if self._progress is not None:
            self._progress.close()

    @property
    def is_late(self) -> bool:
        """Whether the time limit has passed."""
        return not self._is_stopped and time.monotonic() > self.deadline

    def look(self, done: int) -> None:
        """Shows progress, stops the launch when its time is up; raises `LaunchStopped`."""
        self.check_stopped()
        now = time.monotonic()
        if self._maker is not None and now > self._start + PATIENCE:
            self._progress, self._maker = self._maker(self._kernel, self._groups), None
        if self._progress is not None:
            self._progress.update(min(done, self._groups))
        if now > self.deadline:
            self._on_stop()

    def stop(self) -> None:
        """Ends the launch early; it raises `LaunchStopped`."""
        self._is_stopped = True
        self.deadline = -math.inf
        self._on_stop()

    def check_stopped(self) -> None:
        """Raises `LaunchStopped` if somebody stopped the launch."""
        if self._is_stopped:
            raise LaunchStopped(f"kernel '{self._kernel}' was stopped")

    def late_text(self) -> str:
        """What a fault says when the time limit has passed."""
        return f"the launch has run for more than {self._limit} s"


_running: set[Watch] = set()
_lock = threading.Lock()


def stop_launches() -> None:
    """Ends all launches of this process, which raise `LaunchStopped` where they were called; for its last moments."""
    with _lock:
        for watch in _running:
            watch.stop()
