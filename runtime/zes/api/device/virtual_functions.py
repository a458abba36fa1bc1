"""Virtual functions (specification: Sysman virtual function management). Simulated cards have none enabled."""

from __future__ import annotations

from runtime.ze.declaration import api
from runtime.ze.driver import Device, flag_set, live
from runtime.zes.chapters import GETS, SysmanChapter
from runtime.zes.spec import (
    zes_vf_exp2_capabilities_t,
    zes_vf_exp_capabilities_t,
    zes_vf_exp_properties_t,
    zes_vf_info_util_exp_flags_t,
    zes_vf_util_engine_exp2_t,
    zes_vf_util_engine_exp_t,
    zes_vf_util_mem_exp2_t,
    zes_vf_util_mem_exp_t,
)
from runtime.zes.system.access import card_of, not_simulated
from runtime.zes.system.components import VirtualFunction, components

_NONE = "Simulated cards have no virtual functions enabled, so there are no handles to call it with."


@api(SysmanChapter.VIRTUAL_FUNCTIONS, GETS, since=(1, 9))
def zesDeviceEnumActiveVFExp(hDevice: Device) -> list[VirtualFunction]:
    """Returns the virtual functions that are in use: none."""
    return components(card_of(hDevice), VirtualFunction)


@api(SysmanChapter.VIRTUAL_FUNCTIONS, GETS, since=(1, 10))
def zesDeviceEnumEnabledVFExp(hDevice: Device) -> list[VirtualFunction]:
    """Returns the virtual functions that are enabled: none."""
    return components(card_of(hDevice), VirtualFunction)


@api(SysmanChapter.VIRTUAL_FUNCTIONS, since=(1, 9), note=_NONE)
def zesVFManagementGetVFPropertiesExp(hVFhandle: VirtualFunction) -> zes_vf_exp_properties_t:
    """Raises `UNSUPPORTED_FEATURE` for every handle: a virtual function has no address and identity here."""
    raise not_simulated(live(hVFhandle, VirtualFunction))


@api(SysmanChapter.VIRTUAL_FUNCTIONS, since=(1, 9), note=_NONE)
def zesVFManagementGetVFMemoryUtilizationExp(hVFhandle: VirtualFunction) -> list[zes_vf_util_mem_exp_t]:
    """Raises `UNSUPPORTED_FEATURE` for every handle: a virtual function has no use of memory here."""
    raise not_simulated(live(hVFhandle, VirtualFunction))


@api(SysmanChapter.VIRTUAL_FUNCTIONS, since=(1, 9), note=_NONE)
def zesVFManagementGetVFEngineUtilizationExp(hVFhandle: VirtualFunction) -> list[zes_vf_util_engine_exp_t]:
    """Raises `UNSUPPORTED_FEATURE` for every handle: a virtual function has no use of engines here."""
    raise not_simulated(live(hVFhandle, VirtualFunction))


@api(SysmanChapter.VIRTUAL_FUNCTIONS, since=(1, 10), note=_NONE)
def zesVFManagementGetVFCapabilitiesExp(hVFhandle: VirtualFunction) -> zes_vf_exp_capabilities_t:
    """Raises `UNSUPPORTED_FEATURE` for every handle: a virtual function has no capabilities here."""
    raise not_simulated(live(hVFhandle, VirtualFunction))


@api(SysmanChapter.VIRTUAL_FUNCTIONS, since=(1, 10), note=_NONE)
def zesVFManagementGetVFMemoryUtilizationExp2(hVFhandle: VirtualFunction) -> list[zes_vf_util_mem_exp2_t]:
    """Raises `UNSUPPORTED_FEATURE` for every handle: a virtual function has no use of memory here."""
    raise not_simulated(live(hVFhandle, VirtualFunction))


@api(SysmanChapter.VIRTUAL_FUNCTIONS, since=(1, 10), note=_NONE)
def zesVFManagementGetVFEngineUtilizationExp2(hVFhandle: VirtualFunction) -> list[zes_vf_util_engine_exp2_t]:
    """Raises `UNSUPPORTED_FEATURE` for every handle: a virtual function has no use of engines here."""
    raise not_simulated(live(hVFhandle, VirtualFunction))


@api(SysmanChapter.VIRTUAL_FUNCTIONS, since=(1, 12), note=_NONE)
def zesVFManagementGetVFCapabilitiesExp2(hVFhandle: VirtualFunction) -> zes_vf_exp2_capabilities_t:
    """Raises `UNSUPPORTED_FEATURE` for every handle: a virtual function has no capabilities here."""
    raise not_simulated(live(hVFhandle, VirtualFunction))


@api(SysmanChapter.VIRTUAL_FUNCTIONS, since=(1, 9), note=_NONE)
def zesVFManagementSetVFTelemetryModeExp(hVFhandle: VirtualFunction, flags: int, enable: bool) -> None:
    """Raises `UNSUPPORTED_FEATURE` for every handle: a virtual function has no telemetry here."""
    function = live(hVFhandle, VirtualFunction)
    flag_set(flags, zes_vf_info_util_exp_flags_t)
    raise not_simulated(function)


@api(SysmanChapter.VIRTUAL_FUNCTIONS, since=(1, 9), note=_NONE)
def zesVFManagementSetVFTelemetrySamplingIntervalExp(
    hVFhandle: VirtualFunction, flag: int, samplingInterval: int
) -> None:
    """Raises `UNSUPPORTED_FEATURE` for every handle: a virtual function has no telemetry here."""
    function = live(hVFhandle, VirtualFunction)
    flag_set(flag, zes_vf_info_util_exp_flags_t)
    raise not_simulated(function)
