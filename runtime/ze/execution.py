"""Execution of command lists (specification: Command Queue, zeCommandQueueExecuteCommandLists)."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.ze.command_list import CommandList, ImmediateCommandList, commands_of, immediate
from runtime.ze.command_queue import CommandQueue
from runtime.ze.context import Context
from runtime.ze.device import Device
from runtime.ze.event import Event
from runtime.ze.fence import Fence
from runtime.ze.handle import items, live
from runtime.ze.machine import Machine
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.stream import State, Submission, do_nothing


def _check_list(ordinal: int, context: Context, device: Device, hCommandList: CommandList) -> CommandList:
    """A list, checked to be executable on a queue of a group, context and device."""
    command_list = live(hCommandList, CommandList)
    if isinstance(command_list, ImmediateCommandList) or command_list.ordinal != ordinal:
        kind = "immediate" if isinstance(command_list, ImmediateCommandList) else f"of group {command_list.ordinal}"
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE,
            f"{command_list!r} is {kind}, and the queue takes regular lists of group {ordinal}",
        )
    if command_list.context is not context or not device.takes_from(command_list.device):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{command_list!r} and the queue differ in context or device",
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


def _begin(machine: Machine, lists: Sequence[CommandList]) -> None:
    """Note that lists execute; raises object in use for one that does already."""
    with machine.changed:
        for command_list in lists:
            command_list.require_idle()
        for command_list in lists:
            command_list.in_flight += 1


def zeCommandQueueExecuteCommandLists(
    hCommandQueue: CommandQueue, phCommandLists: Sequence[CommandList], hFence: Fence | None = None
) -> None:
    """Submit closed lists to a queue, in order; `hFence` is signaled when all of them are done.

    An asynchronous queue returns at once, a synchronous one when the lists are done. Raises device lost.
    """
    queue = live(hCommandQueue, CommandQueue)
    phCommandLists = items(phCommandLists, "phCommandLists")
    if not phCommandLists:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, "there are no command lists to execute")
    lists = [_check_list(queue.ordinal, queue.context, queue.device, handle) for handle in phCommandLists]
    fence = None if hFence is None else _check_fence(queue, hFence)

    def finished(state: State) -> None:
        for command_list in lists:
            command_list.in_flight -= 1
        if fence is not None:
            fence.submitted = False
            fence.signaled = state is State.DONE

    _begin(queue.context.machine, lists)
    if fence is not None:
        fence.submitted = True
    queue.stream.submit(Submission(commands_of(lists), finished))


def zeCommandListImmediateAppendCommandListsExp(
    hCommandListImmediate: CommandList,
    phCommandLists: Sequence[CommandList],
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Execute closed regular lists, in order, on the queue of an immediate list; results are those of a queue."""
    target = immediate(hCommandListImmediate)
    phCommandLists = items(phCommandLists, "phCommandLists")
    if not phCommandLists:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, "there are no command lists to execute")
    lists = [_check_list(target.ordinal, target.context, target.device, handle) for handle in phCommandLists]
    first, last = target.command(do_nothing, None, phWaitEvents), target.command(do_nothing, hSignalEvent, None)

    def finished(_: State) -> None:
        for command_list in lists:
            command_list.in_flight -= 1

    _begin(target.context.machine, lists)
    target.submit((first, *commands_of(lists), last), finished)
