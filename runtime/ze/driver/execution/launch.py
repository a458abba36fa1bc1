"""Launches of kernels: checks, execution and profile."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING

from runtime import simulator
from runtime.simulator import profile as profiles
from runtime.ze.driver.execution.command_list import CommandList
from runtime.ze.driver.execution.event import Event
from runtime.ze.driver.execution.launch_memory import launch_memory
from runtime.ze.driver.execution.metering import launch_work, profiled_work, require_not_reset
from runtime.ze.driver.handle import live, unsigned
from runtime.ze.driver.modules.arguments import KernelArguments, PreparedLaunch
from runtime.ze.driver.modules.kernel import Kernel
from runtime.ze.driver.modules.payload import Geometry
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.processor import CommandFault
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import ze_group_count_t

if TYPE_CHECKING:
    from runtime.simulator import Dispatch, Statistics
    from runtime.simulator.profile import Profile
    from xegpu.isa.model import Dim3

_NO_GROUPS: Dim3 = (0, 0, 0)


class IndirectLaunch:
    """A launch whose numbers of work-groups are in memory. It keeps the kernel's settings of when it is made."""

    def __init__(self, command_list: CommandList, kernel: Kernel, *, timed: bool) -> None:
        self._device = command_list.device
        self._kernel = kernel
        self._arguments = kernel.arguments.copy()
        self._size = kernel.group_size
        self._offset = kernel.global_offset
        self._timed = timed
        prepare_launch(command_list, kernel, self._arguments, self._size, _NO_GROUPS, counts=False)

    def run(self, grid: Dim3) -> int | None:
        cross_thread, local_bytes = self._arguments.snapshot(Geometry(self._size, grid, self._offset))
        dispatch = simulator.Dispatch(grid, self._size, cross_thread, local_bytes, global_offset=self._offset)
        dispatch = self._kernel.supply(dispatch)
        return Launch(self._device, self._kernel, dispatch, self._timed, frozenset())()


class Launch:
    """The work of one launch. It is complete when it is made: later settings of the kernel do not change it.

    `statistics` is what the latest execution did, None before the first. With `counts` it counts instructions, from
    which the time on the device follows; it counts also while anybody measures what the device does.
    """

    __slots__ = ("_clock_mhz", "_counts", "_device", "_dispatch", "_kernel", "_pointers", "statistics")

    def __init__(
        self, device: Device, kernel: Kernel, dispatch: Dispatch, counts: bool, pointers: frozenset[int]
    ) -> None:
        self._device = device
        self._pointers = pointers
        self._kernel = kernel
        self._dispatch = dispatch
        self._counts = counts or kernel.module.context.machine.profiler is not None
        self._clock_mhz: float | None = None
        self.statistics: Statistics | None = None

    def __call__(self) -> int | None:
        """Runs the kernel; returns the nanoseconds that it takes on the device if instructions are counted."""
        kernel, machine = self._kernel, self._kernel.module.context.machine
        meter, processor = self._device.meter, self._device.processor
        require_not_reset(meter)
        if processor.listeners and processor.skips:
            return None
        self.statistics = done = self._run()
        if done.counts is None:
            self._clock_mhz = meter.count(launch_work(kernel, self._dispatch, done, machine.memory)).clock_mhz
            return None
        work = profiled_work(self._profile_of(done))
        executed = meter.count(work)
        self._clock_mhz = executed.clock_mhz
        profile = self._profile_of(done)
        if self._counts and machine.profiler is not None:
            machine.profiler(profile)
        nanoseconds = round(profile.seconds * 1e9)
        if processor.listeners:
            processor.report(self._device, work, executed, nanoseconds, profile)
        return nanoseconds

    def may_use(self, addresses: range) -> bool:
        """Returns whether the kernel may use memory: through an argument, or a pointer that it finds in memory."""
        if self._kernel.indirect_access:
            return True
        return any(address in addresses for address in self._pointers)

    def _run(self) -> Statistics:
        if not self._kernel.launch_memory:
            return self._execute(self._dispatch)
        with launch_memory(self._kernel, self._dispatch) as dispatch:
            return self._execute(dispatch)

    def _execute(self, dispatch: Dispatch) -> Statistics:
        device = self._kernel.module.device
        try:
            counts = self._counts or bool(self._device.processor.listeners)
            return device.simulator.run(self._kernel.executable, dispatch, counts=counts)
        except simulator.LaunchRefused as error:
            raise CommandFault(str(error)) from error

    @property
    def profile(self) -> Profile | None:
        """The profile of the latest execution; None before the first, and if instructions are not counted."""
        done = self.statistics
        return None if done is None or done.counts is None else self._profile_of(done)

    def _profile_of(self, done: Statistics) -> Profile:
        return profiles.Profile(self._kernel.executable, self._dispatch, done, self._clock_mhz)


