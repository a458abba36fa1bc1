"""Functions that specification 0.91 has under the same names, with other parameters."""

from __future__ import annotations

from runtime.ze.declaration import older_form
from runtime.ze.driver import Device, default_context_of, live, require_version
from runtime.zet.metrics.api.calculation import (
    zetMetricGroupCalculateMetricValues as currentMetricGroupCalculateMetricValues,
    zetMetricGroupCalculateMultipleMetricValuesExp,
)
from runtime.zet.metrics.api.queries import zetMetricQueryPoolCreate as currentMetricQueryPoolCreate
from runtime.zet.metrics.spec import (
    zet_metric_group_calculation_type_t,
    zet_metric_query_pool_desc_t,
    zet_typed_value_t,
)
from runtime.zet.metrics.system.groups import MetricGroup
from runtime.zet.metrics.system.queries import MetricQueryPool


@older_form(currentMetricQueryPoolCreate)
def zetMetricQueryPoolCreate(
    hDevice: Device, hMetricGroup: MetricGroup, desc: zet_metric_query_pool_desc_t
) -> MetricQueryPool:
    """Creates a pool of `desc.count` queries."""
    device = live(hDevice, Device)
    require_version(desc)
    return currentMetricQueryPoolCreate(default_context_of(device), device, hMetricGroup, desc)


@older_form(currentMetricGroupCalculateMetricValues)
def zetMetricGroupCalculateMetricValues(hMetricGroup: MetricGroup, pRawData: bytes) -> list[zet_typed_value_t]:
    """Returns the values of all metrics of a group: tile by tile, report by report, in each the metrics in their order.

    A card with several tiles is one device in 0.91, so its data have the reports of all of them.
    """
    kind = zet_metric_group_calculation_type_t.ZET_METRIC_GROUP_CALCULATION_TYPE_METRIC_VALUES
    return zetMetricGroupCalculateMultipleMetricValuesExp(hMetricGroup, kind, pRawData)[1]
