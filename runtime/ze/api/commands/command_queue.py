"""Command queues and the execution of command lists on them (specification: Command Queue)."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.ze.declaration import NOT_EMPTY, Chapter, api
from runtime.ze.driver.execution.command_list import CommandList, commands_of
from runtime.ze.driver.execution.command_queue import CommandQueue, open_stream
from runtime.ze.driver.execution.fence import Fence
from runtime.ze.driver.execution.submission import executable_list, execute_lists, submittable_fence
from runtime.ze.driver.handle import items, live
from runtime.ze.driver.system.context import Context, time_limit
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.ending import destroy
from runtime.ze.driver.system.machine import FOREVER
from runtime.ze.spec.enums import ze_command_queue_flags_t, ze_command_queue_mode_t, ze_command_queue_priority_t
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import ze_command_queue_desc_t


@api(Chapter.COMMAND_QUEUE, "DEVICE_LOST INVALID_ENUMERATION", pointers="desc")
def zeCommandQueueCreate(hContext: Context, hDevice: Device, desc: ze_command_queue_desc_t) -> CommandQueue:
    """Creates a queue on a device. In default mode it is asynchronous."""
    context = live(hContext, Context)
    device = context.device(hDevice)
    stream = open_stream(context, device, desc)
    return CommandQueue(context, device, desc, stream)


@api(Chapter.COMMAND_QUEUE, validated="HANDLE_OBJECT_IN_USE")
def zeCommandQueueDestroy(hCommandQueue: CommandQueue) -> None:
    """Destroys a queue with its fences. What was submitted to it is executed."""
    destroy(hCommandQueue, CommandQueue)


@api(
    Chapter.COMMAND_QUEUE,
    "DEVICE_LOST INVALID_SIZE INVALID_COMMAND_LIST_TYPE INVALID_SYNCHRONIZATION_OBJECT",
    pointers="phCommandLists",
    rules={"phCommandLists": NOT_EMPTY},
    validated="HANDLE_OBJECT_IN_USE",
)
def zeCommandQueueExecuteCommandLists(
    hCommandQueue: CommandQueue, phCommandLists: Sequence[CommandList], hFence: Fence | None = None
) -> None:
    """Submits closed lists to a queue, in order.

    An asynchronous queue returns at once, a synchronous one when the lists are done. A list that still executes is
    executed once more.

    Args:
        hCommandQueue: The queue.
        phCommandLists: Regular lists of the queue's group and device.
        hFence: A fence of the queue, which is signaled when all lists are done.

    Raises:
        ZeError: `INVALID_COMMAND_LIST_TYPE` for an immediate list or one of another group,
            `INVALID_SYNCHRONIZATION_OBJECT` for a fence that was not reset or belongs to another queue, and
            `DEVICE_LOST`.
    """
    queue = live(hCommandQueue, CommandQueue)
    phCommandLists = items(phCommandLists, "phCommandLists")
    if not phCommandLists:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, "there are no command lists to execute")
    lists = [executable_list(queue.ordinal, queue.context, queue.device, handle) for handle in phCommandLists]
    fence = None if hFence is None else submittable_fence(queue, hFence)

    execute_lists(queue.stream, lists, commands_of(lists), fence)


@api(Chapter.COMMAND_QUEUE, "NOT_READY DEVICE_LOST")
def zeCommandQueueSynchronize(hCommandQueue: CommandQueue, timeout: int = FOREVER) -> ze_result_t:
    """Waits at most `timeout` nanoseconds until everything submitted to a queue is done.

    For a queue of the default context, `UINT32_MAX` stands for no limit, as in specification 0.91.

    Returns:
        `ZE_RESULT_SUCCESS`, or `ZE_RESULT_NOT_READY` after the time-out.

    Raises:
        ZeError: `DEVICE_LOST`.
    """
    queue = live(hCommandQueue, CommandQueue)
    done = queue.stream.synchronize(time_limit(queue.context, timeout))
    return ze_result_t.ZE_RESULT_SUCCESS if done else ze_result_t.ZE_RESULT_NOT_READY


@api(Chapter.COMMAND_QUEUE, since=(1, 9))
def zeCommandQueueGetOrdinal(hCommandQueue: CommandQueue) -> int:
    """Returns the group of a queue."""
    return live(hCommandQueue, CommandQueue).desc.ordinal


@api(Chapter.COMMAND_QUEUE, since=(1, 9))
def zeCommandQueueGetIndex(hCommandQueue: CommandQueue) -> int:
    """Returns the index of a queue in its group."""
    return live(hCommandQueue, CommandQueue).desc.index


@api(Chapter.COMMAND_QUEUE, since=(1, 17))
def zeCommandQueueGetFlags(hCmdQueue: CommandQueue) -> ze_command_queue_flags_t:
    """Returns the flags that a queue was created with."""
    return ze_command_queue_flags_t(live(hCmdQueue, CommandQueue).desc.flags)


@api(Chapter.COMMAND_QUEUE, since=(1, 17))
def zeCommandQueueGetMode(hCmdQueue: CommandQueue) -> ze_command_queue_mode_t:
    """Returns the mode that a queue was created with."""
    return ze_command_queue_mode_t(live(hCmdQueue, CommandQueue).desc.mode)


@api(Chapter.COMMAND_QUEUE, since=(1, 17))
def zeCommandQueueGetPriority(hCmdQueue: CommandQueue) -> ze_command_queue_priority_t:
    """Returns the priority that a queue was created with."""
    return ze_command_queue_priority_t(live(hCmdQueue, CommandQueue).desc.priority)
