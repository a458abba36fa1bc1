"""Limits of power, in milliwatts: those of the factory, and those that are set."""

from __future__ import annotations

from typing import NamedTuple

from runtime.zes.spec import zes_limit_unit_t, zes_power_level_t, zes_power_limit_ext_desc_t, zes_power_source_t
from runtime.zes.system.access import invalid
from runtime.zes.system.components import PowerDomain

NO_PROCESS = float(0xFFFF_FFFF)
"""Stands for the process of a threshold that nobody has set."""

INTERVAL_MS = 28
"""The time over which the sustained limit counts, unless another one is set."""


class PowerLimits(NamedTuple):
    """Limits in milliwatts."""

    least: int
    sustained: int
    burst: int
    peak: int


def factory_limits(domain: PowerDomain) -> PowerLimits:
    """Returns the limits of the factory: the highest that can be set, and the lowest."""
    power, tiles = domain.card.target.power, len(domain.tiles)
    watts = (power.least_watts, power.sustained_watts, power.burst_watts, power.peak_watts)
    return PowerLimits(*(1000 * tiles * each for each in watts))


def current_limits(domain: PowerDomain) -> PowerLimits:
    """Returns the limits that are set."""
    factory = factory_limits(domain)
    found = (
        round(1000 * domain.number(name, getattr(factory, name) / 1000)) for name in ("sustained", "burst", "peak")
    )
    return PowerLimits(factory.least, *found)


def checked_limit(domain: PowerDomain, limit: int, name: str) -> float:
    """Returns a limit in watts, if it can be set: from the lowest one to that of the factory."""
    factory = factory_limits(domain)
    most: int = getattr(factory, name)
    if not factory.least <= limit <= most:
        raise invalid(f"a {name} limit of {limit} mW, expected {factory.least} to {most} mW")
    return limit / 1000


def sustained_descriptor(domain: PowerDomain, limit: int) -> zes_power_limit_ext_desc_t:
    """Returns the sustained limit of a domain in the form of the extension."""
    return zes_power_limit_ext_desc_t(
        level=zes_power_level_t.ZES_POWER_LEVEL_SUSTAINED,
        source=zes_power_source_t.ZES_POWER_SOURCE_ANY,
        limitUnit=zes_limit_unit_t.ZES_LIMIT_UNIT_POWER,
        enabledStateLocked=True,
        enabled=True,
        intervalValueLocked=False,
        interval=int(domain.number("interval", INTERVAL_MS)),
        limitValueLocked=False,
        limit=limit,
    )
