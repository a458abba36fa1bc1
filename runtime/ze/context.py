"""Contexts: owners of memory and of every other object (specification: Context)."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import ClassVar, Protocol

from runtime.simulator import Allocation
from runtime.ze import mapping
from runtime.ze.device import Device
from runtime.ze.driver import Driver
from runtime.ze.enums import ze_context_flags_t, ze_memory_type_t
from runtime.ze.handle import Handle, flag_set, items, live, pointer, required, unsigned
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.structs import ze_context_desc_t


class MemoryOrigin(Enum):
    """Where memory comes from, and so how it ends.

    By `zeMemFree`, `zeMemCloseIpcHandle`, `zeVirtualMemUnmap`, and with its module.
    """

    ALLOCATED = auto()
    OPENED = auto()
    MAPPED = auto()
    LOADED = auto()


@dataclass(eq=False)
class Usm:
    """One allocation of unified shared memory; `size` as requested, `device` None where it belongs to no device.

    `home` is the device whose local memory it takes. `shared_file` is the file that holds it, once other processes can
    open it; `mapped` are address and size of what is to be unmapped at the end. `is_ending` tells that it is freed as
    soon as no command can use it any more.
    """

    id: int
    type: ze_memory_type_t
    size: int
    device: Device | None
    allocation: Allocation
    home: Device | None = None
    origin: MemoryOrigin = MemoryOrigin.ALLOCATED
    shared_file: int | None = None
    mapped: tuple[int, int] | None = None
    is_ending: bool = False


class Reservation(Protocol):
    """A range of addresses that the application maps memory to."""

    def release(self) -> None:
        """Give the addresses up, with what is mapped there."""


class Context(Handle):
    """Owner of the objects made from it, restricted to `devices`."""

    noun: ClassVar[str] = "context"

    def __init__(self, driver: Driver, devices: Sequence[Device]) -> None:
        super().__init__(driver)
        self.driver = driver
        self.machine = driver.machine
        self.devices = tuple(devices)
        self.reservations: dict[int, Reservation] = {}
        """Ranges of addresses by the first one."""
        self._usm: dict[int, Usm] = {}

    def device(self, hDevice: Device) -> Device:
        """`hDevice`, checked to be one of the context's and not lost."""
        device = live(hDevice, Device)
        if device not in self.devices and device.card not in self.devices:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{device!r} is not part of {self!r}")
        device.processor.require_available()
        return device

    def adopt(self, usm: Usm) -> None:
        """Take over an allocation of the machine's memory."""
        self._usm[usm.allocation.address] = usm
        self._account(usm, usm.size)

    def release(self, usm: Usm) -> None:
        """Give an allocation back."""
        del self._usm[usm.allocation.address]
        self._account(usm, -usm.size)
        self.machine.memory.free(usm.allocation)
        if usm.mapped is not None:
            mapping.release(*usm.mapped)
        if usm.shared_file is not None:
            os.close(usm.shared_file)

    def release_all(self) -> None:
        """Give everything back that is left."""
        for reservation in list(self.reservations.values()):
            reservation.release()
        for usm in list(self._usm.values()):
            self.release(usm)

    def _account(self, usm: Usm, size: int) -> None:
        if usm.home is not None:
            with self.machine.changed:
                usm.home.local_bytes += size

    def usm(self, address: int) -> Usm | None:
        """The context's allocation that `address` lies in."""
        allocation = self.machine.memory.find(address)
        return None if allocation is None else self._usm.get(allocation.address)


def zeContextCreate(hDriver: Driver, desc: ze_context_desc_t) -> Context:
    """A context for all devices of the driver."""
    return zeContextCreateEx(hDriver, desc, ())


def zeContextCreateEx(hDriver: Driver, desc: ze_context_desc_t, phDevices: Sequence[Device] = ()) -> Context:
    """A context for `phDevices`, for all devices of the driver if there are none."""
    driver = live(hDriver, Driver)
    required(desc, "desc", ze_context_desc_t)
    flag_set(desc.flags, ze_context_flags_t)
    devices = [live(device, Device) for device in items(phDevices, "phDevices")]
    for device in devices:
        if device not in driver.devices and device.card not in driver.devices:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{device!r} is not one of {driver!r}")
    return Context(driver, devices or driver.devices)


def zeContextDestroy(hContext: Context) -> None:
    """Destroy a context and free the memory left in it; raises object in use while other objects live."""
    context = live(hContext, Context)
    context.retire()
    context.release_all()


def zeContextGetStatus(hContext: Context) -> ze_result_t:
    """Success, or device lost when a device of the context is."""
    lost = any(device.processor.lost for device in live(hContext, Context).devices)
    return ze_result_t.ZE_RESULT_ERROR_DEVICE_LOST if lost else ze_result_t.ZE_RESULT_SUCCESS


_default_contexts: dict[Driver, Context] = {}
_default_lock = threading.Lock()


def zeDriverGetDefaultContext(hDriver: Driver) -> Context:
    """The context that a driver offers to those who want none of their own."""
    driver = live(hDriver, Driver)
    with _default_lock:
        context = _default_contexts.get(driver)
        if context is None or not context.alive:
            context = _default_contexts[driver] = Context(driver, driver.devices)
        return context


def zeContextSystemBarrier(hContext: Context, hDevice: Device) -> None:
    """Make writes from outside visible to a device: they always are."""
    live(hContext, Context).device(hDevice)


def _resident_range(hContext: Context, hDevice: Device, ptr: int, size: int) -> None:
    context = live(hContext, Context)
    context.device(hDevice)
    usm = context.usm(pointer(ptr, "ptr"))
    if usm is None or ptr + unsigned(size, "size", 64) > usm.allocation.address + usm.size:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{ptr:#x} and {size} bytes are no memory of {context!r}"
        )


def zeContextMakeMemoryResident(hContext: Context, hDevice: Device, ptr: int, size: int) -> None:
    """Keep memory on a device; simulated memory always is."""
    _resident_range(hContext, hDevice, ptr, size)


def zeContextEvictMemory(hContext: Context, hDevice: Device, ptr: int, size: int) -> None:
    """Let memory go from a device; simulated memory always stays."""
    _resident_range(hContext, hDevice, ptr, size)
