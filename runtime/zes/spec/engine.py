"""Groups of engines."""

from __future__ import annotations

from enum import IntEnum

from runtime.ze.spec import ExtensibleProperties
from xegpu.on_demand import dataclass


class zes_engine_group_t(IntEnum):
    ZES_ENGINE_GROUP_ALL = 0
    ZES_ENGINE_GROUP_COMPUTE_ALL = 1
    ZES_ENGINE_GROUP_MEDIA_ALL = 2
    ZES_ENGINE_GROUP_COPY_ALL = 3
    ZES_ENGINE_GROUP_COMPUTE_SINGLE = 4
    ZES_ENGINE_GROUP_RENDER_SINGLE = 5
    ZES_ENGINE_GROUP_MEDIA_DECODE_SINGLE = 6
    ZES_ENGINE_GROUP_MEDIA_ENCODE_SINGLE = 7
    ZES_ENGINE_GROUP_COPY_SINGLE = 8
    ZES_ENGINE_GROUP_MEDIA_ENHANCEMENT_SINGLE = 9
    ZES_ENGINE_GROUP_3D_SINGLE = 10
    ZES_ENGINE_GROUP_3D_RENDER_COMPUTE_ALL = 11
    ZES_ENGINE_GROUP_RENDER_ALL = 12
    ZES_ENGINE_GROUP_3D_ALL = 13
    ZES_ENGINE_GROUP_MEDIA_CODEC_SINGLE = 14


@dataclass
class zes_engine_properties_t(ExtensibleProperties):
    type: zes_engine_group_t
    onSubdevice: bool
    subdeviceId: int


@dataclass
class zes_engine_stats_t:
    activeTime: int
    timestamp: int


@dataclass
class zes_engine_ext_properties_t(ExtensibleProperties):
    countOfVirtualFunctionInstance: int
