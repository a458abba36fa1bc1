"""The set of live allocations."""

from __future__ import annotations

import gc
import resource
import signal
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import runtime.simulator.memory.memory as memory_module
from runtime.simulator import Allocation, Memory
from runtime.simulator.memory import Holder


def test_allocated_bytes_are_aligned_zero_and_writable() -> None:
    memory = Memory()
    for alignment in (1, 64, 4096, 1 << 16):
        allocation = memory.allocate(100, alignment)
        assert allocation.address % alignment == 0
        view = allocation.view()
        assert bytes(view) == bytes(100)
        view[99] = 7
        assert allocation.view()[99] == 7


def test_memory_that_is_used_again_is_zero_again() -> None:
    memory = Memory()
    for size in (8, 1000, 1 << 20) * 3:
        allocation = memory.allocate(size)
        assert not allocation.data.any()
        allocation.data.fill(0xFF)
        memory.free(allocation)


def test_large_allocations_touch_no_pages() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    view = Memory().allocate(4 << 30).view()
    assert view[0] == view[-1] == 0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 << 10


def test_views_are_the_bytes_at_the_address() -> None:
    memory = Memory()
    array = np.arange(10, dtype=np.uint8)
    registered = memory.register(array.ctypes.data, array.nbytes, "host")
    registered.view()[3] = 99
    assert array[3] == 99
    assert bytes(registered.view()) == array.tobytes()


@pytest.mark.parametrize(("size", "alignment"), [(0, 64), (-1, 64), (8, 0), (8, 3), (8, -64)])
def test_impossible_requests_are_refused(size: int, alignment: int) -> None:
    with pytest.raises(ValueError, match=r"allocation of|alignment"):
        Memory().allocate(size, alignment)


def test_the_limit_counts_what_is_allocated_and_not_freed() -> None:
    memory = Memory(limit=1000)
    first = memory.allocate(600)
    with pytest.raises(MemoryError, match="401 bytes do not fit: 600 of 1000"):
        memory.allocate(401)
    memory.allocate(400)
    memory.free(first)
    memory.allocate(600)
    array = np.zeros(5000, np.uint8)
    registered = memory.register(array.ctypes.data, array.nbytes, "host")  # the host's own bytes do not count
    memory.free(registered)
    with pytest.raises(MemoryError):
        memory.allocate(1)


def test_find_covers_first_to_last_byte() -> None:
    memory = Memory()
    allocation = memory.allocate(100)
    assert memory.find(allocation.address) is allocation
    assert memory.find(allocation.address + 99) is allocation
    assert memory.find(allocation.address + 100) is None
    assert memory.find(allocation.address - 1) is None
    memory.free(allocation)
    assert memory.find(allocation.address) is None


def _ranges(memory: Memory, *ranges: tuple[int, int]) -> list[Allocation]:
    """Registered ranges at made-up addresses; nothing touches their bytes."""
    return [memory.register(start, size, "host", f"r{start}") for start, size in ranges]


def test_nearest_goes_by_the_distance_to_a_byte() -> None:
    memory = Memory()
    assert memory.nearest(100) is None
    low, high = _ranges(memory, (1000, 100), (2000, 100))
    assert memory.nearest(0) is low
    assert memory.nearest(1050) is low
    assert memory.nearest(1548) is low
    assert memory.nearest(1551) is high
    assert memory.nearest(2050) is high
    assert memory.nearest(1 << 63) is high


def test_registering_the_same_range_counts_references() -> None:
    memory = Memory()
    (first,) = _ranges(memory, (1000, 100))
    again = memory.register(1000, 100, "host")
    assert again is first
    memory.free(first)
    assert memory.find(1000) is first
    memory.free(first)
    assert memory.find(1000) is None
    with pytest.raises(ValueError, match="not live"):
        memory.free(first)


def test_a_range_is_writable_once_one_registration_is() -> None:
    memory = Memory()
    read_only = memory.register(1000, 100, "host", writable=False)
    assert memory.table().writable.tolist() == [0]
    memory.register(1000, 100, "host", writable=True)
    assert read_only.writable
    assert memory.table().writable.tolist() == [1]


