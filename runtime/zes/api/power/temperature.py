"""Temperature sensors (specification: Sysman temperature).

A tile is hotter than when idle by the heat that its work has left in it and that the cooler has not taken away since.
"""

from __future__ import annotations

import os

from runtime.ze.declaration import api
from runtime.ze.driver import Device, live, required
from runtime.ze.spec import ZeError, ze_result_t
from runtime.zes.chapters import GETS, SETS, SysmanChapter
from runtime.zes.spec import zes_temp_config_t, zes_temp_properties_t, zes_temp_threshold_t
from runtime.zes.system.access import card_of, change, invalid, require_rights
from runtime.zes.system.components import TemperatureSensor, components
from runtime.zes.system.readings import celsius
from runtime.zes.system.thresholds import (
    crossing_sides,
    temperature_config,
    temperature_owner,
    temperature_settings,
)


@api(SysmanChapter.TEMPERATURE, GETS, seed="zetSysmanTemperatureGet")
def zesDeviceEnumTemperatureSensors(hDevice: Device) -> list[TemperatureSensor]:
    """Returns the sensors of each tile: the highest temperature of all, that of the GPU, and that of the memory."""
    return components(card_of(hDevice), TemperatureSensor)


@api(SysmanChapter.TEMPERATURE, seed="zetSysmanTemperatureGetProperties")
def zesTemperatureGetProperties(hTemperature: TemperatureSensor) -> zes_temp_properties_t:
    """Returns the kind of a sensor, and the temperature at which the hardware slows down."""
    sensor = live(hTemperature, TemperatureSensor)
    most = sensor.card.target.power.critical_celsius
    return zes_temp_properties_t(sensor.sensor, sensor.onSubdevice, sensor.subdeviceId, most, True, True, True)


@api(SysmanChapter.TEMPERATURE, "INSUFFICIENT_PERMISSIONS", seed="zetSysmanTemperatureGetConfig")
def zesTemperatureGetConfig(hTemperature: TemperatureSensor) -> zes_temp_config_t:
    """Returns the thresholds at which events happen."""
    sensor = live(hTemperature, TemperatureSensor)
    require_rights("read the thresholds of a temperature")
    return temperature_config(sensor)


@api(SysmanChapter.TEMPERATURE, SETS, pointers="pConfig", seed="zetSysmanTemperatureSetConfig")
def zesTemperatureSetConfig(hTemperature: TemperatureSensor, pConfig: zes_temp_config_t) -> None:
    """Sets the thresholds at which events happen.

    Raises:
        ZeError: `NOT_AVAILABLE` if another process that lives has set thresholds, `INVALID_ARGUMENT` for a threshold
            above the highest temperature, and for one that is to be crossed both ways.
    """
    sensor = live(hTemperature, TemperatureSensor)
    required(pConfig, "pConfig")
    for name, threshold in (("threshold1", pConfig.threshold1), ("threshold2", pConfig.threshold2)):
        _check(sensor, name, threshold)
    sides = crossing_sides(pConfig, celsius(sensor.card, sensor.subdeviceId))
    users = {user.process for user in sensor.board.users()}

    def edit(settings: dict[str, float | str | list[float]]) -> None:
        owner = temperature_owner(sensor, settings)
        if owner not in (0, os.getpid()) and owner in users:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_NOT_AVAILABLE, f"process {owner} has set the thresholds of {sensor!r}"
            )
        settings[sensor.key("thresholds")] = temperature_settings(pConfig, sides)

    change(sensor.card, "set thresholds of a temperature", edit)
    sensor.board.enter()


def _check(sensor: TemperatureSensor, name: str, threshold: zes_temp_threshold_t) -> None:
    most = sensor.card.target.power.critical_celsius
    if threshold.enableLowToHigh and threshold.enableHighToLow:
        raise invalid(f"{name} of {sensor!r} is to be crossed both ways")
    if (threshold.enableLowToHigh or threshold.enableHighToLow) and not threshold.threshold <= most:
        raise invalid(f"{name} of {threshold.threshold} degrees, {sensor!r} has at most {most}")


@api(SysmanChapter.TEMPERATURE, seed="zetSysmanTemperatureGetState")
def zesTemperatureGetState(hTemperature: TemperatureSensor) -> float:
    """Returns the temperature in degrees Celsius. All sensors of a tile measure the same heat."""
    sensor = live(hTemperature, TemperatureSensor)
    return celsius(sensor.card, sensor.subdeviceId)
