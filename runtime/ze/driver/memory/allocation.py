"""Device, host and shared allocations of a context."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from runtime.ze.driver.handle import pointer, unsigned
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.machine import FOREVER
from runtime.ze.driver.system.usm import MemoryOrigin, Usm
from runtime.ze.spec.enums import ze_memory_type_t
from runtime.ze.spec.results import ZeError, ze_result_t

if TYPE_CHECKING:
    from runtime.simulator import Allocation

DEFAULT_ALIGNMENT = 64

_ids = itertools.count(1)

_KINDS = {
    ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE: "device",
    ze_memory_type_t.ZE_MEMORY_TYPE_HOST: "host",
    ze_memory_type_t.ZE_MEMORY_TYPE_SHARED: "shared",
}

MAX_ALIGNMENT = 2 << 20
"""The largest alignment of an allocation, in bytes."""

SHAREABLE = (ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE, ze_memory_type_t.ZE_MEMORY_TYPE_HOST)
"""The types of memory that other processes can open."""


def _power_of_two(alignment: int) -> int:
    """Rounds an alignment up; the largest takes the place of what is larger."""
    return min(1 << (alignment - 1).bit_length(), MAX_ALIGNMENT) if alignment else 0


def next_id() -> int:
    """Returns a number that no other memory of the process has or had."""
    return next(_ids)


def allocate(
    context: Context, type: ze_memory_type_t, size: int, alignment: int, device: Device | None, home: Device | None
) -> int:
    """Allocates memory for a context and returns its address; `home` is the device whose local memory it takes, if any.

    The alignment is any number, and rounded up to a power of two. The memory has pages of its own, so that its address
    is no memory of the host any more once it is freed.

    Raises:
        ZeError: `OUT_OF_DEVICE_MEMORY`, or `OUT_OF_HOST_MEMORY` for memory without a home; `INVALID_ARGUMENT` for an
            alignment that is negative.
    """
    number, kind = next_id(), _KINDS[type]
    usm = Usm(context, number, type, size, device, home)
    context.settle()
    try:
        if home is not None:
            home.require_room(size)
        allocation = context.machine.memory.allocate(
            size,
            _power_of_two(unsigned(alignment, "alignment", 64)) or DEFAULT_ALIGNMENT,
            kind,
            f"#{number}",
            whole_pages=True,
            account=home,
            record=usm.recorded,
        )
    except MemoryError as error:
        result = (
            ze_result_t.ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
            if home is None
            else ze_result_t.ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY
        )
        raise ZeError(result, f"no room for {size} bytes of {kind} memory: {error}") from error
    return allocation.address


def adopt_memory(context: Context, device: Device, allocation: Allocation) -> Usm:
    """Makes memory that was allocated for a device known to a context, which counts it and finds it by address."""
    type = ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE
    usm = Usm(context, next_id(), type, allocation.size, device, home=device, origin=MemoryOrigin.LOADED)
    usm.allocation = allocation
    context.machine.memory.adopt(allocation, device, usm)
    device.charged()
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


def free_when_unused(context: Context, usm: Usm, *, waits: bool) -> None:
    """Frees an allocation when the commands that are submitted now and may use it have ended.

    Args:
        context: The context of the allocation.
        usm: The allocation.
        waits: True to return when it is freed.
    """
    users = context.users(usm.allocation)
    context.end(usm, users)
    if waits:
        context.machine.wait(lambda: not any(user.is_pending for user in users), FOREVER)
        context.settle()