@pytest.mark.parametrize("other", [(999, 2), (1000, 99), (1001, 99), (1099, 1), (900, 300), (1000, 101), (1050, 500)])
def test_other_overlaps_are_refused(other: tuple[int, int]) -> None:
    memory = Memory()
    _ranges(memory, (500, 10), (1000, 100), (1600, 10))
    with pytest.raises(ValueError, match=r"overlap host memory 'r1000', 100 bytes at 0x3e8"):
        memory.register(*other, "host")
    _ranges(memory, (900, 100), (1100, 10))  # neighbours are fine


@pytest.mark.parametrize("bad", [(0, 8), (8, 0), (8, -1), (-8, 4), ((1 << 64) - 4, 8)])
def test_impossible_ranges_are_refused(bad: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="no range of memory"):
        Memory().register(*bad, "host")


def test_read_only_views_cannot_be_written() -> None:
    array = np.zeros(8, np.uint8)
    allocation = Memory().register(array.ctypes.data, 8, "host", writable=False)
    with pytest.raises(TypeError):
        allocation.view()[0] = 1


def test_table_is_sorted_and_does_not_merge_neighbours() -> None:
    memory = Memory()
    _ranges(memory, (3000, 100), (1000, 100), (1100, 50))
    table = memory.table()
    assert table.starts.tolist() == [1000, 1100, 3000]
    assert table.ends.tolist() == [1100, 1150, 3100]
    assert table.starts.dtype == table.ends.dtype == np.uint64
    with pytest.raises(ValueError, match="read-only"):
        table.starts[0] = 0


def test_table_is_the_same_object_until_the_set_changes() -> None:
    memory = Memory()
    empty = memory.table()
    assert len(empty.starts) == 0
    assert memory.table() is empty
    (allocation,) = _ranges(memory, (1000, 8))
    table = memory.table()
    assert table.starts.tolist() == [1000]
    assert empty.starts.tolist() == []
    memory.register(1000, 8, "host")
    assert memory.table() is table
    memory.free(allocation)
    assert memory.table() is table
    memory.free(allocation)
    assert memory.table().starts.tolist() == []


@pytest.mark.parametrize("live", [0, 3, 200])
def test_tables_after_random_changes_have_the_live_ranges(live: int) -> None:
    random = np.random.default_rng(live)
    memory = Memory()
    ranges = {address: memory.register(address, 64, "host") for address in range(1 << 20, (1 << 20) + 64 * live, 64)}
    for _ in range(60):
        for _ in range(int(random.integers(1, 24))):
            address = 64 * int(random.integers(1, 1 << 15))
            if address in ranges:
                memory.free(ranges.pop(address))
            else:
                ranges[address] = memory.register(address, 64, "host", writable=bool(random.integers(2)))
        for address in sorted(ranges)[: len(ranges) - live]:
            memory.free(ranges.pop(address))
        table = memory.table()
        assert table.starts.tolist() == sorted(ranges)
        assert table.ends.tolist() == [address + 64 for address in sorted(ranges)]
        assert table.writable.tolist() == [ranges[address].writable for address in sorted(ranges)]


def test_a_table_keeps_freed_bytes_mapped() -> None:
    memory = Memory()
    allocation = memory.allocate(100)
    alive = weakref.ref(allocation)
    table = memory.table()
    memory.free(allocation)
    del allocation
    gc.collect()
    held = alive()
    assert held is not None
    held.view()[0] = 1
    del held, table
    memory.table()
    gc.collect()
    assert alive() is None


def test_many_threads_may_allocate_and_free() -> None:
    memory = Memory()

    def work(seed: int) -> None:
        for size in range(1, 60):
            allocation = memory.allocate(size + seed)
            assert memory.find(allocation.address) is allocation
            assert allocation.address in memory.table().starts
            memory.free(allocation)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert len(memory.table().starts) == 0
    assert memory.nearest(0) is None


def test_allocations_print_as_people_name_them() -> None:
    memory = Memory()
    (allocation,) = _ranges(memory, (4096, 100))
    assert str(allocation) == "host memory 'r4096', 100 bytes at 0x1000"
    assert str(memory.register(8192, 4, "shared")) == "shared memory, 4 bytes at 0x2000"


