"""Every result that the table of functions lists is produced: by a call with valid arguments but for one thing."""

from __future__ import annotations

import fcntl
import inspect
import os

import pytest

from runtime import ze, zes
from runtime.ze.declaration import function_called, functions
from runtime.ze.driver.handle import Handle
from runtime.zes.system.components import Component
from tests.unit.runtime.ze.provocations import (
    Arguments,
    Change,
    Changes,
    implementation,
    null_handle,
    outcome,
    sets,
    short,
    stale_handle,
)
from tests.unit.runtime.zes.world import IMAGE, World, function

FUNCTIONS = functions(zes.SysmanChapter)
NAMES = [name for found in FUNCTIONS.values() for name in found.callables]
ALL_REFUSE = frozenset(
    name
    for name in NAMES
    for word in ("Psu", "Led", "zesVFManagement", "zesOverclock", "SecurityVersion")
    if word in name and "Enum" not in name and not name.endswith(("PsuGet", "LedGet"))
) | {name for name in NAMES if ("Oc" in name and not name.endswith("OcGetCapabilities"))} | {
    "zesDeviceSetOverclockWaiver",
    "zesDeviceGetOverclockControls",
    "zesDeviceResetOverclockSettings",
    "zesDeviceReadOverclockState",
}  # fmt: skip
"""The functions that refuse every call, as a PVC has nothing of their kind."""

CHANGES: Changes[World] = Changes()
provokes = CHANGES.provokes


def without_rights(world: World, arguments: Arguments) -> None:
    world.patch.setenv("XEGPU_SYSMAN_RIGHTS", "read")


def of_the_core_only(world: World, arguments: Arguments) -> None:
    world.patch.delenv("ZES_ENABLE_SYSMAN")


def busy(world: World, arguments: Arguments) -> None:
    """Another process holds the lock of the card and does not go on."""
    card = next((value.card for value in arguments.values() if isinstance(value, Component)), world.card)
    zes.system.access.board(card).enter()
    path = f"{os.environ['XEGPU_RUNTIME_DIR']}/card-2-{card.board_name}"
    other = os.open(path, os.O_RDWR)
    fcntl.flock(other, fcntl.LOCK_EX)
    world.patch.setattr("runtime.card.locking._PATIENCE_SECONDS", 0.01)


ALIKE: dict[str, Change[World]] = {
    "INVALID_NULL_HANDLE": null_handle,
    "INVALID_ARGUMENT": stale_handle,
    "INSUFFICIENT_PERMISSIONS": without_rights,
    "NOT_AVAILABLE": busy,
    "UNINITIALIZED": of_the_core_only,
}


@provokes("UNINITIALIZED", "zesDriverGet")
def _(world: World, arguments: Arguments) -> None:
    world.patch.setattr("runtime.zes.system.access._drivers", {})


@provokes("UNINITIALIZED", "zesInit")
def _(world: World, arguments: Arguments) -> None:
    world.patch.setattr("runtime.zes.system.access._drivers", {})
    world.patch.setenv("XEGPU_DEVICE", "abacus")


provokes("INVALID_ENUMERATION", "zetSysmanGet")(sets(version=1))
provokes("INVALID_ENUMERATION", "zesDeviceEventRegister")(sets(events=1 << 20))
provokes("INVALID_ENUMERATION", "zesDeviceResetExt")(sets(pProperties=zes.zes_reset_properties_t(True, 3)))
provokes("INVALID_ENUMERATION", "zesDeviceSetEccState")(sets(newState=zes.zes_device_ecc_desc_t(state=0)))
provokes("UNSUPPORTED_FEATURE", "zesDeviceSetEccState", "zesDeviceGetEccState")(sets(hDevice=lambda w: w.arc))
provokes("UNSUPPORTED_FEATURE", "zesDevicePciLinkSpeedUpdateExt")(sets(hDevice=lambda w: w.arc))
provokes("UNSUPPORTED_FEATURE", "zesFrequencySetRange")(
    sets(hFrequency=lambda w: zes.zesDeviceEnumFrequencyDomains(w.card)[1])
)
provokes("INVALID_ENUMERATION", "zesFanGetState")(sets(units=2))
provokes("INVALID_ENUMERATION", "zesFanSetFixedSpeedMode")(sets(speed=zes.zes_fan_speed_t(1, 2)))
provokes("INVALID_ENUMERATION", "zesFanSetSpeedTableMode")(
    sets(speedTable=zes.zes_fan_speed_table_t((zes.zes_fan_temp_speed_t(40, zes.zes_fan_speed_t(1, 2)),)))
)
provokes("INVALID_ENUMERATION", "zesStandbySetMode")(sets(mode=2))
provokes("INVALID_ENUMERATION", "zesFrequencyOcSetMode")(sets(CurrentOcMode=9))
provokes("INVALID_ENUMERATION", "zesDeviceGetOverclockControls")(sets(domainType=3))
provokes("INVALID_ENUMERATION", "zesPowerSetLimitsExt")(
    sets(pSustained=[zes.zes_power_limit_ext_desc_t(level=9, limit=400_000)])
)
provokes("INVALID_ENUMERATION", "zesRasClearStateExp")(sets(category=77))
provokes("INVALID_ENUMERATION", "zesRasGetStateExp2")(sets(pCategories=[77]))
provokes("INVALID_ENUMERATION", "zesRasSetConfigExp")(sets(pConfig=[zes.zes_ras_config_exp_t(77, 1)]))
provokes("INVALID_ENUMERATION", "zetSysmanEventSetConfig")(
    lambda world, arguments: arguments.update(pConfig=type(arguments["pConfig"])(1 << 20))
)
provokes("INVALID_SIZE", "zesFirmwareFlash")(sets(size=len(IMAGE) + 1))


