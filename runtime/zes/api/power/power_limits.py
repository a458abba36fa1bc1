"""Limits of power (specification: Sysman power, and its extension for limits)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.ze.declaration import api
from runtime.ze.driver import enumerator, live, required, unsigned
from runtime.zes.chapters import SETS, SysmanChapter
from runtime.zes.spec import (
    zes_limit_unit_t,
    zes_power_burst_limit_t,
    zes_power_level_t,
    zes_power_limit_ext_desc_t,
    zes_power_peak_limit_t,
    zes_power_source_t,
    zes_power_sustained_limit_t,
)
from runtime.zes.system.access import invalid
from runtime.zes.system.components import PowerDomain
from runtime.zes.system.power_limits import INTERVAL_MS, checked_limit, current_limits, sustained_descriptor

_Limits = tuple[zes_power_sustained_limit_t, zes_power_burst_limit_t, zes_power_peak_limit_t]

_LEVELS: Mapping[zes_power_level_t, str] = {
    zes_power_level_t.ZES_POWER_LEVEL_SUSTAINED: "sustained",
    zes_power_level_t.ZES_POWER_LEVEL_BURST: "burst",
    zes_power_level_t.ZES_POWER_LEVEL_PEAK: "peak",
}
"""The limits of a domain, by their levels."""


@api(SysmanChapter.POWER, seed="zetSysmanPowerGetLimits")
def zesPowerGetLimits(hPower: PowerDomain) -> _Limits:
    """Returns the sustained, the burst and the peak limit, in milliwatts."""
    domain = live(hPower, PowerDomain)
    limits = current_limits(domain)
    interval = int(domain.number("interval", INTERVAL_MS))
    return (
        zes_power_sustained_limit_t(True, limits.sustained, interval),
        zes_power_burst_limit_t(True, limits.burst),
        zes_power_peak_limit_t(limits.peak, limits.peak),
    )


@api(SysmanChapter.POWER, SETS, seed="zetSysmanPowerSetLimits")
def zesPowerSetLimits(
    hPower: PowerDomain,
    pSustained: zes_power_sustained_limit_t | None = None,
    pBurst: zes_power_burst_limit_t | None = None,
    pPeak: zes_power_peak_limit_t | None = None,
) -> None:
    """Sets the limits that are given. Work runs at the highest clock that keeps the sustained one.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a limit that is not between the lowest one and that of the factory.
    """
    domain = live(hPower, PowerDomain)
    values: dict[str, float] = {}
    if pSustained is not None and pSustained.enabled:
        values["sustained"] = checked_limit(domain, pSustained.power, "sustained")
        values["interval"] = unsigned(pSustained.interval, "interval")
    if pBurst is not None and pBurst.enabled:
        values["burst"] = checked_limit(domain, pBurst.power, "burst")
    if pPeak is not None:
        values["peak"] = checked_limit(domain, pPeak.powerAC, "peak")
    domain.set(**values)


@api(SysmanChapter.POWER, seed=None)
def zesPowerGetLimitsExt(hPower: PowerDomain) -> list[zes_power_limit_ext_desc_t]:
    """Returns the limits, each with its settable fields."""
    domain = live(hPower, PowerDomain)
    limits = current_limits(domain)
    power, source = zes_limit_unit_t.ZES_LIMIT_UNIT_POWER, zes_power_source_t.ZES_POWER_SOURCE_ANY
    others = (
        (zes_power_level_t.ZES_POWER_LEVEL_BURST, limits.burst),
        (zes_power_level_t.ZES_POWER_LEVEL_PEAK, limits.peak),
    )
    return [
        sustained_descriptor(domain, limits.sustained),
        *(
            zes_power_limit_ext_desc_t(level, source, power, True, True, True, 0, False, limit)
            for level, limit in others
        ),
    ]


@api(SysmanChapter.POWER, f"{SETS} INVALID_ENUMERATION", pointers="pSustained", seed=None)
def zesPowerSetLimitsExt(hPower: PowerDomain, pSustained: Sequence[zes_power_limit_ext_desc_t]) -> None:
    """Sets limits by their levels, all together or none.

    Raises:
        ZeError: `INVALID_ENUMERATION` for a level that the domain does not have, `INVALID_ARGUMENT` for a limit that
            cannot be set.
    """
    domain = live(hPower, PowerDomain)
    required(pSustained, "pSustained")
    values: dict[str, float] = {}
    for limit in pSustained:
        level = enumerator(limit.level, zes_power_level_t)
        if level not in _LEVELS:
            raise invalid(f"{level.name} is no limit of {domain!r}")
        name = _LEVELS[level]
        values[name] = checked_limit(domain, limit.limit, name)
        if name == "sustained":
            values["interval"] = unsigned(limit.interval, "interval")
    domain.set(**values)


@api(SysmanChapter.POWER, since=(1, 16))
def zesPowerGetLimitsExt2(hPower: PowerDomain) -> int:
    """Returns the sustained limit in milliwatts."""
    return current_limits(live(hPower, PowerDomain)).sustained


@api(SysmanChapter.POWER, SETS, since=(1, 16))
def zesPowerSetLimitsExt2(hPower: PowerDomain, limit: int) -> None:
    """Sets the sustained limit in milliwatts.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a limit that is not between the lowest one and that of the factory.
    """
    domain = live(hPower, PowerDomain)
    domain.set(sustained=checked_limit(domain, limit, "sustained"))
