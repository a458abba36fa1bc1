"""Launches of kernels (specification: Kernel)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from runtime.simulator import DeviceFault, Dispatch, Statistics
from runtime.simulator.profile import Profile
from runtime.ze.arguments import ArgumentValue, KernelArguments
from runtime.ze.command_list import CommandList
from runtime.ze.enums import ze_command_queue_group_property_flags_t
from runtime.ze.event import Event
from runtime.ze.handle import items, live, required, unsigned
from runtime.ze.kernel import Kernel
from runtime.ze.kernel_image import Size3
from runtime.ze.payload import POINTER_BYTES, Geometry
from runtime.ze.printf import PrintfBuffer
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.stream import CommandFault
from runtime.ze.structs import (
    ze_command_list_append_launch_kernel_param_cooperative_desc_t,
    ze_group_count_t,
    ze_group_size_t,
)


class Launch:
    """The work of one launch, complete when it is made: nothing done to the kernel later changes it.

    `statistics` is what the latest execution did, None before the first. With `counts` it counts instructions, from
    which follows how long the device takes.
    """

    __slots__ = ("_counts", "_dispatch", "_kernel", "statistics")

    def __init__(self, kernel: Kernel, dispatch: Dispatch, counts: bool) -> None:
        self._kernel = kernel
        self._dispatch = dispatch
        self._counts = counts
        self.statistics: Statistics | None = None

    def __call__(self) -> int | None:
        """Runs it; returns the nanoseconds that it takes on the device, if instructions are counted."""
        slot = self._kernel.image.layout.printf_buffer
        self.statistics = self._run(self._dispatch) if slot is None else self._run_printing(slot)
        profile = self.profile
        return None if profile is None else round(profile.estimate.seconds(self._kernel.module.device.target) * 1e9)

    def _run(self, dispatch: Dispatch) -> Statistics:
        simulator = self._kernel.module.device.simulator
        return simulator.run(self._kernel.image.executable, dispatch, counts=self._counts)

    def _run_printing(self, slot: int) -> Statistics:
        """Runs a kernel that prints, and writes what it has printed, even if it fails.

        The address of the buffer goes to byte `slot` of the cross-thread data.
        """
        image = self._kernel.image
        try:
            buffer = PrintfBuffer(self._kernel.module.device.simulator.memory, image.name, image.printf_strings)
        except MemoryError as error:
            raise CommandFault(f"kernel '{image.name}' prints, but there is no memory for that: {error}") from error
        data = bytearray(self._dispatch.cross_thread)
        data[slot : slot + POINTER_BYTES] = buffer.address.to_bytes(POINTER_BYTES, "little")
        try:
            return self._run(replace(self._dispatch, cross_thread=bytes(data)))
        except DeviceFault as fault:
            buffer.explain(fault)
            raise
        finally:
            buffer.flush()
            buffer.release()

    @property
    def profile(self) -> Profile | None:
        """The profile of the latest execution; None without one, and where instructions are not counted."""
        if self.statistics is None or not self._counts:
            return None
        return Profile(self._kernel.image.executable, self._dispatch, self.statistics)


def prepare_launch(
    command_list: CommandList,
    kernel: Kernel,
    arguments: KernelArguments,
    group_size: Size3,
    group_count: Size3,
    *,
    counts: bool,
) -> Launch:
    """A launch for a list, checked: both belong together, all arguments are set, shared local memory suffices.

    With `counts` it counts the instructions that it executes.
    """
    command_list.require_compute()
    module, image = kernel.module, kernel.image
    if not command_list.device.takes_from(module.device) or module.context is not command_list.context:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{kernel!r} and {command_list!r} differ in context or device"
        )
    arguments.require_complete()
    cross_thread, local_bytes = arguments.snapshot(Geometry(group_size, group_count, kernel.global_offset))
    available = module.device.compute.maxSharedLocalMemory - image.slm_size
    if local_bytes > available:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY,
            f"kernel '{image.name}': arguments take {local_bytes} bytes of local memory, {available} are left",
        )
    return Launch(kernel, Dispatch(group_count, group_size, cross_thread, local_bytes), counts)


def wants_time(hSignalEvent: Event | None) -> bool:
    """Whether the time that a launch takes on the device is asked for."""
    return hSignalEvent is not None and live(hSignalEvent, Event).timed


def grid_of(groups: ze_group_count_t) -> Size3:
    """The work-groups of a launch along each dimension, checked."""
    return (
        unsigned(groups.groupCountX, "groupCountX"),
        unsigned(groups.groupCountY, "groupCountY"),
        unsigned(groups.groupCountZ, "groupCountZ"),
    )


def _append(
    command_list: CommandList,
    kernel: Kernel,
    groups: Size3,
    hSignalEvent: Event | None,
    phWaitEvents: Sequence[Event] | None,
) -> None:
    timed = wants_time(hSignalEvent)
    launch = prepare_launch(command_list, kernel, kernel.arguments, kernel.group_size, groups, counts=timed)
    command_list.append(launch, hSignalEvent, phWaitEvents)


def zeCommandListAppendLaunchKernel(
    hCommandList: CommandList,
    hKernel: Kernel,
    pLaunchFuncArgs: ze_group_count_t,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Launch a grid of work-groups with the arguments and group size that the kernel has now.

    Raises invalid argument for an argument that is not set, and invalid command list type on a list that only copies.
    """
    command_list = live(hCommandList, CommandList)
    kernel = live(hKernel, Kernel)
    required(pLaunchFuncArgs, "pLaunchFuncArgs", ze_group_count_t)
    _append(command_list, kernel, grid_of(pLaunchFuncArgs), hSignalEvent, phWaitEvents)


