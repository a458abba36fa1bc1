"""Checks on command lists that are submitted for execution."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.ze.driver.execution.command_list import CommandList, ImmediateCommandList
from runtime.ze.driver.execution.command_queue import CommandQueue
from runtime.ze.driver.execution.commands import Command, Submission
from runtime.ze.driver.execution.fence import Fence
from runtime.ze.driver.execution.stream import CommandStream
from runtime.ze.driver.handle import live
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.spec.results import ZeError, ze_result_t


def executable_list(ordinal: int, context: Context, device: Device, hCommandList: CommandList) -> CommandList:
    """Returns a list if it can be executed on a queue of a group, context and device.

    Raises:
        ZeError: `INVALID_COMMAND_LIST_TYPE` or `INVALID_ARGUMENT`.
    """
    command_list = live(hCommandList, CommandList)
    if isinstance(command_list, ImmediateCommandList) or command_list.ordinal != ordinal:
        kind = "immediate" if isinstance(command_list, ImmediateCommandList) else f"of group {command_list.ordinal}"
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE,
            f"{command_list!r} is {kind}, and the queue takes regular lists of group {ordinal}",
        )
    if not context.takes_from(command_list.context) or not device.takes_from(command_list.device):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{command_list!r} is of another driver or device than the queue",
        )
    if not command_list.closed:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{command_list!r} is not closed")
    return command_list


def submittable_fence(queue: CommandQueue, hFence: Fence) -> Fence:
    """Returns a fence of `queue` that is neither signaled nor submitted.

    Raises:
        ZeError: `INVALID_SYNCHRONIZATION_OBJECT` for any other.
    """
    fence = live(hFence, Fence)
    if fence.queue is not queue or fence.signaled or fence.submitted:
        why = "belongs to another queue" if fence.queue is not queue else "must be reset before it is submitted again"
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT, f"{fence!r} {why}")
    return fence


def execute_lists(
    stream: CommandStream, lists: Sequence[CommandList], commands: Sequence[Command], fence: Fence | None = None
) -> None:
    """Submits the commands of lists, and perhaps others with them, to a stream.

    A list that already executes is executed once more. The results are those of `CommandStream.submit`.
    """
    submission = Submission(commands)
    for command_list in lists:
        command_list.execution = submission
    if fence is not None:
        fence.follow(submission)
    stream.submit(submission)
