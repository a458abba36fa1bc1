"""Overclocking (specification: Sysman frequency and overclock). Like the PVC, simulated cards have none."""

from __future__ import annotations

from runtime.card import voltage_at
from runtime.ze.declaration import api
from runtime.ze.driver import Device, enumerator, live
from runtime.zes.chapters import GETS, SysmanChapter
from runtime.zes.spec import (
    zes_control_property_t,
    zes_control_state_t,
    zes_freq_domain_t,
    zes_oc_capabilities_t,
    zes_oc_mode_t,
    zes_overclock_control_t,
    zes_overclock_domain_t,
    zes_overclock_mode_t,
    zes_overclock_properties_t,
    zes_pending_action_t,
    zes_vf_array_type_t,
    zes_vf_property_t,
    zes_vf_type_t,
)
from runtime.zes.system.access import card_of, not_overclocked
from runtime.zes.system.components import FrequencyDomain, OverclockDomain, components

_FIXED = "The clocks of simulated cards are those of the factory, like those of a PVC."

_NONE = "Simulated cards have no domains for overclocking, so there are no handles to call it with."


@api(SysmanChapter.FREQUENCY, seed="zetSysmanFrequencyOcGetCapabilities")
def zesFrequencyOcGetCapabilities(hFrequency: FrequencyDomain) -> zes_oc_capabilities_t:
    """Returns clock and voltage of the factory, and that nothing can be overclocked."""
    domain = live(hFrequency, FrequencyDomain)
    target = domain.card.target
    is_gpu = domain.domain is zes_freq_domain_t.ZES_FREQ_DOMAIN_GPU
    clock = float(target.core_clock_mhz if is_gpu else target.memory_clock_mhz)
    return zes_oc_capabilities_t(
        isOcSupported=False,
        maxFactoryDefaultFrequency=clock,
        maxFactoryDefaultVoltage=voltage_at(target, clock) if is_gpu else 0.0,
        maxOcFrequency=0.0,
        minOcVoltageOffset=0.0,
        maxOcVoltageOffset=0.0,
        maxOcVoltage=0.0,
        isTjMaxSupported=False,
        isIccMaxSupported=False,
        isHighVoltModeCapable=False,
        isHighVoltModeEnabled=False,
        isExtendedModeSupported=False,
        isFixedModeSupported=False,
    )


@api(SysmanChapter.FREQUENCY, "UNSUPPORTED_FEATURE", seed="zetSysmanFrequencyOcGetConfig", note=_FIXED)
def zesFrequencyOcGetFrequencyTarget(hFrequency: FrequencyDomain) -> float:
    """Raises `UNSUPPORTED_FEATURE`: there is no target for overclocking."""
    raise not_overclocked(live(hFrequency, FrequencyDomain))


@api(SysmanChapter.FREQUENCY, "UNSUPPORTED_FEATURE", seed="zetSysmanFrequencyOcSetConfig", note=_FIXED)
def zesFrequencyOcSetFrequencyTarget(hFrequency: FrequencyDomain, CurrentOcFrequency: float) -> None:
    """Raises `UNSUPPORTED_FEATURE`: there is no target for overclocking."""
    raise not_overclocked(live(hFrequency, FrequencyDomain))


@api(SysmanChapter.FREQUENCY, "UNSUPPORTED_FEATURE", seed=None, note=_FIXED)
def zesFrequencyOcGetVoltageTarget(hFrequency: FrequencyDomain) -> tuple[float, float]:
    """Raises `UNSUPPORTED_FEATURE`: there is no target for the voltage."""
    raise not_overclocked(live(hFrequency, FrequencyDomain))


@api(SysmanChapter.FREQUENCY, "UNSUPPORTED_FEATURE", seed=None, note=_FIXED)
def zesFrequencyOcSetVoltageTarget(
    hFrequency: FrequencyDomain, CurrentVoltageTarget: float, CurrentVoltageOffset: float
) -> None:
    """Raises `UNSUPPORTED_FEATURE`: there is no target for the voltage."""
    raise not_overclocked(live(hFrequency, FrequencyDomain))


@api(SysmanChapter.FREQUENCY, "INVALID_ENUMERATION UNSUPPORTED_FEATURE", seed=None, note=_FIXED)
def zesFrequencyOcSetMode(hFrequency: FrequencyDomain, CurrentOcMode: int) -> None:
    """Raises `UNSUPPORTED_FEATURE`: there is no mode for overclocking."""
    found = live(hFrequency, FrequencyDomain)
    enumerator(CurrentOcMode, zes_oc_mode_t)
    raise not_overclocked(found)


