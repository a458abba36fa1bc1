"""Devices, PCI, schedulers and performance profiles in specification 0.91.

There a device has one scheduler and one profile: those of all tiles, which are set together.
"""

from __future__ import annotations

from collections.abc import Mapping

from runtime.ze.declaration import api, seed_form, seed_name
from runtime.ze.dispatch import direct
from runtime.ze.driver import Device, enumerator, live
from runtime.zes import api as zes
from runtime.zes.chapters import GETS, SysmanChapter
from runtime.zes.seed.enums import (
    zet_pci_bar_type_t,
    zet_pci_link_qual_issues_t,
    zet_pci_link_stab_issues_t,
    zet_pci_link_status_t,
    zet_perf_profile_t,
    zet_repair_status_t,
    zet_sched_mode_t,
    zet_sysman_version_t,
)
from runtime.zes.seed.structs import (
    zet_pci_bar_properties_t,
    zet_pci_properties_t,
    zet_pci_state_t,
    zet_pci_stats_t,
    zet_process_state_t,
    zet_sched_timeout_properties_t,
    zet_sched_timeslice_properties_t,
)
from runtime.zes.spec import zes_pci_bar_type_t, zes_pci_link_status_t
from runtime.zes.system.access import allow, card_of, invalid
from runtime.zes.system.components import PerformanceFactor, SchedulerComponent, components

_ENGINE_TYPES = 0b11111
"""The types of engines that 0.91 knows."""


@api(SysmanChapter.SYSMAN_DEVICE, "INVALID_ENUMERATION", since=(0, 91))
def zetSysmanGet(hDevice: Device, version: int) -> Device:
    """Returns the handle for system management of a device of the core API.

    Raises:
        ZeError: `INVALID_ARGUMENT` for a sub-device.
    """
    device = live(hDevice, Device)
    enumerator(version, zet_sysman_version_t)
    if device.card is not device and device.root is not None:
        raise invalid(f"{device!r} is a sub-device: its components are those of its card")
    allow(device)
    return device.card


zetSysmanDeviceGetProperties = seed_name(zes.zesDeviceGetProperties)


@seed_form(zes.zesDeviceEnumSchedulers)
def zetSysmanSchedulerGetSupportedModes(hSysman: Device) -> list[zet_sched_mode_t]:
    """Returns the modes of the scheduler: all."""
    card_of(hSysman)
    return list(zet_sched_mode_t)


def _first(hSysman: Device) -> SchedulerComponent:
    return components(card_of(hSysman), SchedulerComponent)[0]


@seed_form(zes.zesSchedulerGetCurrentMode)
def zetSysmanSchedulerGetCurrentMode(hSysman: Device) -> zet_sched_mode_t:
    """Returns the mode."""
    return zet_sched_mode_t(direct(zes.zesSchedulerGetCurrentMode)(_first(hSysman)))


@seed_form(zes.zesSchedulerGetTimeoutModeProperties)
def zetSysmanSchedulerGetTimeoutModeProperties(hSysman: Device, getDefaults: bool) -> zet_sched_timeout_properties_t:
    """Returns the times of the time-out mode in microseconds, in use or by default."""
    return direct(zes.zesSchedulerGetTimeoutModeProperties)(_first(hSysman), getDefaults)


@seed_form(zes.zesSchedulerGetTimesliceModeProperties)
def zetSysmanSchedulerGetTimesliceModeProperties(
    hSysman: Device, getDefaults: bool
) -> zet_sched_timeslice_properties_t:
    """Returns the times of the time-slice mode in microseconds, in use or by default."""
    return direct(zes.zesSchedulerGetTimesliceModeProperties)(_first(hSysman), getDefaults)


@seed_form(zes.zesSchedulerSetTimeoutMode)
def zetSysmanSchedulerSetTimeoutMode(hSysman: Device, pProperties: zet_sched_timeout_properties_t) -> bool:
    """Sets the time-out mode, and returns whether the system must be booted: no."""
    found = components(card_of(hSysman), SchedulerComponent)
    reloads = [direct(zes.zesSchedulerSetTimeoutMode)(each, pProperties) for each in found]
    return any(reloads)


@seed_form(zes.zesSchedulerSetTimesliceMode)
def zetSysmanSchedulerSetTimesliceMode(hSysman: Device, pProperties: zet_sched_timeslice_properties_t) -> bool:
    """Sets the time-slice mode, and returns whether the system must be booted: no."""
    found = components(card_of(hSysman), SchedulerComponent)
    reloads = [direct(zes.zesSchedulerSetTimesliceMode)(each, pProperties) for each in found]
    return any(reloads)


@seed_form(zes.zesSchedulerSetExclusiveMode)
def zetSysmanSchedulerSetExclusiveMode(hSysman: Device) -> bool:
    """Sets the exclusive mode, and returns whether the system must be booted: no."""
    found = components(card_of(hSysman), SchedulerComponent)
    reloads = [direct(zes.zesSchedulerSetExclusiveMode)(each) for each in found]
    return any(reloads)


@seed_form(zes.zesSchedulerSetComputeUnitDebugMode)
def zetSysmanSchedulerSetComputeUnitDebugMode(hSysman: Device) -> bool:
    """Sets the mode in which one process is debugged; returns whether the system must be booted: no."""
    found = components(card_of(hSysman), SchedulerComponent)
    reloads = [direct(zes.zesSchedulerSetComputeUnitDebugMode)(each) for each in found]
    return any(reloads)


