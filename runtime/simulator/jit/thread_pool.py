"""Host threads that compile kernels and run them."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import cache
from queue import SimpleQueue
from typing import TypeVar

_Result = TypeVar("_Result")


class Pool:
    """Threads that wait for tasks; there are as many as were busy at the same time.

    They are daemons, unlike those of `ThreadPoolExecutor`: a kernel that does not end does not keep the process alive.
    """

    def __init__(self) -> None:
        self._tasks: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._idle = threading.Semaphore(0)

    def submit(self, task: Callable[[], _Result]) -> Future[_Result]:
        """Runs `task` on a thread."""
        future: Future[_Result] = Future()

        def run() -> None:
            try:
                result = task()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)

        self._tasks.put(run)
        if not self._idle.acquire(blocking=False):
            threading.Thread(target=self._work, name="simulator", daemon=True).start()
        return future

    def _work(self) -> None:
        while True:
            run = self._tasks.get()
            run()
            del run  # an idle thread must not keep the last task alive
            self._idle.release()


@cache
def shared_pool() -> Pool:
    """Returns the thread pool of this process."""
    return Pool()


if hasattr(os, "register_at_fork"):  # fork copies the pool, but none of its threads
    os.register_at_fork(after_in_child=shared_pool.cache_clear)
