"""Host threads that compile kernels and run them."""

from __future__ import annotations

import os
from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeVar, cast

from runtime.concurrency import Latch, can_start_threads, start_thread, step

_Result = TypeVar("_Result")


class Task(Generic[_Result]):
    """Work for a thread of the pool, and its result."""

    __slots__ = ("_ended", "_error", "_result", "_work")

    def __init__(self, work: Callable[[], _Result]) -> None:
        self._work: Callable[[], _Result] | None = work
        self._ended = Latch()
        self._result: _Result | None = None
        self._error: BaseException | None = None

    def run(self) -> None:
        """Does the work. It is let go of before anyone is told: an idle thread must not keep it alive."""
        work, self._work = self._work, None
        try:
            self._result = cast(Callable[[], _Result], work)()
        except BaseException as error:
            self._error = error
        finally:
            del work
            self._ended.open()

    def wait(self, seconds: float | None = None) -> bool:
        """Waits at most `seconds` until the work is done, and returns whether it is; raises its exception."""
        if not self._ended.wait(seconds):
            return False
        if self._error is not None:
            raise self._error
        return True

    def has_ended(self) -> bool:
        """Waits until the work has ended, with or without an error, and returns True."""
        return self._ended.wait()

    def result(self) -> _Result:
        """Waits for the result; raises the exception of the work."""
        self.wait()
        return cast(_Result, self._result)


class Pool:
    """Threads that wait for tasks; there are as many as were busy at the same time.

    They are daemons, unlike those of `ThreadPoolExecutor`: a kernel that does not end does not keep the process alive.
    """

    def __init__(self) -> None:
        self._tasks: SimpleQueue[Task[object]] = SimpleQueue()
        self._idle = 0

    def submit(self, work: Callable[[], _Result]) -> Task[_Result]:
        """Does `work` on a thread; on the caller's when the interpreter ends and threads do not run any more."""
        task = Task(work)
        if not can_start_threads():
            task.run()
            return task
        self._tasks.put(cast(Task[object], task))
        if not self._take_idle():
            start_thread(self._work)
        return task

    @step
    def _take_idle(self) -> bool:
        """Counts one idle thread less; returns whether there was one."""
        if not self._idle:
            return False
        self._idle -= 1
        return True

    def _work(self) -> None:
        while True:
            task = self._tasks.get()
            task.run()
            del task  # an idle thread must not keep the last task alive
            self._idle += 1


_pools: list[Pool] = []


def shared_pool() -> Pool:
    """Returns the thread pool of this process."""
    if not _pools:
        _pools.append(Pool())  # of two threads, both may add one; the first is used
    return _pools[0]


if hasattr(os, "register_at_fork"):  # fork copies the pool, but none of its threads
    os.register_at_fork(after_in_child=_pools.clear)
