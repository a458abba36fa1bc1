"""Contexts: owners of memory and of every other object."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import ClassVar

from runtime.ze.driver.handle import Handle, live
from runtime.ze.driver.memory import mapping
from runtime.ze.driver.memory.usm import Reservation, Usm
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.driver import Driver
from runtime.ze.spec.results import ZeError, ze_result_t


class Context(Handle):
    """The owner of the objects that are created in it, for some `devices` of a driver."""

    noun: ClassVar[str] = "context"

    def __init__(self, driver: Driver, devices: Sequence[Device]) -> None:
        super().__init__(driver)
        self.driver = driver
        self.machine = driver.machine
        self.devices = tuple(devices)
        self.reservations: dict[int, Reservation] = {}
        """Reservations of addresses, by their first address."""
        self._usm: dict[int, Usm] = {}

    def device(self, hDevice: Device) -> Device:
        """Returns `hDevice` if it belongs to the context and is not lost, and raises `ZeError` otherwise."""
        device = live(hDevice, Device)
        if device not in self.devices and device.card not in self.devices:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{device!r} is not part of {self!r}")
        device.processor.require_available()
        return device

    def adopt(self, usm: Usm) -> None:
        """Makes an allocation of the machine's memory one of the context's, and counts it."""
        self._usm[usm.allocation.address] = usm
        self._account(usm, usm.size)

    def release(self, usm: Usm) -> None:
        """Frees an allocation, with its mapping and its file."""
        del self._usm[usm.allocation.address]
        self._account(usm, -usm.size)
        self.machine.memory.free(usm.allocation)
        if usm.mapped is not None:
            mapping.release(*usm.mapped)
        if usm.shared_file is not None:
            os.close(usm.shared_file)

    def release_all(self) -> None:
        """Frees all allocations and reservations that are left."""
        for reservation in list(self.reservations.values()):
            reservation.release()
        for usm in list(self._usm.values()):
            self.release(usm)

    def _account(self, usm: Usm, size: int) -> None:
        if usm.home is not None:
            with self.machine.changed:
                usm.home.local_bytes += size

    def usm(self, address: int) -> Usm | None:
        """Returns the context's allocation that contains `address`; None if there is none."""
        allocation = self.machine.memory.find(address)
        return None if allocation is None else self._usm.get(allocation.address)


_default_contexts: dict[Driver, Context] = {}

_default_lock = threading.Lock()


def default_context(driver: Driver) -> Context:
    """Returns the context for all devices that belongs to the driver; it is created with the first call."""
    with _default_lock:
        context = _default_contexts.get(driver)
        if context is None or not context.alive:
            context = _default_contexts[driver] = Context(driver, driver.devices)
        return context


def default_context_of(hDevice: Device) -> Context:
    """Returns the default context of the device's driver."""
    return default_context(live(live(hDevice, Device).parent, Driver))
