"""The use of a device by commands, for the counters of its card."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from runtime import simulator
from runtime.card import DeviceWork, Meter
from runtime.simulator import profile as profiles
from runtime.ze.driver.execution.command_list import CommandList
from runtime.ze.driver.memory.operands import Operand
from runtime.ze.driver.modules.kernel import Kernel
from runtime.ze.driver.system.processor import CommandFault
from runtime.ze.driver.system.properties import pci_bandwidth
from runtime.ze.spec.enums import ze_command_queue_group_property_flags_t, ze_memory_type_t
from xegpu.targets import Target

if TYPE_CHECKING:
    from runtime.simulator import Dispatch, Memory, Statistics
    from runtime.simulator.profile import LaunchUse, Profile

_COMPUTE = ze_command_queue_group_property_flags_t.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE

_MOST_KEPT = 64


def require_not_reset(meter: Meter) -> None:
    """Raises `CommandFault` if another process has reset the card."""
    if meter.was_reset:
        raise CommandFault("the card was reset by system management")


def launch_work(kernel: Kernel, dispatch: Dispatch, done: Statistics, memory: Memory) -> DeviceWork:
    """Returns the work of a launch that did not count its instructions. The kernel keeps it for launches like this."""
    known = kernel.works
    key = (dispatch.group_count, dispatch.local_size, dispatch.slm_size, done.instructions)
    work = known.get(key)
    if work is None:
        if len(known) >= _MOST_KEPT:
            known.clear()
        use = profiles.approximate_use(kernel.executable, dispatch, done, simulator.allocated_bytes(memory.table()))
        work = known[key] = _work_of(use, kernel.description.target)
    return work


def profiled_work(profile: Profile) -> DeviceWork:
    """Returns the work of a launch that counted its instructions."""
    return _work_of(profiles.counted_use(profile), profile.target)


def _work_of(use: LaunchUse, target: Target) -> DeviceWork:
    energies = target.power.cycle_picojoules
    return DeviceWork(
        is_copy=False,
        kernels=1,
        core_cycles=use.core_cycles,
        other_seconds=use.memory_seconds,
        launch_cycles=use.launch_cycles,
        joules=sum(cycles * energies[pipe] for pipe, cycles in use.pipe_cycles.items()) / 1e12,
        read=use.read,
        written=use.written,
    )


def metered(
    command_list: CommandList, copy: Callable[[], None], size: int, to: Operand | None, source: Operand | None
) -> Callable[[], None]:
    """Returns a copy or fill that counts its bytes when it is done.

    Args:
        command_list: The list that it is appended to.
        copy: What it does.
        size: The number of its bytes.
        to: The memory that it writes; None for an image.
        source: The memory that it reads; None for an image, or if it reads none.
    """
    if not size:
        return copy
    device = command_list.device
    from_host, to_host = (_is_host(command_list, operand) for operand in (source, to))
    bandwidth = pci_bandwidth(device.target) if from_host or to_host else device.target.timing.memory_bandwidth // 2
    work = DeviceWork(
        is_copy=not device.queue_groups[command_list.ordinal].flags & _COMPUTE,
        other_seconds=size / bandwidth,
        read=0 if from_host or source is None else size,
        written=0 if to_host else size,
        received=size if from_host else 0,
        sent=size if to_host else 0,
    )

    def run() -> None:
        processor = device.processor
        is_heard = bool(processor.listeners)
        if is_heard and processor.skips:
            return
        copy()
        done = device.meter.count(work)
        if is_heard:
            processor.report(device, work, done, round(done.seconds * 1e9))

    return run


def _is_host(command_list: CommandList, operand: Operand | None) -> bool:
    """Returns whether an operand is in the memory of the host."""
    if not isinstance(operand, int):
        return operand is not None
    usm = command_list.context.usm(operand)
    return usm is not None and usm.type is ze_memory_type_t.ZE_MEMORY_TYPE_HOST
