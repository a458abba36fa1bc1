"""Device, host and shared allocations, and their IPC handles (specification: Memory)."""

from __future__ import annotations

import mmap
import os
from contextlib import ExitStack

from runtime.ze.api.memory.elsewhere import refuse_elsewhere
from runtime.ze.conversion import chained
from runtime.ze.declaration import FIRST_MEMORY, POWER_OF_TWO, SOME_BYTES, Chapter, api, flags_of, seed_form
from runtime.ze.dispatch import direct
from runtime.ze.driver.handle import known_flags, live, pointer, required, unsigned
from runtime.ze.driver.linux import ipc, mapping
from runtime.ze.driver.memory.allocation import SHAREABLE, allocate, free_when_unused, next_id, owned
from runtime.ze.driver.memory.sharing import share
from runtime.ze.driver.system.context import Context, default_context
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.driver import Driver
from runtime.ze.driver.system.usm import MemoryOrigin, Usm
from runtime.ze.spec.enums import (
    ze_driver_memory_free_policy_ext_flags_t,
    ze_external_memory_type_flags_t,
    ze_ipc_memory_flags_t,
    ze_memory_type_t,
    ze_relaxed_allocation_limits_exp_flags_t,
)
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import (
    ze_device_mem_alloc_desc_t,
    ze_external_memory_export_desc_t,
    ze_host_mem_alloc_desc_t,
    ze_ipc_mem_handle_t,
    ze_memory_allocation_properties_t,
    ze_memory_free_ext_desc_t,
    ze_relaxed_allocation_limits_exp_desc_t,
)

_BLOCKING = ze_driver_memory_free_policy_ext_flags_t.ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE

_PITCH_ALIGNMENT = 64

_OF_DEVICE = {"size": SOME_BYTES, "alignment": POWER_OF_TWO, "device_desc.ordinal": FIRST_MEMORY}

_TAKEN = "UNSUPPORTED_ALIGNMENT INVALID_ENUMERATION"
"""The results for what allocations take without validation."""


@api(
    Chapter.MEMORY,
    "DEVICE_LOST OUT_OF_HOST_MEMORY OUT_OF_DEVICE_MEMORY UNSUPPORTED_SIZE UNSUPPORTED_ENUMERATION UNSUPPORTED_FEATURE",
    pointers="device_desc host_desc",
    seed="zeDriverAllocSharedMem",
    rules=_OF_DEVICE,
    validated=_TAKEN,
)
def zeMemAllocShared(
    hContext: Context,
    device_desc: ze_device_mem_alloc_desc_t,
    host_desc: ze_host_mem_alloc_desc_t,
    size: int,
    alignment: int,
    hDevice: Device | None = None,
) -> int:
    """Allocates `size` bytes that the host and devices share, and returns their address.

    `hDevice` is the device that the allocation is associated with, if any. Alignment and results are as for
    `zeMemAllocDevice`.
    """
    context = live(hContext, Context)
    device = None if hDevice is None else context.device(hDevice)
    required(device_desc, "device_desc")
    required(host_desc, "host_desc")
    _refuse_sharing(host_desc.pNext)
    _refuse_sharing(device_desc.pNext)
    _check_size(size, _limit(context, _is_relaxed(device_desc.pNext) or _is_relaxed(host_desc.pNext)))
    home = (device or context.devices[0]) if context.driver.shared_on_device else None
    return allocate(context, ze_memory_type_t.ZE_MEMORY_TYPE_SHARED, size, alignment, device, home)


@seed_form(zeMemAllocShared)
def zeDriverAllocSharedMem(
    hDriver: Driver,
    device_desc: ze_device_mem_alloc_desc_t,
    host_desc: ze_host_mem_alloc_desc_t,
    size: int,
    alignment: int,
    hDevice: Device | None = None,
) -> int:
    """Does what `zeMemAllocShared` does, in the driver's default context."""
    return direct(zeMemAllocShared)(
        default_context(live(hDriver, Driver)), device_desc, host_desc, size, alignment, hDevice
    )


def _refuse_sharing(pNext: object) -> None:
    """Raises `UNSUPPORTED_ENUMERATION` for memory that is to be shared with other APIs, and `UNSUPPORTED_FEATURE` for
    memory that is another API's.
    """
    refuse_elsewhere(pNext)
    export = chained(pNext, ze_external_memory_export_desc_t)
    if export is not None:
        flags = known_flags(export.flags, ze_external_memory_type_flags_t)
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, f"memory cannot be exported as {flags!r}")


