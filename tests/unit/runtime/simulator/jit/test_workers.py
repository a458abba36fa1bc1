"""Workers: where their memory lies."""

from __future__ import annotations

import ctypes
import mmap
from itertools import combinations

import pytest

from runtime.simulator.jit.host_threads.launch_memory import LaunchMemory
from runtime.simulator.jit.host_threads.workers import WorkerMemory
from runtime.simulator.jit.state.launch_records import FrameHeader
from tests.unit.runtime.simulator.jit.launches import Bench

MEETING = "barrier\n(W) eot (1|M0)"


def pages(worker: WorkerMemory, threads: int) -> set[int]:
    """Returns the pages from the worker's record to the last frame of a group."""
    last = ctypes.addressof(worker.frame(threads - 1)) + ctypes.sizeof(FrameHeader)
    assert worker.address <= worker.record.slm < worker.record.frames < last
    return set(range(worker.address // mmap.PAGESIZE, (last - 1) // mmap.PAGESIZE + 1))


@pytest.mark.parametrize("slm_size", [64, 5000])
def test_workers_share_no_pages(monkeypatch: pytest.MonkeyPatch, slm_size: int) -> None:
    workers: list[WorkerMemory] = []
    open_worker = LaunchMemory.open_worker

    def recorded(launch: LaunchMemory) -> WorkerMemory:
        workers.append(open_worker(launch))
        return workers[-1]

    monkeypatch.setattr(LaunchMemory, "open_worker", recorded)
    bench = Bench(MEETING, [64], simd_size=16, slm_size=slm_size, barrier_count=1)
    bench.run("jit", (20_000, 1, 1), (64, 1, 1), threads=3)
    assert len(workers) == 3
    assert all(worker.address % mmap.PAGESIZE == 0 for worker in workers)
    for one, other in combinations(workers, 2):
        assert not pages(one, 4) & pages(other, 4)
