"""Whole launches: payload, grids, tails, threads, counters; compared with the interpreter."""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time

import numpy as np
import pytest

from runtime.llvm.cpu import this_cpu
from runtime.simulator import DeviceFault, Dispatch, FaultKind, Memory, Simulator
from runtime.simulator.jit.kernel.kernel_cache import compiled
from runtime.simulator.jit.kernel.translation import Variant
from tests.unit.runtime.simulator.described import described
from tests.unit.runtime.simulator.jit.launches import Bench
from xegpu.isa.model import Dim3
from xegpu.isa.text.assembler import assemble
from xegpu.targets import ARC, PVC, Target

# Every thread appends its first registers to the buffer: 8 of them, at (z * 4 + y) * 4 + x groups of up to 8 threads.
DUMP = """
    (W) mov (1|M0) r100.0<1>:ud r0.7<0;1,0>:ud
    (W) mad (1|M0) r100.0<1>:ud r100.0<0>:ud {four}<0>:ud r0.6<0>:ud
    (W) mad (1|M0) r100.0<1>:ud r100.0<0>:ud {four}<0>:ud r0.1<0>:ud
    (W) mov (1|M0) r100.1<1>:ud r0.8<0;1,0>:ub
    (W) mad (1|M0) r100.0<1>:ud r100.0<0>:ud {eight}<0>:ud r100.1<0>:ud
    (W) mul (1|M0) r100.0<1>:ud r100.0<0;1,0>:ud {size}:ud
    (W) add (1|M0) r102.0<1>:uq {pointer}<0;1,0>:uq r100.0<0;1,0>:ud
    (W) store.ugm.{width}t.a64 (1|M0) flat[r102]:1 r0:{registers}
    (W) eot (1|M0)
"""


def dump(target: Target, pointer: str) -> str:
    """A kernel that stores the registers that it starts with; the constants 4 and 8 come behind its pointer."""
    register, place = pointer[1:].split(".")
    first = 2 * (int(place) + 1)
    per_register = target.platform.grf_bytes // 4
    number, within = int(register) + first // per_register, first % per_register
    return DUMP.format(
        four=f"r{number}.{within}",
        eight=f"r{number}.{within + 1}",
        size=8 * target.platform.grf_bytes,
        pointer=pointer,
        width="d64x64" if target is PVC else "d32x64",
        registers=8,
    )


@pytest.mark.parametrize(
    ("target", "simd_size", "dimensions", "local", "pointer"),
    [
        pytest.param(PVC, 1, 0, (1, 1, 1), "r1.0", id="subgroups without ids"),
        pytest.param(PVC, 1, 3, (2, 2, 2), "r2.0", id="subgroups with ids"),
        pytest.param(PVC, 16, 1, (64, 1, 1), "r2.0", id="work-items in one dimension"),
        pytest.param(PVC, 16, 3, (5, 3, 2), "r4.0", id="work-items with a tail"),
        pytest.param(PVC, 32, 3, (8, 4, 4), "r4.0", id="work-items, 32 lanes"),
        pytest.param(ARC, 8, 2, (9, 2, 1), "r3.0", id="arc, 8 lanes"),
        pytest.param(ARC, 32, 2, (33, 1, 1), "r5.0", id="arc, 32 lanes"),
    ],
)
@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)], ids=str)
def test_threads_start_with_the_same_registers(
    target: Target, simd_size: int, dimensions: int, local: Dim3, pointer: str, order: Dim3
) -> None:
    bench = Bench(
        dump(target, pointer),
        [4 * 4 * 4 * 8 * 8 * target.platform.grf_bytes],
        target=target,
        simd_size=simd_size,
        local_id_dimensions=dimensions,
        walk_order=order,
        values=[4, 8, 0xDEAD],
    )
    (image,) = bench.results((3, 2, 2), local)
    assert any(image)


# Lane ids are local ids; every work-item that is on adds its own value to its place in the buffer.
WORK_ITEMS = """
    mov (16|M0) r10.0<1>:ud r1.0<1;1,0>:uw
    mul (16|M0) r11.0<1>:ud r10.0<1;1,0>:ud 4:ud
    add (16|M0) r12.0<1>:uq r2.0<0;1,0>:uq r11.0<1;1,0>:ud
    cmp (16|M0) (lt)f0.0 null<1>:ud r10.0<1;1,0>:ud 21:ud
    (f0.0) add (16|M0) r10.0<1>:ud r10.0<1;1,0>:ud 1000:ud
    store.ugm.d32.a64 (16|M0) flat[r12]:2 r10:1
    (W) eot (1|M0)
"""


@pytest.mark.parametrize("items", [1, 15, 16, 17, 40])
def test_the_last_thread_of_a_group_may_be_partly_filled(items: int) -> None:
    bench = Bench(WORK_ITEMS, [256], simd_size=16, local_id_dimensions=1)
    (image,) = bench.results((1, 1, 1), (items, 1, 1))
    lanes = np.arange(64)
    expected = np.where(lanes < items, lanes + np.where(lanes < 21, 1000, 0), 0)
    assert np.frombuffer(image, np.uint32).tolist() == expected.tolist()


