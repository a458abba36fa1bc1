"""Commands that signal, await and reset events (specification: Event)."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.ze.command_list import CommandList
from runtime.ze.event import Event
from runtime.ze.handle import items, live
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.stream import do_nothing


def zeCommandListAppendSignalEvent(hCommandList: CommandList, hEvent: Event) -> None:
    """Signal an event when all earlier commands of the list are done."""
    live(hCommandList, CommandList).append(do_nothing, live(hEvent, Event))


def zeCommandListAppendWaitOnEvents(hCommandList: CommandList, phEvents: Sequence[Event]) -> None:
    """Let later commands of the list begin when all of `phEvents` are signaled."""
    command_list = live(hCommandList, CommandList)
    phEvents = items(phEvents, "phEvents")
    if not phEvents:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, "there are no events to wait for")
    command_list.append(do_nothing, None, phEvents)


def zeCommandListAppendEventReset(hCommandList: CommandList, hEvent: Event) -> None:
    """Make an event not signaled, in the order of the list."""
    command_list = live(hCommandList, CommandList)
    event = command_list.event(hEvent)
    command_list.append(event.reset)
