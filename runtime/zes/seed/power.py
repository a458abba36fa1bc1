"""Power, clocks, engines, standby and temperatures in specification 0.91."""

from __future__ import annotations

from dataclasses import asdict

from runtime.ze.declaration import seed_form, seed_name
from runtime.ze.dispatch import direct
from runtime.ze.driver import Device, enumerator, live, required
from runtime.zes import api as zes
from runtime.zes.seed.enums import (
    zet_engine_group_t,
    zet_fan_speed_mode_t,
    zet_freq_domain_t,
    zet_freq_throttle_reasons_t,
    zet_oc_mode_t,
    zet_temp_sensors_t,
)
from runtime.zes.seed.structs import (
    zet_fan_config_t,
    zet_fan_properties_t,
    zet_fan_temp_speed_t,
    zet_freq_properties_t,
    zet_freq_state_t,
    zet_oc_capabilities_t,
    zet_oc_config_t,
    zet_power_properties_t,
    zet_temp_config_t,
    zet_temp_properties_t,
)
from runtime.zes.spec import zes_fan_speed_t, zes_fan_speed_table_t, zes_fan_temp_speed_t, zes_temp_config_t
from runtime.zes.system.access import not_overclocked
from runtime.zes.system.components import CardFan, EngineGroup, FrequencyDomain, PowerDomain, TemperatureSensor
from runtime.zes.system.thresholds import temperature_owner

zetSysmanPowerGet = seed_name(zes.zesDeviceEnumPowerDomains)
zetSysmanPowerGetEnergyCounter = seed_name(zes.zesPowerGetEnergyCounter)
zetSysmanPowerGetEnergyThreshold = seed_name(zes.zesPowerGetEnergyThreshold)
zetSysmanPowerSetEnergyThreshold = seed_name(zes.zesPowerSetEnergyThreshold)
zetSysmanPowerGetLimits = seed_name(zes.zesPowerGetLimits)
zetSysmanPowerSetLimits = seed_name(zes.zesPowerSetLimits)
zetSysmanFrequencyGet = seed_name(zes.zesDeviceEnumFrequencyDomains)
zetSysmanFrequencyGetAvailableClocks = seed_name(zes.zesFrequencyGetAvailableClocks)
zetSysmanFrequencyGetRange = seed_name(zes.zesFrequencyGetRange)
zetSysmanFrequencySetRange = seed_name(zes.zesFrequencySetRange)
zetSysmanFrequencyGetThrottleTime = seed_name(zes.zesFrequencyGetThrottleTime)
zetSysmanFrequencyOcGetIccMax = seed_name(zes.zesFrequencyOcGetIccMax)
zetSysmanFrequencyOcSetIccMax = seed_name(zes.zesFrequencyOcSetIccMax)
zetSysmanFrequencyOcGetTjMax = seed_name(zes.zesFrequencyOcGetTjMax)
zetSysmanFrequencyOcSetTjMax = seed_name(zes.zesFrequencyOcSetTjMax)
zetSysmanEngineGetProperties = seed_name(zes.zesEngineGetProperties)
zetSysmanEngineGetActivity = seed_name(zes.zesEngineGetActivity)
zetSysmanStandbyGet = seed_name(zes.zesDeviceEnumStandbyDomains)
zetSysmanStandbyGetProperties = seed_name(zes.zesStandbyGetProperties)
zetSysmanStandbyGetMode = seed_name(zes.zesStandbyGetMode)
zetSysmanStandbySetMode = seed_name(zes.zesStandbySetMode)
zetSysmanTemperatureGet = seed_name(zes.zesDeviceEnumTemperatureSensors)
zetSysmanTemperatureGetState = seed_name(zes.zesTemperatureGetState)
zetSysmanPsuGet = seed_name(zes.zesDeviceEnumPsus)
zetSysmanPsuGetProperties = seed_name(zes.zesPsuGetProperties)
zetSysmanPsuGetState = seed_name(zes.zesPsuGetState)
zetSysmanFanGet = seed_name(zes.zesDeviceEnumFans)
zetSysmanFanGetState = seed_name(zes.zesFanGetState)


@seed_form(zes.zesPowerGetProperties)
def zetSysmanPowerGetProperties(hPower: PowerDomain) -> zet_power_properties_t:
    """Returns the highest limit that can be set, in milliwatts."""
    found = direct(zes.zesPowerGetProperties)(hPower)
    return zet_power_properties_t(
        found.onSubdevice, found.subdeviceId, found.canControl, found.isEnergyThresholdSupported, found.maxLimit
    )


@seed_form(zes.zesFrequencyGetProperties)
def zetSysmanFrequencyGetProperties(hFrequency: FrequencyDomain) -> zet_freq_properties_t:
    """Returns the lowest and the highest clock in MHz, and the distance between clocks."""
    found = direct(zes.zesFrequencyGetProperties)(hFrequency)
    step = float(hFrequency.card.target.power.clock_step_mhz) if found.canControl else 0.0
    return zet_freq_properties_t(
        zet_freq_domain_t(found.type),
        found.onSubdevice,
        found.subdeviceId,
        found.canControl,
        found.isThrottleEventSupported,
        found.min,
        found.max,
        step,
    )


@seed_form(zes.zesFrequencyGetState)
def zetSysmanFrequencyGetState(hFrequency: FrequencyDomain) -> zet_freq_state_t:
    """Returns the clocks, and why work has run at a lower clock than the range allows."""
    found = direct(zes.zesFrequencyGetState)(hFrequency)
    reasons = zet_freq_throttle_reasons_t(found.throttleReasons)
    return zet_freq_state_t(found.request, found.tdp, found.efficient, found.actual, reasons)


