"""Command queues."""

from __future__ import annotations

from typing import ClassVar

from runtime.ze.driver.execution.stream import CommandStream
from runtime.ze.driver.handle import Handle, enumerator, required
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.spec.enums import ze_command_queue_mode_t, ze_command_queue_priority_t
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import ze_command_queue_desc_t

_RANKS = {
    ze_command_queue_priority_t.ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW: -1,
    ze_command_queue_priority_t.ZE_COMMAND_QUEUE_PRIORITY_NORMAL: 0,
    ze_command_queue_priority_t.ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH: 1,
}


def check_ordinal(device: Device, ordinal: int) -> int:
    """Returns `ordinal` if the device has such a queue group, and raises `INVALID_ARGUMENT` otherwise."""
    if not 0 <= ordinal < len(device.queue_groups):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"queue group {ordinal}, but {device!r} has {len(device.queue_groups)} groups",
        )
    return ordinal


def open_stream(context: Context, device: Device, desc: ze_command_queue_desc_t, name: str = "desc") -> CommandStream:
    """Returns a stream for the queue of a context that `desc` describes, which is checked; `name` is the parameter
    that it comes from.
    """
    required(desc, name)
    mode = enumerator(desc.mode, ze_command_queue_mode_t)
    priority = enumerator(desc.priority, ze_command_queue_priority_t)
    queues = device.queue_groups[check_ordinal(device, desc.ordinal)].numQueues
    if not 0 <= desc.index < queues:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"queue {desc.index} of group {desc.ordinal}, which has {queues} queue(s)",
        )
    synchronous = mode == ze_command_queue_mode_t.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
    label = f"{device.target.name} queue {desc.ordinal}.{desc.index}"
    stream = CommandStream(device.processor, context, device, synchronous, label, _RANKS[priority])
    if device.machine.debugged is not None:
        stream.ended = device.machine.debugged.queue_made(device.board_name, stream)
    return stream


class CommandQueue(Handle):
    """A queue of one device, as `desc` describes it."""

    noun: ClassVar[str] = "command queue"

    def __init__(self, context: Context, device: Device, desc: ze_command_queue_desc_t, stream: CommandStream) -> None:
        super().__init__(context)
        self.context = context
        self.device = device
        self.desc = desc
        self.stream = stream

    @property
    def ordinal(self) -> int:
        """The queue group."""
        return self.desc.ordinal

    @property
    def pending_use(self) -> str:
        return "" if self.stream.idle else f"{self!r} is still executing"

    def retire(self) -> bool:
        if not super().retire():
            return False
        self.stream.finish()
        return True
