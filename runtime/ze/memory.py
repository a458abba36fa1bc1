"""Unified shared memory: device, host and shared allocations (specification: Memory)."""

from __future__ import annotations

import itertools
import mmap
from functools import partial

from runtime.simulator import Allocation
from runtime.ze.context import Context, MemoryOrigin, Usm
from runtime.ze.device import Device
from runtime.ze.enums import (
    ze_device_mem_alloc_flags_t,
    ze_driver_memory_free_policy_ext_flags_t,
    ze_external_memory_type_flags_t,
    ze_host_mem_alloc_flags_t,
    ze_memory_type_t,
    ze_relaxed_allocation_limits_exp_flags_t,
)
from runtime.ze.handle import flag_set, integer, live, pointer, required, unsigned
from runtime.ze.machine import FOREVER
from runtime.ze.processor import Work
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.structs import (
    ze_device_mem_alloc_desc_t,
    ze_external_memory_export_desc_t,
    ze_host_mem_alloc_desc_t,
    ze_memory_allocation_properties_t,
    ze_memory_free_ext_desc_t,
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


_SHAREABLE = (ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE, ze_memory_type_t.ZE_MEMORY_TYPE_HOST)
"""What other processes can open."""


def _refuse_export(pNext: object) -> None:
    """Raise unsupported enumeration for memory that is to be shared with other APIs."""
    if isinstance(pNext, ze_external_memory_export_desc_t):
        flags = flag_set(pNext.flags, ze_external_memory_type_flags_t)
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, f"memory cannot be exported as {flags!r}")


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
    size, alignment = integer(size, "size"), integer(alignment, "alignment")
    if not 0 < size <= limit:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_SIZE, f"size is {size}, expected 1 to {limit} bytes")
    if alignment < 0 or alignment & (alignment - 1) or alignment > MAX_ALIGNMENT:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT,
            f"alignment is {alignment}, expected a power of two up to {MAX_ALIGNMENT}, or 0",
        )


def next_id() -> int:
    """A number that no other memory of the process has or had."""
    return next(_ids)


def _allocate(
    context: Context, type: ze_memory_type_t, size: int, alignment: int, device: Device | None, home: Device | None
) -> int:
    number, kind = next_id(), _KINDS[type]
    try:
        if home is not None:
            home.require_room(size)
        allocation = context.machine.memory.allocate(
            size, alignment or DEFAULT_ALIGNMENT, kind, f"#{number}", whole_pages=type in _SHAREABLE
        )
    except MemoryError as error:
        result = (
            ze_result_t.ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
            if home is None
            else ze_result_t.ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY
        )
        raise ZeError(result, f"no room for {size} bytes of {kind} memory: {error}") from error
    context.adopt(Usm(number, type, size, device, allocation, home))
    return allocation.address


def adopt_memory(context: Context, device: Device, allocation: Allocation) -> Usm:
    """Make memory that was allocated for a device known to a context, which counts it and finds it by address."""
    usm = Usm(
        next_id(),
        ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE,
        allocation.size,
        device,
        allocation,
        home=device,
        origin=MemoryOrigin.LOADED,
    )
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
    required(device_desc, "device_desc", ze_device_mem_alloc_desc_t)
    flag_set(device_desc.flags, ze_device_mem_alloc_flags_t)
    _check_ordinal(device_desc.ordinal)
    _refuse_export(device_desc.pNext)
    relaxed = _is_relaxed(device_desc.pNext)
    _check_size(size, alignment, device.memory_bytes if relaxed else device.properties.maxMemAllocSize)
    return _allocate(context, ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE, size, alignment, device, device)


