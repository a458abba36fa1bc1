"""Estimated time of launches: where threads are, and what bounds them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from runtime.simulator import Dispatch
from runtime.simulator.machine.residency import Residency, residency
from runtime.simulator.profile.estimate import estimate
from tests.unit.runtime.simulator.described import described
from tests.unit.runtime.simulator.profile.launches import profiled
from xegpu.isa import assemble
from xegpu.isa.model import Dim3
from xegpu.targets import ARC, PVC, Target


def placed(
    groups: Dim3,
    items: int,
    target: Target = PVC,
    *,
    grf: int = 128,
    slm: int = 0,
    local: int = 0,
    barriers: int = 0,
) -> Residency:
    code = assemble("eot", grf_bytes=target.platform.grf_bytes)
    kernel = described("k", code, target, 16, grf, barrier_count=barriers, slm_size=slm)
    return residency(kernel, Dispatch(groups, (items, 1, 1), slm_size=local))


@pytest.mark.parametrize(
    ("found", "cores", "core_groups", "eus", "rounds"),
    [
        (placed((1, 1, 1), 16), 1, 1, 1, 1),
        (placed((1, 1, 1), 1024), 1, 1, 8, 1),
        (placed((4, 4, 4), 16), 64, 1, 64, 1),
        (placed((64, 8, 1), 16), 64, 8, 512, 1),
        (placed((64, 1, 1), 1024), 64, 1, 512, 1),
        (placed((65, 1, 1), 1024), 64, 1, 512, 2),
        (placed((64, 64, 1), 16), 64, 64, 512, 1),
        (placed((64, 65, 1), 16), 64, 64, 512, 2),
        (placed((64, 64, 1), 16, grf=256), 64, 32, 512, 2),
        (placed((64, 64, 1), 16, slm=64 << 10), 64, 2, 128, 32),
        (placed((64, 64, 1), 16, slm=32 << 10, local=32 << 10), 64, 2, 128, 32),
        (placed((64, 64, 1), 16, barriers=8), 64, 4, 256, 16),
        (placed((32, 1, 1), 512, ARC), 32, 1, 512, 1),
        (placed((0, 1, 1), 16), 0, 0, 0, 0),
    ],
)
def test_where_groups_are(found: Residency, cores: int, core_groups: int, eus: int, rounds: int) -> None:
    assert (found.cores, found.core_groups, found.eus, found.rounds) == (cores, core_groups, eus, rounds)


def test_threads_of_an_eu() -> None:
    assert placed((64, 64, 1), 16).threads_per_eu == 8
    assert placed((1, 1, 1), 16).threads_per_eu == 1
    assert placed((0, 1, 1), 16).threads_per_eu == 0


def adds(count: int) -> str:
    """A chain of additions, each of which waits for the one before."""
    return "\n".join(["add (16|M0) r10:f r10:f r2:f"] * count) + "\neot"


CHAIN = adds(200)
SUMS = "\n".join(f"add (16|M0) r{n}:f r{n}:f r2:f" for _ in range(4) for n in range(10, 60)) + "\neot"
PRODUCTS = (
    "\n".join(f"dpas.8x8 (16|M0) r{n}:f r{n}:f r8:bf r4:bf" for _ in range(8) for n in range(16, 80, 8)) + "\neot"
)
LOADS = "\n".join("load.ugm.d32x64t.a64 (1|M0) r10:4 flat[r1]:1" for _ in range(100)) + "\neot"


@pytest.mark.parametrize(("text", "bound"), [(CHAIN, "latency"), (SUMS, "float"), (PRODUCTS, "dpas"), (LOADS, "send")])
def test_what_bounds_a_full_device(text: str, bound: str) -> None:
    """Seven threads of an EU run while one waits: not enough where each instruction waits eleven cycles."""
    found = profiled(text, (64, 1, 1), 1024).estimate
    assert found.bound == bound
    assert found.cycles == round(found.limits[bound]) + PVC.timing.launch


def test_a_single_thread_is_bound_by_its_latency() -> None:
    found = profiled(CHAIN).estimate
    assert found.bound == "latency"
    assert found.cycles == pytest.approx(200 * 11 + 2 * PVC.timing.launch, abs=20)
    assert found.thread_cycles == found.limits["latency"]


def test_memory_bounds_what_streams() -> None:
    """Each of many threads loads and stores; no more bytes come from memory than there are."""
    found = profiled(LOADS, (64, 1, 1), 1024).estimate
    assert found.limits["memory"] == pytest.approx((1 << 16) / (PVC.timing.memory_bandwidth / 1.6e9))


@pytest.mark.parametrize("text", [CHAIN, SUMS, PRODUCTS, LOADS])
def test_more_work_never_takes_less_time(text: str) -> None:
    cycles = [profiled(text, (groups, 1, 1), 256).estimate.cycles for groups in (1, 3, 64, 256, 257, 1000)]
    assert cycles == sorted(cycles)
    assert cycles[-1] > cycles[0]


def test_work_spreads_over_cores() -> None:
    """As many groups as Xe-cores take the time of one."""
    one, all_cores = (profiled(SUMS, (groups, 1, 1), 1024).estimate for groups in (1, 64))
    assert one.cycles == all_cores.cycles


def test_an_empty_grid_takes_a_launch() -> None:
    found = profiled(SUMS, (0, 1, 1))
    assert found.estimate.cycles == PVC.timing.launch
    assert found.roofline is None
    assert found.channels_on == 1
    assert found.dpas_utilisation == 0


def test_engines_give_one_estimate() -> None:
    found = [profiled(PRODUCTS, (3, 1, 1), 40, engine=engine).estimate for engine in ("jit", "interpreter")]
    assert found[0] == found[1]


def test_seconds_follow_the_clock() -> None:
    assert profiled(SUMS).estimate.seconds(PVC) == profiled(SUMS).estimate.cycles / 1.6e9


def lone_work(equal: str, work: str = CHAIN) -> str:
    """A kernel in which only the groups or threads for which two operands are equal have work."""
    return f"(W) cmp (1|M0) (ne)f0.0 null:ud {equal}\n(W&f0.0) jmpi (1|M0) out\n{work}\nout:\neot".replace(
        "eot\nout", "out"
    )


def test_a_thread_with_all_the_work_takes_as_long_as_alone() -> None:
    """Threads that leave at once do not make a launch faster, however many there are."""
    alone = profiled(lone_work("r0.1:ud 0:ud")).estimate
    crowd = profiled(lone_work("r0.1:ud 0:ud"), (1000, 1, 1)).estimate
    assert crowd.bound == "latency"
    assert crowd.cycles >= alone.cycles
    assert crowd.slowest_thread == alone.slowest_thread
    assert crowd.thread_cycles < alone.thread_cycles / 10


def test_the_same_work_in_fewer_threads_is_never_estimated_faster() -> None:
    """A group of 64 threads is as slow as its slowest one, and each of several rounds of such groups is."""
    even = profiled(lone_work("r2.0:ud 0:ud", adds(8)), (64 * 8, 1, 1), 1024).estimate
    uneven = profiled(lone_work("r0.8:ub 9:uw", adds(8 * 64)), (64 * 8, 1, 1), 1024).estimate
    assert uneven.limits["float"] == even.limits["float"]
    assert uneven.cycles > 3 * even.cycles
    assert uneven.limits["latency"] == uneven.slowest_thread * uneven.residency.rounds


def test_a_group_with_all_the_work_has_only_its_own_core() -> None:
    """64 threads occupy the pipes of eight EUs, whatever the other 511 groups leave idle."""
    alone = profiled(SUMS, (1, 1, 1), 1024).estimate
    crowd = profiled(lone_work("r0.1:ud 3:ud", SUMS), (512, 1, 1), 1024).estimate
    assert alone.bound == "float"
    assert crowd.limits["float"] == pytest.approx(alone.limits["float"], rel=0.2)


@pytest.mark.parametrize("text", [CHAIN, SUMS, PRODUCTS, LOADS])
@pytest.mark.parametrize("groups", [1, 65, 600])
def test_groups_that_are_alike_take_the_average(text: str, groups: int) -> None:
    found = profiled(text, (groups, 1, 1), 48)
    known = found.statistics.counts
    assert known is not None
    alike = estimate(found.executable.costs, found.executable.description, found.dispatch, replace(known, spread=None))
    assert found.estimate == alike
