"""Tests of arrays that are lent to launches."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from runtime.api.sessions.host_memory import HostArray, HostMemory, Loan, OverlapError
from runtime.simulator import Memory, PointerAlignment
from runtime.ze.driver import Machine

ALIGNMENT = 64

STRICT = PointerAlignment(ALIGNMENT, ALIGNMENT)


@pytest.fixture
def memory() -> Memory:
    return Memory()


@pytest.fixture
def host(memory: Memory) -> HostMemory:
    return HostMemory(Machine(lambda: memory))


@contextmanager
def lending(host: HostMemory, arrays: list[HostArray]) -> Iterator[list[int]]:
    """Lends arrays as a launch does; gives their addresses while it runs."""
    loan = Loan()
    try:
        yield host.lend(loan, arrays)
        loan.copy_back()
    finally:
        loan.ended = True
        host.take_back(loan)


def aligned(count: int, skip: int = 0) -> np.ndarray:
    """`count` float32 numbers that start `skip` numbers behind a multiple of the alignment."""
    room = np.zeros(count + ALIGNMENT // 2, np.float32)
    start = (-room.ctypes.data % ALIGNMENT) // 4 + skip
    array = room[start : start + count]
    array[:] = np.arange(count)
    return array


def lent(name: str, array: np.ndarray, writes: bool = True) -> HostArray:
    return HostArray(name, array, array.ctypes.data, writes, STRICT)


def device_bytes(memory: Memory, address: int, count: int) -> np.ndarray:
    """Returns a view of the device's memory at an address, as float32 numbers."""
    allocation = memory.find(address)
    assert allocation is not None
    start = address - allocation.address
    return np.frombuffer(allocation.view(), np.uint8)[start : start + 4 * count].view(np.float32)


class TestInPlace:
    def test_aligned_arrays_stay_where_they_are(self, host: HostMemory, memory: Memory) -> None:
        array = aligned(10)
        with lending(host, [lent("a", array)]) as (address,):
            assert address == array.ctypes.data
            allocation = memory.find(address)
            assert (allocation.size, allocation.label, allocation.writable) == (40, "a", True)
            device_bytes(memory, address, 10)[3] = 99
        assert array[3] == 99
        assert memory.find(array.ctypes.data) is None

    def test_read_only_use_is_registered_as_such(self, host: HostMemory, memory: Memory) -> None:
        array = aligned(10)
        with lending(host, [lent("a", array, writes=False)]) as (address,):
            assert not memory.find(address).writable

    def test_exactly_the_bytes_of_a_view(self, host: HostMemory, memory: Memory) -> None:
        """Neither before nor behind it, so that accesses there are found."""
        array = aligned(64)
        with lending(host, [lent("a", array[16:32])]) as (address,):
            assert memory.find(address - 1) is None
            assert memory.find(address + 63) is not None
            assert memory.find(address + 64) is None

    def test_strides_of_either_sign(self, host: HostMemory, memory: Memory) -> None:
        square = aligned(256).reshape(16, 16)
        backwards = square[::-1, :4]
        assert backwards.ctypes.data % ALIGNMENT == 0
        with lending(host, [lent("a", backwards)]) as (address,):
            allocation = memory.find(address)
            assert allocation.address == square.ctypes.data
            assert allocation.size == 15 * 64 + 16

    def test_overlapping_arrays_become_one(self, host: HostMemory, memory: Memory) -> None:
        array = aligned(64)
        parts = [lent("a", array[:32], writes=False), lent("b", array[16:48]), lent("c", array[48:], writes=False)]
        with lending(host, parts) as addresses:
            assert addresses == [part.address for part in parts]
            both = memory.find(addresses[0])
            assert (both.size, both.label, both.writable) == (192, "a, b", True)
            assert memory.find(addresses[2]).label == "c"

    def test_the_same_array_twice(self, host: HostMemory, memory: Memory) -> None:
        array = aligned(8)
        with lending(host, [lent("a", array), lent("a", array)]) as (first, second):
            assert first == second
            assert memory.find(first).label == "a"

    def test_nothing(self, host: HostMemory) -> None:
        with lending(host, []) as addresses:
            assert addresses == []


