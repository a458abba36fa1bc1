"""Barriers (specification: Barrier).

A list executes its commands strictly one after the other, and every write is visible at once. A barrier therefore only
waits for its events and signals its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.ze.declaration import Chapter, api
from runtime.ze.driver.execution.command_list import CommandList
from runtime.ze.driver.execution.commands import do_nothing
from runtime.ze.driver.execution.event import Event
from runtime.ze.driver.handle import items, live, pointer, unsigned
from runtime.ze.spec.results import ZeError, ze_result_t


@api(Chapter.BARRIER, "INVALID_SYNCHRONIZATION_OBJECT")
def zeCommandListAppendBarrier(
    hCommandList: CommandList, hSignalEvent: Event | None = None, phWaitEvents: Sequence[Event] | None = None
) -> None:
    """Appends a barrier: later commands of the list begin when earlier ones are done and their effects visible."""
    live(hCommandList, CommandList).append(do_nothing, hSignalEvent, phWaitEvents)


@api(Chapter.BARRIER, "INVALID_SIZE INVALID_SYNCHRONIZATION_OBJECT", pointers="pRangeSizes pRanges")
def zeCommandListAppendMemoryRangesBarrier(
    hCommandList: CommandList,
    pRangeSizes: Sequence[int],
    pRanges: Sequence[int],
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends a barrier that makes only the given memory ranges visible.

    Raises:
        ZeError: `INVALID_SIZE` if there are not as many sizes as ranges.
    """
    command_list = live(hCommandList, CommandList)
    pRangeSizes = items(pRangeSizes, "pRangeSizes")
    pRanges = items(pRanges, "pRanges")
    if len(pRangeSizes) != len(pRanges):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, f"{len(pRangeSizes)} range sizes for {len(pRanges)} ranges"
        )
    for size in pRangeSizes:
        unsigned(size, "pRangeSizes", 64)
    for address in pRanges:
        pointer(address, "pRanges")
    command_list.append(do_nothing, hSignalEvent, phWaitEvents)
