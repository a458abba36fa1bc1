"""Command lists: recorded commands, and immediate lists that execute each command at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from runtime.ze.driver.execution.commands import Command, Submission, Uses, Work, may_use_all
from runtime.ze.driver.execution.event import Event
from runtime.ze.driver.execution.stream import CommandStream
from runtime.ze.driver.handle import Handle, items, live
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.machine import FOREVER
from runtime.ze.spec.enums import (
    ze_command_list_flags_t,
    ze_command_queue_flags_t,
    ze_command_queue_group_property_flags_t,
)
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import ze_command_queue_desc_t

_COMPUTE = ze_command_queue_group_property_flags_t.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE

_IN_ORDER = ze_command_list_flags_t.ZE_COMMAND_LIST_FLAG_IN_ORDER


class CommandList(Handle):
    """Commands recorded for queues of the group `ordinal`; `execution` is the latest submission that executes them."""

    noun: ClassVar[str] = "command list"

    def __init__(self, context: Context, device: Device, ordinal: int, flags: ze_command_list_flags_t) -> None:
        super().__init__(context)
        self.context = context
        self.device = device
        self.ordinal = ordinal
        self.flags = flags
        self._computes = bool(device.queue_groups[ordinal].flags & _COMPUTE)
        self.commands: list[Command] = []
        self.closed = False
        self.execution: Submission | None = None

    def append(
        self,
        work: Work,
        hSignalEvent: Event | None = None,
        phWaitEvents: Sequence[Event] | None = None,
        uses: Uses = may_use_all,
    ) -> None:
        """Records a command.

        Args:
            work: What the command does.
            hSignalEvent: The event that it signals when it is done.
            phWaitEvents: The events that must be signaled before it begins.
            uses: The memory that it may use.
        """
        self._record(self.command(work, hSignalEvent, phWaitEvents, uses))

    def command(
        self,
        work: Work,
        hSignalEvent: Event | None,
        phWaitEvents: Sequence[Event] | None,
        uses: Uses = may_use_all,
    ) -> Command:
        """Returns a command of this list, with its events checked."""
        waits = tuple(self.event(event) for event in items(phWaitEvents, "phWaitEvents")) if phWaitEvents else ()
        if hSignalEvent is None:
            return Command(work, None, waits, uses)
        signal = self.event(hSignalEvent)
        signal.require_signal_of(in_order=self.is_in_order)
        signal.device = self.device
        return Command(work, signal, waits, uses)

    @property
    def is_in_order(self) -> bool:
        """True if the list was created in order, so that each command depends on the one before it."""
        return bool(self.flags & _IN_ORDER)

    def require_compute(self) -> None:
        """Raises `INVALID_COMMAND_LIST_TYPE` for a list that can only copy."""
        if not self._computes:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE,
                f"{self!r} is of queue group {self.ordinal}, which only copies",
            )

    def event(self, event: Event) -> Event:
        """Returns `event` if it belongs to the list's driver, else raises `INVALID_SYNCHRONIZATION_OBJECT`."""
        if not self.context.takes_from(live(event, Event).pool.context):
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT, f"{event!r} belongs to another driver"
            )
        return event

    def _record(self, command: Command) -> None:
        if self.closed:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{self!r} is closed")
        self.commands.append(command)

    def close(self) -> None:
        self.closed = True

    def reset(self) -> None:
        """Becomes open and empty. Executions that are pending have commands of their own."""
        self.commands = []
        self.closed = False

    @property
    def is_executing(self) -> bool:
        """True while a submission executes the list."""
        return self.execution is not None and self.execution.is_pending

    @property
    def pending_use(self) -> str:
        return f"{self!r} is still executing" if self.is_executing else ""


class ImmediateCommandList(CommandList):
    """A list that executes each command when it is appended, on a queue of its own."""

    def __init__(self, context: Context, device: Device, desc: ze_command_queue_desc_t, stream: CommandStream) -> None:
        in_order = bool(desc.flags & ze_command_queue_flags_t.ZE_COMMAND_QUEUE_FLAG_IN_ORDER)
        super().__init__(context, device, desc.ordinal, _IN_ORDER if in_order else ze_command_list_flags_t(0))
        self.desc = desc
        self.stream = stream

    def _record(self, command: Command) -> None:
        self.stream.submit(Submission((command,)))

    def execute(self, work: Work, hSignalEvent: Event | None, phWaitEvents: Sequence[Event], uses: Uses) -> Submission:
        """Executes `work`, as `append` does, and returns the submission."""
        submission = Submission((self.command(work, hSignalEvent, phWaitEvents, uses),))
        self.stream.submit(submission)
        return submission

    def synchronize(self, timeout: int) -> bool:
        return self.stream.synchronize(timeout)

    def close(self) -> None:
        """Does nothing: the list takes commands as before."""

    def reset(self) -> None:
        self.synchronize(FOREVER)

    @property
    def is_executing(self) -> bool:
        return not self.stream.idle

    def retire(self) -> bool:
        if not super().retire():
            return False
        self.stream.finish()
        return True


def commands_of(lists: Sequence[CommandList]) -> tuple[Command, ...]:
    """Returns the commands of some lists."""
    return tuple(command for command_list in lists for command in command_list.commands)


def immediate(hCommandList: CommandList) -> ImmediateCommandList:
    """Returns a live immediate list; raises `INVALID_ARGUMENT` for a regular one."""
    command_list = live(hCommandList, CommandList)
    if isinstance(command_list, ImmediateCommandList):
        return command_list
    raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{command_list!r} is not an immediate list")
