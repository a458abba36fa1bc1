"""Names of specification 0.91 that 1.x has renamed, or dropped."""

from __future__ import annotations

from enum import IntEnum, IntFlag

from runtime.zet.metrics.spec.structs import zet_metric_streamer_desc_t

zet_metric_tracer_desc_t = zet_metric_streamer_desc_t


class zet_metric_group_sampling_type_t(IntFlag):
    ZET_METRIC_GROUP_SAMPLING_TYPE_EVENT_BASED = 1
    ZET_METRIC_GROUP_SAMPLING_TYPE_TIME_BASED = 2


class zet_metric_query_pool_flag_t(IntEnum):
    ZET_METRIC_QUERY_POOL_FLAG_PERFORMANCE = 0
    ZET_METRIC_QUERY_POOL_FLAG_SKIP_EXECUTION = 1


class zet_metric_group_properties_version_t(IntEnum):
    ZET_METRIC_GROUP_PROPERTIES_VERSION_CURRENT = 0x5B


class zet_metric_properties_version_t(IntEnum):
    ZET_METRIC_PROPERTIES_VERSION_CURRENT = 0x5B


class zet_metric_tracer_desc_version_t(IntEnum):
    ZET_METRIC_TRACER_DESC_VERSION_CURRENT = 0x5B


class zet_metric_query_pool_desc_version_t(IntEnum):
    ZET_METRIC_QUERY_POOL_DESC_VERSION_CURRENT = 0x5B
