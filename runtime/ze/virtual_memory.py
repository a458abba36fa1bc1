"""Addresses and memory apart from each other (specification: Memory, virtual and physical memory)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from runtime.ze import ipc, mapping
from runtime.ze.context import Context, MemoryOrigin, Usm
from runtime.ze.device import Device
from runtime.ze.enums import ze_memory_access_attribute_t, ze_memory_type_t, ze_physical_mem_flags_t
from runtime.ze.handle import Handle, enumerator, flag_set, live, pointer, required, unsigned
from runtime.ze.intervals import Intervals
from runtime.ze.memory import next_id
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.structs import ze_physical_mem_desc_t

SMALL_PAGE = 4 << 10
_PAGES = (2 << 20, 64 << 10, SMALL_PAGE)
_Access = ze_memory_access_attribute_t
_ON_HOST = ze_physical_mem_flags_t.ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_HOST


class PhysicalMemory(Handle):
    """Memory without an address, in a file. `home` is the device that it takes room of, None for host memory."""

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
            super().retire()
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
    """Addresses from `start` up to `end`, and what is mapped there; kernels reach what is mapped and accessible."""

    def __init__(self, context: Context, start: int, size: int) -> None:
        self.context = context
        self.start = start
        self.end = start + size
        self._places: Intervals[_Place] = Intervals()
        self._access: Intervals[_Access] = Intervals()
        self._access.assign(start, self.end, _Access.ZE_MEMORY_ACCESS_ATTRIBUTE_NONE)
        self._live: list[Usm] = []

    def map(self, start: int, size: int, memory: PhysicalMemory, offset: int, access: _Access) -> None:
        """Put part of physical memory at addresses that have none. Raises `ZeError`."""
        if next(self._places.within(start, start + size), None) is not None:
            raise _invalid(f"{size} bytes at {start:#x} are mapped already, at least in part")
        try:
            mapping.map_file(memory.fd, offset, size, start)
        except MemoryError as error:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, str(error)) from error
        self._places.assign(start, start + size, _Place(memory, start - offset))
        memory.mappings += 1
        self._access.assign(start, start + size, access)
        self._publish()

    def unmap(self, start: int, size: int) -> None:
        """Take what is mapped away from addresses. Raises `ZeError` if nothing is."""
        parts = list(self._places.within(start, start + size))
        if not parts:
            raise _invalid(f"nothing is mapped in the {size} bytes at {start:#x}")
        self._places.clear(start, start + size)
        self._access.assign(start, start + size, _Access.ZE_MEMORY_ACCESS_ATTRIBUTE_NONE)
        self._publish()
        mapping.clear(start, size)
        self._forget([place for _, _, place in parts])

    def _forget(self, places: list[_Place]) -> None:
        """Note for each memory that it is mapped at fewer places, if nothing of a mapping is left."""
        left = {id(place) for _, _, place in self._places}
        for place in {id(place): place for place in places}.values():
            if id(place) not in left:
                place.memory.mappings -= 1

    def set_access(self, start: int, size: int, access: _Access) -> None:
        self._access.assign(start, start + size, access)
        self._publish()

    def access(self, start: int) -> tuple[_Access, int]:
        """The access that an address has, and how many bytes from it on have the same."""
        parts = self._access.within(start, self.end)
        first, end, access = next(parts)
        for _, behind, other in parts:
            if other != access:
                break
            end = behind
        return access, end - first

    def release(self) -> None:
        places = [place for _, _, place in self._places]
        self._places.clear(self.start, self.end)
        self._publish()
        self._forget(places)
        mapping.release(self.start, self.end - self.start)
        del self.context.reservations[self.start]

    def _publish(self) -> None:
        """Tell the device and the context which addresses have memory now; neighbours are one range."""
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
        """Stretches of memory of one device with one access, as long as they can be."""
        run: tuple[int, int, Device | None, bool] | None = None
        for start, end, place in self._places:
            for first, behind, access in self._access.within(start, end):
                if access == _Access.ZE_MEMORY_ACCESS_ATTRIBUTE_NONE:
                    continue
                kind = (place.memory.home, access == _Access.ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE)
                if run is not None and run[1] == first and run[2:] == kind:
                    run = (run[0], behind, *kind)
                    continue
                if run is not None:
                    yield run
                run = (first, behind, *kind)
        if run is not None:
            yield run


def _invalid(text: str) -> ZeError:
    return ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, text)


def _page_size(size: int) -> int:
    """The largest page that a size is no smaller than."""
    return next((page for page in _PAGES if size >= page), SMALL_PAGE)


def _check_size(size: int, page: int) -> None:
    if not unsigned(size, "size", 64) or size % page:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_SIZE,
            f"size is {size}, expected a multiple of pages of {page} bytes",
        )


def _check_alignment(value: int, name: str) -> None:
    if unsigned(value, name, 64) % SMALL_PAGE:
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, f"{name} is {value:#x}, no multiple of {SMALL_PAGE}"
        )


def _reservation(context: Context, ptr: int, size: int) -> AddressReservation:
    """The reservation that addresses lie in; raises unsupported alignment or size, or invalid argument."""
    _check_alignment(pointer(ptr, "ptr"), "ptr")
    _check_size(size, SMALL_PAGE)
    for reservation in context.reservations.values():
        if isinstance(reservation, AddressReservation) and reservation.start <= ptr and ptr + size <= reservation.end:
            return reservation
    raise _invalid(f"{size} bytes at {ptr:#x} are not inside of one reservation of {context!r}")


def zeVirtualMemQueryPageSize(hContext: Context, hDevice: Device, size: int) -> int:
    """The page size for memory of a size: sizes and addresses are multiples of it. Raises unsupported size for 0."""
    live(hContext, Context).device(hDevice)
    if not unsigned(size, "size", 64):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "size is 0")
    return _page_size(size)


def zeVirtualMemReserve(hContext: Context, pStart: int | None, size: int) -> int:
    """The first of `size` addresses that nothing else will get, at `pStart` if they are free there.

    Raises unsupported size for what is no multiple of the page size, and out of device memory for more than there is.
    """
    context = live(hContext, Context)
    _check_size(size, page := _page_size(unsigned(size, "size", 64)))
    wish = None if not pStart else unsigned(pStart, "pStart", 64)
    try:
        start = mapping.reserve(size, page, wish)
    except (MemoryError, OverflowError) as error:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, f"no {size} addresses: {error}") from error
    context.reservations[start] = AddressReservation(context, start, size)
    return start


def zeVirtualMemFree(hContext: Context, ptr: int, size: int) -> None:
    """Give a whole reservation up, with what is mapped there; the physical memory stays."""
    context = live(hContext, Context)
    reservation = _reservation(context, ptr, size)
    if (reservation.start, reservation.end) != (ptr, ptr + size):
        raise _invalid(f"the reservation has {reservation.end - reservation.start} bytes at {reservation.start:#x}")
    reservation.release()


def zePhysicalMemCreate(hContext: Context, hDevice: Device, desc: ze_physical_mem_desc_t) -> PhysicalMemory:
    """Memory of a device, or of the host if `desc.flags` say so, that has no address yet.

    Raises unsupported size for what is no multiple of the page size, and out of device memory.
    """
    context = live(hContext, Context)
    device = context.device(hDevice)
    required(desc, "desc", ze_physical_mem_desc_t)
    flags = flag_set(desc.flags, ze_physical_mem_flags_t)
    _check_size(desc.size, _page_size(unsigned(desc.size, "desc.size", 64)))
    return PhysicalMemory(context, None if flags & _ON_HOST else device, desc.size)


def zePhysicalMemDestroy(hContext: Context, hPhysicalMemory: PhysicalMemory) -> None:
    """Give physical memory back; raises object in use while it is mapped."""
    live(hContext, Context)
    live(hPhysicalMemory, PhysicalMemory).retire()


def zeVirtualMemMap(
    hContext: Context, ptr: int, size: int, hPhysicalMemory: PhysicalMemory, offset: int, access: int
) -> None:
    """Put part of physical memory, from byte `offset` on, at reserved addresses. It may be at several places.

    Raises unsupported alignment and size for what is no multiple of a page, and invalid argument for addresses that are
    not reserved or mapped already, and for more than the memory has.
    """
    context = live(hContext, Context)
    memory = live(hPhysicalMemory, PhysicalMemory)
    pointer(ptr, "ptr")
    attribute = enumerator(access, _Access)
    reservation = _reservation(context, ptr, size)
    _check_alignment(offset, "offset")
    if memory.context is not context or offset + size > memory.size:
        raise _invalid(f"{memory!r} of {memory.context!r} has {memory.size} bytes, not {size} from {offset} on")
    reservation.map(ptr, size, memory, offset, attribute)


def zeVirtualMemUnmap(hContext: Context, ptr: int, size: int) -> None:
    """Take memory away from addresses, which stay reserved."""
    context = live(hContext, Context)
    _reservation(context, ptr, size).unmap(ptr, size)


def zeVirtualMemSetAccessAttribute(hContext: Context, ptr: int, size: int, access: int) -> None:
    """Say what kernels may do with addresses."""
    context = live(hContext, Context)
    pointer(ptr, "ptr")
    attribute = enumerator(access, _Access)
    _reservation(context, ptr, size).set_access(ptr, size, attribute)


def zeVirtualMemGetAccessAttribute(hContext: Context, ptr: int, size: int) -> tuple[ze_memory_access_attribute_t, int]:
    """What kernels may do with an address, and how many bytes from it on that holds for."""
    context = live(hContext, Context)
    return _reservation(context, ptr, size).access(ptr)
