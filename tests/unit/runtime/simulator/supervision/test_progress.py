"""Threads and work-groups that wait for each other in loops: all of them go on, as on hardware."""

from __future__ import annotations

import numpy as np
import pytest

from runtime.llvm.cpu import this_cpu
from runtime.simulator import DeviceFault, Dispatch, FaultKind, Memory, Simulator
from runtime.simulator.jit.kernel.translation import Variant, kernel_code
from runtime.simulator.machine.scheduling import QUANTUM, ROUNDS_AFTER_FAULT
from tests.unit.runtime.simulator.described import described
from tests.unit.runtime.simulator.jit.launches import ENGINES, Bench
from xegpu.isa import assemble
from xegpu.targets import PVC

PLACE = """
    (W) and (1|M0) r10.0<1>:ud r0.2<0;1,0>:ud 255:ud
    (W) mov (1|M0) r11.0<1>:ud 0:ud
    (W) mov (1|M0) r12.0<1>:ud 7:ud
    (W) cmp (1|M0) (eq)f0.0 null<1>:ud r10.0<0;1,0>:ud 0:ud
"""
"""The thread's number in r10, and whether it is 0 in f0.0."""

SPINNING = {
    "a load": """
    (W) load.{memory} (1|M0) r14 {place}
    (W) cmp (1|M0) (ne)f0.1 null<1>:ud r14.0<0;1,0>:ud 7:ud
    (W&f0.1) jmpi (1|M0) spin
    """,
    "an atomic": """
    (W) atomic_load.{atomic} (1|M0) r14 {place}
    (W) cmp (1|M0) (ne)f0.1 null<1>:ud r14.0<0;1,0>:ud 7:ud
    (W&f0.1) jmpi (1|M0) spin
    """,
    "a jump out": """
    (W) load.{memory} (1|M0) r14 {place}
    (W) cmp (1|M0) (eq)f0.1 null<1>:ud r14.0<0;1,0>:ud 7:ud
    (W&f0.1) jmpi (1|M0) done
    (W) jmpi (1|M0) spin
    """,
    "goto": """
    (W) load.{memory} (1|M0) r14 {place}
    cmp (32|M0) (ne)f1.0 null<1>:ud r14.0<0;1,0>:ud 7:ud
    (f1.0) goto.b (32|M0) out spin
    out:
    join (32|M0) done
    """,
    "a subroutine": """
    (W) call (1|M0) r30.0 look
    (W) cmp (1|M0) (ne)f0.1 null<1>:ud r14.0<0;1,0>:ud 7:ud
    (W&f0.1) jmpi (1|M0) spin
    (W) jmpi (1|M0) done
    look:
    (W) load.{memory} (1|M0) r14 {place}
    (W) ret (1|M0) r30.0
    """,
}

MEMORIES = {
    "slm": {"memory": "slm.d32.a32", "atomic": "slm.d32.a32", "place": "flat[r11]"},
    "global": {"memory": "ugm.d32.a64", "atomic": "ugm.d32.a64", "place": "flat[r1]"},
}

WAIT = (
    PLACE
    + """
    (W&~f0.0) jmpi (1|M0) set
    spin:
    {loop}
    done:
    (W) add (1|M0) r20.0<1>:uq r1.0<0;1,0>:uq 4:uq
    (W) store.ugm.d32.a64 (1|M0) flat[r20] r14
    eot
    set:
    (W) store.{memory} (1|M0) {place} r12
    eot
"""
)


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("loop", SPINNING)
def test_a_thread_spins_on_what_a_later_one_writes(loop: str, memory: str) -> None:
    names = MEMORIES[memory]
    text = WAIT.format(loop=SPINNING[loop].format(**names), **names)
    (image,) = Bench(text, [8], slm_size=4).results((2, 1, 1), (2, 1, 1))
    assert np.frombuffer(image, np.uint32)[1] == 7


PING_PONG = (
    PLACE
    + """
    (W) mov (1|M0) r20.0<1>:ud r10.0<0;1,0>:ud
    (W) mov (1|M0) r21.0<1>:d 10:d
    (W) mov (16|M0) r40.0<1>:ud r10.0<0;1,0>:ud
    (W&~f0.0) jmpi (1|M0) turn
    (W) store.slm.d32.a32 (1|M0) flat[r11] r11
    turn:
    (W) load.slm.d32.a32 (1|M0) r14 flat[r11]
    (W) cmp (1|M0) (ne)f0.1 null<1>:ud r14.0<0;1,0>:ud r20.0<0;1,0>:ud
    (W&f0.1) jmpi (1|M0) turn
    (W) add (16|M0) r40.0<1>:ud r40.0<1;1,0>:ud r14.0<0;1,0>:ud
    (W) add (1|M0) r14.0<1>:ud r14.0<0;1,0>:ud 1:ud
    (W) store.slm.d32.a32 (1|M0) flat[r11] r14
    (W) add (1|M0) r20.0<1>:ud r20.0<0;1,0>:ud 2:ud
    (W) add (1|M0) (gt)f0.0 r21.0<1>:d r21.0<0;1,0>:d -1:d
    (W&f0.0) jmpi (1|M0) turn
    (W) mul (1|M0) r15.0<1>:ud r10.0<0;1,0>:ud 64:ud
    (W) add (1|M0) r16.0<1>:uq r1.0<0;1,0>:uq r15.0<0;1,0>:ud
    (W) store.ugm.d32x16t.a64 (1|M0) flat[r16] r40
    eot
"""
)


