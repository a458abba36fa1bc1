"""Power: domains, limits, energy, and power supplies."""

from __future__ import annotations

from enum import IntEnum

from runtime.ze.spec import Descriptor, ExtensibleProperties
from xegpu.on_demand import dataclass


class zes_power_domain_t(IntEnum):
    ZES_POWER_DOMAIN_UNKNOWN = 0
    ZES_POWER_DOMAIN_CARD = 1
    ZES_POWER_DOMAIN_PACKAGE = 2
    ZES_POWER_DOMAIN_STACK = 3
    ZES_POWER_DOMAIN_MEMORY = 4
    ZES_POWER_DOMAIN_GPU = 5


class zes_power_level_t(IntEnum):
    ZES_POWER_LEVEL_UNKNOWN = 0
    ZES_POWER_LEVEL_SUSTAINED = 1
    ZES_POWER_LEVEL_BURST = 2
    ZES_POWER_LEVEL_PEAK = 3
    ZES_POWER_LEVEL_INSTANTANEOUS = 4


class zes_power_source_t(IntEnum):
    ZES_POWER_SOURCE_ANY = 0
    ZES_POWER_SOURCE_MAINS = 1
    ZES_POWER_SOURCE_BATTERY = 2


class zes_limit_unit_t(IntEnum):
    ZES_LIMIT_UNIT_UNKNOWN = 0
    ZES_LIMIT_UNIT_CURRENT = 1
    ZES_LIMIT_UNIT_POWER = 2


class zes_power_limits_ext_version_t(IntEnum):
    ZES_POWER_LIMITS_EXT_VERSION_1_0 = 0x10000
    ZES_POWER_LIMITS_EXT_VERSION_CURRENT = 0x10000


class zes_psu_voltage_status_t(IntEnum):
    ZES_PSU_VOLTAGE_STATUS_UNKNOWN = 0
    ZES_PSU_VOLTAGE_STATUS_NORMAL = 1
    ZES_PSU_VOLTAGE_STATUS_OVER = 2
    ZES_PSU_VOLTAGE_STATUS_UNDER = 3


@dataclass
class zes_power_properties_t(ExtensibleProperties):
    onSubdevice: bool
    subdeviceId: int
    canControl: bool
    isEnergyThresholdSupported: bool
    defaultLimit: int
    minLimit: int
    maxLimit: int


@dataclass
class zes_power_energy_counter_t:
    energy: int
    timestamp: int


@dataclass
class zes_power_sustained_limit_t:
    enabled: bool = False
    power: int = 0
    interval: int = 0


@dataclass
class zes_power_burst_limit_t:
    enabled: bool = False
    power: int = 0


@dataclass
class zes_power_peak_limit_t:
    powerAC: int = 0
    powerDC: int = 0


@dataclass
class zes_energy_threshold_t:
    enable: bool
    threshold: float
    processId: int


@dataclass
class zes_power_limit_ext_desc_t(Descriptor):
    level: int = 0
    source: int = 0
    limitUnit: int = 0
    enabledStateLocked: bool = False
    enabled: bool = False
    intervalValueLocked: bool = False
    interval: int = 0
    limitValueLocked: bool = False
    limit: int = 0


@dataclass
class zes_power_ext_properties_t(ExtensibleProperties):
    domain: zes_power_domain_t
    defaultLimit: zes_power_limit_ext_desc_t | None


@dataclass
class zes_psu_properties_t(ExtensibleProperties):
    onSubdevice: bool
    subdeviceId: int
    haveFan: bool
    ampLimit: int


@dataclass
class zes_psu_state_t(ExtensibleProperties):
    voltStatus: zes_psu_voltage_status_t
    fanFailed: bool
    temperature: int
    current: int


@dataclass
class zes_power_domain_exp_properties_t(ExtensibleProperties):
    powerDomain: zes_power_domain_t
