"""Python's cyclic garbage collector, which waits while kernels are compiled.

Operations, blocks and values refer to each other in circles, so that the collector would visit all of a growing module
again and again, and find next to nothing to free: up to a third of the time that large kernels take.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Pause:
    """The calls that keep the collector waiting, in all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls = 0
        self._was_enabled = False

    def begin(self) -> None:
        with self._lock:
            if self._calls == 0:
                self._was_enabled = gc.isenabled()
                gc.disable()
            self._calls += 1

    def end(self) -> None:
        with self._lock:
            self._calls -= 1
            if self._calls == 0 and self._was_enabled:
                gc.enable()


_PAUSE = _Pause()


@contextmanager
def collection_paused() -> Iterator[None]:
    """Keeps the collector waiting until the last of these contexts ends; it then goes on as before."""
    _PAUSE.begin()
    try:
        yield
    finally:
        _PAUSE.end()