def test_two_threads_in_turn() -> None:
    (image,) = Bench(PING_PONG, [128], slm_size=4).results((1, 1, 1), (2, 1, 1))
    rows = np.frombuffer(image, np.uint32).reshape(2, 16)
    assert (rows[0] == sum(range(0, 20, 2))).all()
    assert (rows[1] == 1 + sum(range(1, 20, 2))).all()


GRID_BARRIER = (
    PLACE
    + """
    (W) mov (1|M0) r20.0<1>:d r1.3<0;1,0>:d
    (W) mov (1|M0) r22.0<1>:ud 0:ud
    rounds:
    (W) add (1|M0) r22.0<1>:ud r22.0<0;1,0>:ud r1.2<0;1,0>:ud
    (W&~f0.0) jmpi (1|M0) meet
    (W) atomic_iinc.ugm.d32.a64 (1|M0) null flat[r1]
    spin:
    (W) load.ugm.d32.a64 (1|M0) r14 flat[r1]
    (W) cmp (1|M0) (lt)f0.1 null<1>:ud r14.0<0;1,0>:ud r22.0<0;1,0>:ud
    (W&f0.1) jmpi (1|M0) spin
    meet:
    barrier
    (W) add (1|M0) (gt)f1.0 r20.0<1>:d r20.0<0;1,0>:d -1:d
    (W&f1.0) jmpi (1|M0) rounds
    eot
"""
)
"""Thread 0 of each group meets those of the others; the other threads wait for it at a barrier."""


@pytest.mark.parametrize(("engine", "groups", "threads"), [("jit", 64, 1), ("jit", 64, 2), ("interpreter", 6, 1)])
def test_all_groups_meet_ten_times(engine: str, groups: int, threads: int) -> None:
    bench = Bench(GRID_BARRIER, [4], values=[groups, 10], barrier_count=1)
    bench.run(engine, (groups, 1, 1), (3, 1, 1), threads)
    assert np.frombuffer(bench.buffers[0].view(), np.uint32)[0] == 10 * groups


def test_engines_take_turns_in_the_same_order() -> None:
    bench = Bench(GRID_BARRIER, [4], values=[4, 2], barrier_count=1)
    counts = {bench.run(engine, (4, 1, 1), (2, 1, 1), threads=1).instructions for engine in ENGINES}
    assert len(counts) == 1


ENDLESS = WAIT.replace("(W) store.{memory} (1|M0) {place} r12", "{end}")


@pytest.mark.parametrize("end", ["nop", "barrier"])
def test_a_thread_that_spins_for_ever_runs_into_the_instruction_limit(end: str) -> None:
    names = MEMORIES["slm"]
    text = ENDLESS.format(loop=SPINNING["a load"].format(**names), end=end, **names)
    fault = Bench(text, [8], slm_size=4, barrier_count=1, instruction_limit=20 * QUANTUM).fault((2, 1, 1), (3, 1, 1))
    assert (fault.kind, fault.group, fault.subgroup) == (FaultKind.RUNAWAY, (0, 0, 0), 0)
    assert f"the limit is {20 * QUANTUM}" in str(fault)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_time_limit_ends_groups_that_spin(engine: str) -> None:
    memory = Memory()
    buffer = memory.allocate(8)
    names = MEMORIES["global"]
    text = ENDLESS.format(loop=SPINNING["a load"].format(**names), end="nop", **names)
    simulator = Simulator(PVC, memory, engine, 2, 1 << 60, time_limit=0.3)
    kernel = simulator.load(described("k", assemble(text), PVC, 1, 128, cross_thread_size=8))
    with pytest.raises(DeviceFault) as caught:
        simulator.run(kernel, Dispatch((8, 1, 1), (2, 1, 1), buffer.address.to_bytes(8, "little")))
    assert caught.value.kind is FaultKind.TIME_LIMIT


FAULTY = """
    (W) cmp (1|M0) (eq)f0.0 null<1>:ud r0.1<0;1,0>:ud 3:ud
    (W&f0.0) jmpi (1|M0) wrong
    spin:
    (W) load.ugm.d32.a64 (1|M0) r14 flat[r1]
    (W) cmp (1|M0) (eq)f0.1 null<1>:ud r14.0<0;1,0>:ud 0:ud
    (W&f0.1) jmpi (1|M0) spin
    eot
    wrong:
    (W) add (1|M0) r20.0<1>:uq r1.0<0;1,0>:uq 4096:uq
    (W) load.ugm.d32.a64 (1|M0) r14 flat[r20]
    eot
"""


def test_groups_do_not_wait_for_ever_for_one_that_has_faulted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runtime.simulator.machine.scheduling.ROUNDS_AFTER_FAULT", ROUNDS_AFTER_FAULT >> 7)
    fault = Bench(FAULTY, [8], instruction_limit=1 << 40).fault((4, 1, 1))
    assert (fault.kind, fault.group) == (FaultKind.OUT_OF_BOUNDS, (3, 0, 0))


@pytest.mark.parametrize(("condition", "gives_way"), [("r14.0<0;1,0>:ud", True), ("r22.0<0;1,0>:ud", False)])
def test_only_kernels_that_may_spin_have_code_for_it(condition: str, gives_way: bool) -> None:
    text = f"""
    spin:
    (W) load.ugm.d32.a64 (1|M0) r14 flat[r1]
    (W) add (1|M0) r22.0<1>:ud r22.0<0;1,0>:ud 1:ud
    (W) cmp (1|M0) (lt)f0.1 null<1>:ud {condition} 9:ud
    (W&f0.1) jmpi (1|M0) spin
    eot
    """
    bench = Bench(text, [])
    executable = Simulator(PVC, bench.memory).load(bench.description)
    ir = kernel_code(executable, Variant(), this_cpu()).ir
    assert all((label in ir) == gives_way for label in ("yield:", "resume_group:"))
