"""Experimental functions: enabling, groups that can be measured together, timestamps, exported data."""

from __future__ import annotations

import time
from collections.abc import Sequence

from runtime.ze.declaration import api
from runtime.ze.driver import TICK_BITS, Device, Driver, enumerator, items, live, required
from runtime.ze.spec import ZeError, ze_result_t
from runtime.zet.chapters import ToolsChapter
from runtime.zet.metrics.spec import (
    zet_metric_calculate_exp_desc_t,
    zet_metric_group_calculation_type_t,
    zet_typed_value_t,
)
from runtime.zet.metrics.system.calculation import calculated, reports_in
from runtime.zet.metrics.system.export import exported, imported
from runtime.zet.metrics.system.groups import MetricGroup, MetricUnit


@api(ToolsChapter.METRIC, "DEVICE_LOST", since=(1, 13))
def zetDeviceEnableMetricsExp(hDevice: Device) -> None:
    """Enables metrics of a device, whatever the environment says."""
    device = live(hDevice, Device)
    device.processor.require_available()
    MetricUnit.of(device).enabled = True


@api(ToolsChapter.METRIC, "HANDLE_OBJECT_IN_USE", since=(1, 13))
def zetDeviceDisableMetricsExp(hDevice: Device) -> None:
    """Takes back `zetDeviceEnableMetricsExp`. What the environment enables stays enabled.

    Raises:
        ZeError: `HANDLE_OBJECT_IN_USE` while groups are active.
    """
    unit = MetricUnit.of(live(hDevice, Device))
    if unit.active:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, f"{unit.active[0]!r} is active")
    unit.enabled = False


@api(ToolsChapter.METRIC, pointers="phMetricGroups", since=(1, 10))
def zetDeviceGetConcurrentMetricGroupsExp(
    hDevice: Device, phMetricGroups: Sequence[MetricGroup]
) -> tuple[list[MetricGroup], list[int]]:
    """Returns groups in an order in which those follow each other that can be active together, and how many those are.

    A workload runs once for each number, with the groups of that pass.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a group of another device.
    """
    device = live(hDevice, Device)
    groups = [live(group, MetricGroup) for group in items(phMetricGroups, "phMetricGroups")]
    passes: list[list[MetricGroup]] = []
    for group in groups:
        if group.unit.device is not device:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{group!r} is not of {device!r}")
        domain = group.form.row.domain
        free = next((each for each in passes if all(domain != other.form.row.domain for other in each)), None)
        if free is None:
            passes.append([group])
        else:
            free.append(group)
    return [group for each in passes for group in each], [len(each) for each in passes]


@api(ToolsChapter.METRIC, "DEVICE_LOST", since=(1, 5))
def zetMetricGroupGetGlobalTimestampsExp(hMetricGroup: MetricGroup, synchronizedWithHost: bool) -> tuple[int, int]:
    """Returns the device's timestamp in ticks, or the host's in nanoseconds, and that of metrics, sampled together."""
    processor = live(hMetricGroup, MetricGroup).unit.device.processor
    processor.require_available()
    host, ticks = time.monotonic_ns(), processor.tick()
    return host if synchronizedWithHost else ticks & ((1 << TICK_BITS) - 1), ticks * processor.tick_ns


@api(ToolsChapter.METRIC, "UNKNOWN", pointers="pRawData", since=(1, 6))
def zetMetricGroupGetExportDataExp(hMetricGroup: MetricGroup, pRawData: bytes) -> bytes:
    """Returns raw data together with what is needed to calculate values from them in another process.

    Raises:
        ZeError: `INVALID_ARGUMENT` unless the data are whole reports, `UNKNOWN` for data of another group.
    """
    group = live(hMetricGroup, MetricGroup)
    required(pRawData, "pRawData")
    reports_in(group.form, pRawData)
    return exported(group.form, pRawData)


@api(ToolsChapter.METRIC, "INVALID_ENUMERATION UNKNOWN", pointers="pExportData pCalculateDescriptor", since=(1, 6))
def zetMetricGroupCalculateMetricExportDataExp(
    hDriver: Driver, type: int, pExportData: bytes, pCalculateDescriptor: zet_metric_calculate_exp_desc_t
) -> tuple[list[int], list[zet_typed_value_t]]:
    """Returns what `zetMetricGroupCalculateMultipleMetricValuesExp` does, from exported data of any device.

    `rawReportSkipCount` reports of each tile are left out.

    Raises:
        ZeError: `INVALID_ARGUMENT` for data that were not exported, `UNKNOWN` for data of another version.
    """
    live(hDriver, Driver)
    required(pExportData, "pExportData")
    required(pCalculateDescriptor, "pCalculateDescriptor")
    kind = enumerator(type, zet_metric_group_calculation_type_t)
    form, raw = imported(pExportData)
    return calculated(form, reports_in(form, raw), kind, skip=max(pCalculateDescriptor.rawReportSkipCount, 0))
