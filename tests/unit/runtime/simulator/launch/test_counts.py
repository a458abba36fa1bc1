"""Counts of executed instructions: exact, and the same in both engines."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings, strategies as st

from runtime.simulator import Dispatch, Memory, Simulator
from runtime.simulator.launch.counts import ExecutionCounts
from tests.amounts import examples
from tests.unit.runtime.simulator.described import described
from tests.unit.runtime.simulator.programs.divergent import FIRST_REGISTER, assembly, statements
from tests.unit.xegpu.isa.programs import COMPUTE, programs
from xegpu.isa import Instruction, assemble, encode_program
from xegpu.isa.cost import Pipe
from xegpu.isa.model import Dim3
from xegpu.targets import PVC

ENGINES = ("interpreter", "jit")


def counts(
    code: bytes,
    engine: str,
    groups: Dim3 = (1, 1, 1),
    items: int = 16,
    *,
    threads: int = 1,
    simd: int = 16,
    barriers: int = 0,
) -> ExecutionCounts:
    simulator = Simulator(PVC, Memory(), engine, threads=threads)
    kernel = simulator.load(described("k", code, PVC, simd, 128, barrier_count=barriers, scratch_size=256))
    done = simulator.run(kernel, Dispatch(groups, (items, 1, 1)), counts=True)
    assert done.counts is not None
    assert int(done.counts.executed.sum()) == done.instructions
    return done.counts


def pairs(found: ExecutionCounts) -> list[tuple[int, int]]:
    return list(zip(found.executed.tolist(), found.channels.tolist(), strict=True))


@pytest.mark.parametrize("engine", ENGINES)
def test_loops_masks_and_predicates(engine: str) -> None:
    code = assemble("""
        (W) mov (1|M0) r10:ud 0:ud
        (W) mov (1|M0) f1.0:ud 0x30F:ud
    again:
        add (16|M0) r12:f r12:f r12:f
        (f1.0) add (16|M0) r13:f r13:f r13:f
        (~f1.0) sel (16|M0) r14:f r13:f r12:f
        (W) add (1|M0) r10:ud r10:ud 1:ud
        (W) cmp (1|M0) (lt)f0.0 null:ud r10:ud 5:ud
        (W&f0.0) jmpi (1|M0) again
        eot
    """)
    # Two groups of 16 and 4 work-items: the second thread of each has four channels on.
    assert pairs(counts(code, engine, (2, 1, 1), 20)) == [
        (4, 4),
        (4, 4),
        (20, 10 * (16 + 4)),
        (20, 10 * (6 + 4)),
        (20, 10 * (16 + 4)),
        (20, 20),
        (20, 20),
        (20, 0),
        (4, 0),
    ]


UNEVEN = assemble("""
    (W) mov (1|M0) r10:ud r0.1:ud
again:
    (W) cmp (1|M0) (eq)f0.0 null:ud r10:ud 0:ud
    (W&f0.0) jmpi (1|M0) out
    (W) add (1|M0) r10:ud r10:ud -1:d
    (W) barrier
    (W) jmpi (1|M0) again
out:
    eot
