"""Unified shared memory: device, host and shared allocations (specification: Memory)."""

from __future__ import annotations

import itertools
import mmap

from runtime.simulator import Allocation
from runtime.ze.context import Context, Usm
from runtime.ze.device import Device
from runtime.ze.enums import (
    ze_device_mem_alloc_flags_t,
    ze_host_mem_alloc_flags_t,
    ze_memory_type_t,
    ze_relaxed_allocation_limits_exp_flags_t,
)
from runtime.ze.handle import flag_set, live, pointer, required
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.structs import (
    ze_device_mem_alloc_desc_t,
    ze_host_mem_alloc_desc_t,
    ze_memory_allocation_properties_t,
    ze_relaxed_allocation_limits_exp_desc_t,
)

DEFAULT_ALIGNMENT = 64
MAX_ALIGNMENT = 2 << 20

_ids = itertools.count(1)
_KINDS = {
    ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE: "device",
    ze_memory_type_t.ZE_MEMORY_TYPE_HOST: "host",
    ze_memory_type_t.ZE_MEMORY_TYPE_SHARED: "shared",
}


def _is_relaxed(pNext: object) -> bool:
    if not isinstance(pNext, ze_relaxed_allocation_limits_exp_desc_t):
        return False
    return bool(flag_set(pNext.flags, ze_relaxed_allocation_limits_exp_flags_t))


def _check_ordinal(ordinal: int) -> None:
    if ordinal != 0:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION,
            f"memory ordinal {ordinal} of a device with one memory",
        )


def _check_size(size: int, alignment: int, limit: int) -> None:
    if not 0 < size <= limit:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_SIZE, f"size is {size}, expected 1 to {limit} bytes")
    if alignment < 0 or alignment & (alignment - 1) or alignment > MAX_ALIGNMENT:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT,
            f"alignment is {alignment}, expected a power of two up to {MAX_ALIGNMENT}, or 0",
        )


def _allocate(context: Context, type: ze_memory_type_t, size: int, alignment: int, device: Device | None) -> int:
    number, kind = next(_ids), _KINDS[type]
    is_local = type == ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE
    try:
        if is_local and device is not None:
            device.require_room(size)
        label = f"#{number}"
        allocation = context.machine.memory.allocate(size, alignment or DEFAULT_ALIGNMENT, kind, label)
    except MemoryError as error:
        result = (
            ze_result_t.ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY
            if is_local
            else ze_result_t.ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
        )
        raise ZeError(result, f"no room for {size} bytes of {kind} memory: {error}") from error
    context.adopt(Usm(number, type, size, device, allocation))
    return allocation.address


def adopt_memory(context: Context, device: Device, allocation: Allocation) -> Usm:
    """Makes memory of a module, allocated when it was loaded, the context's."""
    kind = ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE
    usm = Usm(next(_ids), kind, allocation.size, device, allocation, belongs_to_module=True)
    context.adopt(usm)
    return usm


def zeMemAllocDevice(
    hContext: Context, device_desc: ze_device_mem_alloc_desc_t, size: int, alignment: int, hDevice: Device
) -> int:
    """Allocate `size` bytes in a device's memory and return their address.

    Raises unsupported size above the device's `maxMemAllocSize` (or above its memory, with relaxed limits) and for
    zero, unsupported alignment, and out of device memory.
    """
    context = live(hContext, Context)
    device = context.device(hDevice)
    required(device_desc, "device_desc")
    flag_set(device_desc.flags, ze_device_mem_alloc_flags_t)
    _check_ordinal(device_desc.ordinal)
    relaxed = _is_relaxed(device_desc.pNext)
    _check_size(size, alignment, device.memory_bytes if relaxed else device.properties.maxMemAllocSize)
    return _allocate(context, ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE, size, alignment, device)


def zeMemAllocHost(hContext: Context, host_desc: ze_host_mem_alloc_desc_t, size: int, alignment: int) -> int:
    """Allocate `size` bytes of host memory that every device of the context can access; return their address."""
    context = live(hContext, Context)
    required(host_desc, "host_desc")
    flag_set(host_desc.flags, ze_host_mem_alloc_flags_t)
    _check_size(size, alignment, _limit(context, _is_relaxed(host_desc.pNext)))
    return _allocate(context, ze_memory_type_t.ZE_MEMORY_TYPE_HOST, size, alignment, None)


def zeMemAllocShared(
    hContext: Context,
    device_desc: ze_device_mem_alloc_desc_t,
    host_desc: ze_host_mem_alloc_desc_t,
    size: int,
    alignment: int,
    hDevice: Device | None = None,
) -> int:
    """Allocate `size` bytes that host and devices share, associated with `hDevice` if given; return their address."""
    context = live(hContext, Context)
    device = None if hDevice is None else context.device(hDevice)
    required(device_desc, "device_desc")
    required(host_desc, "host_desc")
    flag_set(device_desc.flags, ze_device_mem_alloc_flags_t)
    flag_set(host_desc.flags, ze_host_mem_alloc_flags_t)
    _check_ordinal(device_desc.ordinal)
    _check_size(size, alignment, _limit(context, _is_relaxed(device_desc.pNext) or _is_relaxed(host_desc.pNext)))
    return _allocate(context, ze_memory_type_t.ZE_MEMORY_TYPE_SHARED, size, alignment, device)


def _limit(context: Context, relaxed: bool) -> int:
    """The largest allocation that all devices of the context support."""
    return min(device.memory_bytes if relaxed else device.properties.maxMemAllocSize for device in context.devices)


def zeMemFree(hContext: Context, ptr: int) -> None:
    """Free an allocation, given by its first address. The caller sees to it that no device uses it any more."""
    context = live(hContext, Context)
    usm = context.usm(pointer(ptr, "ptr"))
    if usm is None:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{ptr:#x} is no memory of {context!r}")
    if usm.belongs_to_module:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{ptr:#x} is a variable of a module")
    if usm.allocation.address != ptr:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{ptr:#x} lies inside of the allocation that starts at {usm.allocation.address:#x}",
        )
    context.release(usm)


def zeMemGetAllocProperties(hContext: Context, ptr: int) -> tuple[ze_memory_allocation_properties_t, Device | None]:
    """Kind and device of the allocation that `ptr` points into; kind unknown for memory that is not the context's."""
    context = live(hContext, Context)
    usm = context.usm(pointer(ptr, "ptr"))
    if usm is None:
        return ze_memory_allocation_properties_t(ze_memory_type_t.ZE_MEMORY_TYPE_UNKNOWN, 0, 0), None
    return ze_memory_allocation_properties_t(usm.type, usm.id, mmap.PAGESIZE), usm.device


def zeMemGetAddressRange(hContext: Context, ptr: int) -> tuple[int, int]:
    """First address and size in bytes of the allocation that `ptr` points into; raises invalid argument elsewhere."""
    context = live(hContext, Context)
    usm = context.usm(pointer(ptr, "ptr"))
    if usm is None:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{ptr:#x} is no memory of {context!r}")
    return usm.allocation.address, usm.size
