"""Fences (specification: Fence)."""

from __future__ import annotations

from runtime.ze.declaration import Chapter, api
from runtime.ze.dispatch import direct
from runtime.ze.driver.execution.command_queue import CommandQueue
from runtime.ze.driver.execution.fence import Fence
from runtime.ze.driver.handle import known_flags, live, required
from runtime.ze.driver.system.context import time_limit
from runtime.ze.driver.system.ending import destroy, wait_until_unused
from runtime.ze.driver.system.machine import FOREVER
from runtime.ze.spec.enums import ze_fence_flags_t
from runtime.ze.spec.results import ze_result_t
from runtime.ze.spec.structs import ze_fence_desc_t


@api(Chapter.FENCE, "DEVICE_LOST", pointers="desc", validated="INVALID_ENUMERATION")
def zeFenceCreate(hCommandQueue: CommandQueue, desc: ze_fence_desc_t) -> Fence:
    """Creates a fence for submissions to one queue; it is signaled if `desc.flags` say so."""
    queue = live(hCommandQueue, CommandQueue)
    queue.device.processor.require_available()
    required(desc, "desc")
    return Fence(queue, bool(known_flags(desc.flags, ze_fence_flags_t)))


@api(Chapter.FENCE, validated="HANDLE_OBJECT_IN_USE")
def zeFenceDestroy(hFence: Fence) -> None:
    """Destroys a fence. What was submitted with it is executed."""
    destroy(hFence, Fence)


@api(Chapter.FENCE, "NOT_READY DEVICE_LOST")
def zeFenceHostSynchronize(hFence: Fence, timeout: int = FOREVER) -> ze_result_t:
    """Waits at most `timeout` nanoseconds until a fence is signaled; `UINT32_MAX` as for `zeCommandQueueSynchronize`.

    Returns:
        `ZE_RESULT_SUCCESS`, or `ZE_RESULT_NOT_READY` after the time-out.

    Raises:
        ZeError: `DEVICE_LOST`.
    """
    fence = live(hFence, Fence)
    done = fence.wait(time_limit(fence.queue.context, timeout))
    return ze_result_t.ZE_RESULT_SUCCESS if done else ze_result_t.ZE_RESULT_NOT_READY


@api(Chapter.FENCE, "NOT_READY DEVICE_LOST")
def zeFenceQueryStatus(hFence: Fence) -> ze_result_t:
    """Returns `ZE_RESULT_SUCCESS` if a fence is signaled, else `ZE_RESULT_NOT_READY`."""
    return direct(zeFenceHostSynchronize)(hFence, 0)


@api(Chapter.FENCE, validated="HANDLE_OBJECT_IN_USE")
def zeFenceReset(hFence: Fence) -> None:
    """Resets a fence, so that it can be submitted again. A submission that does not end signals it nevertheless."""
    fence = live(hFence, Fence)
    wait_until_unused(fence)
    fence.reset()