def zeMemAllocHost(hContext: Context, host_desc: ze_host_mem_alloc_desc_t, size: int, alignment: int) -> int:
    """Allocate `size` bytes of host memory that every device of the context can access; return their address."""
    context = live(hContext, Context)
    required(host_desc, "host_desc", ze_host_mem_alloc_desc_t)
    flag_set(host_desc.flags, ze_host_mem_alloc_flags_t)
    _refuse_export(host_desc.pNext)
    _check_size(size, alignment, _limit(context, _is_relaxed(host_desc.pNext)))
    return _allocate(context, ze_memory_type_t.ZE_MEMORY_TYPE_HOST, size, alignment, None, None)


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
    required(device_desc, "device_desc", ze_device_mem_alloc_desc_t)
    required(host_desc, "host_desc", ze_host_mem_alloc_desc_t)
    flag_set(device_desc.flags, ze_device_mem_alloc_flags_t)
    flag_set(host_desc.flags, ze_host_mem_alloc_flags_t)
    _refuse_export(host_desc.pNext)
    _check_ordinal(device_desc.ordinal)
    _refuse_export(device_desc.pNext)
    _check_size(size, alignment, _limit(context, _is_relaxed(device_desc.pNext) or _is_relaxed(host_desc.pNext)))
    home = (device or context.devices[0]) if context.driver.shared_on_device else None
    return _allocate(context, ze_memory_type_t.ZE_MEMORY_TYPE_SHARED, size, alignment, device, home)


def _limit(context: Context, relaxed: bool) -> int:
    """The largest allocation that all devices of the context support."""
    return min(device.memory_bytes if relaxed else device.properties.maxMemAllocSize for device in context.devices)


def owned(context: Context, ptr: int, origin: MemoryOrigin) -> Usm:
    """The memory that starts at an address and comes from somewhere; raises invalid argument for anything else."""
    usm = context.usm(pointer(ptr, "ptr"))
    if usm is None or usm.is_ending:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{ptr:#x} is no memory of {context!r}")
    if usm.allocation.address != ptr:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{ptr:#x} lies inside of the allocation that starts at {usm.allocation.address:#x}",
        )
    if usm.origin is not origin:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"the memory at {ptr:#x} was {usm.origin.name.lower()}, not {origin.name.lower()}",
        )
    return usm


def zeMemFree(hContext: Context, ptr: int) -> None:
    """Free an allocation, given by its first address. The caller sees to it that no device uses it any more."""
    context = live(hContext, Context)
    context.release(owned(context, ptr, MemoryOrigin.ALLOCATED))


def zeMemFreeExt(hContext: Context, pMemFreeDesc: ze_memory_free_ext_desc_t, ptr: int) -> None:
    """Free an allocation that commands which were submitted may still use.

    The blocking policy waits for them, the deferring one returns and frees when they are done; without a policy it is
    as `zeMemFree`.
    """
    context = live(hContext, Context)
    required(pMemFreeDesc, "pMemFreeDesc", ze_memory_free_ext_desc_t)
    policy = flag_set(pMemFreeDesc.freePolicy, ze_driver_memory_free_policy_ext_flags_t)
    usm = owned(context, ptr, MemoryOrigin.ALLOCATED)
    if not policy:
        context.release(usm)
        return
    ended = _when_unused(context, usm)
    if policy & _BLOCKING:
        context.machine.wait(lambda: not ended, FOREVER)


_BLOCKING = ze_driver_memory_free_policy_ext_flags_t.ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE


def _when_unused(context: Context, usm: Usm) -> set[Work]:
    """Free an allocation when all queues have done what is submitted now; returns the queues that have not yet."""
    changed = context.machine.changed
    with changed:
        usm.is_ending = True
        pending: set[Work] = set()

        def end(stream: Work) -> None:
            pending.discard(stream)
            if not pending and context.usm(usm.allocation.address) is usm:
                context.release(usm)

        streams = {stream for device in context.devices for stream in device.processor.streams}
        pending.update(stream for stream in streams if not stream.idle)
        for stream in tuple(pending):
            stream.follow(partial(end, stream))
        if not pending:
            context.release(usm)
        return pending


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


_PITCH_ALIGNMENT = 64


def zeMemGetPitchFor2dImage(
    hContext: Context, hDevice: Device, imageWidth: int, imageHeight: int, elementSizeInBytes: int
) -> int:
    """Bytes from one row to the next that suit an image in memory."""
    live(hContext, Context).device(hDevice)
    unsigned(imageHeight, "imageHeight", 64)
    row = unsigned(imageWidth, "imageWidth") * unsigned(elementSizeInBytes, "elementSizeInBytes")
    if not row:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "an image without texels has no rows")
    return -(-row // _PITCH_ALIGNMENT) * _PITCH_ALIGNMENT
