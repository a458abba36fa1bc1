"""Reserved addresses, and physical memory that is mapped to them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from runtime.ze.driver.handle import Handle
from runtime.ze.driver.memory import ipc, mapping
from runtime.ze.driver.memory.allocation import next_id
from runtime.ze.driver.memory.intervals import Intervals
from runtime.ze.driver.memory.usm import MemoryOrigin, Usm
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.spec.enums import ze_memory_access_attribute_t, ze_memory_type_t
from runtime.ze.spec.results import ZeError, ze_result_t

AccessAttribute = ze_memory_access_attribute_t


class PhysicalMemory(Handle):
    """Memory without an address, in a file. `home` is the device whose local memory it takes, None for host memory."""

    noun: ClassVar[str] = "physical memory"

    def __init__(self, context: Context, home: Device | None, size: int) -> None:
        super().__init__(context)
        self.context = context
        self.home = home
        self.size = size
        self.mappings = 0
        try:
            if home is not None:
                home.require_room(size)
            self.fd = ipc.new_file("xegpu-physical", size)
        except MemoryError as error:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, f"no room for {size} bytes: {error}"
            ) from error
        self._account(size)

    def _account(self, size: int) -> None:
        if self.home is not None:
            with self.context.machine.changed:
                self.home.local_bytes += size

    def retire(self) -> None:
        if self.mappings:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE, f"{self!r} is mapped at {self.mappings} place(s)"
            )
        super().retire()
        self._account(-self.size)
        os.close(self.fd)


@dataclass(frozen=True)
class _Place:
    """Part of physical memory: `address` is where its first byte is or would be."""

    memory: PhysicalMemory
    address: int


class AddressReservation:
    """Addresses from `start` to `end`, and what is mapped there. Kernels access what is mapped and accessible."""

    def __init__(self, context: Context, start: int, size: int) -> None:
        self.context = context
        self.start = start
        self.end = start + size
        self._places: Intervals[_Place] = Intervals()
        self._access: Intervals[AccessAttribute] = Intervals()
        self._access.assign(start, self.end, AccessAttribute.ZE_MEMORY_ACCESS_ATTRIBUTE_NONE)
        self._live: list[Usm] = []

    def map(self, start: int, size: int, memory: PhysicalMemory, offset: int, access: AccessAttribute) -> None:
        """Maps part of physical memory to addresses where nothing is mapped.

        Raises:
            ZeError: `INVALID_ARGUMENT` if something is mapped there, `OUT_OF_DEVICE_MEMORY` if the system refuses.
        """
        if next(self._places.within(start, start + size), None) is not None:
            raise invalid_argument(f"{size} bytes at {start:#x} are mapped already, at least in part")
        try:
            mapping.map_file(memory.fd, offset, size, start)
        except MemoryError as error:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, str(error)) from error
        self._places.assign(start, start + size, _Place(memory, start - offset))
        memory.mappings += 1
        self._access.assign(start, start + size, access)
        self._publish()

    def unmap(self, start: int, size: int) -> None:
        """Unmaps what is mapped to addresses; raises `INVALID_ARGUMENT` if nothing is."""
        parts = list(self._places.within(start, start + size))
        if not parts:
            raise invalid_argument(f"nothing is mapped in the {size} bytes at {start:#x}")
        self._places.clear(start, start + size)
        self._access.assign(start, start + size, AccessAttribute.ZE_MEMORY_ACCESS_ATTRIBUTE_NONE)
        self._publish()
        mapping.clear(start, size)
        self._forget([place for _, _, place in parts])

    def _forget(self, places: list[_Place]) -> None:
        """Counts one mapping less for each memory of which nothing is mapped any more."""
        left = {id(place) for _, _, place in self._places}
        for place in {id(place): place for place in places}.values():
            if id(place) not in left:
                place.memory.mappings -= 1

    def set_access(self, start: int, size: int, access: AccessAttribute) -> None:
        """Sets the access of kernels to addresses."""
        self._access.assign(start, start + size, access)
        self._publish()

    def access(self, start: int) -> tuple[AccessAttribute, int]:
        """Returns the access to an address, and the number of bytes from it on that have the same."""
        parts = self._access.within(start, self.end)
        first, end, access = next(parts)
        for _, behind, other in parts:
            if other != access:
                break
            end = behind
        return access, end - first

    def release(self) -> None:
        """Frees the addresses and unmaps what is mapped there."""
        places = [place for _, _, place in self._places]
        self._places.clear(self.start, self.end)
        self._publish()
        self._forget(places)
        mapping.release(self.start, self.end - self.start)
        del self.context.reservations[self.start]

    def _publish(self) -> None:
        """Registers the ranges that have memory now with the machine's memory and the context; neighbours are one
        range.
        """
        for usm in self._live:
            self.context.release(usm)
        self._live = []
        memory = self.context.machine.memory
        for start, end, home, writable in self._runs():
            allocation = memory.register(start, end - start, "device" if home else "host", "mapped", writable)
            type = ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE if home else ze_memory_type_t.ZE_MEMORY_TYPE_HOST
            usm = Usm(next_id(), type, end - start, home, allocation, origin=MemoryOrigin.MAPPED)
            self.context.adopt(usm)
            self._live.append(usm)

    def _runs(self) -> Iterator[tuple[int, int, Device | None, bool]]:
        """Yields the longest ranges of memory of one device with one access."""
        run: tuple[int, int, Device | None, bool] | None = None
        for start, end, place in self._places:
            for first, behind, access in self._access.within(start, end):
                if access == AccessAttribute.ZE_MEMORY_ACCESS_ATTRIBUTE_NONE:
                    continue
                kind = (place.memory.home, access == AccessAttribute.ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE)
                if run is not None and run[1] == first and run[2:] == kind:
                    run = (run[0], behind, *kind)
                    continue
                if run is not None:
                    yield run
                run = (first, behind, *kind)
        if run is not None:
            yield run


def invalid_argument(text: str) -> ZeError:
    """Returns the error `INVALID_ARGUMENT` with a text."""
    return ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, text)
