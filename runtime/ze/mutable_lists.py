"""Mutable command lists (specification: Command List, extension), which simulated devices do not have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from runtime.ze.command_list import CommandList
from runtime.ze.event import Event
from runtime.ze.handle import live, required
from runtime.ze.results import ZeError, ze_result_t


def _refuse(command_list: CommandList) -> NoReturn:
    raise ZeError(
        ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
        f"{command_list!r} is not mutable: reset it and append the commands anew",
    )


def zeCommandListGetNextCommandIdExp(hCommandList: CommandList, desc: object) -> int:
    """A number for the next command: raises unsupported feature, as no list is mutable."""
    command_list = live(hCommandList, CommandList)
    required(desc, "desc")
    _refuse(command_list)


def zeCommandListUpdateMutableCommandsExp(hCommandList: CommandList, desc: object) -> None:
    """Change commands of a closed list: raises unsupported feature."""
    command_list = live(hCommandList, CommandList)
    required(desc, "desc")
    _refuse(command_list)


def zeCommandListUpdateMutableCommandSignalEventExp(
    hCommandList: CommandList, commandId: int, hSignalEvent: Event | None
) -> None:
    """Change the event that a command signals: raises unsupported feature."""
    _refuse(live(hCommandList, CommandList))


def zeCommandListUpdateMutableCommandWaitEventsExp(
    hCommandList: CommandList, commandId: int, phWaitEvents: Sequence[Event] | None
) -> None:
    """Change the events that a command waits for: raises unsupported feature."""
    _refuse(live(hCommandList, CommandList))
