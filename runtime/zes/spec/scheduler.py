"""Schedulers, performance factors and standby."""

from __future__ import annotations

from enum import IntEnum

from runtime.ze.spec import Descriptor, ExtensibleProperties
from runtime.zes.spec.device import zes_engine_type_flags_t
from xegpu.on_demand import dataclass


class zes_sched_mode_t(IntEnum):
    ZES_SCHED_MODE_TIMEOUT = 0
    ZES_SCHED_MODE_TIMESLICE = 1
    ZES_SCHED_MODE_EXCLUSIVE = 2
    ZES_SCHED_MODE_COMPUTE_UNIT_DEBUG = 3


class zes_standby_type_t(IntEnum):
    ZES_STANDBY_TYPE_GLOBAL = 0


class zes_standby_promo_mode_t(IntEnum):
    ZES_STANDBY_PROMO_MODE_DEFAULT = 0
    ZES_STANDBY_PROMO_MODE_NEVER = 1


@dataclass
class zes_sched_properties_t(ExtensibleProperties):
    onSubdevice: bool
    subdeviceId: int
    canControl: bool
    engines: zes_engine_type_flags_t
    supportedModes: int


@dataclass
class zes_sched_timeout_properties_t(Descriptor):
    watchdogTimeout: int = 0


@dataclass
class zes_sched_timeslice_properties_t(Descriptor):
    interval: int = 0
    yieldTimeout: int = 0


@dataclass
class zes_perf_properties_t(ExtensibleProperties):
    onSubdevice: bool
    subdeviceId: int
    engines: zes_engine_type_flags_t


@dataclass
class zes_standby_properties_t(ExtensibleProperties):
    type: zes_standby_type_t
    onSubdevice: bool
    subdeviceId: int
