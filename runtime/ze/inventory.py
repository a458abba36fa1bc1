"""Drivers and devices with all their properties in Level Zero, as plain data."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from enum import IntEnum, IntFlag

from runtime import ze
from runtime.ze.driver import DEVICE_EXTENSIONS, MEMORY_EXTENSIONS, MODULE_EXTENSIONS

Plain = dict[str, "Plain"] | list["Plain"] | str | int | float | bool | None

DEVICE_QUERIES: Mapping[str, Callable[[ze.ze_device_handle_t], object]] = {
    "properties": lambda device: ze.zeDeviceGetProperties(device, tuple(DEVICE_EXTENSIONS)),
    "computeProperties": ze.zeDeviceGetComputeProperties,
    "moduleProperties": lambda device: ze.zeDeviceGetModuleProperties(device, tuple(MODULE_EXTENSIONS)),
    "commandQueueGroupProperties": ze.zeDeviceGetCommandQueueGroupProperties,
    "memoryProperties": lambda device: ze.zeDeviceGetMemoryProperties(device, tuple(MEMORY_EXTENSIONS)),
    "memoryAccessProperties": ze.zeDeviceGetMemoryAccessProperties,
    "cacheProperties": ze.zeDeviceGetCacheProperties,
    "imageProperties": ze.zeDeviceGetImageProperties,
    "externalMemoryProperties": ze.zeDeviceGetExternalMemoryProperties,
    "pciProperties": ze.zeDevicePciGetPropertiesExt,
    "status": ze.zeDeviceGetStatus,
}
"""The queries of a device."""

DRIVER_QUERIES: Mapping[str, Callable[[ze.ze_driver_handle_t], object]] = {
    "apiVersion": ze.zeDriverGetApiVersion,
    "properties": ze.zeDriverGetProperties,
    "ipcProperties": ze.zeDriverGetIpcProperties,
    "extensionProperties": ze.zeDriverGetExtensionProperties,
}
"""The queries of a driver."""


def inventory() -> list[Plain]:
    """Returns the drivers with their devices, each with its sub-devices and the devices of the driver that it can
    access.

    Members have the specification's names; enumerators are their names, flags lists of names, and byte strings
    hexadecimal.

    Raises:
        ZeError: `UNINITIALIZED` if there is no driver.
    """
    ze.zeInit()
    return [_driver(driver) for driver in ze.zeDriverGet()]


def _driver(driver: ze.ze_driver_handle_t) -> Plain:
    devices = ze.zeDeviceGet(driver)
    found: dict[str, Plain] = {name: plain(query(driver)) for name, query in DRIVER_QUERIES.items()}
    found["devices"] = [_device(device, devices) for device in devices]
    return found


def _device(device: ze.ze_device_handle_t, devices: list[ze.ze_device_handle_t]) -> Plain:
    found: dict[str, Plain] = {name: plain(query(device)) for name, query in DEVICE_QUERIES.items()}
    found["canAccessPeers"] = [ze.zeDeviceCanAccessPeer(device, peer) for peer in devices]
    found["subDevices"] = [_device(part, devices) for part in ze.zeDeviceGetSubDevices(device)]
    return found


def plain(value: object) -> Plain:
    """Returns an answer of the API as plain data."""
    if isinstance(value, IntFlag):
        return [flag.name or str(flag.value) for flag in type(value) if flag in value]
    if isinstance(value, IntEnum):
        return value.name
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _structure(value)
    if value is None or isinstance(value, str | int | float):
        return value
    raise TypeError(f"an answer of type {type(value).__name__}")


def _structure(value: object) -> Plain:
    """Returns the members of a structure, and the structures in its `pNext` by their names."""
    assert dataclasses.is_dataclass(value)
    names = [field.name for field in dataclasses.fields(value) if field.name != "pNext"]
    found: dict[str, Plain] = {name.removesuffix("_"): plain(getattr(value, name)) for name in names}
    for structure in getattr(value, "pNext", ()) or ():
        found[type(structure).__name__] = plain(structure)
    return found
