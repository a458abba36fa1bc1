"""Calculation of the values of metrics from raw data (specification: Metric)."""

from __future__ import annotations

from runtime.ze.declaration import api
from runtime.ze.driver import enumerator, live, required
from runtime.ze.spec import ZeError, ze_result_t
from runtime.zet.chapters import ToolsChapter
from runtime.zet.metrics.spec import zet_metric_group_calculation_type_t, zet_typed_value_t
from runtime.zet.metrics.system.calculation import metric_values, reports_in, sets_in, typed
from runtime.zet.metrics.system.groups import MetricGroup


@api(ToolsChapter.METRIC, "INVALID_ENUMERATION UNKNOWN", pointers="pRawData")
def zetMetricGroupCalculateMetricValues(
    hMetricGroup: MetricGroup, type: int, pRawData: bytes
) -> list[zet_typed_value_t]:
    """Returns the values of all metrics of a group: report by report, in each the metrics in their order.

    Raises:
        ZeError: `INVALID_ARGUMENT` unless the data are whole reports of a single tile, `UNKNOWN` for data of another
            group.
    """
    group = live(hMetricGroup, MetricGroup)
    required(pRawData, "pRawData")
    kind = enumerator(type, zet_metric_group_calculation_type_t)
    sets = sets_in(reports_in(group, pRawData))
    if len(sets) > 1:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"the data are of {len(sets)} tiles: use zetMetricGroupCalculateMultipleMetricValuesExp",
        )
    return typed(group, metric_values(group, sets[0], kind))


@api(ToolsChapter.METRIC, "INVALID_ENUMERATION UNKNOWN", pointers="pRawData", since=(1, 2))
def zetMetricGroupCalculateMultipleMetricValuesExp(
    hMetricGroup: MetricGroup, type: int, pRawData: bytes
) -> tuple[list[int], list[zet_typed_value_t]]:
    """Returns how many values each tile has, and the values of all tiles, one tile after the other.

    Raises:
        ZeError: `INVALID_ARGUMENT` unless the data are whole reports, `UNKNOWN` for data of another group.
    """
    group = live(hMetricGroup, MetricGroup)
    required(pRawData, "pRawData")
    kind = enumerator(type, zet_metric_group_calculation_type_t)
    found = [typed(group, metric_values(group, reports, kind)) for reports in sets_in(reports_in(group, pRawData))]
    return [len(values) for values in found], [value for values in found for value in values]
