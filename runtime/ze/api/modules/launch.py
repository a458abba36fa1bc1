"""Launches of kernels (specification: Kernel Launch)."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from math import prod
from typing import TYPE_CHECKING, TypeAlias

from runtime.ze.conversion import chained
from runtime.ze.declaration import Chapter, api
from runtime.ze.driver.execution.command_list import CommandList
from runtime.ze.driver.execution.event import Event
from runtime.ze.driver.execution.launch import IndirectLaunch, grid_of, prepare_launch, wants_time
from runtime.ze.driver.handle import items, live, required
from runtime.ze.driver.memory.operands import Operand, operand_bytes
from runtime.ze.driver.modules.arguments import ArgumentValue, KernelArguments
from runtime.ze.driver.modules.kernel import Kernel
from runtime.ze.spec.enums import ze_command_queue_group_property_flags_t
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import (
    ze_command_list_append_launch_kernel_param_cooperative_desc_t,
    ze_group_count_t,
    ze_group_size_t,
)
from xegpu.isa.model import Dim3
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_GRID = struct.Struct("<3I")

_COUNT = struct.Struct("<I")

_Bytes: TypeAlias = "Callable[[], NDArray[np.uint8]]"

_COOPERATIVE = ze_command_queue_group_property_flags_t.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS


def _checked(
    command_list: CommandList, kernel: Kernel, counts: ze_group_count_t, name: str
) -> tuple[CommandList, Kernel, Dim3]:
    """Returns the list, the kernel and the work-groups of a launch, checked; errors call `counts` by its `name`."""
    command_list, kernel = live(command_list, CommandList), live(kernel, Kernel)
    required(counts, name)
    return command_list, kernel, grid_of(counts)


def _append(
    command_list: CommandList,
    kernel: Kernel,
    groups: Dim3,
    hSignalEvent: Event | None,
    phWaitEvents: Sequence[Event] | None,
) -> None:
    timed = wants_time(hSignalEvent)
    launch = prepare_launch(command_list, kernel, kernel.arguments, kernel.group_size, groups, counts=timed)
    command_list.append(launch, hSignalEvent, phWaitEvents, launch.may_use)


@api(
    Chapter.LAUNCH,
    "OUT_OF_DEVICE_MEMORY INVALID_COMMAND_LIST_TYPE INVALID_SYNCHRONIZATION_OBJECT",
    pointers="pLaunchFuncArgs",
)
def zeCommandListAppendLaunchKernel(
    hCommandList: CommandList,
    hKernel: Kernel,
    pLaunchFuncArgs: ze_group_count_t,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends a launch of a kernel with the arguments and the group size that are set now.

    Raises:
        ZeError: `INVALID_ARGUMENT` for an argument that is not set, and `INVALID_COMMAND_LIST_TYPE` on a list that
            only copies.
    """
    command_list, kernel, groups = _checked(hCommandList, hKernel, pLaunchFuncArgs, "pLaunchFuncArgs")
    _append(command_list, kernel, groups, hSignalEvent, phWaitEvents)


def _require_cooperative(command_list: CommandList, kernel: Kernel, groups: Dim3) -> None:
    """Checks that all work-groups of a launch can be on the device at the same time.

    Raises:
        ZeError: `INVALID_COMMAND_LIST_TYPE` if the queue group has no cooperative kernels, `INVALID_ARGUMENT` for
            too many work-groups.
    """
    command_list.require_compute()
    if not command_list.device.queue_groups[command_list.ordinal].flags & _COOPERATIVE:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE,
            f"{command_list!r} is of queue group {command_list.ordinal}, which has no cooperative kernels",
        )
    count, limit = prod(groups), kernel.max_cooperative_groups
    if count > limit:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{count} cooperative groups of kernel '{kernel.description.name}', the device holds {limit} at a time",
        )


def _require_cooperative_if_asked(command_list: CommandList, kernel: Kernel, groups: Dim3, pNext: object) -> None:
    """Checks a launch that the extensions of its parameters make cooperative."""
    cooperative = chained(pNext, ze_command_list_append_launch_kernel_param_cooperative_desc_t)
    if cooperative is not None and cooperative.isCooperative:
        _require_cooperative(command_list, kernel, groups)