def _require_cooperative(command_list: CommandList, kernel: Kernel, groups: Size3) -> None:
    """Raise invalid command list type or invalid argument for a launch whose groups are not on the device together."""
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
            f"{count} cooperative groups of kernel '{kernel.image.name}', the device holds {limit} at a time",
        )


_COOPERATIVE = ze_command_queue_group_property_flags_t.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS


def zeCommandListAppendLaunchCooperativeKernel(
    hCommandList: CommandList,
    hKernel: Kernel,
    pLaunchFuncArgs: ze_group_count_t,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Launch a grid whose work-groups are on the device together, so that they can wait for each other.

    Raises invalid argument for more than `zeKernelSuggestMaxCooperativeGroupCount` says.
    """
    command_list = live(hCommandList, CommandList)
    kernel = live(hKernel, Kernel)
    required(pLaunchFuncArgs, "pLaunchFuncArgs", ze_group_count_t)
    groups = grid_of(pLaunchFuncArgs)
    _require_cooperative(command_list, kernel, groups)
    _append(command_list, kernel, groups, hSignalEvent, phWaitEvents)


def zeCommandListAppendLaunchKernelWithParameters(
    hCommandList: CommandList,
    hKernel: Kernel,
    pGroupCounts: ze_group_count_t,
    pNext: object = None,
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """As `zeCommandListAppendLaunchKernel`, cooperative if `pNext` says so; other structures there are skipped."""
    command_list = live(hCommandList, CommandList)
    kernel = live(hKernel, Kernel)
    required(pGroupCounts, "pGroupCounts", ze_group_count_t)
    groups = grid_of(pGroupCounts)
    if isinstance(pNext, ze_command_list_append_launch_kernel_param_cooperative_desc_t) and pNext.isCooperative:
        _require_cooperative(command_list, kernel, groups)
    _append(command_list, kernel, groups, hSignalEvent, phWaitEvents)


def zeCommandListAppendLaunchKernelWithArguments(
    hCommandList: CommandList,
    hKernel: Kernel,
    groupCounts: ze_group_count_t,
    groupSizes: ze_group_size_t,
    pArguments: Sequence[ArgumentValue],
    hSignalEvent: Event | None = None,
    phWaitEvents: Sequence[Event] | None = None,
) -> None:
    """Launch a grid with arguments and group size of its own; what is set on the kernel is neither used nor changed.

    For local memory, the argument is its size in bytes.
    """
    command_list = live(hCommandList, CommandList)
    kernel = live(hKernel, Kernel)
    required(groupCounts, "groupCounts", ze_group_count_t)
    required(groupSizes, "groupSizes", ze_group_size_t)
    pArguments = items(pArguments, "pArguments")
    size = (groupSizes.groupSizeX, groupSizes.groupSizeY, groupSizes.groupSizeZ)
    kernel.require_group_size(size)
    arguments = KernelArguments(kernel.image)
    arguments.set_all(pArguments)
    counts, timed = grid_of(groupCounts), wants_time(hSignalEvent)
    launch = prepare_launch(command_list, kernel, arguments, size, counts, counts=timed)
    command_list.append(launch, hSignalEvent, phWaitEvents)
