"""Frequency domains: clocks of the GPU, which can be set, and of the memory (specification: Sysman frequency)."""

from __future__ import annotations

from runtime.card import TileCount, clocks_of, voltage_at
from runtime.ze.declaration import api
from runtime.ze.driver import Device, live, required
from runtime.zes.chapters import GETS, SETS, SysmanChapter
from runtime.zes.spec import (
    zes_freq_domain_t,
    zes_freq_properties_t,
    zes_freq_range_t,
    zes_freq_state_t,
    zes_freq_throttle_reason_flags_t,
    zes_freq_throttle_time_t,
)
from runtime.zes.system.access import card_of, invalid, unsupported
from runtime.zes.system.components import FrequencyDomain, components
from runtime.zes.system.readings import celsius, clock_bounds, microseconds, requested_clock, timestamp

_GPU = zes_freq_domain_t.ZES_FREQ_DOMAIN_GPU


def _clocks(domain: FrequencyDomain) -> list[float]:
    """Returns the clocks that a domain can have, the lowest first."""
    target = domain.card.target
    return clocks_of(target) if domain.domain is _GPU else [float(target.memory_clock_mhz)]


def _range(domain: FrequencyDomain) -> zes_freq_range_t:
    clocks = _clocks(domain)
    if domain.domain is not _GPU:
        return zes_freq_range_t(clocks[0], clocks[-1])
    bounds = clock_bounds(domain.card, domain.subdeviceId)
    return zes_freq_range_t(bounds.least_mhz, bounds.most_mhz)


@api(SysmanChapter.FREQUENCY, GETS, seed="zetSysmanFrequencyGet")
def zesDeviceEnumFrequencyDomains(hDevice: Device) -> list[FrequencyDomain]:
    """Returns the domains: the GPU and the memory of each tile."""
    return components(card_of(hDevice), FrequencyDomain)


@api(SysmanChapter.FREQUENCY, seed="zetSysmanFrequencyGetProperties")
def zesFrequencyGetProperties(hFrequency: FrequencyDomain) -> zes_freq_properties_t:
    """Returns the lowest and the highest clock in MHz. That of the memory cannot be set."""
    domain = live(hFrequency, FrequencyDomain)
    clocks = _clocks(domain)
    is_gpu = domain.domain is _GPU
    return zes_freq_properties_t(
        domain.domain, domain.onSubdevice, domain.subdeviceId, is_gpu, is_gpu, clocks[0], clocks[-1]
    )


@api(SysmanChapter.FREQUENCY, seed="zetSysmanFrequencyGetAvailableClocks")
def zesFrequencyGetAvailableClocks(hFrequency: FrequencyDomain) -> list[float]:
    """Returns the clocks in MHz, the lowest first."""
    return _clocks(live(hFrequency, FrequencyDomain))


@api(SysmanChapter.FREQUENCY, seed="zetSysmanFrequencyGetRange")
def zesFrequencyGetRange(hFrequency: FrequencyDomain) -> zes_freq_range_t:
    """Returns the range in which the clock may be."""
    return _range(live(hFrequency, FrequencyDomain))


@api(SysmanChapter.FREQUENCY, f"{SETS} UNSUPPORTED_FEATURE", pointers="pLimits", seed="zetSysmanFrequencySetRange")
def zesFrequencySetRange(hFrequency: FrequencyDomain, pLimits: zes_freq_range_t) -> None:
    """Sets the range in which the clock may be; a bound that is not positive is that of the hardware.

    Work runs at the highest clock of the range that the limit of the power allows, and its estimated time follows.
    A bound between two clocks is clamped to the lower one.

    Raises:
        ZeError: `UNSUPPORTED_FEATURE` for the memory, `INVALID_ARGUMENT` for a range that is empty or outside that of
            the hardware.
    """
    domain = live(hFrequency, FrequencyDomain)
    required(pLimits, "pLimits")
    if domain.domain is not _GPU:
        raise unsupported(f"the clock of the memory of {domain.card!r} cannot be set")
    clocks = _clocks(domain)
    least = pLimits.min if pLimits.min > 0 else clocks[0]
    most = pLimits.max if pLimits.max > 0 else clocks[-1]
    if not clocks[0] <= least <= most <= clocks[-1]:
        raise invalid(f"a range of {least} to {most} MHz, expected one inside {clocks[0]} to {clocks[-1]}")
    kept = [max(clock for clock in clocks if clock <= bound) for bound in (least, most)]
    domain.set(range=kept)


@api(SysmanChapter.FREQUENCY, seed="zetSysmanFrequencyGetState")
def zesFrequencyGetState(hFrequency: FrequencyDomain) -> zes_freq_state_t:
    """Returns voltage and clocks, and why work has run at a lower clock than the range allows."""
    domain = live(hFrequency, FrequencyDomain)
    card, tile, reasons = domain.card, domain.subdeviceId, zes_freq_throttle_reason_flags_t(0)
    power = card.target.power
    if domain.domain is not _GPU:
        clock = float(card.target.memory_clock_mhz)
        return zes_freq_state_t(-1.0, clock, clock, clock, clock, reasons)
    clock = requested_clock(card, tile)
    flags = zes_freq_throttle_reason_flags_t
    if clock_bounds(card, tile).watts < power.sustained_watts and domain.board.tile_count(tile, TileCount.THROTTLED_NS):
        reasons |= flags.ZES_FREQ_THROTTLE_REASON_FLAG_AVE_PWR_CAP
    if clock < card.target.core_clock_mhz:
        reasons |= flags.ZES_FREQ_THROTTLE_REASON_FLAG_SW_RANGE
    if celsius(card, tile) >= power.critical_celsius:
        reasons |= flags.ZES_FREQ_THROTTLE_REASON_FLAG_THERMAL_LIMIT
    return zes_freq_state_t(
        currentVoltage=voltage_at(card.target, clock),
        request=clock,
        tdp=float(card.target.core_clock_mhz),
        efficient=float(power.efficient_clock_mhz),
        actual=clock,
        throttleReasons=reasons,
    )


@api(SysmanChapter.FREQUENCY, seed="zetSysmanFrequencyGetThrottleTime")
def zesFrequencyGetThrottleTime(hFrequency: FrequencyDomain) -> zes_freq_throttle_time_t:
    """Returns the simulated time in microseconds for which work has run at a lower clock than the range allows."""
    domain = live(hFrequency, FrequencyDomain)
    is_gpu = domain.domain is _GPU
    time = microseconds(domain.board, domain.tiles, TileCount.THROTTLED_NS) if is_gpu else 0
    return zes_freq_throttle_time_t(time, timestamp())
