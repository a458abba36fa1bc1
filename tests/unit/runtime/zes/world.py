"""A card with all its components, and valid arguments for every function: where tests of single results start from."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping

import pytest

from runtime import ze, zes, zet
from runtime.ze.driver.system.driver import Driver
from runtime.zes.system.components import Component, EventHandle
from tests.unit.runtime.ze.kernels import ScriptedSimulator
from xegpu.targets import ARC, PVC

Arguments = dict[str, object]


class World:
    """A driver with a PVC and an ARC, whose counters and settings are new."""

    def __init__(self, patch: pytest.MonkeyPatch, directory: str) -> None:
        self.patch = patch
        patch.setenv("XEGPU_RUNTIME_DIR", directory)
        patch.setenv("ZES_ENABLE_SYSMAN", "1")
        patch.setenv("XEGPU_SYSMAN_RIGHTS", "write")
        self.driver = Driver((PVC, ARC), ScriptedSimulator)
        self.card, self.arc = ze.zeDeviceGet(self.driver)

    def hold(self, size: int) -> None:
        """Takes local memory of the card."""
        self.card.local_bytes += size
        self.card.charged()

    def component(self, kind: type[Component]) -> Component:
        """The first component of a kind, of the first card that has any; one that no card has if there is none."""
        found = [found for card in (self.card, self.arc) for found in zes.system.components.components(card, kind)]
        return found[0] if found else kind(self.card, 0)

    def arguments(self, name: str) -> Arguments:
        """Arguments with which a function succeeds."""
        special = SPECIAL.get(name, {})
        wanted = [
            parameter.name
            for parameter in inspect.signature(function(name)).parameters.values()
            if parameter.default is parameter.empty or parameter.name in special
        ]
        return {parameter: (special.get(parameter) or VALUES[parameter])(self) for parameter in wanted}


def function(name: str) -> Callable[..., object]:
    """Returns the function that an application calls by this name."""
    return getattr(zet if name.startswith("zet") else zes, name)


Value = Callable[[World], object]

HANDLES: Mapping[str, type[Component]] = {
    "hDiagnostics": zes.zes_diag_handle_t,
    "hDomainHandle": zes.zes_overclock_handle_t,
    "hEngine": zes.zes_engine_handle_t,
    "hEvent": EventHandle,
    "hFan": zes.zes_fan_handle_t,
    "hFirmware": zes.zes_firmware_handle_t,
    "hFrequency": zes.zes_freq_handle_t,
    "hLed": zes.zes_led_handle_t,
    "hMemory": zes.zes_mem_handle_t,
    "hPerf": zes.zes_perf_handle_t,
    "hPort": zes.zes_fabric_port_handle_t,
    "hPower": zes.zes_pwr_handle_t,
    "hPsu": zes.zes_psu_handle_t,
    "hRas": zes.zes_ras_handle_t,
    "hScheduler": zes.zes_sched_handle_t,
    "hStandby": zes.zes_standby_handle_t,
    "hTemperature": zes.zes_temp_handle_t,
    "hVFhandle": zes.zes_vf_handle_t,
}

IMAGE = b"$FPT and what a firmware consists of"

VALUES: Mapping[str, Value] = {
    "hDriver": lambda w: w.driver,
    "hDevice": lambda w: w.card,
    "hSysman": lambda w: w.card,
    "phDevices": lambda w: [w.card],
    "phEvents": lambda w: [w.component(EventHandle)],
    "phPort": lambda w: [w.component(zes.zes_fabric_port_handle_t)],
    **{name: lambda w, kind=kind: w.component(kind) for name, kind in HANDLES.items()},
    "version": lambda w: zet.zet_sysman_version_t.ZET_SYSMAN_VERSION_CURRENT,
    "name": lambda w: "zesInit",
    "uuid": lambda w: zes.zes_uuid_t(w.card.properties.uuid),
    "timeout": lambda w: 0,
    "events": lambda w: zes.ZES_EVENT_TYPE_FLAG_FREQ_THROTTLED,
    "force": lambda w: True,
    "clear": lambda w: True,
    "getDefaults": lambda w: False,
    "shouldDowngrade": lambda w: True,
    "newState": lambda w: zes.zes_device_ecc_desc_t(state=zes.ZES_DEVICE_ECC_STATE_DISABLED),
    "profile": lambda w: zet.zet_perf_profile_t.ZET_PERF_PROFILE_COMPUTE_BOUNDED,
    "factor": lambda w: 75.0,
    "mode": lambda w: zes.ZES_STANDBY_PROMO_MODE_NEVER,
    "threshold": lambda w: 2.5,
    "limit": lambda w: 400_000,
    "pLimits": lambda w: zes.zes_freq_range_t(800, 1200),
    "CurrentOcFrequency": lambda w: 1700.0,
    "CurrentVoltageTarget": lambda w: 1.0,
    "CurrentVoltageOffset": lambda w: 0.0,
    "CurrentOcMode": lambda w: zes.ZES_OC_MODE_OFF,
    "pOcConfiguration": lambda w: zet.zet_oc_config_t(),
    "ocIccMax": lambda w: 10.0,
    "ocTjMax": lambda w: 90.0,
    "domainType": lambda w: zes.ZES_OVERCLOCK_DOMAIN_CARD,
    "onShippedState": lambda w: True,
    "DomainControl": lambda w: zes.ZES_OVERCLOCK_CONTROL_FREQ,
    "pValue": lambda w: 1.0,
    "VFType": lambda w: zes.ZES_VF_TYPE_FREQ,
    "VFArrayType": lambda w: zes.ZES_VF_ARRAY_TYPE_LIVE_VF_ARRAY,
    "PointIndex": lambda w: 0,
    "PointValue": lambda w: 0,
    "flags": lambda w: zes.ZES_VF_INFO_UTIL_EXP_FLAG_INFO_NONE,
    "flag": lambda w: zes.ZES_VF_INFO_UTIL_EXP_FLAG_INFO_NONE,
    "enable": lambda w: True,
    "samplingInterval": lambda w: 1,
    "speed": lambda w: zes.zes_fan_speed_t(50, zes.ZES_FAN_SPEED_UNITS_PERCENT),
    "speedTable": lambda w: zes.zes_fan_speed_table_t((zes.zes_fan_temp_speed_t(40, zes.zes_fan_speed_t(900)),)),
    "units": lambda w: zes.ZES_FAN_SPEED_UNITS_RPM,
    "pColor": lambda w: zes.zes_led_color_t(1.0, 0.0, 0.0),
    "pState": lambda w: zet.zet_led_state_t(True),
    "pImage": lambda w: IMAGE,
    "size": lambda w: len(IMAGE),
    "category": lambda w: zes.ZES_RAS_ERROR_CATEGORY_EXP_RESET_ERRORS,
    "pCategories": lambda w: [zes.ZES_RAS_ERROR_CATEGORY_EXP_RESET_ERRORS],
    "startIndex": lambda w: zes.spec.ZES_DIAG_FIRST_TEST_INDEX,
    "endIndex": lambda w: zes.spec.ZES_DIAG_LAST_TEST_INDEX,
    "verbose": lambda w: True,
}
"""The values that most functions take, by the name of the parameter."""

_SUSTAINED = zes.zes_power_limit_ext_desc_t(level=zes.ZES_POWER_LEVEL_SUSTAINED, interval=10, limit=400_000)

SPECIAL: Mapping[str, Mapping[str, Value]] = {
    "zesInit": {"flags": lambda w: 0},
    "zesDeviceResetExt": {"pProperties": lambda w: zes.zes_reset_properties_t(True, zes.ZES_RESET_TYPE_FLR)},
    "zesSchedulerSetTimeoutMode": {"pProperties": lambda w: zes.zes_sched_timeout_properties_t(1000)},
    "zesSchedulerSetTimesliceMode": {"pProperties": lambda w: zes.zes_sched_timeslice_properties_t(10, 20)},
    "zetSysmanSchedulerSetTimeoutMode": {"pProperties": lambda w: zet.zet_sched_timeout_properties_t(1000)},
    "zetSysmanSchedulerSetTimesliceMode": {"pProperties": lambda w: zet.zet_sched_timeslice_properties_t(10, 20)},
    "zesPowerSetLimits": {"pSustained": lambda w: zes.zes_power_sustained_limit_t(True, 400_000, 10)},
    "zesPowerSetLimitsExt": {"pSustained": lambda w: [_SUSTAINED]},
    "zesTemperatureSetConfig": {"pConfig": lambda w: zes.zes_temp_config_t(True)},
    "zetSysmanTemperatureSetConfig": {"pConfig": lambda w: zet.zet_temp_config_t(True)},
    "zesRasSetConfig": {"pConfig": lambda w: zes.zes_ras_config_t(1)},
    "zetSysmanRasSetConfig": {"pConfig": lambda w: zet.zet_ras_config_t(1)},
    "zesRasSetConfigExp": {"pConfig": lambda w: [zes.zes_ras_config_exp_t(1, 2)]},
    "zetSysmanEventSetConfig": {"pConfig": lambda w: zet.zet_event_config_t(1)},
    "zetSysmanFabricPortSetConfig": {"pConfig": lambda w: zes.zes_fabric_port_config_t()},
    "zesFabricPortSetConfig": {"pConfig": lambda w: zes.zes_fabric_port_config_t()},
    "zetSysmanFanSetConfig": {"pConfig": lambda w: zet.zet_fan_config_t()},
    "zetSysmanLedSetState": {"pState": lambda w: zet.zet_led_state_t(True)},
    "zesLedSetState": {"enable": lambda w: True},
}
"""The values that a function takes in place of those in `VALUES`."""
