"""Devices: discovery, properties, status and time (specification: Device)."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from runtime.ze.declaration import Chapter, api, seed_name
from runtime.ze.dispatch import direct
from runtime.ze.driver.handle import enumerator, live, required, unsigned
from runtime.ze.driver.system import properties
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.driver import Driver
from runtime.ze.driver.system.processor import TICK_BITS
from runtime.ze.spec.enums import (
    ze_cache_config_t,
    ze_cache_ext_region_t,
    ze_device_p2p_property_flags_t,
    ze_structure_type_t,
)
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import (
    ze_command_queue_group_properties_t,
    ze_device_cache_properties_t,
    ze_device_compute_properties_t,
    ze_device_external_memory_properties_t,
    ze_device_image_properties_t,
    ze_device_memory_access_properties_t,
    ze_device_memory_properties_t,
    ze_device_module_properties_t,
    ze_device_p2p_properties_t,
    ze_device_properties_t,
    ze_pci_ext_properties_t,
)


@api(Chapter.DEVICE)
def zeDeviceGet(hDriver: Driver) -> list[Device]:
    """Returns the devices of a driver, always the same in the same order."""
    return list(live(hDriver, Driver).devices)


@api(Chapter.DEVICE)
def zeDeviceGetSubDevices(hDevice: Device) -> list[Device]:
    """Returns the tiles of a card; nothing for a card with a single tile, for a tile, and where tiles are devices."""
    return list(live(hDevice, Device).sub_devices)


@api(Chapter.DEVICE, since=(1, 7))
def zeDeviceGetRootDevice(hDevice: Device) -> Device | None:
    """Returns the device that a sub-device belongs to; None for a root device."""
    return live(hDevice, Device).root


@api(Chapter.DEVICE)
def zeDeviceGetProperties(
    hDevice: Device,
    pNext: Sequence[type] = (),
    *,
    stype: int = ze_structure_type_t.ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES,
) -> ze_device_properties_t:
    """Returns identity, clocks and topology.

    `timerResolution` is in nanoseconds per tick; with `stype` `ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2`, in ticks per
    second.
    """
    device = live(hDevice, Device)
    found = properties.extended(device.properties, pNext, properties.DEVICE_EXTENSIONS, device.target)
    kind = enumerator(stype, ze_structure_type_t)
    if kind is ze_structure_type_t.ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES:
        return found
    if kind is not ze_structure_type_t.ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{kind.name} is not of device properties")
    return replace(found, timerResolution=1_000_000_000 // device.target.timer_ns)


@api(Chapter.DEVICE)
def zeDeviceGetComputeProperties(hDevice: Device) -> ze_device_compute_properties_t:
    """Returns the limits of work-groups, and the subgroup sizes."""
    return live(hDevice, Device).compute


@api(Chapter.DEVICE, seed="zeDeviceGetKernelProperties")
def zeDeviceGetModuleProperties(hDevice: Device, pNext: Sequence[type] = ()) -> ze_device_module_properties_t:
    """Returns the features that modules may use."""
    target = live(hDevice, Device).target
    return properties.extended(properties.module(target), pNext, properties.MODULE_EXTENSIONS, target)


zeDeviceGetKernelProperties = seed_name(zeDeviceGetModuleProperties)


@api(Chapter.DEVICE, seed=None)
def zeDeviceGetCommandQueueGroupProperties(
    hDevice: Device, pNext: Sequence[type] = ()
) -> list[ze_command_queue_group_properties_t]:
    """Returns the queue groups; the index of a group in the list is its `ordinal`."""
    device = live(hDevice, Device)
    extended, makers = properties.extended, properties.QUEUE_EXTENSIONS
    return [extended(group, pNext, makers, device.target) for group in device.queue_groups]


@api(Chapter.DEVICE)
def zeDeviceGetMemoryProperties(hDevice: Device, pNext: Sequence[type] = ()) -> list[ze_device_memory_properties_t]:
    """Returns the local memories; the index of a memory in the list is its `ordinal` in allocations."""
    device = live(hDevice, Device)
    memory = properties.memory(device.target, device.tile_count)
    return [properties.extended(memory, pNext, properties.MEMORY_EXTENSIONS, device.target)]


@api(Chapter.DEVICE)
def zeDeviceGetMemoryAccessProperties(hDevice: Device) -> ze_device_memory_access_properties_t:
    """Returns the accesses that are possible for each kind of allocation."""
    live(hDevice, Device)
    return properties.MEMORY_ACCESS


@api(Chapter.DEVICE)
def zeDeviceGetCacheProperties(hDevice: Device, pNext: Sequence[type] = ()) -> list[ze_device_cache_properties_t]:
    """Returns the caches: one entry for the last level."""
    device = live(hDevice, Device)
    cache = properties.cache(device.target, device.tile_count)
    return [properties.extended(cache, pNext, properties.CACHE_EXTENSIONS, device.target)]


@api(Chapter.DEVICE)
def zeDeviceGetImageProperties(hDevice: Device, pNext: Sequence[type] = ()) -> ze_device_image_properties_t:
    """Returns the limits of images; zeros for a device without images."""
    target = live(hDevice, Device).target
    return properties.extended(properties.image(target), pNext, properties.IMAGE_EXTENSIONS, target)


@api(Chapter.DEVICE, seed=None)
def zeDeviceGetExternalMemoryProperties(hDevice: Device) -> ze_device_external_memory_properties_t:
    """Returns how memory can be shared with other APIs: not at all."""
    live(hDevice, Device)
    return ze_device_external_memory_properties_t()


@api(Chapter.DEVICE)
def zeDeviceGetP2PProperties(
    hDevice: Device, hPeerDevice: Device, pNext: Sequence[type] = ()
) -> ze_device_p2p_properties_t:
    """Returns what a device may do with the memory of another one."""
    access = direct(zeDeviceCanAccessPeer)(hDevice, hPeerDevice)
    flags = ze_device_p2p_property_flags_t(3 if access else 0)
    slower = min((hDevice.target, hPeerDevice.target), key=properties.pci_bandwidth)
    found = ze_device_p2p_properties_t(flags)
    return properties.extended(found, pNext, properties.P2P_EXTENSIONS, slower) if access else found


@api(Chapter.DEVICE)
def zeDeviceCanAccessPeer(hDevice: Device, hPeerDevice: Device) -> bool:
    """Returns whether a device may access the memory of another one: all devices of a driver may."""
    return live(hDevice, Device).machine is live(hPeerDevice, Device).machine


@api(Chapter.DEVICE, seed=None)
def zeDevicePciGetPropertiesExt(hDevice: Device) -> ze_pci_ext_properties_t:
    """Returns the PCI address of a device and the speed of its link."""
    device = live(hDevice, Device)
    return properties.pci_properties(device.target, device.address)


@api(Chapter.DEVICE, "DEVICE_IS_NOT_VERTEX", since=(1, 4), note="Simulated devices have no fabric links.")
def zeDeviceGetFabricVertexExp(hDevice: Device) -> object:
    """Raises `DEVICE_IS_NOT_VERTEX`: simulated devices have no fabric links."""
    device = live(hDevice, Device)
    raise ZeError(ze_result_t.ZE_RESULT_EXP_ERROR_DEVICE_IS_NOT_VERTEX, f"{device!r} has no fabric links")


def _no_cache_control(device: Device) -> ZeError:
    return ZeError(
        ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, f"the cache of {device!r} is not under the user's control"
    )


@api(Chapter.DEVICE, "UNSUPPORTED_FEATURE", since=(1, 2), note="The cache is not under the user's control.")
def zeDeviceReserveCacheExt(hDevice: Device, cacheLevel: int, cacheReservationSize: int) -> None:
    """Raises `UNSUPPORTED_FEATURE`: the cache is not under the user's control."""
    device = live(hDevice, Device)
    unsigned(cacheLevel, "cacheLevel", 64)
    unsigned(cacheReservationSize, "cacheReservationSize", 64)
    raise _no_cache_control(device)


