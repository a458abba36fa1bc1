"""Fences."""

from __future__ import annotations

from typing import ClassVar

from runtime.ze.driver.execution.command_queue import CommandQueue
from runtime.ze.driver.execution.commands import Submission
from runtime.ze.driver.handle import Handle


class Fence(Handle):
    """A fence of a queue. It is signaled when its submission is done, or from the start."""

    noun: ClassVar[str] = "fence"

    def __init__(self, queue: CommandQueue, signaled: bool) -> None:
        super().__init__(queue)
        self.queue = queue
        self._is_set = signaled
        self._submission: Submission | None = None

    @property
    def signaled(self) -> bool:
        return self._is_set or (self._submission is not None and self._submission.is_done)

    @property
    def submitted(self) -> bool:
        """True while a submission will signal the fence."""
        return self._submission is not None and self._submission.is_pending

    def follow(self, submission: Submission) -> None:
        """Is signaled by a submission."""
        self._submission = submission

    def wait(self, timeout: int) -> bool:
        """Waits at most `timeout` nanoseconds until the fence is signaled; returns whether it is.

        Raises:
            ZeError: `DEVICE_LOST` if the device is lost, or the submission was dropped.
        """
        self.queue.device.processor.wait(lambda: self.signaled or self._is_dropped, timeout)
        if self._submission is not None and self._is_dropped:
            return self.queue.stream.wait_for(self._submission, 0)
        return self.signaled

    @property
    def _is_dropped(self) -> bool:
        """True if the submission will never be done."""
        submission = self._submission
        return submission is not None and submission.number > 0 and not (submission.is_pending or submission.is_done)

    def reset(self) -> None:
        """Is not signaled any more, until a pending submission signals it, if there is one."""
        self._is_set = False
        if not self.submitted:
            self._submission = None

    @property
    def pending_use(self) -> str:
        return f"{self!r} will be signaled by a pending submission" if self.submitted else ""
