"""Names of specification 0.91 that 1.x changed.

Version 0.91 has no contexts: these functions take a driver or a device and use the driver's default context. What kept
its name has its 1.x form only.
"""

# ruff: noqa: N816 - the specification's names

from __future__ import annotations

from runtime.ze.context import (
    Context,
    zeContextEvictMemory,
    zeContextMakeMemoryResident,
    zeContextSystemBarrier,
    zeDriverGetDefaultContext,
)
from runtime.ze.device import Device, zeDeviceGetModuleProperties
from runtime.ze.driver import Driver, zeDriverGetIpcProperties
from runtime.ze.enums import ze_event_timestamp_type_t, ze_kernel_attribute_t, ze_kernel_indirect_access_flags_t
from runtime.ze.event import Event
from runtime.ze.handle import enumerator, live, required
from runtime.ze.image import Image, zeContextEvictImage, zeContextMakeImageResident
from runtime.ze.kernel import Kernel, zeKernelSetCacheConfig
from runtime.ze.memory import (
    zeMemAllocDevice,
    zeMemAllocHost,
    zeMemAllocShared,
    zeMemFree,
    zeMemGetAddressRange,
    zeMemGetAllocProperties,
)
from runtime.ze.memory_ipc import zeMemCloseIpcHandle, zeMemGetIpcHandle, zeMemOpenIpcHandle
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.structs import (
    ze_device_mem_alloc_desc_t,
    ze_host_mem_alloc_desc_t,
    ze_memory_allocation_properties_t,
)
from runtime.ze.timestamps import zeEventQueryKernelTimestamp

zeDriverGetIPCProperties = zeDriverGetIpcProperties
zeDeviceGetKernelProperties = zeDeviceGetModuleProperties
zeKernelSetIntermediateCacheConfig = zeKernelSetCacheConfig


def zeDriverAllocSharedMem(
    hDriver: Driver,
    device_desc: ze_device_mem_alloc_desc_t,
    host_desc: ze_host_mem_alloc_desc_t,
    size: int,
    alignment: int,
    hDevice: Device | None = None,
) -> int:
    """As `zeMemAllocShared`."""
    return zeMemAllocShared(zeDriverGetDefaultContext(hDriver), device_desc, host_desc, size, alignment, hDevice)


def zeDriverAllocDeviceMem(
    hDriver: Driver, device_desc: ze_device_mem_alloc_desc_t, size: int, alignment: int, hDevice: Device
) -> int:
    """As `zeMemAllocDevice`."""
    return zeMemAllocDevice(zeDriverGetDefaultContext(hDriver), device_desc, size, alignment, hDevice)


def zeDriverAllocHostMem(hDriver: Driver, host_desc: ze_host_mem_alloc_desc_t, size: int, alignment: int) -> int:
    """As `zeMemAllocHost`."""
    return zeMemAllocHost(zeDriverGetDefaultContext(hDriver), host_desc, size, alignment)


def zeDriverFreeMem(hDriver: Driver, ptr: int) -> None:
    """As `zeMemFree`."""
    zeMemFree(zeDriverGetDefaultContext(hDriver), ptr)


def zeDriverGetMemAllocProperties(hDriver: Driver, ptr: int) -> tuple[ze_memory_allocation_properties_t, Device | None]:
    """As `zeMemGetAllocProperties`."""
    return zeMemGetAllocProperties(zeDriverGetDefaultContext(hDriver), ptr)


def zeDriverGetMemAddressRange(hDriver: Driver, ptr: int) -> tuple[int, int]:
    """As `zeMemGetAddressRange`."""
    return zeMemGetAddressRange(zeDriverGetDefaultContext(hDriver), ptr)


def zeDriverGetMemIpcHandle(hDriver: Driver, ptr: int) -> bytes:
    """As `zeMemGetIpcHandle`."""
    return zeMemGetIpcHandle(zeDriverGetDefaultContext(hDriver), ptr)


def zeDriverOpenMemIpcHandle(hDriver: Driver, hDevice: Device, handle: bytes, flags: int = 0) -> int:
    """As `zeMemOpenIpcHandle`."""
    return zeMemOpenIpcHandle(zeDriverGetDefaultContext(hDriver), hDevice, handle, flags)


def zeDriverCloseMemIpcHandle(hDriver: Driver, ptr: int) -> None:
    """As `zeMemCloseIpcHandle`."""
    zeMemCloseIpcHandle(zeDriverGetDefaultContext(hDriver), ptr)


