"""Contexts: owners of memory and of every other object."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, ClassVar

from runtime.concurrency import FOREVER, step
from runtime.ze.driver.handle import Handle, live, unsigned
from runtime.ze.driver.linux import mapping
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.driver import Driver
from runtime.ze.driver.system.processor import PendingWork, WorkQueue
from runtime.ze.driver.system.usm import Reservation, Usm
from runtime.ze.spec.results import ZeError, ze_result_t

if TYPE_CHECKING:
    from runtime.simulator import Allocation


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
        self.resident: set[int] = set()
        """The addresses of allocations that are to be resident, which the validation layer asks for."""
        self._ending: dict[Usm | Allocation, Collection[PendingWork]] = {}
        """Allocations that are freed when these users have ended."""

    @property
    def _streams(self) -> list[WorkQueue]:
        """The queues of the context that have received commands, also of queues that are destroyed and not done."""
        processors = dict.fromkeys(device.processor for device in self.devices)
        return [stream for processor in processors for stream in processor.streams if stream.client is self]

    @property
    def pending_use(self) -> str:
        busy = [stream for stream in self._streams if not stream.idle]
        return f"{len(busy)} queue(s) of {self!r} still execute" if busy else ""

    def retire(self) -> bool:
        """Destroys what was created in the context; commands that have not ended are dropped."""
        for stream in self._streams:
            stream.close(stops=True)
        return super().retire()

    def device(self, hDevice: Device) -> Device:
        """Returns `hDevice` if it belongs to the context and is not lost, and raises `ZeError` otherwise."""
        device = live(hDevice, Device)
        if device not in self.devices and device.card not in self.devices:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, f"{device!r} is not part of {self!r}")
        device.processor.require_available()
        return device

    def release(self, usm: Usm) -> None:
        """Frees an allocation, with its mapping and its file.

        Raises:
            ZeError: `INVALID_ARGUMENT` if another thread has freed it.
        """
        try:
            self.machine.memory.free(usm.allocation)
        except ValueError as error:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, str(error)) from None
        if usm.mapped is not None:
            mapping.release(*usm.mapped)
        if usm.shared_file is not None:
            os.close(usm.shared_file)

    def release_all(self) -> None:
        """Frees all allocations and reservations that are left."""
        for reservation in tuple(self.reservations.values()):
            reservation.release()
        for allocation in self.machine.memory.live():
            usm = self._own(allocation)
            if usm is not None:
                self.release(usm)
        if not self._ending:
            self.machine.followers.pop(self, None)

    def usm(self, address: int) -> Usm | None:
        """Returns the allocation that contains an address, of this context or one it takes from; None without."""
        if self._ending:
            self.settle()
        memory = self.machine.memory
        while (allocation := memory.find(address)) is not None:
            usm = self._visible(allocation)
            if usm is not None or memory.find(address) is allocation:
                return usm
        return None

    def _own(self, allocation: Allocation) -> Usm | None:
        usm = allocation.record
        return usm if isinstance(usm, Usm) and usm.owner is self else None

    def takes_from(self, other: Context) -> bool:
        """Returns whether objects and memory of another context can be used in this one."""
        return other.driver is self.driver

    def _visible(self, allocation: Allocation) -> Usm | None:
        usm = allocation.record
        if isinstance(usm, Usm) and isinstance(usm.owner, Context) and self.takes_from(usm.owner):
            return usm
        return None

    def users(self, allocation: Allocation) -> list[PendingWork]:
        """Returns the work on the devices of the context that is pending and may use an allocation."""
        addresses = range(allocation.address, allocation.end)
        streams = {stream for device in self.devices for stream in device.processor.streams}
        return [user for stream in streams for user in stream.users(addresses)]

    def end(self, usm: Usm, users: Collection[PendingWork]) -> None:
        """Frees memory of the application when none of its users is pending any more."""
        usm.is_ending = True
        self._end(usm, users)

    def free_when_unused(self, allocation: Allocation) -> None:
        """Frees memory of an object that is destroyed, when none of its users is pending any more."""
        users = self.users(allocation)
        if users:
            self._end(allocation, users)
        else:
            self.machine.memory.free(allocation)

    def _end(self, ending: Usm | Allocation, users: Collection[PendingWork]) -> None:
        self._ending[ending] = users
        self.machine.followers[self] = self.settle
        self.settle()

    def settle(self) -> None:
        """Frees the memory whose last users have ended."""
        for ending, users in tuple(self._ending.items()):
            if not any(user.is_pending for user in users) and self._ending.pop(ending, None) is not None:
                if isinstance(ending, Usm):
                    self.release(ending)
                else:
                    self.machine.memory.free(ending)
        if not self._ending:
            self.machine.followers.pop(self, None)


_default_contexts: dict[Driver, Context] = {}


def default_context(driver: Driver) -> Context:
    """Returns the context for all devices that belongs to the driver; it is created with the first call."""
    context = _default_contexts.get(driver)
    if context is None or not context.alive:
        made = Context(driver, driver.devices)
        if _replace_default(driver, context, made):
            return made
        made.retire()
        return default_context(driver)
    return context


@step
def _replace_default(driver: Driver, before: Context | None, context: Context) -> bool:
    """Makes a context the default one of its driver, unless another thread was faster; returns whether it is."""
    if driver in _default_contexts and _default_contexts[driver] is not before:
        return False
    _default_contexts[driver] = context
    return True


def time_limit(context: Context, timeout: int) -> int:
    """Returns a time-out in nanoseconds.

    Objects that are created as in specification 0.91, in the default context, have time-outs of 32 bits, of which the
    longest stands for no limit.
    """
    limit = unsigned(timeout, "timeout", 64)
    return FOREVER if limit == _OLDER_FOREVER and _default_contexts.get(context.driver) is context else limit


_OLDER_FOREVER = (1 << 32) - 1


def default_context_of(hDevice: Device) -> Context:
    """Returns the default context of the device's driver."""
    device = live(hDevice, Device)
    device.processor.require_available()
    assert isinstance(device.driver, Driver)
    return default_context(device.driver)