@seed_form(zes.zesFrequencyOcGetCapabilities)
def zetSysmanFrequencyOcGetCapabilities(hFrequency: FrequencyDomain) -> zet_oc_capabilities_t:
    """Returns clock and voltage of the factory, and that nothing can be overclocked."""
    found = asdict(direct(zes.zesFrequencyOcGetCapabilities)(hFrequency))
    return zet_oc_capabilities_t(**{name: found[name] for name in zet_oc_capabilities_t.__dataclass_fields__})


@seed_form(zes.zesFrequencyOcGetFrequencyTarget)
def zetSysmanFrequencyOcGetConfig(hFrequency: FrequencyDomain) -> zet_oc_config_t:
    """Raises `UNSUPPORTED_FEATURE`: nothing can be overclocked."""
    raise not_overclocked(live(hFrequency, FrequencyDomain))


@seed_form(zes.zesFrequencyOcSetFrequencyTarget)
def zetSysmanFrequencyOcSetConfig(hFrequency: FrequencyDomain, pOcConfiguration: zet_oc_config_t) -> bool:
    """Raises `UNSUPPORTED_FEATURE`: nothing can be overclocked."""
    domain = live(hFrequency, FrequencyDomain)
    required(pOcConfiguration, "pOcConfiguration")
    enumerator(pOcConfiguration.mode, zet_oc_mode_t)
    raise not_overclocked(domain)


@seed_form(zes.zesDeviceEnumEngineGroups)
def zetSysmanEngineGet(hSysman: Device) -> list[EngineGroup]:
    """Returns the groups that 0.91 knows: all engines of a tile, those that compute, and those that copy."""
    known = {int(group) for group in zet_engine_group_t}
    return [engine for engine in direct(zes.zesDeviceEnumEngineGroups)(hSysman) if engine.group in known]


@seed_form(zes.zesTemperatureGetProperties)
def zetSysmanTemperatureGetProperties(hTemperature: TemperatureSensor) -> zet_temp_properties_t:
    """Returns the kind of a sensor, and the events that it can cause."""
    found = direct(zes.zesTemperatureGetProperties)(hTemperature)
    return zet_temp_properties_t(
        zet_temp_sensors_t(found.type),
        found.onSubdevice,
        found.subdeviceId,
        found.isCriticalTempSupported,
        found.isThreshold1Supported,
        found.isThreshold2Supported,
    )


@seed_form(zes.zesTemperatureGetConfig)
def zetSysmanTemperatureGetConfig(hTemperature: TemperatureSensor) -> zet_temp_config_t:
    """Returns the thresholds at which events happen, and the process that has set them."""
    found = direct(zes.zesTemperatureGetConfig)(hTemperature)
    owner = temperature_owner(hTemperature, hTemperature.board.settings.read())
    return zet_temp_config_t(found.enableCritical, found.threshold1, found.threshold2, owner)


@seed_form(zes.zesTemperatureSetConfig)
def zetSysmanTemperatureSetConfig(hTemperature: TemperatureSensor, pConfig: zet_temp_config_t) -> None:
    """Sets the thresholds at which events happen."""
    live(hTemperature, TemperatureSensor)
    required(pConfig, "pConfig")
    config = zes_temp_config_t(pConfig.enableCritical, pConfig.threshold1, pConfig.threshold2)
    direct(zes.zesTemperatureSetConfig)(hTemperature, config)


@seed_form(zes.zesFanGetProperties)
def zetSysmanFanGetProperties(hFan: CardFan) -> zet_fan_properties_t:
    """Returns what a fan can do, and its highest speed."""
    found = direct(zes.zesFanGetProperties)(hFan)
    return zet_fan_properties_t(found.onSubdevice, found.subdeviceId, found.canControl, found.maxRPM, found.maxPoints)


@seed_form(zes.zesFanGetConfig)
def zetSysmanFanGetConfig(hFan: CardFan) -> zet_fan_config_t:
    """Returns the mode of a fan, and the speeds that are set for the modes."""
    found = direct(zes.zesFanGetConfig)(hFan)
    table = tuple(
        zet_fan_temp_speed_t(point.temperature, point.speed.speed, point.speed.units)
        for point in found.speedTable.table
    )
    return zet_fan_config_t(found.mode, found.speedFixed.speed, found.speedFixed.units, table)


@seed_form(zes.zesFanSetDefaultMode)
def zetSysmanFanSetConfig(hFan: CardFan, pConfig: zet_fan_config_t) -> None:
    """Sets the mode of a fan and the speeds for it."""
    live(hFan, CardFan)
    required(pConfig, "pConfig")
    mode = enumerator(pConfig.mode, zet_fan_speed_mode_t)
    if mode is zet_fan_speed_mode_t.ZET_FAN_SPEED_MODE_DEFAULT:
        direct(zes.zesFanSetDefaultMode)(hFan)
    elif mode is zet_fan_speed_mode_t.ZET_FAN_SPEED_MODE_FIXED:
        direct(zes.zesFanSetFixedSpeedMode)(hFan, zes_fan_speed_t(pConfig.speed, pConfig.speedUnits))
    else:
        points = (
            zes_fan_temp_speed_t(point.temperature, zes_fan_speed_t(point.speed, point.units))
            for point in pConfig.table
        )
        direct(zes.zesFanSetSpeedTableMode)(hFan, zes_fan_speed_table_t(tuple(points)))
