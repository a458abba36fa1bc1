"""Devices: discovery, properties, status, time (specification: Device)."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cached_property
from typing import ClassVar

from runtime.simulator import Memory, Simulator
from runtime.ze import properties
from runtime.ze.enums import ze_device_p2p_property_flags_t as p2p_flags
from runtime.ze.handle import Handle, live
from runtime.ze.machine import FOREVER, Machine
from runtime.ze.processor import TICK_BITS, Processor
from runtime.ze.results import ze_result_t
from runtime.ze.structs import (
    ze_command_queue_group_properties_t,
    ze_device_cache_properties_t,
    ze_device_compute_properties_t,
    ze_device_external_memory_properties_t,
    ze_device_image_properties_t,
    ze_device_memory_access_properties_t,
    ze_device_memory_properties_t,
    ze_device_module_properties_t,
    ze_device_p2p_properties_t,
    ze_device_properties_t,
)
from xegpu.targets import Target

SimulatorFactory = Callable[[Target, Memory], Simulator]


class Device(Handle):
    """A simulated GPU of one driver. `local_bytes` counts what its own memory holds."""

    noun: ClassVar[str] = "device"

    def __init__(self, driver: Handle, machine: Machine, target: Target, make_simulator: SimulatorFactory) -> None:
        super().__init__(driver)
        self.machine = machine
        self.target = target
        self.processor = Processor(machine, target.name)
        self._make_simulator = make_simulator
        self.local_bytes = 0
        self.properties = properties.device(target)
        self.compute = properties.compute(target)
        self.queue_groups = properties.queue_groups(target)

    @cached_property
    def simulator(self) -> Simulator:
        """What executes kernels; made when first needed, as listing devices needs none."""
        return self._make_simulator(self.target, self.machine.memory)


def zeDeviceGetSubDevices(hDevice: Device) -> list[Device]:
    """The tiles of a device; simulated devices have one tile each and therefore no sub-devices."""
    live(hDevice, Device)
    return []


def zeDeviceGetRootDevice(hDevice: Device) -> Device | None:
    """The device that a sub-device belongs to; None for a root device."""
    live(hDevice, Device)
    return None


def zeDeviceGetProperties(hDevice: Device) -> ze_device_properties_t:
    """Identity, clocks and topology."""
    return live(hDevice, Device).properties


def zeDeviceGetComputeProperties(hDevice: Device) -> ze_device_compute_properties_t:
    """Limits of work-groups and sub-group sizes."""
    return live(hDevice, Device).compute


def zeDeviceGetModuleProperties(hDevice: Device) -> ze_device_module_properties_t:
    """What modules may use."""
    return properties.module(live(hDevice, Device).target)


def zeDeviceGetCommandQueueGroupProperties(hDevice: Device) -> list[ze_command_queue_group_properties_t]:
    """The queue groups; a group's place in the list is its `ordinal`."""
    return list(live(hDevice, Device).queue_groups)


def zeDeviceGetMemoryProperties(hDevice: Device) -> list[ze_device_memory_properties_t]:
    """The local memories; a memory's place in the list is its `ordinal` in allocations."""
    return [properties.memory(live(hDevice, Device).target)]


def zeDeviceGetMemoryAccessProperties(hDevice: Device) -> ze_device_memory_access_properties_t:
    """How each kind of allocation may be accessed."""
    live(hDevice, Device)
    return properties.MEMORY_ACCESS


def zeDeviceGetCacheProperties(hDevice: Device) -> list[ze_device_cache_properties_t]:
    """The caches: one entry, the last level."""
    return [properties.cache(live(hDevice, Device).target)]


def zeDeviceGetImageProperties(hDevice: Device) -> ze_device_image_properties_t:
    """Limits of images: zeros on a device without images."""
    return properties.image(live(hDevice, Device).target)


def zeDeviceGetExternalMemoryProperties(hDevice: Device) -> ze_device_external_memory_properties_t:
    """How memory can be shared with other APIs: not at all."""
    live(hDevice, Device)
    return ze_device_external_memory_properties_t()


def zeDeviceGetP2PProperties(hDevice: Device, hPeerDevice: Device) -> ze_device_p2p_properties_t:
    """What a device may do with the memory of another."""
    flags = p2p_flags.ZE_DEVICE_P2P_PROPERTY_FLAG_ACCESS | p2p_flags.ZE_DEVICE_P2P_PROPERTY_FLAG_ATOMICS
    return ze_device_p2p_properties_t(flags if zeDeviceCanAccessPeer(hDevice, hPeerDevice) else p2p_flags(0))


def zeDeviceCanAccessPeer(hDevice: Device, hPeerDevice: Device) -> bool:
    """Whether a device may access another one's memory: all devices of a driver may."""
    return live(hDevice, Device).machine is live(hPeerDevice, Device).machine


def zeDeviceGetStatus(hDevice: Device) -> ze_result_t:
    """Success, or device lost after a fault."""
    lost = live(hDevice, Device).processor.lost
    return ze_result_t.ZE_RESULT_ERROR_DEVICE_LOST if lost else ze_result_t.ZE_RESULT_SUCCESS


def zeDeviceGetGlobalTimestamps(hDevice: Device) -> tuple[int, int]:
    """Host time in nanoseconds and device time in ticks, sampled together."""
    ticks = live(hDevice, Device).processor.tick()
    return time.monotonic_ns(), ticks & ((1 << TICK_BITS) - 1)


def zeDeviceSynchronize(hDevice: Device) -> None:
    """Wait for everything submitted to any queue or immediate list of the device; raises device lost."""
    processor = live(hDevice, Device).processor
    processor.wait(lambda: processor.idle, FOREVER)
