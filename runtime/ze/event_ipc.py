"""Event pools that several processes share (specification: Event, Inter-Process Communication)."""

from __future__ import annotations

import os

from runtime.ze import ipc
from runtime.ze.context import Context
from runtime.ze.enums import ze_event_pool_flags_t
from runtime.ze.event import EventPool
from runtime.ze.handle import byte_string, live
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.shared_slots import SharedSlots, slot_bytes

_COUNT_SHIFT = 8
"""A handle's detail: flags of the pool, and from this bit on the number of its events."""


def zeEventPoolGetIpcHandle(hEventPool: EventPool) -> bytes:
    """64 bytes by which another process can open a pool. Raises unsupported feature for one without the flag IPC."""
    pool = live(hEventPool, EventPool)
    if pool.slots is None:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, f"{pool!r} was made without ZE_EVENT_POOL_FLAG_IPC"
        )
    pool.slots.watch()
    detail = pool.flags | pool.count << _COUNT_SHIFT
    return ipc.export(ipc.EVENT_POOL, ipc.Shared(pool.slots.fd, 0, slot_bytes(pool.count), detail))


def zeEventPoolPutIpcHandle(hContext: Context, phIpc: bytes) -> None:
    """Give a handle back. The pool stays shared as long as it lives, so nothing is left to do."""
    live(hContext, Context)
    phIpc = byte_string(phIpc, "phIpc")
    if not ipc.is_handle(ipc.EVENT_POOL, phIpc):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, "these bytes are no IPC handle of an event pool")


def zeEventPoolOpenIpcHandle(hContext: Context, hIpc: bytes) -> EventPool:
    """The pool behind a handle: events at the same place are one event. To be closed, not destroyed.

    Raises invalid argument for bytes that are no handle, or whose pool is gone.
    """
    context = live(hContext, Context)
    hIpc = byte_string(hIpc, "hIpc")
    shared = ipc.open_handle(ipc.EVENT_POOL, hIpc)
    flags, count = ze_event_pool_flags_t(shared.detail & 0xF), shared.detail >> _COUNT_SHIFT
    if slot_bytes(count) != shared.size:
        os.close(shared.fd)
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, "the IPC handle is damaged")
    slots = SharedSlots(shared.fd, count, context.machine)
    slots.watch()
    return EventPool(context, context.devices, flags, count, slots=slots, is_opened=True)


def zeEventPoolCloseIpcHandle(hEventPool: EventPool) -> None:
    """Close a pool that was opened; raises object in use while it has events, invalid argument for any other pool."""
    pool = live(hEventPool, EventPool)
    if not pool.is_opened:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{pool!r} was not opened, and is to be destroyed")
    pool.retire()
