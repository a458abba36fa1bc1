"""Execution: the commands of one queue, one after the other, on a thread of the queue or of the caller."""

from __future__ import annotations

import atexit
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Protocol

from runtime.simulator import DeviceFault, LaunchStopped, stop_launches
from runtime.ze.driver.system.processor import Processor

Work = Callable[[], int | None]
"""The work of a command."""


class CommandFault(Exception):
    """A command that cannot be executed, for a reason that shows only when it runs."""


class Signal(Protocol):
    """An event, or a value of a counter-based event, that a command waits for or signals."""

    @property
    def timed(self) -> bool:
        """True if the times of the command are asked for."""

    @property
    def signaled(self) -> bool:
        """True if those that wait for it may go on."""

    @property
    def event(self) -> object:
        """The handle that the application has."""

    def complete_locked(self, start: int, end: int) -> None:
        """Becomes signaled by a command that ran from device time `start` to `end`."""


@dataclass(frozen=True, slots=True)
class Command:
    """One recorded command: it waits for all of `waits`, does the `work`, then signals `signal`.

    `work` returns the nanoseconds that it takes on the device; None if that is the time that it took on the host.
    """

    work: Work
    signal: Signal | None = None
    waits: tuple[Signal, ...] = ()

    def mentions(self, event: object) -> bool:
        """Returns whether the command waits for an event or will signal it."""
        return any(signal.event is event for signal in self.waits) or (
            self.signal is not None and self.signal.event is event
        )

    @property
    def is_ready(self) -> bool:
        """True if all events that the command waits for are signaled."""
        return all(event.signaled for event in self.waits)


def do_nothing() -> None:
    """Does nothing: the work of a command that only waits or signals."""


class State(Enum):
    PENDING = auto()
    DONE = auto()
    ABANDONED = auto()


Finished = Callable[[State], None]
"""Is called with the state in which a submission ended."""


@dataclass(slots=True, eq=False)
class Submission:
    """Commands handed to a queue together. `finished` is called once, with the machine locked: done or abandoned."""

    commands: Sequence[Command]
    finished: Finished | None = None
    state: State = State.PENDING
    position: int = field(default=0)

    @property
    def head(self) -> Command:
        return self.commands[self.position]

    def finish_locked(self, state: State) -> None:
        self.state = state
        if self.finished is not None:
            self.finished(state)


