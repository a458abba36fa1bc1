"""Memory that several processes share (specification: Memory, Inter-Process Communication)."""

from __future__ import annotations

import os

import numpy as np

from runtime.ze import ipc, mapping
from runtime.ze.context import Context, MemoryOrigin, Usm
from runtime.ze.device import Device
from runtime.ze.enums import ze_ipc_memory_flags_t, ze_memory_type_t
from runtime.ze.handle import byte_string, flag_set, live
from runtime.ze.memory import next_id, owned
from runtime.ze.results import ZeError, ze_result_t

_PATIENCE_SECONDS = 10.0


def _share(context: Context, usm: Usm) -> int:
    """The file that holds an allocation from now on: its pages are replaced by those of the file, with their contents.

    No command may run meanwhile. Raises object in use if one does not end.
    """
    address, size = usm.allocation.pages
    with context.machine.paused(_PATIENCE_SECONDS) as is_quiet:
        if not is_quiet:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE,
                f"a command has run for {_PATIENCE_SECONDS} seconds; memory cannot be shared while commands run",
            )
        fd = ipc.new_file("xegpu-memory", size)
        try:
            _copy_pages(address, size, fd)
            mapping.map_file(fd, 0, size, address)
        except (OSError, MemoryError) as error:
            os.close(fd)
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, f"no memory to share: {error}") from error
    usm.shared_file = fd
    return fd


_CHUNK = 1 << 20


def _copy_pages(address: int, size: int, fd: int) -> None:
    """Write memory to a file; zeros stay holes."""
    for start in range(0, size, _CHUNK):
        chunk = mapping.bytes_at(address + start, min(_CHUNK, size - start))
        if np.any(chunk):
            os.pwrite(fd, chunk.data, start)


def zeMemGetIpcHandle(hContext: Context, ptr: int) -> bytes:
    """64 bytes by which another process can open device or host memory, given by its first address.

    The memory stays where it is. Raises invalid argument for any other address, and object in use while a command runs
    that does not end.
    """
    context = live(hContext, Context)
    usm = owned(context, ptr, MemoryOrigin.ALLOCATED)
    if usm.type == ze_memory_type_t.ZE_MEMORY_TYPE_SHARED:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"the memory at {ptr:#x} is of the kind shared")
    fd = _share(context, usm) if usm.shared_file is None else usm.shared_file
    offset = usm.allocation.address - usm.allocation.pages[0]
    return ipc.export(ipc.MEMORY, ipc.Shared(fd, offset, usm.size, usm.type))


def zeMemPutIpcHandle(hContext: Context, handle: bytes) -> None:
    """Give a handle back. The memory can be opened as long as it lives, so nothing is left to do."""
    live(hContext, Context)
    handle = byte_string(handle, "handle")
    if not ipc.is_handle(ipc.MEMORY, handle):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, "these bytes are no IPC handle of memory")


def zeMemOpenIpcHandle(hContext: Context, hDevice: Device, handle: bytes, flags: int = 0) -> int:
    """The address, a new one each time, of memory that another process shares. To be closed, not freed.

    Raises invalid argument for bytes that are no handle, or whose memory is gone.
    """
    context = live(hContext, Context)
    device = context.device(hDevice)
    handle = byte_string(handle, "handle")
    flag_set(flags, ze_ipc_memory_flags_t)
    shared = ipc.open_handle(ipc.MEMORY, handle)
    type = ze_memory_type_t(shared.detail)
    size = os.fstat(shared.fd).st_size
    try:
        address = mapping.map_file(shared.fd, 0, size)
    except MemoryError as error:
        os.close(shared.fd)
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, str(error)) from error
    number = next_id()
    start = address + shared.offset
    kind = "device" if type == ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE else "host"
    allocation = context.machine.memory.register(start, shared.size, kind, f"#{number}, opened")
    owner = device if type == ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE else None
    usm = Usm(number, type, shared.size, owner, allocation, origin=MemoryOrigin.OPENED, shared_file=shared.fd)
    usm.mapped = (address, size)
    context.adopt(usm)
    return start


def zeMemCloseIpcHandle(hContext: Context, ptr: int) -> None:
    """Close memory that was opened, given by its first address."""
    context = live(hContext, Context)
    context.release(owned(context, ptr, MemoryOrigin.OPENED))
