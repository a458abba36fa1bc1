"""Prefetch and advice (specification: Memory Hints). Simulated memory is one, so hints have no effect."""

from __future__ import annotations

from runtime.ze.command_list import CommandList
from runtime.ze.device import Device
from runtime.ze.enums import ze_memory_advice_t
from runtime.ze.handle import enumerator, live, pointer, unsigned
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.stream import do_nothing


def _check_range(command_list: CommandList, ptr: int, size: int) -> None:
    usm = command_list.context.usm(pointer(ptr, "ptr"))
    if usm is None or ptr + unsigned(size, "size", 64) > usm.allocation.address + usm.size:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{size} bytes at {ptr:#x} are not inside of one allocation of {command_list.context!r}",
        )


def zeCommandListAppendMemoryPrefetch(hCommandList: CommandList, ptr: int, size: int) -> None:
    """Move shared memory to the list's device ahead of its use. Raises invalid argument for memory that is unknown."""
    command_list = live(hCommandList, CommandList)
    _check_range(command_list, ptr, size)
    command_list.append(do_nothing)


def zeCommandListAppendMemAdvise(hCommandList: CommandList, hDevice: Device, ptr: int, size: int, advice: int) -> None:
    """Say how a device will use shared memory. Raises invalid argument for memory that is unknown."""
    command_list = live(hCommandList, CommandList)
    device = live(hDevice, Device)
    pointer(ptr, "ptr")
    enumerator(advice, ze_memory_advice_t)
    command_list.context.device(device)
    _check_range(command_list, ptr, size)
    command_list.append(do_nothing)
