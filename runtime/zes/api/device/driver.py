"""Initialization, drivers and extensions (specification: Sysman driver)."""

from __future__ import annotations

from collections.abc import Callable

from runtime.ze.declaration import api, flags_of
from runtime.ze.dispatch import entry_called
from runtime.ze.driver import Device, Driver, live, required
from runtime.ze.layers import initializing
from runtime.ze.spec import ZE_MAKE_VERSION, ZeError, ze_result_t
from runtime.zes.chapters import GETS, SysmanChapter
from runtime.zes.spec import zes_driver_extension_properties_t, zes_init_flags_t, zes_uuid_t
from runtime.zes.system.access import drivers, initialize, invalid, managed

_EXTENSIONS = (
    "ZES_extension_power_limits",
    "ZES_extension_power_domain_properties",
    "ZES_extension_ras_state",
    "ZES_extension_engine_activity",
    "ZES_extension_mem_state",
    "ZES_extension_sysman_device_mapping",
)


@initializing
@api(
    SysmanChapter.SYSMAN_DRIVER,
    "UNINITIALIZED",
    since=(1, 5),
    rules={"flags": flags_of(zes_init_flags_t)},
    validated="INVALID_ENUMERATION",
)
def zesInit(flags: int = 0) -> None:
    """Makes the driver of system management, once. It needs no `zeInit`.

    Raises:
        ZeError: `UNINITIALIZED` if the environment asks for cards that do not exist.
    """
    initialize()


@api(SysmanChapter.SYSMAN_DRIVER, "UNINITIALIZED", since=(1, 5))
def zesDriverGet() -> list[Driver]:
    """Returns the drivers of system management, of which there is one.

    Raises:
        ZeError: `UNINITIALIZED` before `zesInit`.
    """
    found = drivers()
    if not found:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNINITIALIZED, "zesInit has not been called")
    return found


@api(SysmanChapter.SYSMAN_DRIVER, GETS, since=(1, 8))
def zesDriverGetExtensionProperties(hDriver: Driver) -> list[zes_driver_extension_properties_t]:
    """Returns the extensions that are supported, each with its version."""
    managed(live(hDriver, Driver))
    return [zes_driver_extension_properties_t(name, ZE_MAKE_VERSION(1, 0)) for name in _EXTENSIONS]


@api(SysmanChapter.SYSMAN_DRIVER, GETS, pointers="name", since=(1, 8))
def zesDriverGetExtensionFunctionAddress(hDriver: Driver, name: str) -> Callable[..., object]:
    """Returns the function with a name.

    Raises:
        ZeError: `INVALID_ARGUMENT` if there is no function of that name.
    """
    managed(live(hDriver, Driver))
    required(name, "name")
    found = entry_called(name)
    if found is None:
        raise invalid(f"there is no function {name!r}")
    return found


@api(SysmanChapter.SYSMAN_DRIVER, GETS, since=(1, 5))
def zesDeviceGet(hDriver: Driver) -> list[Device]:
    """Returns the cards."""
    return list(managed(live(hDriver, Driver)).devices)


@api(SysmanChapter.SYSMAN_DRIVER, GETS, pointers="uuid", since=(1, 9))
def zesDriverGetDeviceByUuidExp(hDriver: Driver, uuid: zes_uuid_t) -> tuple[Device, bool, int]:
    """Returns the card with the UUID of a device of the core API, whether that is a tile, and which.

    Raises:
        ZeError: `INVALID_ARGUMENT` if there is none.
    """
    driver = managed(live(hDriver, Driver))
    required(uuid, "uuid")
    for card in driver.devices:
        for device in (card, *card.tiles):
            if device.properties.uuid == uuid.id:
                return card, device is not card, device.properties.subdeviceId
    raise invalid(f"there is no device with the UUID {uuid.id.hex()}")