@provokes("HANDLE_OBJECT_IN_USE", "zesDeviceReset", "zesDeviceResetExt")
def _(world: World, arguments: Arguments) -> None:
    world.hold(4096)
    if "force" in arguments:
        arguments["force"] = False
    else:
        arguments["pProperties"] = zes.zes_reset_properties_t()


PAIRS = [(found.name, short(result)) for found in FUNCTIONS.values() for result in found.results]


@pytest.mark.parametrize(("name", "result"), [pair for pair in PAIRS if pair[1] != "INVALID_NULL_POINTER"])
def test_results(world: World, name: str, result: str) -> None:
    arguments = world.arguments(name)
    change = CHANGES.get((name, result)) or ALIKE.get(result)
    if change is None:
        assert result == "UNSUPPORTED_FEATURE" and name in ALL_REFUSE
    else:
        change(world, arguments)
    assert outcome(name, arguments) == result


@pytest.mark.parametrize("name", NAMES)
def test_valid_arguments(world: World, name: str) -> None:
    expected = "UNSUPPORTED_FEATURE" if name in ALL_REFUSE else "SUCCESS"
    if name in ("zesDriverGet",):
        zes.zesInit()
    assert outcome(name, world.arguments(name)) == expected


KEPT_FROM_OTHERS = frozenset(
    f"zetSysman{name}"
    for name in (
        *("PciGetStats", "PowerGetEnergyThreshold", "TemperatureGetConfig", "MemoryGetBandwidth"),
        *("FirmwareGet", "FirmwareGetProperties", "FirmwareGetChecksum", "FabricPortGetThroughput"),
    )
)
"""The functions that only administrators may call to read, by the table of rights of 0.91."""


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("zetSysman") and "Get" in name])
def test_who_may_read(world: World, name: str) -> None:
    arguments = world.arguments(name)
    if "clear" in arguments:
        arguments["clear"] = False
    world.patch.setenv("XEGPU_SYSMAN_RIGHTS", "read")
    expected = "INSUFFICIENT_PERMISSIONS" if name in KEPT_FROM_OTHERS else "SUCCESS"
    assert outcome(name, arguments) == ("UNSUPPORTED_FEATURE" if name in ALL_REFUSE else expected)


@pytest.mark.parametrize(("name", "pointer"), [(f.name, p) for f in FUNCTIONS.values() for p in f.pointers])
def test_null_pointers(world: World, name: str, pointer: str) -> None:
    arguments = world.arguments(name)
    arguments[pointer] = None
    with pytest.raises(ze.ZeError, match=f"INVALID_NULL_POINTER.*{pointer}"):
        implementation(name)(**arguments)


@pytest.mark.parametrize("name", NAMES)
def test_nonsense_is_refused(world: World, name: str) -> None:
    """Whatever a parameter is set to, a call ends well or with a `ZeError`."""
    valid = world.arguments(name)
    for parameter in valid:
        for nonsense in (object(), -1, "x", float("nan"), None, [], ()):
            outcome(name, {**valid, parameter: nonsense})


@pytest.mark.parametrize("name", NAMES)
def test_structures_of_another_version_are_refused(world: World, name: str) -> None:
    """The class of a structure is its version: one of another specification, or of another function, is none."""
    arguments = world.arguments(name)
    for parameter, value in arguments.items():
        is_structure = type(value).__name__.startswith(("zes_", "zet_")) and not isinstance(value, int | Handle)
        if is_structure:
            assert outcome(name, {**arguments, parameter: ze.ze_context_desc_t()}) == "INVALID_ARGUMENT"


def test_table_and_package_have_the_same_functions() -> None:
    exported = {name for name in zes.__all__ if name.startswith(("zes", "zetSysman")) and inspect.isroutine(
        getattr(zes, name)
    )}  # fmt: skip
    assert exported == set(NAMES)
    assert all(function(name).__name__ == name for name in NAMES)
    assert all(function_called(name).name in FUNCTIONS for name in NAMES)
