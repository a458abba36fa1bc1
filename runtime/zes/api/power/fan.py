"""Fans (specification: Sysman fan): an ARC has one; a PVC has none, as the server cools it."""

from __future__ import annotations

from itertools import pairwise

from runtime.ze.declaration import api
from runtime.ze.driver import Device, enumerator, live, required
from runtime.zes.chapters import GETS, SETS, SysmanChapter
from runtime.zes.spec import (
    zes_fan_config_t,
    zes_fan_properties_t,
    zes_fan_speed_mode_t,
    zes_fan_speed_t,
    zes_fan_speed_table_t,
    zes_fan_speed_units_t,
)
from runtime.zes.system.access import card_of, invalid
from runtime.zes.system.components import CardFan, components
from runtime.zes.system.fans import MOST_POINTS, fixed_speed, mode_of, percent, speed_setting, speed_table

_MODES, _UNITS = (sum(1 << each for each in kind) for kind in (zes_fan_speed_mode_t, zes_fan_speed_units_t))
"""All modes and all units, as bits."""


@api(SysmanChapter.FAN, GETS, seed="zetSysmanFanGet")
def zesDeviceEnumFans(hDevice: Device) -> list[CardFan]:
    """Returns the fans: one of a card that cools itself."""
    return components(card_of(hDevice), CardFan)


@api(SysmanChapter.FAN, seed="zetSysmanFanGetProperties")
def zesFanGetProperties(hFan: CardFan) -> zes_fan_properties_t:
    """Returns what a fan can do, and its highest speed."""
    fan = live(hFan, CardFan)
    return zes_fan_properties_t(
        fan.onSubdevice, fan.subdeviceId, True, _MODES, _UNITS, maxRPM=fan.most_rpm, maxPoints=MOST_POINTS
    )


@api(SysmanChapter.FAN, seed="zetSysmanFanGetConfig")
def zesFanGetConfig(hFan: CardFan) -> zes_fan_config_t:
    """Returns the mode of a fan, and the speeds that are set for the modes; a fixed speed of -1 is not set."""
    fan = live(hFan, CardFan)
    return zes_fan_config_t(mode_of(fan), fixed_speed(fan), zes_fan_speed_table_t(speed_table(fan)))


@api(SysmanChapter.FAN, SETS, seed="zetSysmanFanSetConfig")
def zesFanSetDefaultMode(hFan: CardFan) -> None:
    """Lets the card choose the speed: the hotter it is, the higher."""
    live(hFan, CardFan).set(mode=zes_fan_speed_mode_t.ZES_FAN_SPEED_MODE_DEFAULT.value)


@api(SysmanChapter.FAN, f"{SETS} INVALID_ENUMERATION", pointers="speed", seed=None)
def zesFanSetFixedSpeedMode(hFan: CardFan, speed: zes_fan_speed_t) -> None:
    """Sets the speed. Temperatures of the model do not depend on it.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a speed that the fan cannot have.
    """
    fan = live(hFan, CardFan)
    required(speed, "speed")
    enumerator(speed.units, zes_fan_speed_units_t)
    fan.set(mode=zes_fan_speed_mode_t.ZES_FAN_SPEED_MODE_FIXED.value, fixed=speed_setting(fan, speed))


@api(SysmanChapter.FAN, f"{SETS} INVALID_ENUMERATION", pointers="speedTable", seed=None)
def zesFanSetSpeedTableMode(hFan: CardFan, speedTable: zes_fan_speed_table_t) -> None:
    """Sets speeds by temperatures in degrees Celsius: the last point counts that is not above the temperature.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a table without points or with too many, for temperatures that do not rise, and
            for speeds that the fan cannot have.
    """
    fan = live(hFan, CardFan)
    required(speedTable, "speedTable")
    points = speedTable.table
    if not 1 <= len(points) <= MOST_POINTS:
        raise invalid(f"{len(points)} points, {fan!r} takes 1 to {MOST_POINTS}")
    temperatures = [point.temperature for point in points]
    if any(second <= first for first, second in pairwise(temperatures)):
        raise invalid(f"temperatures {temperatures} do not rise")
    for point in points:
        enumerator(point.speed.units, zes_fan_speed_units_t)
    table = [number for point in points for number in (float(point.temperature), *speed_setting(fan, point.speed))]
    fan.set(mode=zes_fan_speed_mode_t.ZES_FAN_SPEED_MODE_TABLE.value, table=table)


@api(SysmanChapter.FAN, "INVALID_ENUMERATION", seed="zetSysmanFanGetState")
def zesFanGetState(hFan: CardFan, units: int) -> int:
    """Returns the speed of a fan."""
    fan = live(hFan, CardFan)
    is_rpm = enumerator(units, zes_fan_speed_units_t) is zes_fan_speed_units_t.ZES_FAN_SPEED_UNITS_RPM
    return round(percent(fan) * (fan.most_rpm / 100 if is_rpm else 1))
