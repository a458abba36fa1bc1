"""Structures of metrics."""

from __future__ import annotations

from dataclasses import dataclass, field

from runtime.ze.spec import Descriptor, ExtensibleProperties, OlderProperties, VersionedDescriptor
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


@dataclass
class zet_metric_group_properties_t(ExtensibleProperties, OlderProperties):
    name: str
    description: str
    samplingType: zet_metric_group_sampling_type_flags_t
    domain: int
    metricCount: int

    @property
    def maxCommandQueueOrdinal(self) -> int:
        """The last of the queues, in 0.91, whose work the metrics count: that of the only engine that computes."""
        return 0


@dataclass
class zet_metric_properties_t(ExtensibleProperties, OlderProperties):
    name: str
    description: str
    component: str
    tierNumber: int
    metricType: zet_metric_type_t
    resultType: zet_value_type_t
    resultUnits: str


@dataclass
class zet_metric_streamer_desc_t(VersionedDescriptor):
    """A period in nanoseconds, and a number of reports; the closest values that are supported come back."""

    notifyEveryNReports: int = 0
    samplingPeriod: int = 0


@dataclass
class zet_metric_query_pool_desc_t(VersionedDescriptor):
    """`flags` is what 0.91 has for `type`: `zet_metric_query_pool_flag_t`."""

    type: int = 0
    count: int = 0
    flags: int = field(default=0, kw_only=True)


@dataclass
class zet_metric_calculate_exp_desc_t(Descriptor):
    rawReportSkipCount: int = 0


@dataclass
class zet_metric_global_timestamps_resolution_exp_t(ExtensibleProperties):
    timerResolution: int
    timestampValidBits: int


@dataclass
class zet_metric_group_type_exp_t(ExtensibleProperties):
    type: zet_metric_group_type_exp_flags_t


@dataclass
class zet_metric_source_id_exp_t(ExtensibleProperties):
    sourceId: int


@dataclass
class zet_metric_tracer_exp_desc_t(Descriptor):
    notifyEveryNBytes: int = 0


@dataclass
class zet_metric_programmable_param_value_exp_t:
    """`value` stands for the member of the union that the parameter's type names."""

    value: int | float = 0