class Garbage:
    """Memory in a reference cycle: the collector frees it, wherever it happens to run."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.allocation, self.cycle = memory, memory.allocate(8), self

    def __del__(self) -> None:
        self.memory.free(self.allocation)


def test_the_collector_may_free_memory_while_memory_is_allocated() -> None:
    memory = Memory()
    before = gc.get_threshold()
    gc.set_threshold(3, 1, 1)
    try:
        for size in range(1, 300):
            Garbage(memory)
            memory.free(memory.allocate(size))
            memory.free(memory.register(8 * size, 8, "host"))
            memory.table()
    finally:
        gc.set_threshold(*before)
    gc.collect()
    assert memory.table().allocations == memory.live() == ()


def test_interrupted_calls_change_the_memory_as_a_whole_or_not_at_all() -> None:
    """After each interrupt, the table is the one that a memory with the same live ranges would make."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    memory, kept, before = Memory(), Holder(), signal.signal(signal.SIGALRM, interrupt)
    try:
        for number in range(200):
            try:
                signal.setitimer(signal.ITIMER_REAL, 1e-5 + number % 7 * 1e-5)
                while True:
                    memory.register(64 + 64 * number, 64, "host", lender=kept)
                    memory.table()
                    memory.free(kept.held[0], kept)
            except KeyboardInterrupt:
                pass
            assert kept.held == list(memory.live())
            assert memory.table().starts.tolist() == [allocation.address for allocation in memory.live()]
            for allocation in tuple(kept.held):
                memory.free(allocation, kept)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert memory.live() == ()


def test_a_table_after_a_change_looks_at_what_has_changed_only(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Memory()
    allocations = [memory.allocate(16) for _ in range(100)]
    memory.table()
    seen = []
    bounds = memory_module.bounds_of
    monkeypatch.setattr(memory_module, "bounds_of", lambda ranges: seen.append(len(ranges)) or bounds(ranges))
    memory.free(allocations[50])
    memory.protect(allocations[10])
    table = memory.table()
    assert max(seen) == 1
    assert table.starts.tolist() == [allocation.address for allocation in memory.live()]
    assert table.ends.tolist() == [allocation.end for allocation in memory.live()]
    assert table.writable.tolist() == [allocation is not allocations[10] for allocation in memory.live()]


def test_ranges_are_exchanged_at_once() -> None:
    memory = Memory()
    outside = [memory.register(start, 100, "host") for start in (1000, 5000)]
    first = memory.register(2000, 100, "mapped")
    both = [first, Allocation(2100, 100, "mapped", "", True)]
    memory.exchange(2000, 3000, lambda old: [*old, both[1]])
    assert memory.live() == (outside[0], *both, outside[1])
    memory.exchange(2000, 3000, lambda _: [first])
    assert memory.live() == (outside[0], first, outside[1])
    assert memory.find(2100) is None
    assert memory.freed(2100) is not None
    assert memory.freed(2000) is None


def test_a_table_that_is_made_while_a_change_is_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Memory()
    allocations = [memory.allocate(16) for _ in range(3)]
    prepare = Memory._with_edit
    races = [None, None]

    def prepare_slowly(*arguments):
        edits = prepare(*arguments)
        if races:
            races.pop()
            memory.table()
        return edits

    monkeypatch.setattr(Memory, "_with_edit", prepare_slowly)
    memory.free(allocations[1])
    memory.allocate(16)
    table = memory.table()
    assert table.starts.tolist() == [allocation.address for allocation in memory.live()]


def test_what_is_lent_is_given_back_once() -> None:
    """By whichever thread is first: the launch, or the next one that finds that it has ended."""
    memory, first, second = Memory(), Holder(), Holder()
    lent = memory.register(4096, 64, "host", lender=first)
    assert memory.register(4096, 64, "host", lender=second) is lent
    memory.free(lent, first)
    memory.free(lent, first)
    assert memory.live() == (lent,)
    memory.free(lent, second)
    assert memory.live() == ()
