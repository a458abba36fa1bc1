"""Execution of command lists (specification: Command Queue, zeCommandQueueExecuteCommandLists)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from runtime.ze.command_list import CommandList, ImmediateCommandList
from runtime.ze.command_queue import CommandQueue
from runtime.ze.fence import Fence
from runtime.ze.handle import live, required
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.stream import State, Submission


def _check_list(queue: CommandQueue, hCommandList: CommandList) -> CommandList:
    command_list = live(hCommandList, CommandList)
    if isinstance(command_list, ImmediateCommandList) or command_list.ordinal != queue.ordinal:
        kind = "immediate" if isinstance(command_list, ImmediateCommandList) else f"of group {command_list.ordinal}"
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE,
            f"{command_list!r} is {kind}, and the queue takes regular lists of group {queue.ordinal}",
        )
    if command_list.context is not queue.context or not queue.device.takes_from(command_list.device):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{command_list!r} and {queue!r} differ in context or device"
        )
    if not command_list.closed:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{command_list!r} is not closed")
    return command_list


def _check_fence(queue: CommandQueue, hFence: Fence) -> Fence:
    fence = live(hFence, Fence)
    if fence.queue is not queue or fence.signaled or fence.submitted:
        why = "belongs to another queue" if fence.queue is not queue else "must be reset before it is submitted again"
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT, f"{fence!r} {why}")
    return fence


def zeCommandQueueExecuteCommandLists(
    hCommandQueue: CommandQueue, phCommandLists: Sequence[CommandList], hFence: Fence | None = None
) -> None:
    """Submit closed lists to a queue, in order; `hFence` is signaled when all of them are done.

    An asynchronous queue returns at once, a synchronous one when the lists are done. Raises device lost.
    """
    queue = live(hCommandQueue, CommandQueue)
    required(phCommandLists, "phCommandLists")
    if not phCommandLists:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, "there are no command lists to execute")
    lists = [_check_list(queue, command_list) for command_list in phCommandLists]
    fence = None if hFence is None else _check_fence(queue, hFence)

    def finished(state: State) -> None:
        for command_list in lists:
            command_list.in_flight -= 1
        if fence is not None:
            fence.submitted = False
            fence.signaled = state is State.DONE

    with queue.context.machine.changed:
        for command_list in lists:
            command_list.require_idle()
        for command_list in lists:
            command_list.in_flight += 1
        if fence is not None:
            fence.submitted = True
    commands = tuple(chain.from_iterable(command_list.commands for command_list in lists))
    queue.stream.submit(Submission(commands, finished))
