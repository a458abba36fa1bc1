"""Command lists, regular and immediate (specification: Command List)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from runtime.ze.declaration import Chapter, api
from runtime.ze.driver.execution.command_list import CommandList, ImmediateCommandList, commands_of, immediate
from runtime.ze.driver.execution.command_queue import check_ordinal, open_stream
from runtime.ze.driver.execution.commands import do_nothing
from runtime.ze.driver.execution.event import Event
from runtime.ze.driver.execution.submission import executable_list, execute_lists
from runtime.ze.driver.handle import items, known_flags, live, required, unsigned
from runtime.ze.driver.memory.operands import Operand, operand_bytes
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.ending import destroy, wait_until_unused
from runtime.ze.driver.system.machine import FOREVER
from runtime.ze.driver.system.processor import TICK_BITS
from runtime.ze.spec.enums import ze_command_list_flags_t
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import ze_command_list_desc_t, ze_command_queue_desc_t

_NOT_MUTABLE = "Lists are not mutable."


@api(Chapter.COMMAND_LIST, "DEVICE_LOST", pointers="desc", validated="INVALID_ENUMERATION")
def zeCommandListCreate(hContext: Context, hDevice: Device, desc: ze_command_list_desc_t) -> CommandList:
    """Creates an open, empty list for the queues of a group."""
    context = live(hContext, Context)
    device = context.device(hDevice)
    required(desc, "desc")
    flags = known_flags(desc.flags, ze_command_list_flags_t)
    return CommandList(context, device, check_ordinal(device, desc.commandQueueGroupOrdinal), flags)


@api(Chapter.COMMAND_LIST, "DEVICE_LOST INVALID_ENUMERATION", pointers="altdesc")
def zeCommandListCreateImmediate(hContext: Context, hDevice: Device, altdesc: ze_command_queue_desc_t) -> CommandList:
    """Creates a list that submits each command as it is appended.

    In synchronous mode a function that appends returns when the command is done.
    """
    context = live(hContext, Context)
    device = context.device(hDevice)
    stream = open_stream(context, device, altdesc, "altdesc")
    return ImmediateCommandList(context, device, altdesc, stream)


@api(Chapter.COMMAND_LIST, validated="HANDLE_OBJECT_IN_USE")
def zeCommandListDestroy(hCommandList: CommandList) -> None:
    """Destroys a list. What it has submitted is executed."""
    destroy(hCommandList, CommandList)


@api(Chapter.COMMAND_LIST)
def zeCommandListClose(hCommandList: CommandList) -> None:
    """Closes a list: it can be executed, and takes no more commands. This has no effect on an immediate list."""
    live(hCommandList, CommandList).close()


@api(Chapter.COMMAND_LIST, validated="HANDLE_OBJECT_IN_USE")
def zeCommandListReset(hCommandList: CommandList) -> None:
    """Makes a list open and empty. For an immediate list, the function waits until all its commands are done."""
    command_list = live(hCommandList, CommandList)
    if not isinstance(command_list, ImmediateCommandList):
        wait_until_unused(command_list)
    command_list.reset()


@api(Chapter.COMMAND_LIST, "NOT_READY DEVICE_LOST", since=(1, 6))
def zeCommandListHostSynchronize(hCommandList: CommandList, timeout: int = FOREVER) -> ze_result_t:
    """Waits at most `timeout` nanoseconds for all commands of an immediate list.

    Returns:
        `ZE_RESULT_SUCCESS`, or `ZE_RESULT_NOT_READY` after the time-out.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a regular list, and `DEVICE_LOST`.
    """
    done = immediate(hCommandList).synchronize(unsigned(timeout, "timeout", 64))
    return ze_result_t.ZE_RESULT_SUCCESS if done else ze_result_t.ZE_RESULT_NOT_READY


@api(Chapter.COMMAND_LIST, since=(1, 9))
def zeCommandListCreateCloneExp(hCommandList: CommandList) -> CommandList:
    """Creates a closed list with the commands of another one.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a list that is immediate or open, or that was created without
            `EXP_CLONEABLE`.
    """
    original = live(hCommandList, CommandList)
    is_cloneable = original.flags & ze_command_list_flags_t.ZE_COMMAND_LIST_FLAG_EXP_CLONEABLE
    if isinstance(original, ImmediateCommandList) or not (original.closed and is_cloneable):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{original!r} must be a closed regular list with the flag EXP_CLONEABLE",
        )
    clone = CommandList(original.context, original.device, original.ordinal, original.flags)
    clone.commands = list(original.commands)
    clone.close()
    return clone


@api(
    Chapter.COMMAND_LIST,
    "DEVICE_LOST INVALID_SIZE INVALID_COMMAND_LIST_TYPE INVALID_SYNCHRONIZATION_OBJECT",
    pointers="phCommandLists",
    since=(1, 10),
    validated="HANDLE_OBJECT_IN_USE",
)
def zeCommandListImmediateAppendCommandListsExp(
    hCommandListImmediate: CommandList,
    phCommandLists: Sequence[CommandList],
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Executes closed regular lists, in order, on the queue of an immediate list.

    The results are those of `zeCommandQueueExecuteCommandLists`.
    """
    target = immediate(hCommandListImmediate)
    phCommandLists = items(phCommandLists, "phCommandLists")
    if not phCommandLists:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, "there are no command lists to execute")
    lists = [executable_list(target.ordinal, target.context, target.device, handle) for handle in phCommandLists]
    first = target.command(do_nothing, None, phWaitEvents)
    last = target.command(do_nothing, hSignalEvent, None)

    execute_lists(target.stream, lists, (first, *commands_of(lists), last))


