"""Arrays of the caller as device memory, for as long as a launch needs them."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from runtime.array_view import HostRange
from runtime.simulator import Allocation, Memory


class HostMemory:
    """Registers host memory for launches of any number of threads.

    Device memory knows no overlapping allocations. So ranges of one launch that overlap become one, and a launch waits
    while another one holds a range that overlaps one of its own without being the same.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._released = threading.Condition()
        self._held: list[Allocation] = []

    def acquire(self, ranges: Iterable[tuple[str, HostRange]]) -> list[Allocation]:
        """Register ranges, each with a name for reports; `release` them afterwards."""
        merged = _merge(ranges)
        if not merged:
            return []
        with self._released:
            self._released.wait_for(lambda: not self._conflicts(merged))
            allocations = [
                self._memory.register(extent.start, extent.end - extent.start, "host", name, extent.writable)
                for name, extent in merged
            ]
            self._held += allocations
        return allocations

    def release(self, allocations: list[Allocation]) -> None:
        """Give up what `acquire` returned."""
        if not allocations:
            return
        with self._released:
            for allocation in allocations:
                self._held.remove(allocation)
                self._memory.free(allocation)
            self._released.notify_all()

    def _conflicts(self, ranges: list[tuple[str, HostRange]]) -> bool:
        return any(
            extent.start < held.end
            and held.address < extent.end
            and (extent.start, extent.end) != (held.address, held.end)
            for held in self._held
            for _, extent in ranges
        )


def _merge(ranges: Iterable[tuple[str, HostRange]]) -> list[tuple[str, HostRange]]:
    """The same bytes as ranges that do not overlap, in ascending order."""
    merged: list[tuple[str, HostRange]] = []
    for name, extent in sorted(ranges, key=lambda item: item[1].start):
        if merged and extent.start < merged[-1][1].end:
            last_name, last = merged[-1]
            whole = HostRange(last.start, max(last.end, extent.end), last.writable or extent.writable)
            merged[-1] = (f"{last_name}, {name}", whole)
        else:
            merged.append((name, extent))
    return merged
