"""Addresses and physical memory apart from each other."""

import ctypes

import numpy as np
import pytest

from runtime import ze
from runtime.ze.driver.memory.intervals import Intervals
from tests.unit.runtime.ze.expect import fails

PAGE = 4096
READ_WRITE = ze.ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE
READ_ONLY = ze.ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY
NOTHING = ze.ZE_MEMORY_ACCESS_ATTRIBUTE_NONE


@pytest.fixture
def reserve(context):
    """Reserves pages; what is left at the end of a test is given up with the context."""
    yield lambda pages: ze.zeVirtualMemReserve(context, None, pages * PAGE)
    for reservation in list(context.reservations.values()):
        reservation.release()


@pytest.fixture
def physical(context, device):
    return lambda pages: ze.zePhysicalMemCreate(context, device, ze.ze_physical_mem_desc_t(pages * PAGE))


def copy(immediate, target: object, source: object, size: int) -> None:
    ze.zeCommandListAppendMemoryCopy(immediate, target, source, size)


class TestReservations:
    @pytest.mark.parametrize(("size", "page"), [(1, 4096), (65535, 4096), (65536, 65536), (2 << 20, 2 << 20)])
    def test_page_size(self, context, device, size: int, page: int) -> None:
        assert ze.zeVirtualMemQueryPageSize(context, device, size) == page

    @pytest.mark.parametrize("size", [1 << 30, 1 << 40, 1 << 45])
    def test_large_ones_take_no_memory(self, context, size: int) -> None:
        start = ze.zeVirtualMemReserve(context, None, size)
        assert start % (2 << 20) == 0
        assert ze.zeMemGetAllocProperties(context, start)[0].type == ze.ZE_MEMORY_TYPE_UNKNOWN
        ze.zeVirtualMemFree(context, start, size)

    def test_too_large(self, context) -> None:
        for size in (1 << 56, (1 << 64) - PAGE):
            with fails("UNSUPPORTED_SIZE" if size % (2 << 20) else "OUT_OF_DEVICE_MEMORY"):
                ze.zeVirtualMemReserve(context, None, size)

    def test_at_a_wanted_place(self, context) -> None:
        """Next to another one, unless somebody is there."""
        first = ze.zeVirtualMemReserve(context, None, 4 << 20)
        ze.zeVirtualMemFree(context, first, 4 << 20)
        lower = ze.zeVirtualMemReserve(context, first, 2 << 20)
        upper = ze.zeVirtualMemReserve(context, first + (2 << 20), 2 << 20)
        assert (lower, upper) == (first, first + (2 << 20))
        other = ze.zeVirtualMemReserve(context, first, 2 << 20)
        assert other not in (lower, upper)
        for start in (lower, upper, other):
            ze.zeVirtualMemFree(context, start, 2 << 20)

    def test_free_takes_exactly_a_reservation(self, context, reserve) -> None:
        start = reserve(4)
        for address, size in ((start, PAGE), (start + PAGE, 3 * PAGE), (start, 5 * PAGE)):
            with fails("INVALID_ARGUMENT"):
                ze.zeVirtualMemFree(context, address, size)

    def test_they_end_with_their_context(self, driver) -> None:
        context = ze.zeContextCreate(driver, ze.ze_context_desc_t())
        ze.zeVirtualMemReserve(context, None, PAGE)
        ze.zeContextDestroy(context)
        assert not context.reservations