@api(Chapter.COMMAND_LIST, since=(1, 9))
def zeCommandListGetDeviceHandle(hCommandList: CommandList) -> Device:
    """Returns the device that a list was created for."""
    return live(hCommandList, CommandList).device


@api(Chapter.COMMAND_LIST, since=(1, 9))
def zeCommandListGetContextHandle(hCommandList: CommandList) -> Context:
    """Returns the context that a list was created in."""
    return live(hCommandList, CommandList).context


@api(Chapter.COMMAND_LIST, since=(1, 9))
def zeCommandListGetOrdinal(hCommandList: CommandList) -> int:
    """Returns the queue group that a list was created for."""
    return live(hCommandList, CommandList).ordinal


@api(Chapter.COMMAND_LIST, since=(1, 9))
def zeCommandListImmediateGetIndex(hCommandListImmediate: CommandList) -> int:
    """Returns the index of an immediate list's queue in its group.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a regular list.
    """
    return immediate(hCommandListImmediate).desc.index


@api(Chapter.COMMAND_LIST, since=(1, 9))
def zeCommandListIsImmediate(hCommandList: CommandList) -> bool:
    """Returns whether a list is immediate."""
    return isinstance(live(hCommandList, CommandList), ImmediateCommandList)


def _refuse_mutation(command_list: CommandList) -> NoReturn:
    raise ZeError(
        ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
        f"{command_list!r} is not mutable: reset it and append the commands anew",
    )


@api(Chapter.COMMAND_LIST, "UNSUPPORTED_FEATURE", pointers="desc", since=(1, 9), note=_NOT_MUTABLE)
def zeCommandListGetNextCommandIdExp(hCommandList: CommandList, desc: object) -> int:
    """Raises `UNSUPPORTED_FEATURE`: no list is mutable, so commands have no numbers."""
    command_list = live(hCommandList, CommandList)
    required(desc, "desc")
    _refuse_mutation(command_list)


@api(Chapter.COMMAND_LIST, "UNSUPPORTED_FEATURE", pointers="desc", since=(1, 9), note=_NOT_MUTABLE)
def zeCommandListUpdateMutableCommandsExp(hCommandList: CommandList, desc: object) -> None:
    """Raises `UNSUPPORTED_FEATURE`: no list is mutable."""
    command_list = live(hCommandList, CommandList)
    required(desc, "desc")
    _refuse_mutation(command_list)


@api(Chapter.COMMAND_LIST, "UNSUPPORTED_FEATURE", since=(1, 9), note=_NOT_MUTABLE)
def zeCommandListUpdateMutableCommandSignalEventExp(
    hCommandList: CommandList, commandId: int, hSignalEvent: Event | None
) -> None:
    """Raises `UNSUPPORTED_FEATURE`: no list is mutable."""
    _refuse_mutation(live(hCommandList, CommandList))


@api(Chapter.COMMAND_LIST, "UNSUPPORTED_FEATURE", since=(1, 9), note=_NOT_MUTABLE)
def zeCommandListUpdateMutableCommandWaitEventsExp(
    hCommandList: CommandList, commandId: int, phWaitEvents: Sequence[Event] | None
) -> None:
    """Raises `UNSUPPORTED_FEATURE`: no list is mutable."""
    _refuse_mutation(live(hCommandList, CommandList))


@api(Chapter.COMMAND_LIST, "INVALID_SYNCHRONIZATION_OBJECT", pointers="dstptr", seed=None, memory="dstptr[8]")
def zeCommandListAppendWriteGlobalTimestamp(
    hCommandList: CommandList,
    dstptr: Operand,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends a command that writes the device time, in ticks, to memory as a 64-bit number."""
    command_list = live(hCommandList, CommandList)
    required(dstptr, "dstptr")
    target = operand_bytes(command_list.context, dstptr, 8, "dstptr", writes=True)
    processor = command_list.device.processor

    def write() -> None:
        ticks = processor.tick() & ((1 << TICK_BITS) - 1)
        target()[:] = list(ticks.to_bytes(8, "little"))

    command_list.append(write, hSignalEvent, phWaitEvents)
