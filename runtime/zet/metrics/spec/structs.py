"""Structures of metrics."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.ze.spec import Descriptor, ExtensibleProperties
from runtime.zet.metrics.spec.enums import (
    zet_metric_group_sampling_type_flags_t,
    zet_metric_group_type_exp_flags_t,
    zet_metric_type_t,
    zet_value_type_t,
)


@dataclass(frozen=True, slots=True)
class zet_typed_value_t:
    """`value` stands for the member of the union that `type` names."""

    type: zet_value_type_t
    value: int | float


@dataclass(frozen=True)
class zet_metric_group_properties_t(ExtensibleProperties):
    name: str
    description: str
    samplingType: zet_metric_group_sampling_type_flags_t
    domain: int
    metricCount: int


@dataclass(frozen=True)
class zet_metric_properties_t(ExtensibleProperties):
    name: str
    description: str
    component: str
    tierNumber: int
    metricType: zet_metric_type_t
    resultType: zet_value_type_t
    resultUnits: str


@dataclass(frozen=True)
class zet_metric_streamer_desc_t(Descriptor):
    """A period in nanoseconds, and a number of reports; the closest values that are supported come back."""

    notifyEveryNReports: int = 0
    samplingPeriod: int = 0


@dataclass(frozen=True)
class zet_metric_query_pool_desc_t(Descriptor):
    type: int = 0
    count: int = 0


@dataclass(frozen=True)
class zet_metric_calculate_exp_desc_t(Descriptor):
    rawReportSkipCount: int = 0


@dataclass(frozen=True)
class zet_metric_global_timestamps_resolution_exp_t(ExtensibleProperties):
    timerResolution: int
    timestampValidBits: int


@dataclass(frozen=True)
class zet_metric_group_type_exp_t(ExtensibleProperties):
    type: zet_metric_group_type_exp_flags_t


@dataclass(frozen=True)
class zet_metric_source_id_exp_t(ExtensibleProperties):
    sourceId: int


@dataclass(frozen=True)
class zet_metric_tracer_exp_desc_t(Descriptor):
    notifyEveryNBytes: int = 0


@dataclass(frozen=True)
class zet_metric_programmable_param_value_exp_t:
    """`value` stands for the member of the union that the parameter's type names."""

    value: int | float = 0
