"""A progress bar for long launches, on standard error."""

from __future__ import annotations

import threading

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

_shown = threading.Lock()
"""Held by the launch that has a bar on the screen: two would overwrite each other. It is only tried: it has no rank."""


class ProgressBar:
    """A bar on standard error with the work-groups of one launch; it is erased when the launch ends."""

    def __init__(self, kernel: str, groups: int):
        columns = (
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("work-groups"),
            TimeElapsedColumn(), TimeRemainingColumn(),
        )  # fmt: skip
        console = Console(stderr=True, force_terminal=True)  # the caller has checked the terminal
        self._bar = Progress(*columns, console=console, transient=True, auto_refresh=False)
        self._task = self._bar.add_task(kernel, total=groups)
        self._bar.start()

    def update(self, done: int) -> None:
        """Moves the bar."""
        self._bar.update(self._task, completed=done, refresh=True)

    def close(self) -> None:
        """Erases the bar."""
        self._bar.stop()
        _shown.release()


def progress_bar(kernel: str, groups: int) -> ProgressBar | None:
    """Returns a bar, None if another launch has one."""
    return ProgressBar(kernel, groups) if _shown.acquire(blocking=False) else None