class TestMapping:
    def test_mapped_memory_is_device_memory(self, context, device, immediate, reserve, physical) -> None:
        start, memory = reserve(4), physical(4)
        ze.zeVirtualMemMap(context, start, 4 * PAGE, memory, 0, READ_WRITE)
        properties, owner = ze.zeMemGetAllocProperties(context, start + 5)
        assert (properties.type, owner) == (ze.ZE_MEMORY_TYPE_DEVICE, device)
        assert ze.zeMemGetAddressRange(context, start + PAGE) == (start, 4 * PAGE)
        data = np.arange(4 * PAGE // 4, dtype=np.uint32)
        copy(immediate, start, data, data.nbytes)
        found = np.empty_like(data)
        copy(immediate, found, start, data.nbytes)
        np.testing.assert_array_equal(found, data)
        ze.zeVirtualMemUnmap(context, start, 4 * PAGE)
        with fails("INVALID_ARGUMENT"):
            copy(immediate, found, start, 4)

    def test_commands_do_not_write_what_is_read_only(self, context, queue, new_list, reserve, physical) -> None:
        """Neither when they are appended, nor if the memory becomes read-only before they run."""
        start, commands = reserve(1), new_list()
        ze.zeVirtualMemMap(context, start, PAGE, physical(1), 0, READ_WRITE)
        ze.zeCommandListAppendMemoryFill(commands, start, b"x", 1, PAGE)
        ze.zeVirtualMemSetAccessAttribute(context, start, PAGE, ze.ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY)
        region = ze.ze_copy_region_t(0, 0, 0, 4, 4, 1)
        for append in (
            lambda: ze.zeCommandListAppendMemoryCopy(commands, start, bytes(16), 16),
            lambda: ze.zeCommandListAppendMemoryFill(commands, start, b"x", 1, 16),
            lambda: ze.zeCommandListAppendMemoryCopyRegion(commands, start, region, 8, 0, bytes(64), region, 8, 0),
            lambda: ze.zeCommandListAppendWriteGlobalTimestamp(commands, start),
        ):
            with fails("INVALID_ARGUMENT", "read-only"):
                append()
        ze.zeCommandListClose(commands)
        with fails("DEVICE_LOST", "the memory became read-only before it ran"):
            ze.zeCommandQueueExecuteCommandLists(queue, [commands])
            ze.zeCommandQueueSynchronize(queue)

    def test_contents_belong_to_the_physical_memory(self, context, immediate, reserve, physical) -> None:
        """They appear at every address where it is mapped, and stay when it is mapped nowhere."""
        start, memory = reserve(8), physical(2)
        ze.zeVirtualMemMap(context, start, 2 * PAGE, memory, 0, READ_WRITE)
        ze.zeVirtualMemMap(context, start + 4 * PAGE, PAGE, memory, PAGE, READ_WRITE)
        ze.zeCommandListAppendMemoryFill(immediate, start + PAGE, b"\x21", 1, PAGE)
        assert ctypes.string_at(start + 4 * PAGE, PAGE) == b"\x21" * PAGE
        ze.zeVirtualMemUnmap(context, start, 8 * PAGE)
        ze.zeVirtualMemMap(context, start, 2 * PAGE, memory, 0, READ_ONLY)
        assert ctypes.string_at(start, 2 * PAGE) == bytes(PAGE) + b"\x21" * PAGE

    def test_neighbours_are_one_range(self, context, immediate, reserve, physical) -> None:
        """Several physical memories in one reservation look like one buffer."""
        start = reserve(3)
        for number in (2, 0, 1):
            ze.zeVirtualMemMap(context, start + number * PAGE, PAGE, physical(1), 0, READ_WRITE)
        assert ze.zeMemGetAddressRange(context, start) == (start, 3 * PAGE)
        ze.zeCommandListAppendMemoryFill(immediate, start, b"\x07", 1, 3 * PAGE)
        ze.zeVirtualMemUnmap(context, start + PAGE, PAGE)
        assert ze.zeMemGetAddressRange(context, start) == (start, PAGE)
        assert ze.zeMemGetAddressRange(context, start + 2 * PAGE) == (start + 2 * PAGE, PAGE)

    @pytest.mark.usefixtures("validated")
    def test_what_is_mapped_cannot_be_mapped_over_or_destroyed(self, context, reserve, physical) -> None:
        start, memory = reserve(4), physical(2)
        ze.zeVirtualMemMap(context, start, 2 * PAGE, memory, 0, READ_WRITE)
        with fails("INVALID_ARGUMENT", "mapped already"):
            ze.zeVirtualMemMap(context, start + PAGE, PAGE, memory, 0, READ_WRITE)
        with fails("HANDLE_OBJECT_IN_USE"):
            ze.zePhysicalMemDestroy(context, memory)
        ze.zeVirtualMemUnmap(context, start, PAGE)
        with fails("HANDLE_OBJECT_IN_USE"):
            ze.zePhysicalMemDestroy(context, memory)
        ze.zeVirtualMemFree(context, start, 4 * PAGE)
        ze.zePhysicalMemDestroy(context, memory)

    def test_it_is_not_freed_as_an_allocation(self, context, reserve, physical) -> None:
        start = reserve(1)
        ze.zeVirtualMemMap(context, start, PAGE, physical(1), 0, READ_WRITE)
        with fails("INVALID_ARGUMENT", "mapped"):
            ze.zeMemFree(context, start)

    def test_bad_ranges(self, context, reserve, physical) -> None:
        start, memory = reserve(2), physical(2)
        cases = [
            ("UNSUPPORTED_ALIGNMENT", start + 1, PAGE, 0),
            ("UNSUPPORTED_ALIGNMENT", start, PAGE, 1),
            ("UNSUPPORTED_SIZE", start, 0, 0),
            ("UNSUPPORTED_SIZE", start, PAGE + 1, 0),
            ("INVALID_ARGUMENT", start, 3 * PAGE, 0),
            ("INVALID_ARGUMENT", start, 2 * PAGE, PAGE),
            ("INVALID_ARGUMENT", PAGE, PAGE, 0),
        ]
        for result, address, size, offset in cases:
            with fails(result):
                ze.zeVirtualMemMap(context, address, size, memory, offset, READ_WRITE)
        with fails("INVALID_ENUMERATION"):
            ze.zeVirtualMemMap(context, start, PAGE, memory, 0, 3)
        with fails("INVALID_ARGUMENT", "nothing is mapped"):
            ze.zeVirtualMemUnmap(context, start, PAGE)

    def test_physical_memory_takes_room_of_its_device(self, context, device, physical) -> None:
        before = device.local_bytes
        memory = physical(16)
        assert device.local_bytes == before + 16 * PAGE
        ze.zePhysicalMemDestroy(context, memory)
        assert device.local_bytes == before
        with fails("OUT_OF_DEVICE_MEMORY"):
            physical((device.memory_bytes + (2 << 20)) // PAGE)
        on_host = ze.ze_physical_mem_desc_t(PAGE, flags=ze.ZE_PHYSICAL_MEM_FLAG_ALLOCATE_ON_HOST)
        ze.zePhysicalMemDestroy(context, ze.zePhysicalMemCreate(context, device, on_host))
        assert device.local_bytes == before


class TestAccess:
    def test_attributes(self, context, reserve, physical) -> None:
        """They hold for pages, mapped or not, and mapping sets them."""
        start = reserve(4)
        assert ze.zeVirtualMemGetAccessAttribute(context, start, PAGE) == (NOTHING, 4 * PAGE)
        ze.zeVirtualMemSetAccessAttribute(context, start, 4 * PAGE, READ_ONLY)
        ze.zeVirtualMemMap(context, start + PAGE, PAGE, physical(1), 0, READ_WRITE)
        assert ze.zeVirtualMemGetAccessAttribute(context, start, PAGE) == (READ_ONLY, PAGE)
        assert ze.zeVirtualMemGetAccessAttribute(context, start + PAGE, PAGE) == (READ_WRITE, PAGE)
        assert ze.zeVirtualMemGetAccessAttribute(context, start + 2 * PAGE, PAGE) == (READ_ONLY, 2 * PAGE)

    def test_they_decide_what_kernels_reach(self, context, reserve, physical) -> None:
        start = reserve(2)
        ze.zeVirtualMemMap(context, start, 2 * PAGE, physical(2), 0, READ_WRITE)
        ze.zeVirtualMemSetAccessAttribute(context, start, PAGE, READ_ONLY)
        memory = context.machine.memory
        assert not memory.find(start).writable
        assert memory.find(start + PAGE).writable
        ze.zeVirtualMemSetAccessAttribute(context, start, PAGE, NOTHING)
        assert memory.find(start) is None
        ze.zeVirtualMemSetAccessAttribute(context, start, PAGE, READ_WRITE)
        assert memory.find(start).size == 2 * PAGE


class TestIntervals:
    def test_stretches_are_cut(self) -> None:
        found: Intervals[str] = Intervals()
        found = found.having(0, 10, "a").having(3, 5, "b")
        assert list(found) == [(0, 3, "a"), (3, 5, "b"), (5, 10, "a")]
        found = found.without(4, 7)
        assert list(found) == [(0, 3, "a"), (3, 4, "b"), (7, 10, "a")]
        assert list(found.within(2, 8)) == [(2, 3, "a"), (3, 4, "b"), (7, 8, "a")]
        assert list(found.within(5, 6)) == []
