"""Power domains, their energy and its threshold (specification: Sysman power)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from runtime.card import TileCount
from runtime.ze.declaration import api
from runtime.ze.driver import Device, items, live
from runtime.ze.spec import ZeError, ze_result_t
from runtime.zes.chapters import GETS, SETS, SysmanChapter
from runtime.zes.spec import (
    zes_energy_threshold_t,
    zes_power_domain_t,
    zes_power_energy_counter_t,
    zes_power_ext_properties_t,
    zes_power_properties_t,
)
from runtime.zes.system.access import card_of, change, invalid, require_rights
from runtime.zes.system.components import PowerDomain, components
from runtime.zes.system.power_limits import NO_PROCESS, factory_limits, sustained_descriptor
from runtime.zes.system.readings import microjoules, timestamp


@api(SysmanChapter.POWER, GETS, seed="zetSysmanPowerGet")
def zesDeviceEnumPowerDomains(hDevice: Device) -> list[PowerDomain]:
    """Returns the domains: that of the card, and one for each tile if there are several."""
    return components(card_of(hDevice), PowerDomain)


@api(SysmanChapter.POWER, GETS, seed=None)
def zesDeviceGetCardPowerDomain(hDevice: Device) -> PowerDomain:
    """Returns the domain of the card."""
    return components(card_of(hDevice), PowerDomain)[0]


@api(SysmanChapter.POWER, seed="zetSysmanPowerGetProperties")
def zesPowerGetProperties(hPower: PowerDomain, pNext: Sequence[type] = ()) -> zes_power_properties_t:
    """Returns the limits that can be set, in milliwatts."""
    domain = live(hPower, PowerDomain)
    limits = factory_limits(domain)
    found = zes_power_properties_t(
        onSubdevice=domain.onSubdevice,
        subdeviceId=domain.subdeviceId,
        canControl=True,
        isEnergyThresholdSupported=True,
        defaultLimit=limits.sustained,
        minLimit=limits.least,
        maxLimit=limits.sustained,
    )
    if zes_power_ext_properties_t not in (items(pNext, "pNext") if pNext else ()):
        return found
    kinds = zes_power_domain_t
    kind = kinds.ZES_POWER_DOMAIN_CARD if domain.tile is None else kinds.ZES_POWER_DOMAIN_STACK
    default = sustained_descriptor(domain, limits.sustained)
    return replace(found, pNext=(zes_power_ext_properties_t(kind, default),))


@api(SysmanChapter.POWER, seed="zetSysmanPowerGetEnergyCounter")
def zesPowerGetEnergyCounter(hPower: PowerDomain) -> zes_power_energy_counter_t:
    """Returns the microjoules that work has taken, and the time in microseconds. A device that is idle takes none."""
    domain = live(hPower, PowerDomain)
    return zes_power_energy_counter_t(microjoules(domain.board, domain.tiles), timestamp())


@api(SysmanChapter.POWER, since=(1, 16))
def zesPowerGetUsage(hPower: PowerDomain) -> tuple[int, int]:
    """Returns the power in milliwatts at which the domain worked: now, and on average over all of its work.

    Both are the average, as nothing remembers single launches; zero before the first.
    """
    domain = live(hPower, PowerDomain)
    busy = sum(domain.board.tile_count(t, c) for t in domain.tiles for c in (TileCount.COMPUTE_NS, TileCount.COPY_NS))
    energy = sum(domain.board.tile_count(tile, TileCount.NANOJOULES) for tile in domain.tiles)
    average = round(1000 * energy / busy) if busy else 0
    return average, average


@api(SysmanChapter.POWER, "INSUFFICIENT_PERMISSIONS", seed="zetSysmanPowerGetEnergyThreshold")
def zesPowerGetEnergyThreshold(hPower: PowerDomain) -> zes_energy_threshold_t:
    """Returns the threshold in joules, with the process that has set it. One that was crossed is gone."""
    domain = live(hPower, PowerDomain)
    require_rights("read the threshold of energy")
    threshold, process, begin = domain.board.settings.numbers(domain.key("threshold"), [0.0, NO_PROCESS, 0.0])
    is_crossed = microjoules(domain.board, domain.tiles) - begin >= threshold * 1e6
    return (
        zes_energy_threshold_t(False, 0.0, int(NO_PROCESS))
        if is_crossed
        else zes_energy_threshold_t(True, threshold, int(process))
    )


@api(SysmanChapter.POWER, SETS, seed="zetSysmanPowerSetEnergyThreshold")
def zesPowerSetEnergyThreshold(hPower: PowerDomain, threshold: float) -> None:
    """Sets the joules from now on after which `ZES_EVENT_TYPE_FLAG_ENERGY_THRESHOLD_CROSSED` happens, once; 0 for none.

    Raises:
        ZeError: `NOT_AVAILABLE` if another process that lives has set a threshold, and `INVALID_ARGUMENT` for a
            negative one.
    """
    domain = live(hPower, PowerDomain)
    if not threshold >= 0:
        raise invalid(f"a threshold of {threshold} joules")
    begin = float(microjoules(domain.board, domain.tiles))
    users = {user.process for user in domain.board.users()}

    def edit(settings: dict[str, float | str | list[float]]) -> None:
        owner = settings.get(domain.key("threshold"))
        if isinstance(owner, list) and owner[0] > 0 and int(owner[1]) != os.getpid() and int(owner[1]) in users:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_NOT_AVAILABLE,
                f"process {int(owner[1])} has set the threshold of {domain!r}",
            )
        settings[domain.key("threshold")] = [threshold, float(os.getpid()) if threshold else NO_PROCESS, begin]

    change(domain.card, "set a threshold of energy", edit)
    domain.board.enter()