_FACTORS: Mapping[zet_perf_profile_t, float] = {
    zet_perf_profile_t.ZET_PERF_PROFILE_MEMORY_BOUNDED: 0.0,
    zet_perf_profile_t.ZET_PERF_PROFILE_BALANCED: 50.0,
    zet_perf_profile_t.ZET_PERF_PROFILE_COMPUTE_BOUNDED: 100.0,
}
"""The performance factors of 1.x that profiles are."""


@seed_form(zes.zesDeviceEnumPerformanceFactorDomains)
def zetSysmanPerformanceProfileGetSupported(hSysman: Device) -> list[zet_perf_profile_t]:
    """Returns the profiles: all."""
    card_of(hSysman)
    return list(zet_perf_profile_t)


@seed_form(zes.zesPerformanceFactorGetConfig)
def zetSysmanPerformanceProfileGet(hSysman: Device) -> zet_perf_profile_t:
    """Returns the profile that is nearest to the performance factor."""
    factor = direct(zes.zesPerformanceFactorGetConfig)(components(card_of(hSysman), PerformanceFactor)[0])
    return min(_FACTORS, key=lambda profile: abs(_FACTORS[profile] - factor))


@seed_form(zes.zesPerformanceFactorSetConfig)
def zetSysmanPerformanceProfileSet(hSysman: Device, profile: int) -> None:
    """Sets the profile.

    Raises:
        ZeError: `INVALID_ENUMERATION` for a profile that does not exist.
    """
    card = card_of(hSysman)
    factor = _FACTORS[enumerator(profile, zet_perf_profile_t)]
    for domain in components(card, PerformanceFactor):
        direct(zes.zesPerformanceFactorSetConfig)(domain, factor)


@seed_form(zes.zesDeviceProcessesGetState)
def zetSysmanProcessesGetState(hSysman: Device) -> list[zet_process_state_t]:
    """Returns the processes that have memory on a card or have used it."""
    found = direct(zes.zesDeviceProcessesGetState)(hSysman)
    return [zet_process_state_t(each.processId, each.memSize, each.engines & _ENGINE_TYPES) for each in found]


@seed_form(zes.zesDeviceReset)
def zetSysmanDeviceReset(hSysman: Device) -> None:
    """Resets a card that no process uses."""
    direct(zes.zesDeviceReset)(hSysman, False)


@seed_form(zes.zesDeviceGetState)
def zetSysmanDeviceGetRepairStatus(hSysman: Device) -> zet_repair_status_t:
    """Returns that cards cannot be repaired."""
    return zet_repair_status_t(direct(zes.zesDeviceGetState)(hSysman).repaired)


@api(SysmanChapter.SYSMAN_DEVICE, GETS, since=(0, 91), note="The table of permissions of 0.91 has it under this name.")
def zetSysmanDeviceWasRepaired(hSysman: Device) -> bool:
    """Returns whether a card has been repaired."""
    return zetSysmanDeviceGetRepairStatus(hSysman) is zet_repair_status_t.ZET_REPAIR_STATUS_PERFORMED


@seed_form(zes.zesDevicePciGetProperties)
def zetSysmanPciGetProperties(hSysman: Device) -> zet_pci_properties_t:
    """Returns address and highest speed of a card's link."""
    found = direct(zes.zesDevicePciGetProperties)(hSysman)
    return zet_pci_properties_t(found.address, found.maxSpeed)


@seed_form(zes.zesDevicePciGetState)
def zetSysmanPciGetState(hSysman: Device) -> zet_pci_state_t:
    """Returns the state of a card's link: yellow while its speed is reduced."""
    found = direct(zes.zesDevicePciGetState)(hSysman)
    is_good = found.status is zes_pci_link_status_t.ZES_PCI_LINK_STATUS_GOOD
    colours = zet_pci_link_status_t
    return zet_pci_state_t(
        colours.ZET_PCI_LINK_STATUS_GREEN if is_good else colours.ZET_PCI_LINK_STATUS_YELLOW,
        zet_pci_link_qual_issues_t(found.qualityIssues),
        zet_pci_link_stab_issues_t(found.stabilityIssues),
        found.speed,
    )


_BARS: Mapping[int, zet_pci_bar_type_t] = {
    zes_pci_bar_type_t.ZES_PCI_BAR_TYPE_MMIO: zet_pci_bar_type_t.ZET_PCI_BAR_TYPE_MMIO,
    zes_pci_bar_type_t.ZES_PCI_BAR_TYPE_MEM: zet_pci_bar_type_t.ZET_PCI_BAR_TYPE_VRAM,
}


@seed_form(zes.zesDevicePciGetBars)
def zetSysmanPciGetBars(hSysman: Device) -> list[zet_pci_bar_properties_t]:
    """Returns the windows of a card: its registers, and its memory as a whole."""
    found = direct(zes.zesDevicePciGetBars)(hSysman)
    return [zet_pci_bar_properties_t(_BARS[bar.type], bar.index, bar.base, bar.size) for bar in found]


@seed_form(zes.zesDevicePciGetStats)
def zetSysmanPciGetStats(hSysman: Device) -> zet_pci_stats_t:
    """Returns the bytes that copies have moved over a card's link, and the packets that these take."""
    found = direct(zes.zesDevicePciGetStats)(hSysman)
    return zet_pci_stats_t(
        found.timestamp,
        found.replayCounter,
        found.packetCounter,
        found.rxCounter,
        found.txCounter,
        found.speed.maxBandwidth,
    )
