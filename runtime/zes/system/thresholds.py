"""Thresholds of temperatures, as settings keep them."""

from __future__ import annotations

import os
from collections.abc import Mapping

from runtime.card import SettingValue
from runtime.zes.spec import zes_temp_config_t, zes_temp_threshold_t
from runtime.zes.system.components import TemperatureSensor

_NONE = [0.0] * 11
"""Nothing is set: the process, whether critical temperatures count, and for each threshold both ways, the degrees, and
whether it was above when it was set.
"""


def crossing_sides(config: zes_temp_config_t, celsius: float) -> tuple[bool, bool]:
    """Returns whether the temperature is above each threshold."""
    return celsius > config.threshold1.threshold, celsius > config.threshold2.threshold


def temperature_settings(config: zes_temp_config_t, sides: tuple[bool, bool]) -> list[float]:
    """Returns thresholds as a setting of this process."""
    found = [float(os.getpid()), float(config.enableCritical), 0.0]
    for threshold, is_above in zip((config.threshold1, config.threshold2), sides, strict=True):
        found += [float(threshold.enableLowToHigh), float(threshold.enableHighToLow), threshold.threshold, is_above]
    return found


def temperature_owner(sensor: TemperatureSensor, settings: Mapping[str, SettingValue]) -> int:
    """Returns the process that has set the thresholds of a sensor; 0 if none has."""
    found = settings.get(sensor.key("thresholds"))
    return int(found[0]) if isinstance(found, list) else 0


def temperature_config(sensor: TemperatureSensor) -> zes_temp_config_t:
    """Returns the thresholds of a sensor."""
    found = sensor.board.settings.numbers(sensor.key("thresholds"), _NONE)
    first, second = (zes_temp_threshold_t(bool(t[0]), bool(t[1]), t[2]) for t in (found[3:7], found[7:11]))
    return zes_temp_config_t(bool(found[1]), first, second)


def crossed(sensor: TemperatureSensor, celsius: float) -> tuple[bool, bool, bool]:
    """Returns whether a temperature is critical, and whether it has crossed each threshold, where that is asked for."""
    config = temperature_config(sensor)
    found = sensor.board.settings.numbers(sensor.key("thresholds"), _NONE)
    hits = [
        (threshold.enableLowToHigh and celsius > threshold.threshold and not was_above)
        or (threshold.enableHighToLow and celsius <= threshold.threshold and bool(was_above))
        for threshold, was_above in ((config.threshold1, found[6]), (config.threshold2, found[10]))
    ]
    is_critical = config.enableCritical and celsius >= sensor.card.target.power.critical_celsius
    return is_critical, hits[0], hits[1]
