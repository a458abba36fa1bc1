"""Functions that specification 0.91 has under the same names, but without a context: their objects belong to the
driver's default context.

A queue of 0.91 is described by what it can do (`COPY_ONLY`) and the number of an engine, one of 1.x by a group and an
index in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from runtime.ze.api.commands.command_list import (
    zeCommandListCreate as currentCommandListCreate,
    zeCommandListCreateImmediate as currentCommandListCreateImmediate,
)
from runtime.ze.api.commands.command_queue import zeCommandQueueCreate as currentCommandQueueCreate
from runtime.ze.api.commands.event import (
    zeEventPoolCreate as currentEventPoolCreate,
    zeEventPoolOpenIpcHandle as currentEventPoolOpenIpcHandle,
)
from runtime.ze.api.images.image import zeImageCreate as currentImageCreate
from runtime.ze.api.images.sampler import zeSamplerCreate as currentSamplerCreate
from runtime.ze.api.modules.module import zeModuleCreate as currentModuleCreate
from runtime.ze.declaration import older_form
from runtime.ze.driver.execution.command_list import CommandList
from runtime.ze.driver.execution.command_queue import CommandQueue
from runtime.ze.driver.execution.event import EventPool
from runtime.ze.driver.handle import live, require_version
from runtime.ze.driver.images.image import Image
from runtime.ze.driver.images.sampler import Sampler
from runtime.ze.driver.modules.build import ModuleBuildLog
from runtime.ze.driver.modules.module import Module
from runtime.ze.driver.system.context import default_context, default_context_of
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.driver import Driver
from runtime.ze.spec.enums import ze_command_queue_group_property_flags_t
from runtime.ze.spec.seed import ze_command_list_flag_t, ze_command_queue_flag_t
from runtime.ze.spec.structs import (
    ze_command_list_desc_t,
    ze_command_queue_desc_t,
    ze_event_pool_desc_t,
    ze_image_desc_t,
    ze_module_desc_t,
    ze_sampler_desc_t,
)

_COMPUTE = ze_command_queue_group_property_flags_t.ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE


def _copy_group(device: Device) -> int:
    """Returns the first group that only copies, or the first one if all compute."""
    groups = enumerate(device.queue_groups)
    return next((number for number, group in groups if not group.flags & _COMPUTE), 0)


def _queue_of_group(device: Device, desc: ze_command_queue_desc_t) -> ze_command_queue_desc_t:
    """Returns the description in 1.x of a queue that 0.91 describes."""
    require_version(desc)
    group = _copy_group(device) if desc.flags & ze_command_queue_flag_t.ZE_COMMAND_QUEUE_FLAG_COPY_ONLY else 0
    index = 0 if desc.flags & ze_command_queue_flag_t.ZE_COMMAND_QUEUE_FLAG_LOGICAL_ONLY else desc.ordinal
    return replace(desc, ordinal=group, index=index, flags=desc.flags & ~_QUEUE_FLAGS)


_QUEUE_FLAGS = sum(ze_command_queue_flag_t)
_LIST_FLAGS = int(ze_command_list_flag_t.ZE_COMMAND_LIST_FLAG_COPY_ONLY)


@older_form(currentCommandQueueCreate)
def zeCommandQueueCreate(hDevice: Device, desc: ze_command_queue_desc_t) -> CommandQueue:
    """Creates a queue on a device."""
    device = live(hDevice, Device)
    return currentCommandQueueCreate(default_context_of(device), device, desc and _queue_of_group(device, desc))


@older_form(currentCommandListCreate)
def zeCommandListCreate(hDevice: Device, desc: ze_command_list_desc_t) -> CommandList:
    """Creates an open, empty list, for queues that only copy if it has the flag."""
    device = live(hDevice, Device)
    if desc:
        require_version(desc)
        if desc.flags & _LIST_FLAGS:
            desc = replace(desc, commandQueueGroupOrdinal=_copy_group(device), flags=desc.flags & ~_LIST_FLAGS)
    return currentCommandListCreate(default_context_of(device), device, desc)


@older_form(currentCommandListCreateImmediate)
def zeCommandListCreateImmediate(hDevice: Device, altdesc: ze_command_queue_desc_t) -> CommandList:
    """Creates a list that submits each command as it is appended."""
    device = live(hDevice, Device)
    described = altdesc and _queue_of_group(device, altdesc)
    return currentCommandListCreateImmediate(default_context_of(device), device, described)


@older_form(currentEventPoolCreate)
def zeEventPoolCreate(
    hDriver: Driver, desc: ze_event_pool_desc_t, phDevices: Sequence[Device] | None = ()
) -> EventPool:
    """Creates a pool of `desc.count` events for `phDevices`; for all devices of the driver without any."""
    context = default_context(live(hDriver, Driver))
    require_version(desc)
    return currentEventPoolCreate(context, desc, phDevices)


@older_form(currentEventPoolOpenIpcHandle)
def zeEventPoolOpenIpcHandle(hDriver: Driver, hIpc: bytes) -> EventPool:
    """Opens the pool of an IPC handle."""
    return currentEventPoolOpenIpcHandle(default_context(live(hDriver, Driver)), hIpc)


@older_form(currentImageCreate)
def zeImageCreate(hDevice: Device, desc: ze_image_desc_t) -> Image:
    """Creates an image with undefined texels."""
    device = live(hDevice, Device)
    require_version(desc)
    return currentImageCreate(default_context_of(device), device, desc)


@older_form(currentModuleCreate)
def zeModuleCreate(hDevice: Device, desc: ze_module_desc_t) -> tuple[Module, ModuleBuildLog]:
    """Creates a module from a ZEBIN, from SPIR-V or from MLIR text, and returns it with its build log."""
    device = live(hDevice, Device)
    require_version(desc)
    return currentModuleCreate(default_context_of(device), device, desc)


@older_form(currentSamplerCreate)
def zeSamplerCreate(hDevice: Device, desc: ze_sampler_desc_t) -> Sampler:
    """Creates a sampler for kernels of a device."""
    device = live(hDevice, Device)
    require_version(desc)
    return currentSamplerCreate(default_context_of(device), device, desc)
