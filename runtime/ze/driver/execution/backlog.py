"""The submissions of a queue that have not ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from runtime.concurrency import step
from runtime.ze.driver.execution.commands import PENDING, Submission
from runtime.ze.driver.system.machine import Machine
from runtime.ze.driver.system.processor import Epoch, Processor

CLOSED = "is closed"


class Backlog:
    """The submissions of a queue that have not ended, in order.

    They are a linked list from `_first` to `last`. Those that have ended leave it when they are first, by whoever
    looks.

    Attributes:
        closed: True if the queue takes no more; those that have not begun are dropped.
        submitted: The number of submissions so far.
        last: The latest submission, None if all have left.
        dropped: The epoch of work that was dropped, until it is reported.
    """

    def __init__(self, machine: Machine, *, reports_drops: bool) -> None:
        self.closed = False
        self.submitted = 0
        self.last: Submission | None = None
        self.dropped: Epoch | None = None
        self._first: Submission | None = None
        self._machine = machine
        self._reports_drops = reports_drops

    def __iter__(self) -> Iterator[Submission]:
        submission = self.next()
        while submission is not None:
            if submission.is_pending:
                yield submission
            submission = submission.next

    @property
    def completed(self) -> int:
        """The number of submissions so far that are no longer pending."""
        submitted, first = self.submitted, self.next()
        return submitted if first is None else first.number - 1

    def next(self) -> Submission | None:
        """Returns the first pending submission, after those have left that have ended."""
        while (first := self._first) is not None and not first.is_pending:
            if self._leave(first) and first not in self._machine.executing:
                first.let_go()
        return first

    @step
    def add(self, submission: Submission, processor: Processor, wake: Callable[[object], object]) -> str | None:
        """Appends a submission and wakes the thread that executes it; returns the reason if it does not."""
        if self.closed:
            return CLOSED
        if processor.fault is not None:
            return processor.fault
        number = self.submitted + 1
        self.submitted = number
        submission.number = number
        submission.epoch = processor.epoch
        submission.queue = self
        submission.state = PENDING
        last = self.last
        if last is None:
            self._first = submission
        else:
            last.next = submission
        self.last = submission
        wake(None)
        return None

    @step
    def _leave(self, submission: Submission) -> bool:
        """Removes the first submission, which has ended; returns whether it was still there."""
        if self._first is not submission:
            return False
        self._first = submission.next
        if submission.next is None:
            self.last = None
        if submission.state is PENDING and self._reports_drops:
            self.dropped = submission.epoch
        return True

    @step
    def take_dropped(self) -> Epoch | None:
        """Returns the epoch of work that was dropped since this was last asked, None if none was."""
        dropped = self.dropped
        self.dropped = None
        return dropped