class TestCopies:
    def test_misaligned_arrays_are_copied_and_copied_back(self, host: HostMemory, memory: Memory) -> None:
        array = aligned(10, skip=1)
        with lending(host, [lent("a", array)]) as (address,):
            assert address % ALIGNMENT == 0
            assert address != array.ctypes.data
            assert memory.find(address).label == "a"
            there = device_bytes(memory, address, 10)
            assert there.tolist() == list(range(10))
            there[3] = 99
        assert array.tolist() == [0, 1, 2, 99, 4, 5, 6, 7, 8, 9]

    def test_only_elements_are_copied_back(self, host: HostMemory, memory: Memory) -> None:
        """What lies between the elements of a strided array is left alone."""
        square = aligned(64, skip=1).reshape(8, 8)
        left = square[::-1, :2]
        with lending(host, [lent("a", left)]) as (address,):
            assert address % ALIGNMENT == 0
            square[:, 2:] = -1
            device_bytes(memory, address, 2)[:] = 77
        assert square[7].tolist() == [77, 77, -1, -1, -1, -1, -1, -1]
        assert square[0, :2].tolist() == [0, 1]

    def test_unless_the_kernel_only_reads(self, host: HostMemory, memory: Memory) -> None:
        array = aligned(10, skip=1)
        with lending(host, [lent("a", array, writes=False)]) as (address,):
            assert not memory.find(address).writable
            array[0] = 55
        assert array[0] == 55

    def test_unless_the_launch_fails(self, host: HostMemory, memory: Memory) -> None:
        array = aligned(10, skip=1)

        def fail() -> None:
            with lending(host, [lent("a", array)]) as (address,):
                device_bytes(memory, address, 10)[0] = 99
                raise RuntimeError

        with pytest.raises(RuntimeError):
            fail()
        assert array[0] == 0
        assert memory.nearest(0) is None

    def test_the_same_array_has_one_copy(self, host: HostMemory, memory: Memory) -> None:
        """What is written through one argument is read through the other."""
        array = aligned(10, skip=1)
        with lending(host, [lent("a", array, writes=False), lent("b", array)]) as (first, second):
            assert first == second
            device_bytes(memory, second, 10)[0] = 99
        assert array[0] == 99

    def test_overlap_with_writes(self, host: HostMemory, memory: Memory) -> None:
        array = aligned(64)
        for first, second in ((True, False), (False, True)):
            with (
                pytest.raises(OverlapError, match=r"'a' and 'b' overlap, .* 64-byte alignment .* 4 bytes apart"),
                lending(host, [lent("a", array[:32], first), lent("b", array[1:9], second)]),
            ):
                pass
        assert memory.nearest(0) is None
        with lending(host, [lent("a", array[:32], writes=False), lent("b", array[1:9], writes=False)]) as addresses:
            assert all(address % ALIGNMENT == 0 for address in addresses)

    def test_overlapping_arrays_have_one_copy_if_both_can_be_aligned(self, host: HostMemory, memory: Memory) -> None:
        """Wherever they are: their distance alone counts."""
        for skip in (0, 1):
            array = aligned(64, skip)
            with lending(host, [lent("a", array[:32], writes=False), lent("b", array[16:48])]) as (first, second):
                assert (first % ALIGNMENT, second - first) == (0, 64)
                device_bytes(memory, first, 32)[20] = -1
                device_bytes(memory, second, 32)[5] = -2
            assert array.tolist() == [-1 if i == 20 else -2 if i == 21 else i for i in range(64)]

    @pytest.mark.parametrize("skip", [0, 1, 4])
    def test_a_kernel_may_need_less(self, host: HostMemory, memory: Memory, skip: int) -> None:
        array = aligned(10, skip)
        with lending(host, [HostArray("a", array, array.ctypes.data, True, PointerAlignment(4, 1))]) as (address,):
            assert address == array.ctypes.data
        odd = np.zeros(41, np.uint8)[1:].view(np.float32)
        with lending(host, [HostArray("a", odd, odd.ctypes.data, True, PointerAlignment(4, 1))]) as (address,):
            assert address % 4 == 0

    @pytest.mark.parametrize("skip", [0, 1, 4])
    def test_surfaces_are_aligned_from_the_first_byte(self, host: HostMemory, memory: Memory, skip: int) -> None:
        array, alignment = aligned(96, skip), PointerAlignment(4, 64)

        def surface(name: str, part: np.ndarray) -> HostArray:
            return HostArray(name, part, part.ctypes.data, True, alignment)

        with lending(host, [surface("a", array)]) as (address,):
            assert address == array.ctypes.data
        with lending(host, [surface("a", array[:64]), surface("b", array[32:])]) as addresses:
            assert addresses == [array.ctypes.data, array.ctypes.data + 128]
        with (
            pytest.raises(OverlapError, match="16 bytes apart"),
            lending(host, [surface("a", array[:64]), surface("b", array[4:])]),
        ):
            pass


class TestThreads:
    def test_the_same_array_at_the_same_time(self, host: HostMemory, memory: Memory) -> None:
        """Launches that use the very same array do not wait for each other."""
        array = aligned(8)
        with lending(host, [lent("a", array)]):
            with lending(host, [lent("a", array)]):
                pass
            assert memory.find(array.ctypes.data) is not None
        assert memory.find(array.ctypes.data) is None

    def test_overlapping_arrays_take_turns(self, host: HostMemory) -> None:
        array = aligned(64)
        inside = threading.Event()

        def other() -> None:
            with lending(host, [lent("b", array[16:])]):
                inside.set()

        thread = threading.Thread(target=other)
        with lending(host, [lent("a", array[:32])]):
            thread.start()
            assert not inside.wait(0.05)
        assert inside.wait(10)
        thread.join(10)

    def test_many(self, host: HostMemory, memory: Memory) -> None:
        array = aligned(256)

        def work(number: int) -> None:
            start = 16 * (number % 5)
            for _ in range(50):
                with lending(host, [lent("a", array[start : start + 64]), lent("b", array[128:])]):
                    pass

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
            assert not thread.is_alive()
        assert memory.nearest(0) is None