""")
"""A kernel in which work-group n goes n times around a loop."""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("threads", [1, 2])
def test_the_distribution_of_work(engine: str, threads: int) -> None:
    """The last one of nine groups of three threads has most work, whoever runs it, and however the threads wait."""
    one, two = (counts(UNEVEN, engine, (n, 1, 1), 33, threads=threads, barriers=1).spread for n in (1, 2))
    found = counts(UNEVEN, engine, (9, 1, 1), 33, threads=threads, barriers=1).spread
    assert one is not None and two is not None and found is not None
    enter, turn = one.slowest, two.slowest - one.slowest
    assert turn > 0
    assert found.slowest == enter + 8 * turn
    assert found.groups == 9 * enter + sum(range(9)) * turn
    assert found.busiest == {Pipe.INTEGER: 3 * (1 + 9 + 8), Pipe.SEND: 3 * 8, Pipe.CONTROL: 3 * (9 + 8 + 1)}


@pytest.mark.parametrize("engine", ENGINES)
def test_one_thread_of_a_group_is_slower(engine: str) -> None:
    code = assemble("""
        (W) cmp (1|M0) (ne)f0.0 null:ud r0.8:ub 1:uw
        (W&f0.0) jmpi (1|M0) out
        add (16|M0) r12:f r12:f r12:f
        add (16|M0) r12:f r12:f r12:f
    out:
        eot
    """)
    found = counts(code, engine, (2, 1, 1), 64).spread
    assert found is not None
    others = counts(code, engine, (2, 1, 1), 16).spread
    assert others is not None
    assert found.slowest > others.slowest
    assert found.groups == 2 * found.slowest
    assert found.busiest[Pipe.FLOAT] == 2


@pytest.mark.parametrize("engine", ENGINES)
def test_barriers_count_once_however_long_they_wait(engine: str) -> None:
    code = assemble("(W) barrier\nnop\n(W) sbarrier.signal\nnop\n(W) sbarrier.wait\neot")
    assert counts(code, engine, (3, 1, 1), 64, barriers=1).executed.tolist() == [12] * 6


@pytest.mark.parametrize("engine", ENGINES)
def test_divergent_channels(engine: str) -> None:
    code = assemble("""
        (W) mov (1|M0) f0.0:ud 0xFF00:ud
        (f0.0) goto (16|M0) on on
        add (16|M0) r12:f r12:f r12:f
    on:
        join (16|M0) end
        add (16|M0) r12:f r12:f r12:f
    end:
        eot
    """)
    assert pairs(counts(code, engine)) == [(1, 1), (1, 0), (1, 8), (1, 0), (1, 16), (1, 0)]


def test_workers_count_together() -> None:
    code = assemble("add (16|M0) r12:f r12:f r12:f\neot")
    assert pairs(counts(code, "jit", (1000, 1, 1), threads=2)) == [(1000, 16000), (1000, 0)]


def test_counting_is_off_unless_asked_for() -> None:
    simulator = Simulator(PVC, Memory())
    kernel = simulator.load(described("k", assemble("eot"), PVC, simd_size=16, grf_count=128))
    dispatch = Dispatch((2, 1, 1), (16, 1, 1))
    assert simulator.run(kernel, dispatch).counts is None
    assert simulator.run(kernel, dispatch, counts=True).counts is not None
    assert simulator.run(kernel, dispatch).counts is None


@settings(max_examples=examples(15))
@given(programs(PVC, formats=COMPUTE), st.sampled_from((16, 32)), st.integers(1, 40))
def test_engines_agree_on_straight_programs(instructions: list[Instruction], simd: int, items: int) -> None:
    code = encode_program(instructions, PVC.platform.grf_bytes)
    found = [counts(code, engine, items=items, simd=simd) for engine in ENGINES]
    assert pairs(found[0]) == pairs(found[1])
    assert found[0].spread == found[1].spread


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("seed", range(20))
def test_engines_agree_on_programs_that_diverge(seed: int) -> None:
    rng = random.Random(seed)
    lanes = f"""
        (W) mov (8|M0) r2.0:w 0x76543210:v
        (W) add (8|M0) r2.8:w r2.0:w 8:w
        (W) mul (16|M0) r{FIRST_REGISTER}:ud r2:uw {rng.randrange(1, 99)}:ud
        (W) mul (16|M0) r{FIRST_REGISTER + 2}:ud r2:uw {rng.randrange(1, 99)}:ud
    """
    code = assemble(lanes + assembly(statements(rng, 8), 16) + "\neot")
    items = rng.randrange(1, 40)
    found = [counts(code, engine, items=items) for engine in ENGINES]
    assert pairs(found[0]) == pairs(found[1])
    assert found[0].spread == found[1].spread
