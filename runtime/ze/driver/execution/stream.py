"""Execution: the commands of one queue, one after the other, on a thread of the queue or of the caller."""

from __future__ import annotations

import _thread
import atexit
import os
import weakref
from collections.abc import Callable
from queue import SimpleQueue

from runtime import simulator
from runtime.concurrency import FOREVER, PROCESS, Inbox, Latch, can_start_threads, start_thread, step
from runtime.ze.driver.execution.backlog import CLOSED, Backlog
from runtime.ze.driver.execution.commands import ABANDONED, PENDING, Submission
from runtime.ze.driver.system.activity import began
from runtime.ze.driver.system.processor import CommandFault, Epoch, Processor
from runtime.ze.spec.results import ZeError, ze_result_t


class CommandStream:
    """Executes the submissions of one queue in order.

    A synchronous stream runs on the threads that submit, an asynchronous one on its own, which starts with the first
    submission and ends with `close`, or when nothing refers to the stream any more. A command whose events are not yet
    signaled holds up its own stream only. Of the streams of a processor that could start a command, those of the
    highest `rank` go first. `client` is the context of the queue, `owner` its device.
    """

    def __init__(
        self, processor: Processor, client: object, owner: object, synchronous: bool, name: str, rank: int = 0
    ) -> None:
        self._client = weakref.ref(client)
        self.owner = owner
        self.rank = rank
        self.backlog = Backlog(processor.machine, reports_drops=not synchronous)
        self.ended: Callable[[], object] = bool
        """Is called when the stream is closed."""
        self._processor = processor
        self._name = name
        self._worker = None if synchronous else _Worker(self)
        self._is_listed = False
        self._is_finishing = False

    # State -----------------------------------------------------------------------------------------------------------

    @property
    def client(self) -> object:
        return self._client()

    @property
    def idle(self) -> bool:
        return self.backlog.next() is None

    def mentions(self, signal: object) -> bool:
        """Returns whether a pending command waits for `signal` or will signal it."""
        return any(submission.mentions(signal) for submission in self.backlog)

    def users(self, addresses: range) -> list[Submission]:
        """Returns the pending submissions that may use the memory at some addresses."""
        return [submission for submission in self.backlog if submission.may_use(addresses)]

    def take_dropped(self) -> Epoch | None:
        """Returns the epoch of work that was dropped since this was last asked, None if none was."""
        return self.backlog.take_dropped()

    @property
    def is_ready(self) -> bool:
        """True if a command could start and has not."""
        first = self.backlog.next()
        return first is not None and first not in self._processor.machine.executing and _is_ready(first)

    # Submission ------------------------------------------------------------------------------------------------------

    def submit(self, submission: Submission) -> None:
        """Submits commands. A synchronous stream returns when they are done.

        Raises:
            ZeError: `DEVICE_LOST` if the device is lost; on a synchronous stream, also if it is lost before the
                commands are done. `INVALID_ARGUMENT` if the stream is closed.
        """
        self._processor.require_available()
        worker = self._worker
        if worker is not None and can_start_threads():
            worker.start()
            self._enqueue_checked(submission, worker.inbox.put)
            return
        try:
            self._enqueue_checked(submission, _wake_nobody)
            self._drive(submission)
        finally:
            if submission.state is PENDING:
                submission.state = ABANDONED
            self._processor.machine.notify()
            self._close_if_finished()
        if not submission.is_done:
            raise self._dropped_error(submission)

    def _enqueue_checked(self, submission: Submission, wake: Callable[[object], object]) -> None:
        if not self._is_listed:
            self._list()
        signals = submission.signals
        refused = self.backlog.add(submission, self._processor, wake)
        if refused is CLOSED:
            raise self._closed_error()
        if refused is not None:
            raise self._processor.lost_error(refused)
        for signal in signals:
            signal.publish(submission)

    def _list(self) -> None:
        """Joins the queues of the processor: before the first submission, when somebody refers to the stream."""
        self._processor.add(self)
        self._is_listed = True
        if self.backlog.closed:
            self._processor.discard(self)

    # Waiting and reports ---------------------------------------------------------------------------------------------

    def synchronize(self, timeout: int) -> bool:
        """Waits at most `timeout` nanoseconds until nothing is pending; returns whether that is so.

        Raises:
            ZeError: `DEVICE_LOST` if the device is lost, or if work of this stream was dropped and no one was told.
        """
        self._processor.require_process()
        last = self.backlog.last
        done = self._processor.machine.wait(lambda: self.idle, timeout)
        dropped = self.take_dropped()
        if dropped is None and last is not None and last.state is PENDING and not last.is_pending:
            dropped = last.epoch  # it was dropped while this thread waited, and another thread was told
        self._processor.require_available()
        if dropped is not None:
            raise self._closed_error() if dropped.fault is None else self._processor.lost_error(dropped.fault)
        return done

    def wait_for(self, submission: Submission, timeout: int) -> bool:
        """Waits at most `timeout` nanoseconds until a submission is done; returns whether it is.

        Raises:
            ZeError: `DEVICE_LOST` if it was dropped, `INVALID_ARGUMENT` if it was because the stream was closed.
        """
        self._processor.require_process()
        self._processor.machine.wait(lambda: not submission.is_pending, timeout)
        if submission.is_pending or submission.is_done:
            return submission.is_done
        raise self._dropped_error(submission)

    def _dropped_error(self, submission: Submission) -> ZeError:
        """Returns the report of dropped work, which `require_nothing_dropped` does not repeat."""
        self.backlog.next()
        if self.backlog.dropped is submission.epoch:
            self.take_dropped()
        fault = submission.epoch.fault
        return self._closed_error() if fault is None else self._processor.lost_error(fault)

    def _closed_error(self) -> ZeError:
        return ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{self._name} was closed: it takes no commands, and those that had not begun were dropped",
        )

    # Execution -------------------------------------------------------------------------------------------------------

    def drive(self) -> bool:
        """Executes pending submissions; returns whether more may come."""
        self._drive(None)
        self._close_if_finished()
        return not self.backlog.closed

    def _drive(self, last: Submission | None) -> None:
        """Executes pending commands in order until `last` has ended; without it, until nothing is pending.

        A thread that waits for `last` executes only that submission, and only when it is the first of the queue:
        several threads may wait for submissions of theirs, and each executes its own.
        """
        while not self._has_ended(last):
            if self._can_start(last):
                first = self.backlog.next()
                if first is not None:
                    self._execute(first)
                del first
            else:
                self._processor.machine.wait(lambda: self._has_ended(last) or self._can_start(last), FOREVER)

    def _has_ended(self, last: Submission | None) -> bool:
        """Returns whether a submission has ended; without one, whether nothing is pending."""
        return self.backlog.next() is None if last is None else not last.is_pending

    def _can_start(self, last: Submission | None) -> bool:
        """Returns whether a command can start: of that submission only, if there is one."""
        first = self.backlog.next()
        if first is None or (last is not None and first is not last) or not _is_ready(first):
            return False
        processor = self._processor
        if processor.machine.pauses:
            return False
        return self.rank >= processor.top_rank or not processor.has_ready_above(self.rank)

    def _execute(self, submission: Submission) -> None:
        """Executes the next command of a submission."""
        processor = self._processor
        machine = processor.machine
        # The time is taken before others see that this begins, so that commands held up by it begin at a later tick.
        start = _start_of_next(submission, processor)
        try:
            if machine.enter(submission):
                if self.rank > processor.bottom_rank:
                    machine.notify()
                self._execute_next(submission, start)
        finally:
            machine.executing.pop(submission, None)
            machine.notify()
        if not submission.is_pending:
            self.backlog.next()
            submission.let_go()

    def _execute_next(self, submission: Submission, start: int) -> None:
        processor = self._processor
        commands, position = submission.commands, submission.position
        if position >= len(commands):
            return  # it has ended meanwhile
        command = commands[position]
        signal = command.signal
        if processor.listeners:
            began.set(start)
        try:
            duration = command.work()
        except (simulator.DeviceFault, CommandFault, simulator.LaunchStopped) as fault:
            if not (isinstance(fault, simulator.LaunchStopped) and self.backlog.closed):
                processor.lose(str(fault))
            return
        except BaseException as error:
            if self._worker is None:
                raise
            # Nobody calls a worker, so waiters learn from the loss of the device that nothing will come.
            processor.lose(f"a command could not be executed: {error!r}")
            return
        if submission.is_pending:
            if signal is not None:
                signal.complete(start, processor.tick_behind(start, duration) if start else 0)
            submission.advance()

    # End -------------------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Closes the stream as soon as nothing is pending: the application has no queue any more."""
        self._is_finishing = True
        self._close_if_finished()

    def _close_if_finished(self) -> None:
        if self._is_finishing and not self.backlog.closed and self.idle:
            self.close()

    def close(self, *, stops: bool = False) -> None:
        """Stops executing: the running command is finished, or ended if `stops`; the rest is dropped."""
        self.backlog.closed = True
        self._processor.discard(self)
        self._processor.machine.notify()
        if self._worker is not None:
            self._worker.end(stops=stops)
        self.ended()