def _is_relaxed(pNext: object) -> bool:
    relaxed = chained(pNext, ze_relaxed_allocation_limits_exp_desc_t)
    return relaxed is not None and bool(known_flags(relaxed.flags, ze_relaxed_allocation_limits_exp_flags_t))


def _check_size(size: int, limit: int) -> None:
    if not 0 < size <= limit:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_SIZE, f"size is {size}, expected 1 to {limit} bytes")


@api(
    Chapter.MEMORY,
    "DEVICE_LOST OUT_OF_DEVICE_MEMORY UNSUPPORTED_SIZE UNSUPPORTED_ENUMERATION UNSUPPORTED_FEATURE",
    pointers="device_desc",
    seed="zeDriverAllocDeviceMem",
    rules=_OF_DEVICE,
    validated=_TAKEN,
)
def zeMemAllocDevice(
    hContext: Context, device_desc: ze_device_mem_alloc_desc_t, size: int, alignment: int, hDevice: Device
) -> int:
    """Allocates `size` bytes in the memory of a device, and returns their address.

    The alignment is rounded up to a power of two, at most 2 MiB. A device has one memory, whatever the ordinal.

    Raises:
        ZeError: `UNSUPPORTED_SIZE` for zero, and above the device's `maxMemAllocSize` (above the size of its memory
            with relaxed limits); `OUT_OF_DEVICE_MEMORY`.
    """
    context = live(hContext, Context)
    device = context.device(hDevice)
    required(device_desc, "device_desc")
    _refuse_sharing(device_desc.pNext)
    relaxed = _is_relaxed(device_desc.pNext)
    _check_size(size, device.memory_bytes if relaxed else device.properties.maxMemAllocSize)
    return allocate(context, ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE, size, alignment, device, device)


@seed_form(zeMemAllocDevice)
def zeDriverAllocDeviceMem(
    hDriver: Driver, device_desc: ze_device_mem_alloc_desc_t, size: int, alignment: int, hDevice: Device
) -> int:
    """Does what `zeMemAllocDevice` does, in the driver's default context."""
    return direct(zeMemAllocDevice)(default_context(live(hDriver, Driver)), device_desc, size, alignment, hDevice)


@api(
    Chapter.MEMORY,
    "OUT_OF_HOST_MEMORY UNSUPPORTED_SIZE UNSUPPORTED_ENUMERATION UNSUPPORTED_FEATURE",
    pointers="host_desc",
    seed="zeDriverAllocHostMem",
    rules={"size": SOME_BYTES, "alignment": POWER_OF_TWO},
    validated=_TAKEN,
)
def zeMemAllocHost(hContext: Context, host_desc: ze_host_mem_alloc_desc_t, size: int, alignment: int) -> int:
    """Allocates `size` bytes of host memory that all devices of the context can access, and returns their address."""
    context = live(hContext, Context)
    required(host_desc, "host_desc")
    _refuse_sharing(host_desc.pNext)
    _check_size(size, _limit(context, _is_relaxed(host_desc.pNext)))
    return allocate(context, ze_memory_type_t.ZE_MEMORY_TYPE_HOST, size, alignment, None, None)


@seed_form(zeMemAllocHost)
def zeDriverAllocHostMem(hDriver: Driver, host_desc: ze_host_mem_alloc_desc_t, size: int, alignment: int) -> int:
    """Does what `zeMemAllocHost` does, in the driver's default context."""
    return direct(zeMemAllocHost)(default_context(live(hDriver, Driver)), host_desc, size, alignment)


def _limit(context: Context, relaxed: bool) -> int:
    """Returns the size in bytes of the largest allocation that all devices of the context support."""
    return min(device.memory_bytes if relaxed else device.properties.maxMemAllocSize for device in context.devices)


@api(Chapter.MEMORY, pointers="ptr", seed="zeDriverFreeMem")
def zeMemFree(hContext: Context, ptr: int) -> None:
    """Frees the allocation that begins at `ptr`. The caller must ensure that no device still uses it."""
    context = live(hContext, Context)
    context.release(owned(context, ptr, MemoryOrigin.ALLOCATED))


