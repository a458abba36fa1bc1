"""The cards with everything that system management reads of them, as plain data."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from runtime import zes
from runtime.ze import ZeError, ze_result_t
from runtime.ze.inventory import Plain, plain

Query = Callable[..., object]

CARD_QUERIES: Mapping[str, Query] = {
    "properties": zes.zesDeviceGetProperties,
    "state": zes.zesDeviceGetState,
    "pciProperties": zes.zesDevicePciGetProperties,
    "pciState": zes.zesDevicePciGetState,
    "pciBars": zes.zesDevicePciGetBars,
    "pciStats": zes.zesDevicePciGetStats,
    "eccState": zes.zesDeviceGetEccState,
    "processes": zes.zesDeviceProcessesGetState,
}
"""The queries of a card."""

COMPONENT_QUERIES: Mapping[str, tuple[Query, Mapping[str, Query]]] = {
    "powerDomains": (
        zes.zesDeviceEnumPowerDomains,
        {
            "properties": zes.zesPowerGetProperties,
            "limits": zes.zesPowerGetLimitsExt,
            "energyCounter": zes.zesPowerGetEnergyCounter,
            "energyThreshold": zes.zesPowerGetEnergyThreshold,
        },
    ),
    "frequencyDomains": (
        zes.zesDeviceEnumFrequencyDomains,
        {
            "properties": zes.zesFrequencyGetProperties,
            "range": zes.zesFrequencyGetRange,
            "state": zes.zesFrequencyGetState,
            "throttleTime": zes.zesFrequencyGetThrottleTime,
        },
    ),
    "engineGroups": (
        zes.zesDeviceEnumEngineGroups,
        {"properties": zes.zesEngineGetProperties, "activity": zes.zesEngineGetActivity},
    ),
    "memoryModules": (
        zes.zesDeviceEnumMemoryModules,
        {
            "properties": zes.zesMemoryGetProperties,
            "state": zes.zesMemoryGetState,
            "bandwidth": zes.zesMemoryGetBandwidth,
        },
    ),
    "temperatureSensors": (
        zes.zesDeviceEnumTemperatureSensors,
        {"properties": zes.zesTemperatureGetProperties, "degrees": zes.zesTemperatureGetState},
    ),
    "schedulers": (
        zes.zesDeviceEnumSchedulers,
        {"properties": zes.zesSchedulerGetProperties, "mode": zes.zesSchedulerGetCurrentMode},
    ),
    "performanceFactors": (
        zes.zesDeviceEnumPerformanceFactorDomains,
        {"properties": zes.zesPerformanceFactorGetProperties, "factor": zes.zesPerformanceFactorGetConfig},
    ),
    "standbyDomains": (
        zes.zesDeviceEnumStandbyDomains,
        {"properties": zes.zesStandbyGetProperties, "mode": zes.zesStandbyGetMode},
    ),
    "rasErrorSets": (
        zes.zesDeviceEnumRasErrorSets,
        {"properties": zes.zesRasGetProperties, "errors": zes.zesRasGetStateExp},
    ),
    "firmwares": (zes.zesDeviceEnumFirmwares, {"properties": zes.zesFirmwareGetProperties}),
    "diagnosticSuites": (
        zes.zesDeviceEnumDiagnosticTestSuites,
        {"properties": zes.zesDiagnosticsGetProperties, "tests": zes.zesDiagnosticsGetTests},
    ),
    "fans": (zes.zesDeviceEnumFans, {"properties": zes.zesFanGetProperties, "config": zes.zesFanGetConfig}),
    "leds": (zes.zesDeviceEnumLeds, {"properties": zes.zesLedGetProperties}),
    "powerSupplies": (zes.zesDeviceEnumPsus, {"properties": zes.zesPsuGetProperties}),
    "fabricPorts": (
        zes.zesDeviceEnumFabricPorts,
        {"properties": zes.zesFabricPortGetProperties, "state": zes.zesFabricPortGetState},
    ),
}
"""The kinds of components: how they are found, and the queries of each."""

_NOT_SHOWN = (
    ze_result_t.ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS,
    ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
)
"""The results of queries that this user or this card has no answer to."""


def cards() -> list[zes.zes_device_handle_t]:
    """Returns the cards of the system.

    Raises:
        ZeError: `UNINITIALIZED` if the environment asks for cards that do not exist.
    """
    zes.zesInit()
    return [card for driver in zes.zesDriverGet() for card in zes.zesDeviceGet(driver)]


def card_inventory() -> list[Plain]:
    """Returns the cards with their components; a query that has no answer is the name of its result."""
    return [_card(card) for card in cards()]


def _card(card: zes.zes_device_handle_t) -> Plain:
    found = _answers(card, CARD_QUERIES)
    for name, (enumerate_, queries) in COMPONENT_QUERIES.items():
        components = enumerate_(card)
        assert isinstance(components, Sequence)
        found[name] = [_answers(component, queries) for component in components]
    return found


def _answers(handle: object, queries: Mapping[str, Query]) -> dict[str, Plain]:
    return {name: _answer(handle, query) for name, query in queries.items()}


def _answer(handle: object, query: Query) -> Plain:
    try:
        return plain(query(handle))
    except ZeError as error:
        if error.result in _NOT_SHOWN:
            return error.result.name
        raise
