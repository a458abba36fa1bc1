"""Device, host and shared allocations of a context."""

from __future__ import annotations

import itertools
from functools import partial

from runtime.simulator import Allocation
from runtime.ze.driver.handle import pointer
from runtime.ze.driver.memory.usm import MemoryOrigin, Usm
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.processor import WorkQueue
from runtime.ze.spec.enums import ze_memory_type_t
from runtime.ze.spec.results import ZeError, ze_result_t

DEFAULT_ALIGNMENT = 64

_ids = itertools.count(1)

_KINDS = {
    ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE: "device",
    ze_memory_type_t.ZE_MEMORY_TYPE_HOST: "host",
    ze_memory_type_t.ZE_MEMORY_TYPE_SHARED: "shared",
}

SHAREABLE = (ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE, ze_memory_type_t.ZE_MEMORY_TYPE_HOST)
"""The types of memory that other processes can open."""


def next_id() -> int:
    """Returns a number that no other memory of the process has or had."""
    return next(_ids)


def allocate(
    context: Context, type: ze_memory_type_t, size: int, alignment: int, device: Device | None, home: Device | None
) -> int:
    """Allocates memory for a context and returns its address; `home` is the device whose local memory it takes, if any.

    Raises:
        ZeError: `OUT_OF_DEVICE_MEMORY`, or `OUT_OF_HOST_MEMORY` for memory without a home.
    """
    number, kind = next_id(), _KINDS[type]
    try:
        if home is not None:
            home.require_room(size)
        allocation = context.machine.memory.allocate(
            size, alignment or DEFAULT_ALIGNMENT, kind, f"#{number}", whole_pages=type in SHAREABLE
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
    """Makes memory that was allocated for a device known to a context, which counts it and finds it by address."""
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


def owned(context: Context, ptr: int, origin: MemoryOrigin) -> Usm:
    """Returns the allocation that begins at an address and has an origin; raises `INVALID_ARGUMENT` for others."""
    usm = context.usm(pointer(ptr, "ptr"))
    if usm is None or usm.is_ending:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{ptr:#x} is not in an allocation of {context!r}")
    if usm.allocation.address != ptr:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{ptr:#x} is inside the allocation that begins at {usm.allocation.address:#x}",
        )
    if usm.origin is not origin:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"the memory at {ptr:#x} was {usm.origin.name.lower()}, not {origin.name.lower()}",
        )
    return usm


def free_when_unused(context: Context, usm: Usm) -> set[WorkQueue]:
    """Frees an allocation when all queues have done what is submitted now; returns the queues that have not done it
    yet.

    The set shrinks, with the machine locked, as queues finish; the allocation is freed when it is empty.
    """
    changed = context.machine.changed
    with changed:
        usm.is_ending = True
        pending: set[WorkQueue] = set()

        def end(stream: WorkQueue) -> None:
            pending.discard(stream)
            if not pending and context.usm(usm.allocation.address) is usm:
                context.release(usm)

        streams = {stream for device in context.devices for stream in device.processor.streams}
        pending.update(stream for stream in streams if not stream.idle)
        for stream in tuple(pending):
            stream.follow_locked(partial(end, stream))
        if not pending:
            context.release(usm)
        return pending
