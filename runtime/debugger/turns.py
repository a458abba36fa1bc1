"""The turns of two threads: that of a launch, and that of whoever debugs it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue

from runtime.debugger.stops import Stop, StopReason


class LaunchAbandoned(Exception):
    """Raised in a launch that the debugger abandons."""


class LaunchTurns:
    """A launch on a thread of its own, which goes on until it stops, and then waits until it is told to go on."""

    def __init__(self) -> None:
        self._stops: SimpleQueue[Stop] = SimpleQueue()
        self._going_on: SimpleQueue[None] = SimpleQueue()
        self._worker: threading.Thread | None = None
        self._is_given_up = False

    # The thread of the debugger's user

    def start(self, launch: Callable[[], object]) -> None:
        """Starts a launch; one that has not ended must be abandoned before."""
        self._is_given_up = False
        future: Future[object] = Future()
        self._worker = threading.Thread(target=_execute, args=(launch, future), name="debugged launch", daemon=True)
        future.add_done_callback(self._ended)
        self._worker.start()

    def go_on(self) -> None:
        """Lets the launch go on that has stopped."""
        self._going_on.put(None)

    def next_stop(self) -> Stop:
        """Waits until the launch stops or ends."""
        return self._stops.get()

    def abandon(self) -> None:
        """Abandons the launch if it has not ended."""
        worker, self._worker = self._worker, None
        if worker is not None and worker.is_alive():
            self._is_given_up = True
            self._going_on.put(None)
            worker.join()
        self._stops, self._going_on = SimpleQueue(), SimpleQueue()

    # The thread of the launch

    def stop(self, stop: Stop) -> None:
        """Tells of a stop, and waits until the launch may go on. Raises `LaunchAbandoned`."""
        self._stops.put(stop)
        self._going_on.get()
        self.require_interest()

    def require_interest(self) -> None:
        """Raises `LaunchAbandoned` if the launch is abandoned."""
        if self._is_given_up:
            raise LaunchAbandoned("the debugger gave the launch up")

    def _ended(self, future: Future[object]) -> None:
        error = future.exception()
        self._stops.put(Stop(StopReason.END, result=None if error else future.result(), error=error))


def _execute(launch: Callable[[], object], future: Future[object]) -> None:
    try:
        result = launch()
    except BaseException as error:  # any exception belongs to the thread that uses the debugger
        future.set_exception(error)
    else:
        future.set_result(result)
