"""Speeds of fans, as a card's settings and temperature make them."""

from __future__ import annotations

from runtime.zes.spec import zes_fan_speed_mode_t, zes_fan_speed_t, zes_fan_speed_units_t, zes_fan_temp_speed_t
from runtime.zes.system.access import invalid
from runtime.zes.system.components import CardFan
from runtime.zes.system.readings import celsius

MOST_POINTS = 32

_IDLE_PERCENT = 30.0
"""The speed that the card itself chooses for a GPU without work; at the highest temperature, it is 100."""

_RPM = zes_fan_speed_units_t.ZES_FAN_SPEED_UNITS_RPM


def mode_of(fan: CardFan) -> zes_fan_speed_mode_t:
    """Returns how the speed of a fan is found."""
    return zes_fan_speed_mode_t(int(fan.number("mode", zes_fan_speed_mode_t.ZES_FAN_SPEED_MODE_DEFAULT)))


def speed_setting(fan: CardFan, speed: zes_fan_speed_t) -> list[float]:
    """Returns a speed as a setting. Raises `INVALID_ARGUMENT` for one that the fan cannot have."""
    most, unit = (fan.most_rpm, "RPM") if speed.units == _RPM else (100, "percent")
    if not 0 <= speed.speed <= most:
        raise invalid(f"{speed.speed} {unit}, {fan!r} has at most {most}")
    return [float(speed.speed), float(speed.units)]


def fixed_speed(fan: CardFan) -> zes_fan_speed_t:
    """Returns the speed that is set; -1 if none is."""
    speed, units = fan.numbers("fixed", [-1.0, float(_RPM)])
    return zes_fan_speed_t(int(speed), zes_fan_speed_units_t(int(units)))


def speed_table(fan: CardFan) -> tuple[zes_fan_temp_speed_t, ...]:
    """Returns the speeds that are set for temperatures, the lowest one first."""
    found = fan.numbers("table", [])
    return tuple(
        zes_fan_temp_speed_t(
            int(found[at]), zes_fan_speed_t(int(found[at + 1]), zes_fan_speed_units_t(int(found[at + 2])))
        )
        for at in range(0, len(found), 3)
    )


def percent(fan: CardFan) -> float:
    """Returns the speed of a fan, of the highest one: that of its mode, at the temperature of now."""
    mode, temperature = mode_of(fan), celsius(fan.card, 0)
    if mode is zes_fan_speed_mode_t.ZES_FAN_SPEED_MODE_FIXED:
        return _percent_of(fan, fixed_speed(fan))
    if mode is zes_fan_speed_mode_t.ZES_FAN_SPEED_MODE_TABLE:
        reached = [point.speed for point in speed_table(fan) if point.temperature <= temperature]
        return _percent_of(fan, reached[-1]) if reached else 0.0
    power = fan.card.target.power
    share = (temperature - power.idle_celsius) / (power.critical_celsius - power.idle_celsius)
    return min(100.0, _IDLE_PERCENT + (100.0 - _IDLE_PERCENT) * share)


def _percent_of(fan: CardFan, speed: zes_fan_speed_t) -> float:
    return 100.0 * speed.speed / fan.most_rpm if speed.units == _RPM else float(speed.speed)
