"""Fences."""

from __future__ import annotations

from typing import ClassVar

from runtime.ze.driver.execution.command_queue import CommandQueue
from runtime.ze.driver.handle import Handle
from runtime.ze.spec.results import ZeError, ze_result_t


class Fence(Handle):
    """Signaled when the submission that it was given to completes; `submitted` in between."""

    noun: ClassVar[str] = "fence"

    def __init__(self, queue: CommandQueue, signaled: bool) -> None:
        super().__init__(queue)
        self.queue = queue
        self.signaled = signaled
        self.submitted = False

    def require_idle(self) -> None:
        """Raise object in use while a submission is to signal the fence."""
        if self.submitted:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, f"{self!r} is still to be signaled")

    def retire(self) -> None:
        self.require_idle()
        super().retire()
