"""Barriers (specification: Barrier).

A list executes its commands strictly one after the other and every write is visible at once, so a barrier has nothing
to do but to wait and to signal.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.ze.declaration import Chapter, api
from runtime.ze.driver.execution.command_list import CommandList
from runtime.ze.driver.execution.event import Event
from runtime.ze.driver.execution.stream import do_nothing
from runtime.ze.driver.handle import items, live, pointer
from runtime.ze.spec.results import ZeError, ze_result_t


@api(Chapter.BARRIER, "INVALID_SYNCHRONIZATION_OBJECT")
def zeCommandListAppendBarrier(
    hCommandList: CommandList, hSignalEvent: Event | None = None, phWaitEvents: Sequence[Event] | None = None
) -> None:
    """Let later commands of the list begin when earlier ones are done and their effects visible."""
    live(hCommandList, CommandList).append(do_nothing, hSignalEvent, phWaitEvents)


@api(Chapter.BARRIER, "INVALID_SIZE INVALID_SYNCHRONIZATION_OBJECT", pointers="pRangeSizes pRanges")
def zeCommandListAppendMemoryRangesBarrier(
    hCommandList: CommandList,
    pRangeSizes: Sequence[int],
    pRanges: Sequence[int],
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """A barrier that promises visibility of the given memory ranges only."""
    command_list = live(hCommandList, CommandList)
    pRangeSizes = items(pRangeSizes, "pRangeSizes")
    pRanges = items(pRanges, "pRanges")
    if len(pRangeSizes) != len(pRanges):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, f"{len(pRangeSizes)} range sizes for {len(pRanges)} ranges"
        )
    for address in pRanges:
        pointer(address, "pRanges")
    command_list.append(do_nothing, hSignalEvent, phWaitEvents)
