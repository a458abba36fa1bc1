"""Calculation of the values of metrics from raw data (specification: Metric)."""

from __future__ import annotations

from runtime.ze.declaration import api
from runtime.ze.driver import enumerator, live, required
from runtime.ze.spec import ZeError, ze_result_t
from runtime.zet.chapters import ToolsChapter
from runtime.zet.metrics.spec import zet_metric_group_calculation_type_t, zet_typed_value_t
from runtime.zet.metrics.system.calculation import calculated, reports_in, sets_in
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
    reports = reports_in(group.form, pRawData)
    tiles = len(sets_in(reports))
    if tiles > 1:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"the data are of {tiles} tiles: use zetMetricGroupCalculateMultipleMetricValuesExp",
        )
    return calculated(group.form, reports, kind)[1]


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
    return calculated(group.form, reports_in(group.form, pRawData), kind)
