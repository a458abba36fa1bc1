"""Command queues and the execution of command lists on them (specification: Command Queue)."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.ze.declaration import NOT_EMPTY, Chapter, api
from runtime.ze.driver.execution.command_list import CommandList, commands_of
from runtime.ze.driver.execution.command_queue import CommandQueue, open_stream
from runtime.ze.driver.execution.fence import Fence
from runtime.ze.driver.execution.stream import State, Submission
from runtime.ze.driver.execution.submission import begin_execution, executable_list, submittable_fence
from runtime.ze.driver.handle import items, live, unsigned
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.machine import FOREVER
from runtime.ze.spec.enums import ze_command_queue_flags_t, ze_command_queue_mode_t, ze_command_queue_priority_t
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import ze_command_queue_desc_t


@api(Chapter.COMMAND_QUEUE, "DEVICE_LOST INVALID_ENUMERATION", pointers="desc")
def zeCommandQueueCreate(hContext: Context, hDevice: Device, desc: ze_command_queue_desc_t) -> CommandQueue:
    """A queue on a device. In default mode it is asynchronous."""
    context = live(hContext, Context)
    device = context.device(hDevice)
    stream = open_stream(device, desc)
    return CommandQueue(context, device, desc, stream)


@api(Chapter.COMMAND_QUEUE, "HANDLE_OBJECT_IN_USE")
def zeCommandQueueDestroy(hCommandQueue: CommandQueue) -> None:
    """Destroy a queue; raises object in use while it executes or has fences."""
    live(hCommandQueue, CommandQueue).retire()


@api(
    Chapter.COMMAND_QUEUE,
    "DEVICE_LOST HANDLE_OBJECT_IN_USE INVALID_SIZE INVALID_COMMAND_LIST_TYPE INVALID_SYNCHRONIZATION_OBJECT",
    pointers="phCommandLists",
    rules={"phCommandLists": NOT_EMPTY},
)
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
    lists = [executable_list(queue.ordinal, queue.context, queue.device, handle) for handle in phCommandLists]
    fence = None if hFence is None else submittable_fence(queue, hFence)

    def finished(state: State) -> None:
        for command_list in lists:
            command_list.in_flight -= 1
        if fence is not None:
            fence.submitted = False
            fence.signaled = state is State.DONE

    begin_execution(queue.context.machine, lists)
    if fence is not None:
        fence.submitted = True
    queue.stream.submit(Submission(commands_of(lists), finished))


@api(Chapter.COMMAND_QUEUE, "NOT_READY DEVICE_LOST")
def zeCommandQueueSynchronize(hCommandQueue: CommandQueue, timeout: int = FOREVER) -> ze_result_t:
    """Wait for everything submitted, at most `timeout` nanoseconds: success, or not ready. Raises device lost."""
    queue = live(hCommandQueue, CommandQueue)
    done = queue.device.processor.wait(lambda: queue.stream.idle, unsigned(timeout, "timeout", 64))
    return ze_result_t.ZE_RESULT_SUCCESS if done else ze_result_t.ZE_RESULT_NOT_READY


@api(Chapter.COMMAND_QUEUE, since=(1, 9))
def zeCommandQueueGetOrdinal(hCommandQueue: CommandQueue) -> int:
    """The queue group of a queue."""
    return live(hCommandQueue, CommandQueue).desc.ordinal


@api(Chapter.COMMAND_QUEUE, since=(1, 9))
def zeCommandQueueGetIndex(hCommandQueue: CommandQueue) -> int:
    """The place of a queue in its group."""
    return live(hCommandQueue, CommandQueue).desc.index


@api(Chapter.COMMAND_QUEUE, since=(1, 17))
def zeCommandQueueGetFlags(hCommandQueue: CommandQueue) -> ze_command_queue_flags_t:
    """The flags that a queue was created with."""
    return ze_command_queue_flags_t(live(hCommandQueue, CommandQueue).desc.flags)


@api(Chapter.COMMAND_QUEUE, since=(1, 17))
def zeCommandQueueGetMode(hCommandQueue: CommandQueue) -> ze_command_queue_mode_t:
    """The mode that a queue was created with."""
    return ze_command_queue_mode_t(live(hCommandQueue, CommandQueue).desc.mode)


@api(Chapter.COMMAND_QUEUE, since=(1, 17))
def zeCommandQueueGetPriority(hCommandQueue: CommandQueue) -> ze_command_queue_priority_t:
    """The priority that a queue was created with."""
    return ze_command_queue_priority_t(live(hCommandQueue, CommandQueue).desc.priority)