def _start_of_next(submission: Submission, processor: Processor) -> int:
    """Returns the time in ticks at which the next command begins, 0 if nobody asks for it."""
    if processor.listeners:
        return processor.tick()
    commands, position = submission.commands, submission.position
    signal = commands[position].signal if position < len(commands) else None
    return processor.tick() if signal is not None and signal.timed else 0


def _is_ready(submission: Submission) -> bool:
    commands, position = submission.commands, submission.position
    return position < len(commands) and commands[position].is_ready


_wake_nobody: Callable[[object], object] = bool
"""Has no effect: the caller executes its submission itself. A step may end with the call of a function in C only."""


class _Worker:
    """The thread of an asynchronous stream. While the stream is idle, the thread keeps nothing alive but its inbox."""

    def __init__(self, stream: CommandStream) -> None:
        self.inbox: Inbox = SimpleQueue()
        self._stream = weakref.ref(stream, self.inbox.put)
        self._is_started = False
        self._thread = 0
        self._ended = Latch()
        self._forks = PROCESS.forks

    @property
    def stream(self) -> CommandStream | None:
        """The stream, if anything refers to it."""
        return self._stream()

    def start(self) -> None:
        """Starts the thread, unless it was started.

        Raises:
            ZeError: `OUT_OF_HOST_MEMORY` if the system has no more threads.
        """
        if self._is_started:
            return
        try:
            start_thread(self._run)
        except RuntimeError as error:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, str(error)) from error
        self._is_started = True

    @step
    def _claim(self, thread: int) -> bool:
        """Makes a thread the worker. An interrupted `start` may start two threads, of which one ends at once."""
        if self._thread:
            return False
        self._thread = thread
        return True

    def _run(self) -> None:
        if not self._claim(_thread.get_ident()):
            return
        _workers[self] = None
        try:
            while (stream := self._stream()) is not None and stream.drive():
                del stream
                self.inbox.get()
        finally:
            _workers.pop(self, None)
            self._ended.open()

    def end(self, *, stops: bool) -> None:
        """Ends the thread of a stream that is closed, and waits until it has ended.

        Args:
            stops: True to end the launch that it executes.
        """
        self.inbox.put(None)
        if not self._is_started or self._forks != PROCESS.forks or self._thread == _thread.get_ident():
            return
        while stops and self._thread and not self._ended.wait(0):
            simulator.stop_launches(self._thread)
            if self._ended.wait(_STOP_SECONDS):
                return
        self._ended.wait()


_STOP_SECONDS = 0.01
"""The time after which a launch that has begun meanwhile is stopped."""

_workers: dict[_Worker, None] = {}
"""The workers whose threads run."""

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_workers.clear)


@atexit.register
def _close_active_streams() -> None:
    """Stops kernels that run, and waits for the workers before the interpreter is finalized."""
    simulator.stop_launches()
    for worker in tuple(_workers):
        stream = worker.stream
        if stream is not None:
            stream.close()