@api(
    Chapter.DEVICE,
    "INVALID_ENUMERATION UNSUPPORTED_FEATURE",
    since=(0, 91),
    note="The cache is not under the user's control.",
)
def zeDeviceSetLastLevelCacheConfig(hDevice: Device, CacheConfig: int) -> None:
    """Raises `UNSUPPORTED_FEATURE`: the cache is not under the user's control."""
    device = live(hDevice, Device)
    enumerator(CacheConfig, ze_cache_config_t)
    raise _no_cache_control(device)


@api(
    Chapter.DEVICE,
    "INVALID_ENUMERATION UNSUPPORTED_FEATURE",
    pointers="ptr",
    since=(1, 2),
    note="The cache is not under the user's control.",
)
def zeDeviceSetCacheAdviceExt(hDevice: Device, ptr: int, regionSize: int, cacheRegion: int) -> None:
    """Raises `UNSUPPORTED_FEATURE`: the cache is not under the user's control."""
    device = live(hDevice, Device)
    required(ptr, "ptr")
    unsigned(regionSize, "regionSize", 64)
    enumerator(cacheRegion, ze_cache_ext_region_t)
    raise _no_cache_control(device)


@api(Chapter.DEVICE, seed=None)
def zeDeviceGetStatus(hDevice: Device) -> ze_result_t:
    """Returns `ZE_RESULT_SUCCESS`, or `ZE_RESULT_ERROR_DEVICE_LOST` after a fault."""
    lost = live(hDevice, Device).processor.lost
    return ze_result_t.ZE_RESULT_ERROR_DEVICE_LOST if lost else ze_result_t.ZE_RESULT_SUCCESS


@api(Chapter.DEVICE, seed=None)
def zeDeviceGetGlobalTimestamps(hDevice: Device) -> tuple[int, int]:
    """Returns the host time in nanoseconds and the device time in ticks, sampled together."""
    ticks = live(hDevice, Device).processor.tick()
    return time.monotonic_ns(), ticks & ((1 << TICK_BITS) - 1)


@api(Chapter.DEVICE, "DEVICE_LOST", since=(1, 14))
def zeDeviceSynchronize(hDevice: Device) -> None:
    """Waits for everything that was submitted to any queue or immediate list of a device.

    Raises:
        ZeError: `DEVICE_LOST`.
    """
    live(hDevice, Device).synchronize()