@api(SysmanChapter.FREQUENCY, "UNSUPPORTED_FEATURE", seed=None, note=_FIXED)
def zesFrequencyOcGetMode(hFrequency: FrequencyDomain) -> zes_oc_mode_t:
    """Raises `UNSUPPORTED_FEATURE`: there is no mode for overclocking."""
    raise not_overclocked(live(hFrequency, FrequencyDomain))


@api(SysmanChapter.FREQUENCY, "UNSUPPORTED_FEATURE", seed="zetSysmanFrequencyOcGetIccMax", note=_FIXED)
def zesFrequencyOcGetIccMax(hFrequency: FrequencyDomain) -> float:
    """Raises `UNSUPPORTED_FEATURE`: the highest current cannot be read."""
    raise not_overclocked(live(hFrequency, FrequencyDomain))


@api(SysmanChapter.FREQUENCY, "UNSUPPORTED_FEATURE", seed="zetSysmanFrequencyOcSetIccMax", note=_FIXED)
def zesFrequencyOcSetIccMax(hFrequency: FrequencyDomain, ocIccMax: float) -> None:
    """Raises `UNSUPPORTED_FEATURE`: the highest current cannot be set."""
    raise not_overclocked(live(hFrequency, FrequencyDomain))


@api(SysmanChapter.FREQUENCY, "UNSUPPORTED_FEATURE", seed="zetSysmanFrequencyOcGetTjMax", note=_FIXED)
def zesFrequencyOcGetTjMax(hFrequency: FrequencyDomain) -> float:
    """Raises `UNSUPPORTED_FEATURE`: the highest temperature cannot be read here."""
    raise not_overclocked(live(hFrequency, FrequencyDomain))


@api(SysmanChapter.FREQUENCY, "UNSUPPORTED_FEATURE", seed="zetSysmanFrequencyOcSetTjMax", note=_FIXED)
def zesFrequencyOcSetTjMax(hFrequency: FrequencyDomain, ocTjMax: float) -> None:
    """Raises `UNSUPPORTED_FEATURE`: the highest temperature cannot be set."""
    raise not_overclocked(live(hFrequency, FrequencyDomain))


@api(SysmanChapter.OVERCLOCK, GETS, since=(1, 5))
def zesDeviceGetOverclockDomains(hDevice: Device) -> int:
    """Returns the set of domains that can be overclocked: none."""
    card_of(hDevice)
    return 0


@api(SysmanChapter.OVERCLOCK, GETS, since=(1, 5))
def zesDeviceEnumOverclockDomains(hDevice: Device) -> list[OverclockDomain]:
    """Returns the domains that can be overclocked: none."""
    return components(card_of(hDevice), OverclockDomain)


@api(SysmanChapter.OVERCLOCK, "UNINITIALIZED UNSUPPORTED_FEATURE", since=(1, 5), note=_FIXED)
def zesDeviceSetOverclockWaiver(hDevice: Device) -> None:
    """Raises `UNSUPPORTED_FEATURE`: there is no warranty to waive."""
    raise not_overclocked(card_of(hDevice))


@api(SysmanChapter.OVERCLOCK, "UNINITIALIZED INVALID_ENUMERATION UNSUPPORTED_FEATURE", since=(1, 5), note=_FIXED)
def zesDeviceGetOverclockControls(hDevice: Device, domainType: int) -> int:
    """Raises `UNSUPPORTED_FEATURE`: no domain has controls."""
    found = card_of(hDevice)
    enumerator(domainType, zes_overclock_domain_t)
    raise not_overclocked(found)


@api(SysmanChapter.OVERCLOCK, "UNINITIALIZED UNSUPPORTED_FEATURE", since=(1, 5), note=_FIXED)
def zesDeviceResetOverclockSettings(hDevice: Device, onShippedState: bool) -> None:
    """Raises `UNSUPPORTED_FEATURE`: there are no settings."""
    raise not_overclocked(card_of(hDevice))


