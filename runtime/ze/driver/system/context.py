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


_default_contexts: dict[Driver, Context] = {}

_default_lock = threading.Lock()


def default_context(driver: Driver) -> Context:
    """The context that a driver offers to those who want none of their own."""
    with _default_lock:
        context = _default_contexts.get(driver)
        if context is None or not context.alive:
            context = _default_contexts[driver] = Context(driver, driver.devices)
        return context


def default_context_of(hDevice: Device) -> Context:
    return default_context(live(live(hDevice, Device).parent, Driver))