class CommandStream:
    """Executes the submissions of one queue in order.

    A synchronous stream runs on the threads that submit, an asynchronous one on its own, which starts with the first
    submission and ends with `close`. A command whose events are not yet signaled holds up its own stream only. Of the
    streams of a processor that could start a command, those of the highest `rank` go first. `submitted` counts all
    submissions so far. The pending submissions and `submitted` are guarded by the machine's lock.
    """

    def __init__(self, processor: Processor, owner: object, synchronous: bool, name: str, rank: int = 0) -> None:
        self.owner = owner
        self.rank = rank
        self._processor = processor
        self._changed = processor.machine.changed
        self._pending: deque[Submission] = deque()
        self.submitted = 0
        self._synchronous = synchronous
        self._name = name
        self._worker: threading.Thread | None = None
        self._closed = False
        processor.add(self)

    @property
    def idle(self) -> bool:
        return not self._pending

    @property
    def completed(self) -> int:
        """The number of submissions so far that are no longer pending."""
        with self._changed:
            return self.submitted - len(self._pending)

    def mentions(self, signal: object) -> bool:
        """Returns whether a pending command waits for `signal` or will signal it."""
        with self._changed:
            return any(
                command.mentions(signal)
                for submission in self._pending
                for command in submission.commands[submission.position :]
            )

    def submit(self, submission: Submission) -> None:
        """Submits commands. A synchronous stream returns when they are done.

        Raises:
            ZeError: `DEVICE_LOST` if the device is lost; on a synchronous stream, also if it is lost before the
                commands are done.
        """
        if not submission.commands:
            submission.commands = _NOTHING
        with self._changed:
            if self._processor.lost:
                submission.finish_locked(State.ABANDONED)
                raise self._processor.lost_error()
            self._pending.append(submission)
            self.submitted += 1
            if not self._synchronous:
                if self._worker is None:
                    self._start_worker()
                self._changed.notify_all()
                return
        try:
            self._drive(submission)
        finally:
            self._give_up(submission)
        if submission.state is State.ABANDONED:
            raise self._processor.lost_error()

    def close(self) -> None:
        """Stops executing: the command that runs is finished, what is left is abandoned."""
        with self._changed:
            self._closed = True
            self.abandon_locked()
            self._processor.discard_locked(self)
            self._changed.notify_all()
        if self._worker is not None:
            self._worker.join()
            _active.discard(self)

    def follow_locked(self, callback: Callable[[], None]) -> None:
        """Calls `callback`, with the machine locked, when all that is pending has ended."""
        last = self._pending[-1]
        finished = last.finished

        def ended(state: State) -> None:
            if finished is not None:
                finished(state)
            callback()

        last.finished = ended

    def abandon_locked(self) -> None:
        """Drops all pending submissions."""
        while self._pending:
            self._pending.popleft().finish_locked(State.ABANDONED)

    @property
    def is_ready_locked(self) -> bool:
        """True if a command could start and has not."""
        return bool(self._pending) and self not in self._processor.machine.executing and self._pending[0].head.is_ready

    def _give_up(self, submission: Submission) -> None:
        """Removes a submission that its thread could not execute because of an interrupt or an error."""
        with self._changed:
            if submission.state is State.PENDING:
                self._pending.remove(submission)
                submission.finish_locked(State.ABANDONED)
                self._changed.notify_all()

    def _start_worker(self) -> None:
        self._worker = threading.Thread(target=self._drive, name=self._name, daemon=True)
        _active.add(self)
        self._worker.start()

    def _drive(self, last: Submission | None = None) -> None:
        """Executes pending commands in order until `last` has left the queue; without it, until the stream closes.

        A thread that waits for `last` executes only that submission, and only when it is at the head of the queue:
        several threads may wait for submissions of theirs, and each executes its own.
        """

        def leave() -> bool:
            return self._closed if last is None else last.state is not State.PENDING

        def startable() -> bool:
            if not self._pending:
                return False
            head = self._pending[0]
            if (last is not None and head is not last) or not head.head.is_ready:
                return False
            return self.rank >= self._processor.top_rank or not self._processor.has_ready_above_locked(self.rank)

        while True:
            with self._changed:
                while not (leaving := leave()) and not startable():
                    self._changed.wait()
                if leaving:
                    return
                submission = self._pending[0]
                self._processor.machine.enter_locked(self)
                if self.rank > self._processor.bottom_rank:
                    self._changed.notify_all()
            try:
                self._execute(submission)
            finally:
                self._processor.machine.leave(self)

    def _execute(self, submission: Submission) -> None:
        """Executes the next command of `submission` without the lock, and takes the lock to signal and to finish."""
        command = submission.head
        processor = self._processor
        timed = command.signal is not None and command.signal.timed
        start = processor.tick() if timed else 0
        finished = False
        try:
            duration = command.work()
            finished = True
        except (DeviceFault, CommandFault, LaunchStopped) as fault:
            finished = True
            processor.lose(str(fault))
            return
        finally:
            if not finished and not self._synchronous:
                # Nobody calls a worker, so waiters learn from the device's loss that nothing will come.
                processor.lose(f"a command could not be executed: {sys.exception()!r}")
        with self._changed:
            if submission.state is not State.PENDING:
                return
            if command.signal is not None:
                command.signal.complete_locked(start, processor.tick_behind(start, duration) if timed else 0)
            submission.position += 1
            if submission.position == len(submission.commands):
                self._pending.popleft()
                submission.finish_locked(State.DONE)
            self._changed.notify_all()


_NOTHING = (Command(do_nothing),)

_active: set[CommandStream] = set()


@atexit.register
def _close_active_streams() -> None:
    """Stops kernels that run, and joins the workers before the interpreter is finalized."""
    stop_launches()
    for stream in list(_active):
        stream.close()
