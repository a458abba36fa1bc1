"""Temperature sensors and fans."""

from __future__ import annotations

from dataclasses import field
from enum import IntEnum

from runtime.ze.spec import Descriptor, ExtensibleProperties
from xegpu.on_demand import dataclass

ZES_FAN_TEMP_SPEED_PAIR_COUNT = 32


class zes_temp_sensors_t(IntEnum):
    ZES_TEMP_SENSORS_GLOBAL = 0
    ZES_TEMP_SENSORS_GPU = 1
    ZES_TEMP_SENSORS_MEMORY = 2
    ZES_TEMP_SENSORS_GLOBAL_MIN = 3
    ZES_TEMP_SENSORS_GPU_MIN = 4
    ZES_TEMP_SENSORS_MEMORY_MIN = 5
    ZES_TEMP_SENSORS_VOLTAGE_REGULATOR = 6
    ZES_TEMP_SENSORS_GPU_BOARD = 7
    ZES_TEMP_SENSORS_GPU_BOARD_MIN = 8


class zes_fan_speed_mode_t(IntEnum):
    ZES_FAN_SPEED_MODE_DEFAULT = 0
    ZES_FAN_SPEED_MODE_FIXED = 1
    ZES_FAN_SPEED_MODE_TABLE = 2


class zes_fan_speed_units_t(IntEnum):
    ZES_FAN_SPEED_UNITS_RPM = 0
    ZES_FAN_SPEED_UNITS_PERCENT = 1


@dataclass
class zes_temp_properties_t(ExtensibleProperties):
    type: zes_temp_sensors_t
    onSubdevice: bool
    subdeviceId: int
    maxTemperature: float
    isCriticalTempSupported: bool
    isThreshold1Supported: bool
    isThreshold2Supported: bool


@dataclass
class zes_temp_threshold_t:
    enableLowToHigh: bool = False
    enableHighToLow: bool = False
    threshold: float = 0.0


@dataclass
class zes_temp_config_t(Descriptor):
    enableCritical: bool = False
    threshold1: zes_temp_threshold_t = field(default_factory=zes_temp_threshold_t)
    threshold2: zes_temp_threshold_t = field(default_factory=zes_temp_threshold_t)


@dataclass
class zes_fan_speed_t:
    speed: int = 0
    units: int = 0


@dataclass
class zes_fan_temp_speed_t:
    temperature: int = 0
    speed: zes_fan_speed_t = field(default_factory=zes_fan_speed_t)


@dataclass
class zes_fan_speed_table_t:
    table: tuple[zes_fan_temp_speed_t, ...] = ()

    @property
    def numPoints(self) -> int:
        return len(self.table)


@dataclass
class zes_fan_properties_t(ExtensibleProperties):
    onSubdevice: bool
    subdeviceId: int
    canControl: bool
    supportedModes: int
    supportedUnits: int
    maxRPM: int
    maxPoints: int


@dataclass
class zes_fan_config_t(ExtensibleProperties):
    mode: zes_fan_speed_mode_t
    speedFixed: zes_fan_speed_t
    speedTable: zes_fan_speed_table_t
