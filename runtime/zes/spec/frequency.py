"""Frequency domains, with their settings for overclocking."""

from __future__ import annotations

from enum import IntEnum, IntFlag

from runtime.ze.spec import ExtensibleProperties
from xegpu.on_demand import dataclass


class zes_freq_domain_t(IntEnum):
    ZES_FREQ_DOMAIN_GPU = 0
    ZES_FREQ_DOMAIN_MEMORY = 1


class zes_freq_throttle_reason_flags_t(IntFlag):
    ZES_FREQ_THROTTLE_REASON_FLAG_AVE_PWR_CAP = 1
    ZES_FREQ_THROTTLE_REASON_FLAG_BURST_PWR_CAP = 2
    ZES_FREQ_THROTTLE_REASON_FLAG_CURRENT_LIMIT = 4
    ZES_FREQ_THROTTLE_REASON_FLAG_THERMAL_LIMIT = 8
    ZES_FREQ_THROTTLE_REASON_FLAG_PSU_ALERT = 16
    ZES_FREQ_THROTTLE_REASON_FLAG_SW_RANGE = 32
    ZES_FREQ_THROTTLE_REASON_FLAG_HW_RANGE = 64


class zes_oc_mode_t(IntEnum):
    ZES_OC_MODE_OFF = 0
    ZES_OC_MODE_OVERRIDE = 1
    ZES_OC_MODE_INTERPOLATIVE = 2
    ZES_OC_MODE_FIXED = 3


@dataclass
class zes_freq_properties_t(ExtensibleProperties):
    type: zes_freq_domain_t
    onSubdevice: bool
    subdeviceId: int
    canControl: bool
    isThrottleEventSupported: bool
    min: float
    max: float


@dataclass
class zes_freq_range_t:
    min: float = 0.0
    max: float = 0.0


@dataclass
class zes_freq_state_t(ExtensibleProperties):
    currentVoltage: float
    request: float
    tdp: float
    efficient: float
    actual: float
    throttleReasons: zes_freq_throttle_reason_flags_t


@dataclass
class zes_freq_throttle_time_t:
    throttleTime: int
    timestamp: int


@dataclass
class zes_oc_capabilities_t(ExtensibleProperties):
    isOcSupported: bool
    maxFactoryDefaultFrequency: float
    maxFactoryDefaultVoltage: float
    maxOcFrequency: float
    minOcVoltageOffset: float
    maxOcVoltageOffset: float
    maxOcVoltage: float
    isTjMaxSupported: bool
    isIccMaxSupported: bool
    isHighVoltModeCapable: bool
    isHighVoltModeEnabled: bool
    isExtendedModeSupported: bool
    isFixedModeSupported: bool
