"""Faults that somebody might build into the driver, each planted for as long as a context lasts.

The fuzzer knows nothing of them: it has to find them by what the application sees.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from runtime.simulator import Memory
from runtime.ze.api.commands import command_queue, copy
from runtime.ze.api.modules import launch
from runtime.ze.driver.execution import commands
from runtime.ze.driver.execution.command_list import CommandList
from runtime.ze.driver.execution.commands import Command, Submission
from runtime.ze.driver.execution.event import Event
from runtime.ze.driver.execution.fence import Fence
from runtime.ze.driver.execution.launch import Launch
from runtime.ze.driver.execution.stream import CommandStream
from runtime.ze.driver.handle import live
from runtime.ze.driver.modules.payload import Geometry
from runtime.ze.layers.tracing import tracer

Patch = pytest.MonkeyPatch
Plant = Callable[[Patch], None]


def removed_fence_check(patch: Patch) -> None:
    """A fence may be submitted although it is signaled, submitted, or of another queue."""
    patch.setattr(command_queue, "submittable_fence", lambda queue, fence: live(fence, Fence))


def lost_signal(patch: Patch) -> None:
    """An event is not signaled if a thread waits for anything at that moment."""
    complete = Event.complete

    def lose(self: Event, start: int, end: int) -> None:
        if not self.pool.context.machine._waiters._inboxes:
            complete(self, start, end)

    patch.setattr(Event, "complete", lose)


def early_completion(patch: Patch) -> None:
    """A submission counts as done when its last command begins."""
    execute = CommandStream._execute_next

    def complete(self: CommandStream, submission: Submission) -> None:
        if submission.position == submission.count - 1:
            submission.state = commands.DONE
        execute(self, submission)

    patch.setattr(CommandStream, "_execute_next", complete)


def early_signal(patch: Patch) -> None:
    """A command that launches signals its event when it begins."""
    execute = CommandStream._execute_next

    def signal(self: CommandStream, submission: Submission) -> None:
        command = submission.head
        if command.signal is not None and isinstance(command.work, Launch):
            command.signal.complete(0, 0)
        execute(self, submission)

    patch.setattr(CommandStream, "_execute_next", signal)


def leaked_handle(patch: Patch) -> None:
    """A list that was executed stays an object of its context when it is destroyed."""
    retire = CommandList.retire

    def leak(self: CommandList) -> bool:
        was_alive = retire(self)
        if self.execution is not None:
            self.context.children.add(self)
        return was_alive

    patch.setattr(CommandList, "retire", leak)


def lock_across_a_callback(patch: Patch) -> None:
    """Callbacks of tracers are called with a lock held."""
    lock, notify = threading.Lock(), tracer._notify

    def locked(*arguments: object) -> None:
        with lock:
            notify(*arguments)  # type: ignore[arg-type]

    patch.setattr(tracer, "_notify", locked)


def leaked_device_memory(patch: Patch) -> None:
    """The last, incomplete page of an allocation stays charged to the device when it is freed."""
    free = Memory.free

    def leak(self: Memory, allocation, lender=None) -> None:
        account = allocation.account
        free(self, allocation, lender)
        account.local_bytes += allocation.size % 4096

    patch.setattr(Memory, "free", leak)


def first_event_only(patch: Patch) -> None:
    """A command begins when the first of its events is signaled."""
    patch.setattr(Command, "is_ready", property(lambda self: not self.waits or self.waits[0].signaled))


def late_arguments(patch: Patch) -> None:
    """A launch takes the arguments that the kernel has when it is executed."""
    prepare, run = launch.prepare_launch, Launch.__call__
    arguments_of: dict[Launch, tuple] = {}

    def remember(command_list, kernel, arguments, group_size, group_count, *, counts):
        made = prepare(command_list, kernel, arguments, group_size, group_count, counts=counts)
        arguments_of[made] = arguments, Geometry(group_size, group_count, kernel.global_offset)
        return made

    def refresh(self: Launch) -> int | None:
        if self in arguments_of:
            arguments, geometry = arguments_of[self]
            self._dispatch = replace(self._dispatch, cross_thread=arguments.snapshot(geometry)[0])
        return run(self)

    patch.setattr(launch, "prepare_launch", remember)
    patch.setattr(Launch, "__call__", refresh)


def lost_wake_up(patch: Patch) -> None:
    """The thread of a queue sleeps through every fifth submission."""
    enqueue = CommandStream._enqueue_checked

    def enqueue_quietly(self: CommandStream, submission: Submission, wake: Callable[[object], object]) -> None:
        enqueue(self, submission, bool if self.submitted % 5 == 4 else wake)

    patch.setattr(CommandStream, "_enqueue_checked", enqueue_quietly)


def list_not_idle(patch: Patch) -> None:
    """A list never counts as executing, so that it is reset, destroyed and executed again while it does."""
    patch.setattr(CommandList, "is_executing", property(lambda self: False))


def forward_copy(patch: Patch) -> None:
    """A copy goes forward in blocks, also if its ranges overlap."""

    def copy_forward(to: np.ndarray, origin: np.ndarray) -> None:
        for start in range(0, len(to), 16):
            np.copyto(to[start : start + 16], origin[start : start + 16])

    patch.setattr(copy, "np", SimpleNamespace(copyto=copy_forward))


def dropped_work_is_done(patch: Patch) -> None:
    """Work that was dropped with the device counts as done."""
    done = property(lambda self: self.state is commands.DONE or self.epoch.fault is not None)
    patch.setattr(Submission, "is_done", done)


def unguarded_table(patch: Patch) -> None:
    """The table of live memory is replaced although another thread has changed it meanwhile."""
    swap = Memory._replace
    patch.setattr(Memory, "_replace", lambda self, version, *rest: swap(self, self._version, *rest))


FAULTS: Mapping[str, Plant] = {
    plant.__name__.replace("_", "-"): plant
    for plant in (
        removed_fence_check,
        lost_signal,
        early_completion,
        early_signal,
        leaked_handle,
        lock_across_a_callback,
        leaked_device_memory,
        first_event_only,
        late_arguments,
        lost_wake_up,
        list_not_idle,
        forward_copy,
        dropped_work_is_done,
        unguarded_table,
    )
}
"""The faults by name."""


@contextmanager
def planted(name: str) -> Iterator[None]:
    """The driver has a fault within the context."""
    with pytest.MonkeyPatch.context() as patch:
        FAULTS[name](patch)
        yield
