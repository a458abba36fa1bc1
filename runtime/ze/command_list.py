"""Command lists, regular and immediate (specification: Command List). What can be appended is in other chapters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from runtime.ze.command_queue import check_ordinal, open_stream
from runtime.ze.context import Context
from runtime.ze.device import Device
from runtime.ze.enums import ze_command_list_flags_t, ze_command_queue_group_property_flags_t
from runtime.ze.event import Event
from runtime.ze.handle import Handle, flag_set, live, required, unsigned
from runtime.ze.machine import FOREVER
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.stream import Command, Stream, Submission, Work
from runtime.ze.structs import ze_command_list_desc_t, ze_command_queue_desc_t

_COMPUTE = ze_command_queue_group_property_flags_t.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE


class CommandList(Handle):
    """Commands recorded for queues of the group `ordinal`. `in_flight` counts the submissions that hold the list."""

    noun: ClassVar[str] = "command list"

    def __init__(self, context: Context, device: Device, ordinal: int) -> None:
        super().__init__(context)
        self.context = context
        self.device = device
        self.ordinal = ordinal
        self.commands: list[Command] = []
        self.closed = False
        self.in_flight = 0

    def append(
        self, work: Work, hSignalEvent: Event | None = None, phWaitEvents: Sequence[Event] | None = None
    ) -> None:
        """Record `work`, to be done when `phWaitEvents` are signaled, and to signal `hSignalEvent` when done."""
        signal = None if hSignalEvent is None else self.event(hSignalEvent)
        waits = tuple(map(self.event, phWaitEvents)) if phWaitEvents else ()
        self._record(Command(work, signal, waits))

    def require_compute(self) -> None:
        """Raise invalid command list type for a list that can only copy."""
        if not self.device.queue_groups[self.ordinal].flags & _COMPUTE:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE,
                f"{self!r} is of queue group {self.ordinal}, which only copies",
            )

    def event(self, event: Event) -> Event:
        if live(event, Event).pool.context is not self.context:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT, f"{event!r} belongs to another context"
            )
        return event

    def _record(self, command: Command) -> None:
        if self.closed:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{self!r} is closed")
        self.commands.append(command)

    def close(self) -> None:
        self.closed = True

    def reset(self) -> None:
        self.require_idle()
        self.commands = []
        self.closed = False

    def require_idle(self) -> None:
        """Raise object in use while the list executes."""
        if self.in_flight:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, f"{self!r} is still executing")

    def retire(self) -> None:
        self.require_idle()
        super().retire()


class ImmediateCommandList(CommandList):
    """A list that executes each command when it is appended, on a queue of its own."""

    def __init__(self, context: Context, device: Device, ordinal: int, stream: Stream) -> None:
        super().__init__(context, device, ordinal)
        self.stream = stream

    def _record(self, command: Command) -> None:
        self.stream.submit(Submission((command,)))

    def synchronize(self, timeout: int) -> bool:
        return self.device.processor.wait(lambda: self.stream.idle, timeout)

    def close(self) -> None:
        """Nothing to do: the list stays usable."""

    def reset(self) -> None:
        self.synchronize(FOREVER)

    def require_idle(self) -> None:
        if not self.stream.idle:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, f"{self!r} is still executing")

    def retire(self) -> None:
        super().retire()
        self.stream.close()


def zeCommandListCreate(hContext: Context, hDevice: Device, desc: ze_command_list_desc_t) -> CommandList:
    """An open, empty list for the queues of a group."""
    context = live(hContext, Context)
    device = context.device(hDevice)
    required(desc, "desc")
    flag_set(desc.flags, ze_command_list_flags_t)
    return CommandList(context, device, check_ordinal(device, desc.commandQueueGroupOrdinal))


def zeCommandListCreateImmediate(hContext: Context, hDevice: Device, altdesc: ze_command_queue_desc_t) -> CommandList:
    """A list that submits each command as it is appended; in synchronous mode an append returns when it is done."""
    context = live(hContext, Context)
    device = context.device(hDevice)
    stream = open_stream(device, altdesc)
    return ImmediateCommandList(context, device, altdesc.ordinal, stream)


def zeCommandListDestroy(hCommandList: CommandList) -> None:
    """Destroy a list; raises object in use while it executes."""
    live(hCommandList, CommandList).retire()


def zeCommandListClose(hCommandList: CommandList) -> None:
    """End recording: the list can be executed. Without effect on an immediate list."""
    live(hCommandList, CommandList).close()


def zeCommandListReset(hCommandList: CommandList) -> None:
    """Make a list open and empty; raises object in use while it executes. An immediate list is waited for."""
    live(hCommandList, CommandList).reset()


def zeCommandListHostSynchronize(hCommandList: CommandList, timeout: int = FOREVER) -> ze_result_t:
    """Wait for what an immediate list has submitted, at most `timeout` nanoseconds: success, or not ready.

    Raises device lost, and invalid argument for a regular list.
    """
    command_list = live(hCommandList, CommandList)
    if not isinstance(command_list, ImmediateCommandList):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{command_list!r} is not an immediate list")
    done = command_list.synchronize(unsigned(timeout, "timeout", 64))
    return ze_result_t.ZE_RESULT_SUCCESS if done else ze_result_t.ZE_RESULT_NOT_READY
