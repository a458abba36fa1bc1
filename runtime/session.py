"""The Level Zero objects behind one `Device`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from runtime.host_memory import HostMemory
from runtime.ze.command_list import CommandList, zeCommandListCreateImmediate
from runtime.ze.context import Context, zeContextCreate
from runtime.ze.device import Device as DeviceHandle
from runtime.ze.driver import Driver, zeDeviceGet
from runtime.ze.enums import ze_command_queue_mode_t
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.structs import ze_command_queue_desc_t, ze_context_desc_t


@dataclass(frozen=True, eq=False)
class Session:
    """A context on a device of its own, and an immediate list whose appends return when they are done."""

    device: DeviceHandle
    context: Context
    commands: CommandList
    host_memory: HostMemory
    profiles: bool = False
    """Whether launches count their instructions."""

    def execute(self, append: Callable[[], None]) -> None:
        """Call `append`, which appends to `commands`; a fault does not spoil the device for the next call."""
        try:
            append()
        except ZeError as error:
            if error.result is ze_result_t.ZE_RESULT_ERROR_DEVICE_LOST:
                self.device.processor.recover()
            raise


def open_session(driver: Driver, *, profiles: bool = False) -> Session:
    """A session on the only device of a driver."""
    (device,) = zeDeviceGet(driver)
    context = zeContextCreate(driver, ze_context_desc_t())
    mode = ze_command_queue_mode_t.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
    commands = zeCommandListCreateImmediate(context, device, ze_command_queue_desc_t(mode=mode))
    return Session(device, context, commands, HostMemory(context.machine.memory), profiles)
