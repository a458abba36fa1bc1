"""Reservations of addresses, and physical memory (specification: Virtual Memory)."""

from __future__ import annotations

from runtime.ze.declaration import Chapter, api
from runtime.ze.driver.handle import enumerator, known_flags, live, pointer, required, unsigned
from runtime.ze.driver.linux import mapping
from runtime.ze.driver.memory.reservation import AccessAttribute, AddressReservation, PhysicalMemory, invalid_argument
from runtime.ze.driver.system.context import Context
from runtime.ze.driver.system.device import Device
from runtime.ze.driver.system.ending import destroy
from runtime.ze.spec.enums import ze_memory_access_attribute_t, ze_physical_mem_flags_t
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import ze_physical_mem_desc_t

SMALL_PAGE = 4 << 10

_PAGES = (2 << 20, 64 << 10, SMALL_PAGE)

_ON_HOST = ze_physical_mem_flags_t.ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_HOST


def _page_size(size: int) -> int:
    """Returns the largest page size that does not exceed `size`."""
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
            ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT,
            f"{name} is {value:#x}, expected a multiple of {SMALL_PAGE}",
        )


def _reservation(context: Context, ptr: int, size: int) -> AddressReservation:
    """Returns the reservation that contains the addresses.

    Raises:
        ZeError: `UNSUPPORTED_ALIGNMENT`, `UNSUPPORTED_SIZE`, and `INVALID_ARGUMENT` if there is none.
    """
    _check_alignment(pointer(ptr, "ptr"), "ptr")
    _check_size(size, SMALL_PAGE)
    for reservation in tuple(context.reservations.values()):
        if isinstance(reservation, AddressReservation) and reservation.start <= ptr and ptr + size <= reservation.end:
            return reservation
    raise invalid_argument(f"{size} bytes at {ptr:#x} are not inside one reservation of {context!r}")


@api(Chapter.VIRTUAL_MEMORY, "DEVICE_LOST UNSUPPORTED_SIZE", seed=None)
def zeVirtualMemQueryPageSize(hContext: Context, hDevice: Device, size: int) -> int:
    """Returns the page size for memory of `size` bytes: sizes and addresses must be multiples of it.

    Raises:
        ZeError: `UNSUPPORTED_SIZE` for a size of zero.
    """
    live(hContext, Context).device(hDevice)
    if not unsigned(size, "size", 64):
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "size is 0")
    return _page_size(size)


