"""Queries: what the commands between two places of a command list add to the counters."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from runtime.concurrency import step
from runtime.ze.driver import Activity, Context, Handle
from runtime.zet.metrics.spec import zet_metric_query_pool_type_t
from runtime.zet.metrics.system.counters import COUNTERS, INDEX, Numbers, added
from runtime.zet.metrics.system.groups import MetricGroup, MetricUnit


class Measurement:
    """The sums of what the tiles of a device add to the counters while it listens."""

    def __init__(self, unit: MetricUnit, *, skips: bool = False) -> None:
        self.unit = unit
        self.skips = skips
        self.begin_ns = 0
        self._heard: list[tuple[int, Numbers]] = []

    def start(self) -> None:
        """Begins to listen."""
        processor = self.unit.device.processor
        self.begin_ns = processor.tick() * processor.tick_ns
        processor.listen(self)

    def stop(self) -> None:
        """Listens no more."""
        self.unit.device.processor.ignore(self)

    def hear(self, activity: Activity) -> None:
        tile = self.unit.tile_of(activity)
        if tile is not None:
            self._heard.append((tile, added(activity)))

    def sums(self) -> Numbers:
        """Returns the sums: a row for each tile, a column for each counter."""
        found = np.zeros((len(self.unit.tiles), len(COUNTERS)), np.int64)
        for tile, counts in self._heard:
            found[tile] += counts
        return found

    def reports(self, group: MetricGroup) -> bytes:
        """Returns a report of a group for each tile."""
        sums, reports = self.sums(), np.zeros(len(self.unit.tiles), group.form.report)
        reports["tag"] = group.form.tag
        reports["tile"] = np.arange(len(reports))
        reports["begin_ns"] = self.begin_ns
        reports["counters"] = sums[:, [INDEX[name] for name in group.form.row.counters]]
        return reports.tobytes()


class MetricQueryPool(Handle):
    """Room for `count` queries of a group. Those of type `EXECUTION` skip what is between their begin and end."""

    noun: ClassVar[str] = "metric query pool"

    def __init__(self, context: Context, group: MetricGroup, type: zet_metric_query_pool_type_t, count: int) -> None:
        super().__init__(context)
        self.context = context
        self.group = group
        self.skips = type is zet_metric_query_pool_type_t.ZET_METRIC_QUERY_POOL_TYPE_EXECUTION
        self.count = count


class MetricQuery(Handle):
    """A query of a pool: reset, then begun, then ended, when it has `data`."""

    noun: ClassVar[str] = "metric query"

    def __init__(self, pool: MetricQueryPool, index: int) -> None:
        super().__init__(pool)
        self.pool = pool
        self.index = index
        self.data: bytes | None = None
        self._measurement: Measurement | None = None

    def begin(self) -> None:
        """Begins to measure, anew if it was begun before. It is called when the command executes."""
        self._stop()
        unit = self.pool.group.unit
        measurement = Measurement(unit, skips=self.pool.skips)
        self._set(measurement, None)
        unit.users[self] = self.pool.group
        measurement.start()

    def end(self) -> None:
        """Ends measuring, if it was begun."""
        measurement = self._measurement
        if measurement is not None:
            self._stop()
            self._set(None, measurement.reports(self.pool.group))

    def reset(self) -> None:
        """Forgets its data, and ends measuring."""
        self._stop()
        self._set(None, None)

    def _stop(self) -> None:
        measurement = self._measurement
        if measurement is not None:
            measurement.stop()
            self.pool.group.unit.users.pop(self, None)

    @step
    def _set(self, measurement: Measurement | None, data: bytes | None) -> None:
        self._measurement = measurement
        self.data = data

    @property
    def use(self) -> str:
        return "" if self._measurement is None else f"{self!r} has begun and not ended"

    def retire(self) -> bool:
        """Destroys the query, which measures no more."""
        if not super().retire():
            return False
        self._stop()
        return True