@api(
    Chapter.LAUNCH,
    "OUT_OF_DEVICE_MEMORY INVALID_COMMAND_LIST_TYPE INVALID_SYNCHRONIZATION_OBJECT",
    pointers="pLaunchFuncArgs",
)
def zeCommandListAppendLaunchCooperativeKernel(
    hCommandList: CommandList,
    hKernel: Kernel,
    pLaunchFuncArgs: ze_group_count_t,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends a launch whose work-groups are on the device at the same time, so that they can wait for each other.

    Raises:
        ZeError: `INVALID_ARGUMENT` for more work-groups than `zeKernelSuggestMaxCooperativeGroupCount` returns.
    """
    command_list, kernel, groups = _checked(hCommandList, hKernel, pLaunchFuncArgs, "pLaunchFuncArgs")
    _require_cooperative(command_list, kernel, groups)
    _append(command_list, kernel, groups, hSignalEvent, phWaitEvents)


def _numbers(command_list: CommandList, operand: Operand, size: int, name: str) -> _Bytes:
    """Returns a function that reads 32-bit numbers from memory when the command runs.

    Raises:
        ZeError: `INVALID_ARGUMENT` for an address that is not a multiple of 4.
    """
    required(operand, name)
    if isinstance(operand, int | np.integer) and operand % _COUNT.size:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{name} is {int(operand):#x}, expected a multiple of 4"
        )
    return operand_bytes(command_list.context, operand, size, name, writes=False)


@api(
    Chapter.LAUNCH,
    "OUT_OF_DEVICE_MEMORY INVALID_COMMAND_LIST_TYPE INVALID_SYNCHRONIZATION_OBJECT",
    pointers="pLaunchArgumentsBuffer",
    memory="pLaunchArgumentsBuffer[12]",
)
def zeCommandListAppendLaunchKernelIndirect(
    hCommandList: CommandList,
    hKernel: Kernel,
    pLaunchArgumentsBuffer: Operand,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends a launch whose numbers of work-groups are read from memory when the command runs."""
    command_list = live(hCommandList, CommandList)
    kernel = live(hKernel, Kernel)
    grid = _numbers(command_list, pLaunchArgumentsBuffer, _GRID.size, "pLaunchArgumentsBuffer")
    launch = IndirectLaunch(command_list, kernel, timed=wants_time(hSignalEvent))
    command_list.append(lambda: launch.run(_GRID.unpack(grid().data)), hSignalEvent, phWaitEvents)


@api(
    Chapter.LAUNCH,
    "OUT_OF_DEVICE_MEMORY INVALID_SIZE INVALID_COMMAND_LIST_TYPE INVALID_SYNCHRONIZATION_OBJECT",
    pointers="phKernels pCountBuffer pLaunchArgumentsBuffer",
    memory="pCountBuffer[4] pLaunchArgumentsBuffer[12*phKernels]",
)
def zeCommandListAppendLaunchMultipleKernelsIndirect(
    hCommandList: CommandList,
    phKernels: Sequence[Kernel],
    pCountBuffer: Operand,
    pLaunchArgumentsBuffer: Operand,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends launches of the first of several kernels, one after the other.

    Args:
        hCommandList: The list.
        phKernels: The kernels.
        pCountBuffer: The memory with the number of kernels to launch, read when the command runs.
        pLaunchArgumentsBuffer: The memory with the numbers of work-groups of each kernel, read when the command
            runs.
        hSignalEvent: The event that the last launch signals.
        phWaitEvents: The events that the first launch waits for.

    Raises:
        ZeError: `INVALID_SIZE` if there are no kernels.
    """
    command_list = live(hCommandList, CommandList)
    phKernels = items(phKernels, "phKernels")
    kernels = [live(kernel, Kernel) for kernel in phKernels]
    required(pCountBuffer, "pCountBuffer")
    required(pLaunchArgumentsBuffer, "pLaunchArgumentsBuffer")
    if not kernels:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, "there are no kernels to launch")
    wanted = _numbers(command_list, pCountBuffer, _COUNT.size, "pCountBuffer")
    size = _GRID.size * len(kernels)
    grids = _numbers(command_list, pLaunchArgumentsBuffer, size, "pLaunchArgumentsBuffer")
    timed = wants_time(hSignalEvent)
    launches = [IndirectLaunch(command_list, kernel, timed=timed) for kernel in kernels]

    def run() -> int | None:
        (count,) = _COUNT.unpack(wanted().data)
        data = bytes(grids())
        times = [launch.run(grid) for launch, grid in zip(launches[:count], _GRID.iter_unpack(data), strict=False)]
        known = [time for time in times if time is not None]
        return sum(known) if known else None

    command_list.append(run, hSignalEvent, phWaitEvents)


@api(
    Chapter.LAUNCH,
    "OUT_OF_DEVICE_MEMORY INVALID_COMMAND_LIST_TYPE INVALID_SYNCHRONIZATION_OBJECT",
    pointers="pGroupCounts",
    since=(1, 14),
)
def zeCommandListAppendLaunchKernelWithParameters(
    hCommandList: CommandList,
    hKernel: Kernel,
    pGroupCounts: ze_group_count_t,
    pNext: object = None,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends a launch as `zeCommandListAppendLaunchKernel` does; a cooperative one if `pNext` says so.

    Other structures in `pNext` are ignored.
    """
    command_list, kernel, groups = _checked(hCommandList, hKernel, pGroupCounts, "pGroupCounts")
    _require_cooperative_if_asked(command_list, kernel, groups, pNext)
    _append(command_list, kernel, groups, hSignalEvent, phWaitEvents)


@api(
    Chapter.LAUNCH,
    "OUT_OF_DEVICE_MEMORY INVALID_SIZE INVALID_COMMAND_LIST_TYPE INVALID_SYNCHRONIZATION_OBJECT "
    "INVALID_GROUP_SIZE_DIMENSION INVALID_KERNEL_ARGUMENT_SIZE",
    pointers="groupCounts groupSizes pArguments",
    since=(1, 14),
)
def zeCommandListAppendLaunchKernelWithArguments(
    hCommandList: CommandList,
    hKernel: Kernel,
    groupCounts: ze_group_count_t,
    groupSizes: ze_group_size_t,
    pArguments: Sequence[ArgumentValue],
    pNext: object = None,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Appends a launch with arguments and a group size of its own. The kernel's settings are neither used nor changed.

    For local memory, the argument is its size in bytes. The launch is cooperative if `pNext` says so.
    """
    command_list = live(hCommandList, CommandList)
    kernel = live(hKernel, Kernel)
    required(groupCounts, "groupCounts")
    required(groupSizes, "groupSizes")
    pArguments = items(pArguments, "pArguments")
    size = (groupSizes.groupSizeX, groupSizes.groupSizeY, groupSizes.groupSizeZ)
    kernel.require_group_size(size)
    arguments = KernelArguments(kernel.description)
    arguments.set_all(pArguments)
    counts, timed = grid_of(groupCounts), wants_time(hSignalEvent)
    _require_cooperative_if_asked(command_list, kernel, counts, pNext)
    launch = prepare_launch(command_list, kernel, arguments, size, counts, counts=timed)
    command_list.append(launch, hSignalEvent, phWaitEvents, launch.may_use)