def prepare_launch(
    command_list: CommandList,
    kernel: Kernel,
    arguments: KernelArguments,
    group_size: Dim3,
    group_count: Dim3,
    *,
    counts: bool,
    part: tuple[int, int] | None = None,
) -> Launch:
    """Returns a launch for a list. Checks of the latest one with these arguments hold for others like it.

    Args:
        command_list: The list that the launch will be appended to.
        kernel: The kernel.
        arguments: The arguments, which are copied.
        group_size: Work-items (or subgroups) of a work-group, `(x, y, z)`.
        group_count: Work-groups, `(x, y, z)`.
        counts: True to count the instructions that it executes.
        part: The work-groups that run, if not all.

    Raises:
        ZeError: `INVALID_COMMAND_LIST_TYPE` if the list only copies, `INVALID_ARGUMENT` if kernel and list differ
            in context or device, an argument is not set, or there are too many work-groups, `OUT_OF_DEVICE_MEMORY`
            if there is not enough shared local memory.
    """
    form = (command_list.id, kernel.id, group_size, group_count, kernel.global_offset)
    known = arguments.prepared
    if known is not None and known.form == form:
        return Launch(command_list.device, kernel, _part_of(known.dispatch, part), counts, known.pointers)
    command_list.require_compute()
    module = kernel.module
    if not command_list.device.takes_from(module.device) or not command_list.context.takes_from(module.context):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"{kernel!r} is of another driver or device than {command_list!r}",
        )
    if prod(group_count) > simulator.MOST_GROUPS:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT,
            f"kernel '{kernel.description.name}': {prod(group_count)} work-groups, "
            f"a launch has at most {simulator.MOST_GROUPS}",
        )
    arguments.require_complete()
    cross_thread, local_bytes = arguments.snapshot(Geometry(group_size, group_count, kernel.global_offset))
    available = module.device.compute.maxSharedLocalMemory - kernel.facts.slm_size
    if local_bytes > available:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY,
            f"kernel '{kernel.description.name}': arguments take {local_bytes} bytes of local memory, "
            f"{available} are left",
        )
    dispatch = simulator.Dispatch(
        group_count, group_size, cross_thread, local_bytes, global_offset=kernel.global_offset
    )
    dispatch = kernel.supply(dispatch)
    made = arguments.prepared = PreparedLaunch(form, dispatch, arguments.addresses)
    return Launch(command_list.device, kernel, _part_of(made.dispatch, part), counts, made.pointers)


def _part_of(dispatch: Dispatch, part: tuple[int, int] | None) -> Dispatch:
    return dispatch if part is None else replace(dispatch, part=part)


def wants_time(hSignalEvent: Event | None) -> bool:
    """Returns whether the signaled event asks for the time that a launch takes on the device."""
    return hSignalEvent is not None and live(hSignalEvent, Event).timed


def grid_of(groups: ze_group_count_t) -> Dim3:
    """Returns the work-groups of a launch along each dimension, checked."""
    return (
        unsigned(groups.groupCountX, "groupCountX"),
        unsigned(groups.groupCountY, "groupCountY"),
        unsigned(groups.groupCountZ, "groupCountZ"),
    )
