"""Recordings: the counters of every launch and copy of a device, one by one, from which any group can be computed.

Tools that run a program themselves need no pools and streams: a recording has the counters of all groups at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import numpy as np

from runtime.ze.driver import Activity, Device
from runtime.zet.metrics.spec import zet_metric_group_calculation_type_t
from runtime.zet.metrics.system.calculation import metric_values
from runtime.zet.metrics.system.counters import COUNTERS, INDEX, Numbers, added
from runtime.zet.metrics.system.groups import EVENT_BASED, GroupForm, MetricUnit
from runtime.zet.metrics.system.table import GROUPS, MetricRow

_VALUES = zet_metric_group_calculation_type_t.ZET_METRIC_GROUP_CALCULATION_TYPE_METRIC_VALUES


@dataclass(frozen=True, eq=False)
class RecordedWork:
    """A launch or copy.

    Attributes:
        kernel: The name of the kernel; None for a copy.
        tile: The tile.
        begin_ns: The time at which it began, of the work of its tile alone: what the host does takes no time.
        nanoseconds: The time that it took.
        counts: What it added to the counters.
    """

    kernel: str | None
    tile: int
    begin_ns: int
    nanoseconds: int
    counts: Numbers


class MetricRecording:
    """Records what a device does, while it is entered as a context."""

    skips = False

    def __init__(self, device: Device) -> None:
        self.work: list[RecordedWork] = []
        self._unit = MetricUnit.of(device)
        self._heard: list[tuple[Activity, int, Numbers]] = []

    def __enter__(self) -> Self:
        self._unit.device.processor.listen(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._unit.device.processor.ignore(self)
        ends = [0] * len(self._unit.tiles)
        for activity, tile, counts in sorted(self._heard, key=lambda heard: heard[0].start):
            kernel = None if activity.profile is None else activity.profile.kernel
            self.work.append(RecordedWork(kernel, tile, ends[tile], activity.nanoseconds, counts))
            ends[tile] += activity.nanoseconds
        self._heard.clear()

    def hear(self, activity: Activity) -> None:
        tile = self._unit.tile_of(activity)
        if tile is not None:
            self._heard.append((activity, tile, added(activity)))

    def form(self, group: str) -> GroupForm:
        """Returns a metric group of the device; raises `KeyError` for a name that no group has."""
        return GroupForm(GROUPS[group], EVENT_BASED, self._unit.device.target)


def group_names() -> list[str]:
    """Returns the names of the metric groups that recordings have."""
    return [group.name for group in GROUPS.values() if not group.is_by_instruction]


def values_of(form: GroupForm, work: Sequence[RecordedWork]) -> dict[MetricRow, float]:
    """Returns the values of a group for some work together."""
    counts = sum((each.counts for each in work), np.zeros(len(COUNTERS), np.int64))
    reports = np.zeros(1, form.report)
    reports["begin_ns"] = min((each.begin_ns for each in work), default=0)
    reports["counters"] = counts[[INDEX[name] for name in form.row.counters]]
    return {
        row: float(column[0]) for row, column in zip(form.metrics, metric_values(form, reports, _VALUES), strict=True)
    }
