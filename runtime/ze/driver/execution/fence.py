"""Fences."""

from __future__ import annotations

from typing import ClassVar

from runtime.ze.driver.execution.command_queue import CommandQueue
from runtime.ze.driver.handle import Handle
from runtime.ze.spec.results import ZeError, ze_result_t


class Fence(Handle):
    """A fence of a queue; `submitted` is True from the submission that will signal it to the end of that submission.

    Both states are guarded by the machine's lock once the fence is submitted.
    """

    noun: ClassVar[str] = "fence"

    def __init__(self, queue: CommandQueue, signaled: bool) -> None:
        super().__init__(queue)
        self.queue = queue
        self.signaled = signaled
        self.submitted = False

    def require_idle(self) -> None:
        """Raises `HANDLE_OBJECT_IN_USE` while a submission will signal the fence."""
        if self.submitted:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, f"{self!r} will be signaled by a pending submission"
            )

    def retire(self) -> None:
        self.require_idle()
        super().retire()
