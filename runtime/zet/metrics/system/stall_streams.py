"""Streams of groups by instruction: a report for each instruction of a launch at which threads were sampled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from runtime.concurrency import step
from runtime.ze.driver import Activity, Context, Event, code_address
from runtime.zet.metrics.system.groups import MetricGroup
from runtime.zet.metrics.system.stalls import sampled
from runtime.zet.metrics.system.streams import LOOK_SECONDS, Chain, MetricStreamer, in_order


class _Found(NamedTuple):
    """The reports of a stream that were not read, their number, the cycles since the latest sample, and whether reports
    before these were lost.
    """

    reports: Chain[NDArray[np.void]] = None
    total: int = 0
    begun: int = 0
    is_lost: bool = False


class StallStreamer(MetricStreamer):
    """A stream of a group by instruction. Its reports are there when the launch has ended."""

    def __init__(
        self, context: Context, group: MetricGroup, notify_every: int, nanoseconds: int, event: Event | None
    ) -> None:
        self._found = _Found()
        super().__init__(context, group, notify_every, nanoseconds, event)

    @property
    def sample_bytes(self) -> int:
        return self.group.form.report.itemsize

    @property
    def available(self) -> int:
        return min(self._found.total, self.capacity)

    def hear(self, activity: Activity) -> None:
        tile, profile = self._unit.tile_of(activity), activity.profile
        if tile is None or profile is None:
            return
        period = max(round(self.period_ns * activity.done.clock_mhz / 1e3), 1)
        offsets = np.array(profile.executable.program.offsets, np.int64)
        address = code_address(profile.executable)
        while True:
            before = self._found
            places, samples, begun = sampled(profile, period, before.begun)
            reports = np.zeros(len(places), self.group.form.report)
            reports["tag"], reports["tile"] = self.group.form.tag, tile
            reports["begin_ns"] = activity.start * self._processor.tick_ns
            reports["counters"][:, 0] = address + offsets[places]
            reports["counters"][:, 1:] = samples
            after = _Found((reports, before.reports), before.total + len(places), begun, before.is_lost)
            if self._swap(before, self._bounded(after)):
                return

    def read(self, most: int) -> tuple[bytes, bool]:
        """Returns the reports of at most some instructions, and whether others were lost before these."""
        while True:
            before = self._found
            kept = self._latest(before, self.capacity)
            taken, left = kept[:most], kept[most:]
            is_lost = before.is_lost or before.total > len(kept)
            after = _Found((left, None) if len(left) else None, len(left), before.begun)
            if not len(taken) or self._swap(before, after):
                return taken.tobytes(), is_lost

    def _latest(self, found: _Found, most: int) -> NDArray[np.void]:
        whole = np.concatenate([np.zeros(0, self.group.form.report), *in_order(found.reports)])
        return whole[max(len(whole) - most, 0) :]

    def _bounded(self, found: _Found) -> _Found:
        """Returns the same without the oldest reports, if there are twice as many as the buffer has room for."""
        if found.total <= 2 * self.capacity:
            return found
        return _Found((self._latest(found, self.capacity), None), self.capacity, found.begun, is_lost=True)

    @step
    def _swap(self, before: _Found, after: _Found) -> bool:
        if self._found is not before:
            return False
        self._found = after
        return True

    def seconds_until(self, missing: int) -> float:
        return LOOK_SECONDS