COUNT = """
    (W) mul (1|M0) r10.0<1>:ud r0.1<0;1,0>:ud 4:ud
    (W) mov (1|M0) r11.0<1>:ud 0:ud
loop:
    (W) add (1|M0) r11.0<1>:ud r11.0<0;1,0>:ud 1:ud
    (W) cmp (1|M0) (lt)f0.0 null<1>:ud r11.0<0;1,0>:ud r0.1<0;1,0>:ud
    (W&f0.0) jmpi (1|M0) loop
    (W) add (1|M0) r12.0<1>:uq r1.0<0;1,0>:uq r10.0<0;1,0>:ud
    (W) store.ugm.d32.a64 (1|M0) flat[r12]:1 r11:1
    (W) eot (1|M0)
"""


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("groups", [0, 1, 3, 257])
def test_every_group_runs_once(groups: int, threads: int) -> None:
    bench = Bench(COUNT, [2048])
    statistics = bench.run("jit", (groups, 1, 1), threads=threads)
    expected = np.zeros(512, np.uint32)
    expected[:groups] = np.maximum(np.arange(groups), 1)
    assert np.frombuffer(bench.buffers[0].view(), np.uint32).tolist() == expected.tolist()
    assert statistics.groups == statistics.threads == groups
    assert statistics.instructions == 5 * groups + 3 * int(expected.sum())


def test_a_million_groups_take_no_python() -> None:
    bench = Bench("(W) eot (1|M0)", [64])
    start = time.perf_counter()
    statistics = bench.run("jit", (1000, 1000, 2))
    assert statistics.instructions == 2_000_000
    assert time.perf_counter() - start < 30  # a microsecond each would be 2 s


SCRATCH = """
    (W) mov (16|M0) r10.0<1>:ud 0:ud
    (W) load.ugm.d32x16t.a32 (1|M0) r11:1 ss[r10]:1
    (W) store.ugm.d32x16t.a32 (1|M0) ss[r10]:1 r0:1
    (W) mul (1|M0) r12.0<1>:ud r0.1<0;1,0>:ud 64:ud
    (W) add (1|M0) r13.0<1>:uq r1.0<0;1,0>:uq r12.0<0;1,0>:ud
    (W) store.ugm.d32x16t.a64 (1|M0) flat[r13]:1 r11:1
    (W) eot (1|M0)
"""


def test_scratch_space_is_zero_when_a_thread_starts() -> None:
    bench = Bench(SCRATCH, [64 * 8], scratch_size=128)
    bench.contents = [b"\xff" * 512]
    (image,) = bench.results((8, 1, 1))
    assert not any(image)


UNDEFINED = """
    (W) mul (1|M0) r12.0<1>:ud r0.1<0;1,0>:ud 64:ud
    (W) add (1|M0) r13.0<1>:uq r1.0<0;1,0>:uq r12.0<0;1,0>:ud
    (W) store.ugm.d32x16t.a64 (1|M0) flat[r13]:1 r40:1
    (W) mov (16|M0) r40.0<1>:ud 0xffffffff:ud
    (W) mov (8|M0) r48.0<1>:ud 0xffffffff:ud
    (W) dpas.8x8 (16|M0) r40.0:f r40.0:f r48.0:bf r60.0:bf
    (W) eot (1|M0)
"""


def test_registers_are_zero_when_a_thread_starts_wherever_they_live() -> None:
    bench = Bench(UNDEFINED, [64 * 8])
    bench.contents = [b"\xff" * 512]
    (image,) = bench.results((8, 1, 1))
    assert not any(image)


def test_kernels_are_compiled_once_by_content() -> None:
    simulator = Simulator(PVC, Memory())
    code = assemble("(W) nop (1|M0)\n(W) eot (1|M0)")
    one, two = (simulator.load(described(name, code, PVC, 1, 128)) for name in ("one", "two"))
    other = simulator.load(described("one", code, PVC, 16, 128))
    variant, cpu = Variant(), this_cpu()
    assert compiled(one, variant, cpu) is compiled(two, variant, cpu)
    assert compiled(one, variant, cpu) is not compiled(other, variant, cpu)


def test_launches_from_several_host_threads() -> None:
    bench = Bench(COUNT, [2048])
    simulator = Simulator(PVC, bench.memory, "jit", 2)
    executable = simulator.load(bench.description)
    dispatch = Dispatch((300, 1, 1), (1, 1, 1), bench.arguments())
    counts: list[int] = []

    def launch() -> None:
        counts.extend(simulator.run(executable, dispatch).instructions for _ in range(10))

    workers = [threading.Thread(target=launch) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(counts) == 40
    assert set(counts) == {5 * 300 + 3 * (1 + 299 * 300 // 2)}


ENDLESS = """
loop:
    (W) jmpi (1|M0) loop
    (W) eot (1|M0)
"""


def test_ctrl_c_stops_a_launch() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGALRM, interrupt)
    bench = Bench(ENDLESS, [64])
    bench.run("jit", (0, 1, 1))  # compiled before the clock runs
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            bench.run("jit", (4, 1, 1))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def test_a_fault_stops_the_other_groups() -> None:
    # Group 5 faults; all others would loop for ever.
    text = """
        (W) cmp (1|M0) (eq)f0.0 null<1>:ud r0.1<0;1,0>:ud 5:ud
        (W&f0.0) jmpi (1|M0) bad
    loop:
        (W) cmp (1|M0) (lt)f1.0 null<1>:ud r0.1<0;1,0>:ud 5:ud
        (W&f1.0) jmpi (1|M0) done
        (W) jmpi (1|M0) loop
    done:
        (W) eot (1|M0)
    bad:
        (W) illegal (1|M0)
    """
    with pytest.raises(DeviceFault) as caught:
        Bench(text, [64]).run("jit", (100, 1, 1))
    assert caught.value.kind is FaultKind.ILLEGAL_INSTRUCTION
    assert caught.value.group == (5, 0, 0)


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="this system has no fork")
def test_a_forked_process_can_launch() -> None:
    bench = Bench(COUNT, [2048])
    bench.run("jit", (3, 1, 1))
    child = multiprocessing.get_context("fork").Process(target=bench.run, args=("jit", (3, 1, 1)))
    child.start()
    child.join(60)
    assert child.exitcode == 0
