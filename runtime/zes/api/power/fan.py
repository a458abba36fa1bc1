"""Fans (specification: Sysman fan). A PVC has none: the server cools it."""

from __future__ import annotations

from runtime.ze.declaration import api
from runtime.ze.driver import Device, enumerator, live, required
from runtime.zes.chapters import GETS, SysmanChapter
from runtime.zes.spec import (
    zes_fan_config_t,
    zes_fan_properties_t,
    zes_fan_speed_t,
    zes_fan_speed_table_t,
    zes_fan_speed_units_t,
)
from runtime.zes.system.access import card_of, not_simulated
from runtime.zes.system.components import CardFan, components

_NONE = "Simulated cards have no fans, so there are no handles to call it with."


@api(SysmanChapter.FAN, GETS, seed="zetSysmanFanGet")
def zesDeviceEnumFans(hDevice: Device) -> list[CardFan]:
    """Returns the fans: none."""
    return components(card_of(hDevice), CardFan)


@api(SysmanChapter.FAN, seed="zetSysmanFanGetProperties", note=_NONE)
def zesFanGetProperties(hFan: CardFan) -> zes_fan_properties_t:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    raise not_simulated(live(hFan, CardFan))


@api(SysmanChapter.FAN, seed="zetSysmanFanGetConfig", note=_NONE)
def zesFanGetConfig(hFan: CardFan) -> zes_fan_config_t:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    raise not_simulated(live(hFan, CardFan))


@api(SysmanChapter.FAN, seed="zetSysmanFanSetConfig", note=_NONE)
def zesFanSetDefaultMode(hFan: CardFan) -> None:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    raise not_simulated(live(hFan, CardFan))


@api(SysmanChapter.FAN, pointers="speed", seed=None, note=_NONE)
def zesFanSetFixedSpeedMode(hFan: CardFan, speed: zes_fan_speed_t) -> None:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    fan = live(hFan, CardFan)
    required(speed, "speed")
    raise not_simulated(fan)


@api(SysmanChapter.FAN, pointers="speedTable", seed=None, note=_NONE)
def zesFanSetSpeedTableMode(hFan: CardFan, speedTable: zes_fan_speed_table_t) -> None:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    fan = live(hFan, CardFan)
    required(speedTable, "speedTable")
    raise not_simulated(fan)


@api(SysmanChapter.FAN, seed="zetSysmanFanGetState", note=_NONE)
def zesFanGetState(hFan: CardFan, units: int) -> int:
    """Raises `UNSUPPORTED_FEATURE` for every handle."""
    fan = live(hFan, CardFan)
    enumerator(units, zes_fan_speed_units_t)
    raise not_simulated(fan)