@seed_form(zeMemFree)
def zeDriverFreeMem(hDriver: Driver, ptr: int) -> None:
    """Does what `zeMemFree` does, in the driver's default context."""
    direct(zeMemFree)(default_context(live(hDriver, Driver)), ptr)


@api(Chapter.MEMORY, pointers="pMemFreeDesc ptr", since=(1, 3), validated="INVALID_ENUMERATION")
def zeMemFreeExt(hContext: Context, pMemFreeDesc: ze_memory_free_ext_desc_t, ptr: int) -> None:
    """Frees an allocation that submitted commands may still use.

    The blocking policy waits for the commands; the deferring policy returns at once, and the memory is freed when they
    are done. Without a policy the function does what `zeMemFree` does.
    """
    context = live(hContext, Context)
    required(pMemFreeDesc, "pMemFreeDesc")
    policy = known_flags(pMemFreeDesc.freePolicy, ze_driver_memory_free_policy_ext_flags_t)
    usm = owned(context, ptr, MemoryOrigin.ALLOCATED)
    if not policy:
        context.release(usm)
        return
    free_when_unused(context, usm, waits=bool(policy & _BLOCKING))


@api(Chapter.MEMORY, pointers="ptr", seed="zeDriverGetMemAllocProperties")
def zeMemGetAllocProperties(hContext: Context, ptr: int) -> tuple[ze_memory_allocation_properties_t, Device | None]:
    """Returns the properties and the device of the allocation that `ptr` points into.

    The type is unknown for memory that is not the driver's.
    """
    context = live(hContext, Context)
    usm = context.usm(pointer(ptr, "ptr"))
    if usm is None:
        return ze_memory_allocation_properties_t(ze_memory_type_t.ZE_MEMORY_TYPE_UNKNOWN, 0, 0), None
    return ze_memory_allocation_properties_t(usm.type, usm.id, mmap.PAGESIZE), usm.device


@seed_form(zeMemGetAllocProperties)
def zeDriverGetMemAllocProperties(hDriver: Driver, ptr: int) -> tuple[ze_memory_allocation_properties_t, Device | None]:
    """Does what `zeMemGetAllocProperties` does, in the driver's default context."""
    return direct(zeMemGetAllocProperties)(default_context(live(hDriver, Driver)), ptr)


@api(Chapter.MEMORY, pointers="ptr", seed="zeDriverGetMemAddressRange")
def zeMemGetAddressRange(hContext: Context, ptr: int) -> tuple[int, int]:
    """Returns the first address and the size in bytes of the allocation that `ptr` points into.

    Raises:
        ZeError: `INVALID_ARGUMENT` for memory that is not the driver's.
    """
    context = live(hContext, Context)
    usm = context.usm(pointer(ptr, "ptr"))
    if usm is None:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{ptr:#x} is not in an allocation of {context!r}")
    return usm.allocation.address, usm.size


@seed_form(zeMemGetAddressRange)
def zeDriverGetMemAddressRange(hDriver: Driver, ptr: int) -> tuple[int, int]:
    """Does what `zeMemGetAddressRange` does, in the driver's default context."""
    return direct(zeMemGetAddressRange)(default_context(live(hDriver, Driver)), ptr)


@api(
    Chapter.MEMORY,
    "OUT_OF_HOST_MEMORY HANDLE_OBJECT_IN_USE",
    pointers="ptr",
    seed="zeDriverGetMemIpcHandle",
    memory="ptr[1]",
)
def zeMemGetIpcHandle(hContext: Context, ptr: int) -> ze_ipc_mem_handle_t:
    """Returns 64 bytes by which another process can open the device or host memory that begins at `ptr`.

    The address of the memory does not change.

    Raises:
        ZeError: `INVALID_ARGUMENT` for any other address, and `HANDLE_OBJECT_IN_USE` if a command runs that does
            not end.
    """
    context = live(hContext, Context)
    usm = owned(context, ptr, MemoryOrigin.ALLOCATED)
    if usm.type == ze_memory_type_t.ZE_MEMORY_TYPE_SHARED:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"the memory at {ptr:#x} is shared memory, expected device or host memory",
        )
    fd = share(context, usm) if usm.shared_file is None else usm.shared_file
    offset = usm.allocation.address - usm.allocation.pages[0]
    return ze_ipc_mem_handle_t(ipc.export(ipc.MEMORY, ipc.Shared(fd, offset, usm.size, usm.type)))