@api(SysmanChapter.OVERCLOCK, "UNINITIALIZED UNSUPPORTED_FEATURE", since=(1, 5), note=_FIXED)
def zesDeviceReadOverclockState(hDevice: Device) -> tuple[zes_overclock_mode_t, bool, bool, zes_pending_action_t, bool]:
    """Raises `UNSUPPORTED_FEATURE`: there is no state."""
    raise not_overclocked(card_of(hDevice))


@api(SysmanChapter.OVERCLOCK, since=(1, 5), note=_NONE)
def zesOverclockGetDomainProperties(hDomainHandle: OverclockDomain) -> zes_overclock_properties_t:
    """Raises `UNSUPPORTED_FEATURE`: no handle can be overclocked."""
    raise not_overclocked(live(hDomainHandle, OverclockDomain))


@api(SysmanChapter.OVERCLOCK, since=(1, 5), note=_NONE)
def zesOverclockGetDomainVFProperties(hDomainHandle: OverclockDomain) -> zes_vf_property_t:
    """Raises `UNSUPPORTED_FEATURE`: no handle can be overclocked."""
    raise not_overclocked(live(hDomainHandle, OverclockDomain))


@api(SysmanChapter.OVERCLOCK, since=(1, 5), note=_NONE)
def zesOverclockGetDomainControlProperties(
    hDomainHandle: OverclockDomain, DomainControl: int
) -> zes_control_property_t:
    """Raises `UNSUPPORTED_FEATURE`: no handle can be overclocked."""
    found = live(hDomainHandle, OverclockDomain)
    enumerator(DomainControl, zes_overclock_control_t)
    raise not_overclocked(found)


@api(SysmanChapter.OVERCLOCK, since=(1, 5), note=_NONE)
def zesOverclockGetControlCurrentValue(hDomainHandle: OverclockDomain, DomainControl: int) -> float:
    """Raises `UNSUPPORTED_FEATURE`: no handle can be overclocked."""
    found = live(hDomainHandle, OverclockDomain)
    enumerator(DomainControl, zes_overclock_control_t)
    raise not_overclocked(found)


@api(SysmanChapter.OVERCLOCK, since=(1, 5), note=_NONE)
def zesOverclockGetControlPendingValue(hDomainHandle: OverclockDomain, DomainControl: int) -> float:
    """Raises `UNSUPPORTED_FEATURE`: no handle can be overclocked."""
    found = live(hDomainHandle, OverclockDomain)
    enumerator(DomainControl, zes_overclock_control_t)
    raise not_overclocked(found)


@api(SysmanChapter.OVERCLOCK, since=(1, 5), note=_NONE)
def zesOverclockSetControlUserValue(
    hDomainHandle: OverclockDomain, DomainControl: int, pValue: float
) -> zes_pending_action_t:
    """Raises `UNSUPPORTED_FEATURE`: no handle can be overclocked."""
    found = live(hDomainHandle, OverclockDomain)
    enumerator(DomainControl, zes_overclock_control_t)
    raise not_overclocked(found)


@api(SysmanChapter.OVERCLOCK, since=(1, 5), note=_NONE)
def zesOverclockGetControlState(
    hDomainHandle: OverclockDomain, DomainControl: int
) -> tuple[zes_control_state_t, zes_pending_action_t]:
    """Raises `UNSUPPORTED_FEATURE`: no handle can be overclocked."""
    found = live(hDomainHandle, OverclockDomain)
    enumerator(DomainControl, zes_overclock_control_t)
    raise not_overclocked(found)


@api(SysmanChapter.OVERCLOCK, since=(1, 5), note=_NONE)
def zesOverclockGetVFPointValues(hDomainHandle: OverclockDomain, VFType: int, VFArrayType: int, PointIndex: int) -> int:
    """Raises `UNSUPPORTED_FEATURE`: no handle can be overclocked."""
    found = live(hDomainHandle, OverclockDomain)
    enumerator(VFType, zes_vf_type_t)
    enumerator(VFArrayType, zes_vf_array_type_t)
    raise not_overclocked(found)


@api(SysmanChapter.OVERCLOCK, since=(1, 5), note=_NONE)
def zesOverclockSetVFPointValues(hDomainHandle: OverclockDomain, VFType: int, PointIndex: int, PointValue: int) -> None:
    """Raises `UNSUPPORTED_FEATURE`: no handle can be overclocked."""
    found = live(hDomainHandle, OverclockDomain)
    enumerator(VFType, zes_vf_type_t)
    raise not_overclocked(found)
