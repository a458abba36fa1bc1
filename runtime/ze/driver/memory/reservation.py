"""Reserved addresses, and physical memory that is mapped to them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from runtime import simulator
from runtime.concurrency import step
from runtime.ze.driver.handle import Handle
from runtime.ze.driver.linux import ipc, mapping
from runtime.ze.driver.memory.allocation import next_id
from runtime.ze.driver.memory.intervals import Intervals
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.usm import MemoryOrigin, Usm
from runtime.ze.spec.enums import ze_memory_access_attribute_t, ze_memory_type_t
from runtime.ze.spec.results import ZeError, ze_result_t
from xegpu.on_demand import dataclass

if TYPE_CHECKING:
    from runtime.simulator import Allocation

AccessAttribute = ze_memory_access_attribute_t


class PhysicalMemory(Handle):
    """Memory without an address, in a file. `home` is the device whose local memory it takes, None for host memory."""

    noun: ClassVar[str] = "physical memory"

    def __init__(self, context: Context, home: Device | None, size: int) -> None:
        super().__init__(context)
        self.context = context
        self.home = home
        self.size = size
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
            self.home.local_bytes += size
            self.home.charged()

    @property
    def use(self) -> str:
        is_mapped = any(reservation.maps(self) for reservation in tuple(self.context.reservations.values()))
        return f"{self!r} is mapped to addresses" if is_mapped else ""

    def retire(self) -> bool:
        """Destroys the memory. What is mapped stays there until it is unmapped."""
        if not super().retire():
            return False
        self._account(-self.size)
        os.close(self.fd)
        return True


@dataclass(frozen=True)
class _MappedPart:
    """Part of physical memory: `address` is where its first byte is or would be.

    As long as it is not `mapped`, it only keeps others from mapping memory to the same addresses.
    """

    memory: PhysicalMemory
    address: int
    mapped: bool


@dataclass(frozen=True)
class _Layout:
    """The memory that is mapped to addresses of a reservation, and the access that kernels have to it."""

    parts: Intervals[_MappedPart]
    access: Intervals[AccessAttribute]

    def without(self, start: int, end: int) -> _Layout:
        """Returns the layout with nothing mapped to some addresses."""
        none = AccessAttribute.ZE_MEMORY_ACCESS_ATTRIBUTE_NONE
        return _Layout(self.parts.without(start, end), self.access.having(start, end, none))

    def runs(self) -> Iterator[tuple[int, int, Device | None, bool]]:
        """Yields the longest ranges of memory of one device with one access: first address, address after the last
        byte, device, and whether kernels may write.
        """
        run: tuple[int, int, Device | None, bool] | None = None
        for start, end, part in self.parts:
            if not part.mapped:
                continue
            for first, behind, access in self.access.within(start, end):
                if access == AccessAttribute.ZE_MEMORY_ACCESS_ATTRIBUTE_NONE:
                    continue
                kind = (part.memory.home, access == AccessAttribute.ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE)
                if run is not None and run[1] == first and run[2:] == kind:
                    run = (run[0], behind, *kind)
                    continue
                if run is not None:
                    yield run
                run = (first, behind, *kind)
        if run is not None:
            yield run


class AddressReservation:
    """Addresses from `start` to `end`, and what is mapped there. Kernels access what is mapped and accessible.

    A change is made to the layout first, and then to the machine's memory, which receives the ranges of the latest
    layout at once: other ranges than those that change stay live.
    """

    def __init__(self, context: Context, start: int, size: int) -> None:
        self.context = context
        self.start = start
        self.end = start + size
        none = AccessAttribute.ZE_MEMORY_ACCESS_ATTRIBUTE_NONE
        self._layout = _Layout(Intervals(), Intervals((start, self.end, none)))

    @step
    def _replace(self, before: _Layout, layout: _Layout) -> bool:
        if self._layout is not before:
            return False
        self._layout = layout
        return True

    def _change(self, change: Callable[[_Layout], _Layout]) -> None:
        """Changes the layout; `change` is called again if another thread does meanwhile."""
        while not self._replace(before := self._layout, change(before)):
            pass

    def maps(self, memory: object) -> bool:
        """Returns whether any part of some physical memory is mapped."""
        return any(part.memory is memory for _, _, part in self._layout.parts)

    def map(self, start: int, size: int, memory: PhysicalMemory, offset: int, access: AccessAttribute) -> None:
        """Maps part of physical memory to addresses where nothing is mapped.

        Raises:
            ZeError: `INVALID_ARGUMENT` if something is mapped there, `OUT_OF_DEVICE_MEMORY` if the system refuses.
        """
        end, part = start + size, _MappedPart(memory, start - offset, mapped=False)

        def claim(layout: _Layout) -> _Layout:
            if next(layout.parts.within(start, end), None) is not None:
                raise invalid_argument(f"{size} bytes at {start:#x} are mapped already, at least in part")
            return replace(layout, parts=layout.parts.having(start, end, part))

        def complete(layout: _Layout) -> _Layout:
            parts = layout.parts.having(start, end, replace(part, mapped=True))
            return _Layout(parts, layout.access.having(start, end, access))

        self._change(claim)
        try:
            mapping.map_file(memory.fd, offset, size, start)
        except MemoryError as error:
            self._change(lambda layout: layout.without(start, end))
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, str(error)) from error
        self._change(complete)
        self._publish()

    def unmap(self, start: int, size: int) -> None:
        """Unmaps what is mapped to addresses; raises `INVALID_ARGUMENT` if nothing is."""
        end = start + size
        if next(self._layout.parts.within(start, end), None) is None:
            raise invalid_argument(f"nothing is mapped in the {size} bytes at {start:#x}")
        self._change(lambda layout: layout.without(start, end))
        self._publish()
        mapping.clear(start, size)

    def set_access(self, start: int, size: int, access: AccessAttribute) -> None:
        """Sets the access of kernels to addresses."""
        self._change(lambda layout: replace(layout, access=layout.access.having(start, start + size, access)))
        self._publish()

    def access(self, start: int) -> tuple[AccessAttribute, int]:
        """Returns the access to an address, and the number of bytes from it on that have the same."""
        parts = self._layout.access.within(start, self.end)
        first, end, access = next(parts)
        for _, behind, other in parts:
            if other != access:
                break
            end = behind
        return access, end - first

    def release(self) -> None:
        """Frees the addresses and unmaps what is mapped there.

        Raises:
            ZeError: `INVALID_ARGUMENT` if another thread has freed them.
        """
        if self.context.reservations.pop(self.start, None) is None:
            raise invalid_argument(f"the reservation at {self.start:#x} is already freed")
        self._change(lambda layout: layout.without(self.start, self.end))
        self._publish()
        mapping.release(self.start, self.end - self.start)

    def _publish(self) -> None:
        """Gives the machine's memory the ranges that have memory now; neighbours are one range."""
        self.context.machine.memory.exchange(self.start, self.end, self._ranges)

    def _ranges(self, old: Sequence[Allocation]) -> list[Allocation]:
        """Returns the ranges of the latest layout, those that have not changed as they were."""
        kept = {
            (usm.allocation.address, usm.allocation.end, usm.home, usm.allocation.writable): usm for usm in _usms(old)
        }
        return [(kept.get(run) or self._new_usm(*run)).allocation for run in self._layout.runs()]

    def _new_usm(self, start: int, end: int, home: Device | None, writable: bool) -> Usm:
        type = ze_memory_type_t.ZE_MEMORY_TYPE_DEVICE if home else ze_memory_type_t.ZE_MEMORY_TYPE_HOST
        usm = Usm(self.context, next_id(), type, end - start, home, home, MemoryOrigin.MAPPED)
        kind = "device" if home else "host"
        usm.allocation = simulator.Allocation(start, end - start, kind, "mapped", writable, record=usm)
        return usm


def _usms(allocations: Sequence[Allocation]) -> Iterator[Usm]:
    """Yields the records of mapped memory."""
    yield from (allocation.record for allocation in allocations if isinstance(allocation.record, Usm))


def invalid_argument(text: str) -> ZeError:
    """Returns the error `INVALID_ARGUMENT` with a text."""
    return ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, text)