def _context_of(hDevice: Device) -> Context:
    return zeDriverGetDefaultContext(live(live(hDevice, Device).parent, Driver))


def zeDeviceSystemBarrier(hDevice: Device) -> None:
    """As `zeContextSystemBarrier`."""
    zeContextSystemBarrier(_context_of(hDevice), hDevice)


def zeDeviceMakeMemoryResident(hDevice: Device, ptr: int, size: int) -> None:
    """As `zeContextMakeMemoryResident`."""
    zeContextMakeMemoryResident(_context_of(hDevice), hDevice, ptr, size)


def zeDeviceEvictMemory(hDevice: Device, ptr: int, size: int) -> None:
    """As `zeContextEvictMemory`."""
    zeContextEvictMemory(_context_of(hDevice), hDevice, ptr, size)


_INDIRECT = {
    ze_kernel_attribute_t.ZE_KERNEL_ATTR_INDIRECT_HOST_ACCESS: (
        ze_kernel_indirect_access_flags_t.ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST
    ),
    ze_kernel_attribute_t.ZE_KERNEL_ATTR_INDIRECT_DEVICE_ACCESS: (
        ze_kernel_indirect_access_flags_t.ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE
    ),
    ze_kernel_attribute_t.ZE_KERNEL_ATTR_INDIRECT_SHARED_ACCESS: (
        ze_kernel_indirect_access_flags_t.ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED
    ),
}


def zeKernelSetAttribute(hKernel: Kernel, attr: int, size: int, pValue: bool) -> None:
    """Set one of the attributes for indirect access to true or false.

    Raises invalid enumeration for another one, invalid size for anything but one byte, and invalid kernel attribute
    value for what is no truth value.
    """
    kernel = live(hKernel, Kernel)
    required(pValue, "pValue")
    kind = enumerator(attr, ze_kernel_attribute_t)
    if kind not in _INDIRECT:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ENUMERATION, f"{kind.name} can be read only")
    if size != 1:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, f"{size} bytes for a truth value, expected 1")
    if pValue not in (0, 1):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE,
            f"{kind.name} is set to {pValue!r}, expected 0 or 1",
        )
    flag = _INDIRECT[kind]
    kernel.indirect_access = kernel.indirect_access | flag if pValue else kernel.indirect_access & ~flag


def zeKernelGetAttribute(hKernel: Kernel, attr: int) -> bool | str:
    """The value of an attribute: a truth value, or a text for the source attributes."""
    kernel = live(hKernel, Kernel)
    kind = enumerator(attr, ze_kernel_attribute_t)
    return bool(kernel.indirect_access & _INDIRECT[kind]) if kind in _INDIRECT else kernel.image.source_attributes


def zeDeviceSetLastLevelCacheConfig(hDevice: Device, CacheConfig: int) -> None:
    """Split the cache between local memory and data: raises unsupported feature, as a device has no such control."""
    device = live(hDevice, Device)
    if CacheConfig not in _CACHE_CONFIGS:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ENUMERATION,
            f"{CacheConfig!r} is no cache configuration, expected 1, 2, 4",
        )
    raise ZeError(
        ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, f"the cache of {device!r} is not under the user's control"
    )


_CACHE_CONFIGS = (1, 2, 4)


def zeDeviceMakeImageResident(hDevice: Device, hImage: Image) -> None:
    """As `zeContextMakeImageResident`."""
    zeContextMakeImageResident(_context_of(hDevice), hDevice, hImage)


def zeDeviceEvictImage(hDevice: Device, hImage: Image) -> None:
    """As `zeContextEvictImage`."""
    zeContextEvictImage(_context_of(hDevice), hDevice, hImage)


def zeEventGetTimestamp(hEvent: Event, timestampType: int) -> int:
    """One of the times that `zeEventQueryKernelTimestamp` gives together."""
    live(hEvent, Event)
    kind = enumerator(timestampType, ze_event_timestamp_type_t)
    times = zeEventQueryKernelTimestamp(hEvent).global_
    starts = (
        ze_event_timestamp_type_t.ZE_EVENT_TIMESTAMP_GLOBAL_START,
        ze_event_timestamp_type_t.ZE_EVENT_TIMESTAMP_CONTEXT_START,
    )
    return times.kernelStart if kind in starts else times.kernelEnd