@seed_form(zeMemGetIpcHandle)
def zeDriverGetMemIpcHandle(hDriver: Driver, ptr: int) -> ze_ipc_mem_handle_t:
    """Does what `zeMemGetIpcHandle` does, in the driver's default context."""
    return direct(zeMemGetIpcHandle)(default_context(live(hDriver, Driver)), ptr)


@api(Chapter.MEMORY, pointers="handle", since=(1, 6))
def zeMemPutIpcHandle(hContext: Context, handle: bytes) -> None:
    """Returns an IPC handle to the driver. The memory can be opened as long as it lives, so this has no effect."""
    live(hContext, Context)
    required(handle, "handle")
    if not ipc.is_handle(ipc.MEMORY, handle):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, "these bytes are not an IPC handle of memory")


@api(
    Chapter.MEMORY,
    "DEVICE_LOST OUT_OF_HOST_MEMORY",
    pointers="handle",
    seed="zeDriverOpenMemIpcHandle",
    rules={"flags": flags_of(ze_ipc_memory_flags_t)},
    validated="INVALID_ENUMERATION",
)
def zeMemOpenIpcHandle(hContext: Context, hDevice: Device, handle: bytes, flags: int = 0) -> int:
    """Opens memory that another process shares, and returns its address here, which is a new one with each call.

    The memory must be closed, not freed.

    Raises:
        ZeError: `INVALID_ARGUMENT` for bytes that are not an IPC handle, or whose memory is freed.
    """
    context = live(hContext, Context)
    device = context.device(hDevice)
    required(handle, "handle")
    shared = ipc.open_handle(ipc.MEMORY, handle)
    with ExitStack() as undo:
        undo.callback(os.close, shared.fd)
        if shared.detail not in SHAREABLE or not shared.size:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, "the IPC handle is damaged")
        type = ze_memory_type_t(shared.detail)
        size = os.fstat(shared.fd).st_size
        try:
            address = mapping.map_file(shared.fd, 0, size)
        except MemoryError as error:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, str(error)) from error
        undo.callback(mapping.release, address, size)
        number = next_id()
        start = address + shared.offset
        kind = "device" if type == ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE else "host"
        owner = device if type == ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE else None
        usm = Usm(context, number, type, shared.size, owner, origin=MemoryOrigin.OPENED, shared_file=shared.fd)
        usm.mapped = (address, size)
        memory = context.machine.memory
        usm.allocation = memory.register(start, shared.size, kind, f"#{number}, opened", record=usm)
        undo.pop_all()
    return start


@seed_form(zeMemOpenIpcHandle)
def zeDriverOpenMemIpcHandle(hDriver: Driver, hDevice: Device, handle: bytes, flags: int = 0) -> int:
    """Does what `zeMemOpenIpcHandle` does, in the driver's default context."""
    return direct(zeMemOpenIpcHandle)(default_context(live(hDriver, Driver)), hDevice, handle, flags)


@api(Chapter.MEMORY, pointers="ptr", seed="zeDriverCloseMemIpcHandle")
def zeMemCloseIpcHandle(hContext: Context, ptr: int) -> None:
    """Closes the memory that begins at `ptr` and was opened by its IPC handle."""
    context = live(hContext, Context)
    context.release(owned(context, ptr, MemoryOrigin.OPENED))


@seed_form(zeMemCloseIpcHandle)
def zeDriverCloseMemIpcHandle(hDriver: Driver, ptr: int) -> None:
    """Does what `zeMemCloseIpcHandle` does, in the driver's default context."""
    direct(zeMemCloseIpcHandle)(default_context(live(hDriver, Driver)), ptr)


@api(Chapter.MEMORY, "DEVICE_LOST UNSUPPORTED_SIZE", since=(1, 9))
def zeMemGetPitchFor2dImage(
    hContext: Context, hDevice: Device, imageWidth: int, imageHeight: int, elementSizeInBytes: int
) -> int:
    """Returns the row pitch in bytes that suits an image in linear memory."""
    live(hContext, Context).device(hDevice)
    unsigned(imageHeight, "imageHeight", 64)
    row = unsigned(imageWidth, "imageWidth") * unsigned(elementSizeInBytes, "elementSizeInBytes")
    if not row:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "the image has no texels")
    return -(-row // _PITCH_ALIGNMENT) * _PITCH_ALIGNMENT
