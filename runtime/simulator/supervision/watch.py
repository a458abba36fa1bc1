"""Supervision of a launch from the host: progress, time limit and cancellation."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

PERIOD = 0.1
"""Seconds between two polls of a launch."""

PATIENCE = 1.0
"""Seconds that a launch runs before its progress is shown."""


class LaunchStopped(Exception):
    """A launch was ended by `stop_launches`."""


class Progress(Protocol):
    """Displays the progress of one launch; created when the launch has run for a while."""

    def update(self, done: int) -> None:
        """Shows the number of work-groups that were started."""
        ...

    def close(self) -> None:
        """Ends the display; the launch has ended, with or without an error."""
        ...


ProgressMaker = Callable[[str, int], Progress | None]
"""Makes a `Progress` from a kernel's name and number of work-groups; None shows nothing."""


@dataclass(frozen=True)
class LaunchOptions:
    """Options of a launch: host threads, time limit in seconds, progress display.

    With `counts` the executions of each instruction are counted.
    """

    threads: int = 1
    seconds: float | None = None
    progress: ProgressMaker | None = None
    counts: bool = False


ALONE = LaunchOptions()
"""One host thread, no time limit, no display."""


class Watch:
    """Supervises one launch of `groups` work-groups of a kernel; the launch runs inside of this context manager.

    `on_stop` is called, from any host thread, to end the launch early.
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
        """Seconds between calls of `look`; None if it need not be called."""
        self.deadline = math.inf if options.seconds is None else self._start + options.seconds
        """The time at which the launch has to end, on the clock `time.monotonic`."""
        self._is_stopped = False
        self._thread = threading.get_ident()

    def __enter__(self) -> Self:
        _running.add(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        _running.discard(self)
        if self._progress is not None:
            self._progress.close()

    def look(self, done: int) -> None:
        """Updates the display and stops the launch when its time limit has passed; raises `LaunchStopped`."""
        self.check_stopped()
        now = time.monotonic()
        if self._maker is not None and now > self._start + PATIENCE:
            self._progress, self._maker = self._maker(self._kernel, self._groups), None
        if self._progress is not None:
            self._progress.update(min(done, self._groups))
        if now > self.deadline:
            self._on_stop()

    def stop(self) -> None:
        """Ends the launch early; it then raises `LaunchStopped`."""
        self._is_stopped = True
        self.deadline = -math.inf
        self._on_stop()

    def check_stopped(self) -> None:
        """Raises `LaunchStopped` if the launch was stopped."""
        if self._is_stopped:
            raise LaunchStopped(f"kernel '{self._kernel}' was stopped")

    def late_text(self) -> str:
        """Returns the detail of the fault of a launch that has exceeded its time limit."""
        return f"the launch has run for more than {self._limit} s"

    def stop_if_of(self, thread: int | None) -> None:
        """Ends the launch early if a thread waits for it; None stands for any thread."""
        if thread in (None, self._thread):
            self.stop()


_running: set[Watch] = set()


def stop_launches(thread: int | None = None) -> None:
    """Ends all launches of this process, or those that one thread waits for; each raises `LaunchStopped` there."""
    for watch in tuple(_running):
        watch.stop_if_of(thread)
