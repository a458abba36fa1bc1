"""Metric groups and metrics: enumeration, properties, activation (specification: Metric)."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.ze.declaration import api, seed_form
from runtime.ze.driver import TICK_BITS, Context, Device, items, live
from runtime.zet.chapters import ToolsChapter
from runtime.zet.metrics.spec import (
    zet_metric_global_timestamps_resolution_exp_t,
    zet_metric_group_properties_t,
    zet_metric_group_type_exp_flags_t,
    zet_metric_group_type_exp_t,
    zet_metric_properties_t,
    zet_metric_source_id_exp_t,
)
from runtime.zet.metrics.system.groups import Metric, MetricGroup, MetricUnit

_NANOSECONDS = 1_000_000_000


@api(ToolsChapter.METRIC)
def zetMetricGroupGet(hDevice: Device) -> list[MetricGroup]:
    """Returns the metric groups of a device: those sampled by events, then those sampled by time.

    There are none unless metrics are enabled: by `ZET_ENABLE_METRICS=1`, or by `zetDeviceEnableMetricsExp`.
    """
    unit = MetricUnit.of(live(hDevice, Device))
    return list(unit.groups) if unit.is_enabled else []


@api(ToolsChapter.METRIC)
def zetMetricGroupGetProperties(hMetricGroup: MetricGroup, pNext: Sequence[type] = ()) -> zet_metric_group_properties_t:
    """Returns name, sampling type and domain of a group. Groups of one domain cannot be active together.

    `pNext` may have the classes of its type, of its source, and of the resolution of its timestamps, which count
    nanoseconds.
    """
    group = live(hMetricGroup, MetricGroup)
    known = {
        zet_metric_global_timestamps_resolution_exp_t: zet_metric_global_timestamps_resolution_exp_t(
            _NANOSECONDS, TICK_BITS + (group.unit.device.target.timer_ns - 1).bit_length()
        ),
        zet_metric_group_type_exp_t: zet_metric_group_type_exp_t(
            zet_metric_group_type_exp_flags_t.ZET_METRIC_GROUP_TYPE_EXP_FLAG_OTHER
        ),
        zet_metric_source_id_exp_t: zet_metric_source_id_exp_t(group.form.row.domain),
    }
    wanted = items(pNext, "pNext") if pNext else ()
    return zet_metric_group_properties_t(
        group.form.row.name,
        group.form.row.description,
        group.form.sampling,
        group.form.row.domain,
        len(group.metrics),
        pNext=tuple(known[kind] for kind in wanted if kind in known),
    )


@api(ToolsChapter.METRIC)
def zetMetricGet(hMetricGroup: MetricGroup) -> list[Metric]:
    """Returns the metrics of a group, in the order of their values."""
    return list(live(hMetricGroup, MetricGroup).metrics)


@api(ToolsChapter.METRIC)
def zetMetricGetProperties(hMetric: Metric, pNext: Sequence[type] = ()) -> zet_metric_properties_t:
    """Returns name, type and unit of a metric. No extension structure is known."""
    row = live(hMetric, Metric).row
    return zet_metric_properties_t(row.name, row.description, row.component, row.tier, row.type, row.result, row.units)


def _activate(device: Device, phMetricGroups: Sequence[MetricGroup]) -> None:
    groups = [live(group, MetricGroup) for group in items(phMetricGroups, "phMetricGroups")] if phMetricGroups else []
    MetricUnit.of(device).activate(groups)


@api(
    ToolsChapter.METRIC,
    "DEVICE_LOST NOT_AVAILABLE",
    seed="zetDeviceActivateMetricGroups",
    inexpressible="invalid size is for a count without an array",
)
def zetContextActivateMetricGroups(
    hContext: Context, hDevice: Device, phMetricGroups: Sequence[MetricGroup] = ()
) -> None:
    """Makes groups the active ones of a device; without any, none is active.

    Raises:
        ZeError: `INVALID_ARGUMENT` for groups of one domain or of another device, `NOT_AVAILABLE` for groups that
            another device with the same tiles uses, and while data of a group are collected that is to be inactive.
    """
    _activate(live(hContext, Context).device(hDevice), phMetricGroups)


@seed_form(zetContextActivateMetricGroups)
def zetDeviceActivateMetricGroups(hDevice: Device, phMetricGroups: Sequence[MetricGroup] = ()) -> None:
    """Makes groups the active ones of a device; without any, none is active."""
    device = live(hDevice, Device)
    device.processor.require_available()
    _activate(device, phMetricGroups)
