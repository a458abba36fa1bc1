"""Memory for checks: freed addresses are not handed out again, and neighbours are apart."""

from __future__ import annotations

import gc
import weakref
from itertools import pairwise

import numpy as np
import pytest

from runtime.simulator import FaultKind, Memory
from runtime.simulator.checks import checking_memory, parse_checks
from runtime.simulator.checks.memory import RED_ZONE
from tests.unit.runtime.simulator.checks.support import Bench

READ = "(W) load.ugm.d32x1t.a64 (1|M0) r20 flat[r1{:+}]\neot"


def test_use_after_free() -> None:
    bench = Bench(READ.format(8), [64], checks="memory")
    bench.memory.free(bench.buffers[0])
    others = [bench.memory.allocate(64) for _ in range(100)]
    fault = bench.finding()
    assert fault.kind is FaultKind.USE_AFTER_FREE
    assert "freed device memory 'buffer 0', 64 bytes" in str(fault)
    assert all(other.address >= bench.buffers[0].end or other.end <= bench.buffers[0].address for other in others)


def test_quarantined_memory_is_given_up_in_the_end() -> None:
    memory = Memory(quarantine=1000)
    held = [memory.allocate(size) for size in (600, 300, 600, 2000)]
    places = [weakref.ref(allocation) for allocation in held]
    for allocation in held:
        memory.free(allocation)
    del held, allocation
    gc.collect()
    assert [place() is not None for place in places] == [False, True, True, False]


def test_a_freed_range_is_forgotten_when_it_is_live_again() -> None:
    memory = Memory()
    for start in (1000, 1100, 1200):
        memory.free(memory.register(start, 100, "host", f"r{start}"))
    memory.register(1150, 60, "host")
    found = {address: memory.freed(address) for address in (1050, 1120, 1260)}
    assert [freed and freed.label for freed in found.values()] == ["r1000", None, None]


def test_only_so_many_freed_ranges_are_remembered() -> None:
    memory = Memory()
    for start in range(5000):
        memory.free(memory.register(1000 + 8 * start, 8, "host"))
    assert memory.freed(1000) is None
    assert memory.freed(1000 + 8 * 4999) is not None
    assert sum(memory.freed(1000 + 8 * start) is not None for start in range(5000)) == 1024


def test_allocations_are_apart() -> None:
    memory = checking_memory(parse_checks("memory"))
    allocations = sorted((memory.allocate(64) for _ in range(200)), key=lambda allocation: allocation.address)
    gaps = [after.address - before.end for before, after in pairwise(allocations)]
    assert min(gaps) >= RED_ZONE
    big = [memory.allocate(1 << 20, 4096) for _ in range(20)]
    assert all(allocation.address % 4096 == 0 for allocation in big)


def test_values_are_tracked_for_device_memory_only() -> None:
    memory = checking_memory(parse_checks("uninitialized"))
    assert memory.allocate(64, kind="shared").initialized is None
    assert memory.allocate(64, kind="host").initialized is None
    array = np.zeros(8)
    assert memory.register(array.ctypes.data, 64, "device").initialized is None
    assert checking_memory(parse_checks("races")).allocate(64).initialized is None
    allocation = memory.allocate(64)
    allocation.initialize(8, 4)
    assert allocation.initialized is not None
    assert np.flatnonzero(allocation.initialized).tolist() == [8, 9, 10, 11]
    allocation.view()
    assert allocation.initialized is None


@pytest.mark.parametrize("offset", [64, -4])
def test_out_of_bounds(offset: int) -> None:
    assert Bench(READ.format(offset), [64]).finding().kind is FaultKind.OUT_OF_BOUNDS