@api(Chapter.VIRTUAL_MEMORY, "OUT_OF_DEVICE_MEMORY UNSUPPORTED_SIZE", seed=None)
def zeVirtualMemReserve(hContext: Context, pStart: int | None, size: int) -> int:
    """Reserves `size` addresses, from `pStart` on if they are free there, and returns the first.

    Raises:
        ZeError: `UNSUPPORTED_SIZE` if `size` is not a multiple of the page size, and `OUT_OF_DEVICE_MEMORY` if
            there are not so many addresses.
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


@api(Chapter.VIRTUAL_MEMORY, "UNSUPPORTED_SIZE UNSUPPORTED_ALIGNMENT", pointers="ptr", seed=None)
def zeVirtualMemFree(hContext: Context, ptr: int, size: int) -> None:
    """Frees a whole reservation and unmaps what is mapped there. The physical memory is not destroyed."""
    context = live(hContext, Context)
    reservation = _reservation(context, ptr, size)
    if (reservation.start, reservation.end) != (ptr, ptr + size):
        raise invalid_argument(
            f"the reservation has {reservation.end - reservation.start} bytes at {reservation.start:#x}"
        )
    reservation.release()


@api(
    Chapter.VIRTUAL_MEMORY,
    "DEVICE_LOST OUT_OF_DEVICE_MEMORY UNSUPPORTED_SIZE",
    pointers="desc",
    seed=None,
    validated="INVALID_ENUMERATION",
)
def zePhysicalMemCreate(hContext: Context, hDevice: Device, desc: ze_physical_mem_desc_t) -> PhysicalMemory:
    """Creates physical memory of a device, or of the host if `desc.flags` say so, that is not mapped to addresses yet.

    Raises:
        ZeError: `UNSUPPORTED_SIZE` if the size is not a multiple of the page size, and `OUT_OF_DEVICE_MEMORY`.
    """
    context = live(hContext, Context)
    device = context.device(hDevice)
    required(desc, "desc")
    flags = known_flags(desc.flags, ze_physical_mem_flags_t)
    _check_size(desc.size, _page_size(unsigned(desc.size, "desc.size", 64)))
    return PhysicalMemory(context, None if flags & _ON_HOST else device, desc.size)


@api(Chapter.VIRTUAL_MEMORY, seed=None, validated="HANDLE_OBJECT_IN_USE")
def zePhysicalMemDestroy(hContext: Context, hPhysicalMemory: PhysicalMemory) -> None:
    """Destroys physical memory. What is mapped stays there until it is unmapped."""
    live(hContext, Context)
    destroy(hPhysicalMemory, PhysicalMemory)


@api(Chapter.VIRTUAL_MEMORY, "UNSUPPORTED_SIZE UNSUPPORTED_ALIGNMENT INVALID_ENUMERATION", pointers="ptr", seed=None)
def zeVirtualMemMap(
    hContext: Context, ptr: int, size: int, hPhysicalMemory: PhysicalMemory, offset: int, access: int
) -> None:
    """Maps physical memory, from byte `offset` on, to reserved addresses. It may be mapped at several addresses.

    Raises:
        ZeError: `UNSUPPORTED_ALIGNMENT` and `UNSUPPORTED_SIZE` for what is not a multiple of a page;
            `INVALID_ARGUMENT` for addresses that are not reserved or already mapped, and beyond the end of the
            physical memory.
    """
    context = live(hContext, Context)
    memory = live(hPhysicalMemory, PhysicalMemory)
    pointer(ptr, "ptr")
    attribute = enumerator(access, AccessAttribute)
    reservation = _reservation(context, ptr, size)
    _check_alignment(offset, "offset")
    if not context.takes_from(memory.context) or offset + size > memory.size:
        raise invalid_argument(f"{memory!r} of {memory.context!r} has {memory.size} bytes, not {size} from {offset} on")
    reservation.map(ptr, size, memory, offset, attribute)


@api(Chapter.VIRTUAL_MEMORY, "UNSUPPORTED_SIZE UNSUPPORTED_ALIGNMENT", pointers="ptr", seed=None)
def zeVirtualMemUnmap(hContext: Context, ptr: int, size: int) -> None:
    """Unmaps what is mapped to addresses, which stay reserved."""
    context = live(hContext, Context)
    _reservation(context, ptr, size).unmap(ptr, size)


@api(Chapter.VIRTUAL_MEMORY, "UNSUPPORTED_SIZE UNSUPPORTED_ALIGNMENT INVALID_ENUMERATION", pointers="ptr", seed=None)
def zeVirtualMemSetAccessAttribute(hContext: Context, ptr: int, size: int, access: int) -> None:
    """Sets the access that kernels have to addresses."""
    context = live(hContext, Context)
    pointer(ptr, "ptr")
    attribute = enumerator(access, AccessAttribute)
    _reservation(context, ptr, size).set_access(ptr, size, attribute)


@api(Chapter.VIRTUAL_MEMORY, "UNSUPPORTED_SIZE UNSUPPORTED_ALIGNMENT", pointers="ptr", seed=None)
def zeVirtualMemGetAccessAttribute(hContext: Context, ptr: int, size: int) -> tuple[ze_memory_access_attribute_t, int]:
    """Returns the access that kernels have to an address, and the number of bytes from it on that have the same."""
    context = live(hContext, Context)
    return _reservation(context, ptr, size).access(ptr)
