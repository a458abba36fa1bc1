"""Checks look on: random programs do the same under all of them; and correct ones are found to be correct."""

from __future__ import annotations

import contextlib
import random
import struct
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from runtime.simulator import DeviceFault, Dispatch, Simulator, engines
from runtime.simulator.checks import Check, checking_memory
from runtime.simulator.checks.checker import KernelChecker
from runtime.simulator.interpreter import Interpreter
from runtime.simulator.interpreter.observer import Execution
from tests.amounts import examples
from tests.unit.runtime.simulator.checks.support import Bench
from tests.unit.runtime.simulator.described import described
from tests.unit.runtime.simulator.jit.test_launched_programs import framed
from tests.unit.runtime.simulator.machine.test_divergence import END, START, VALUES
from tests.unit.runtime.simulator.programs.differential import assert_engines_agree, memory_cases, random_bytes
from tests.unit.runtime.simulator.programs.divergent import VARIABLES, assembly, shared_program
from tests.unit.xegpu.isa.programs import REGISTERS
from xegpu.isa import encode_program
from xegpu.targets import ARC, PVC, Target

TARGETS = pytest.mark.parametrize("target", [PVC, ARC], ids=lambda t: t.name)


class Silent(KernelChecker):
    """Runs all checks, and keeps what they find to itself."""

    def __init__(self) -> None:
        super().__init__(list(Check))

    def launch_ended(self, execution: Execution) -> None:
        with contextlib.suppress(DeviceFault):
            super().launch_ended(execution)


class CheckedInterpreter(Interpreter):
    """An engine that hides what checks find."""

    def __init__(self) -> None:
        super().__init__((Silent(),))


@pytest.fixture(scope="module", autouse=True)
def checked_engine() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "ENGINES", {**engines.ENGINES, "checked": lambda observers: CheckedInterpreter()})
        yield


@TARGETS
@settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_threads_do_the_same(data: st.DataObject, target: Target) -> None:
    assert_engines_agree(data.draw(memory_cases(target)), ("interpreter", "checked"))


@TARGETS
@pytest.mark.parametrize("simd_size", [1, 16])
@settings(max_examples=examples(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_launches_do_the_same(data: st.DataObject, simd_size: int, target: Target) -> None:
    """Half of what the programs load has no value."""
    program = data.draw(framed(target))
    items = simd_size if simd_size == 1 or data.draw(st.booleans()) else data.draw(st.integers(1, simd_size))
    memory = checking_memory([Check.UNINITIALIZED])
    size = REGISTERS * target.platform.grf_bytes
    buffer = memory.allocate(2 * size)
    description = described(
        "random", encode_program(program, target.platform.grf_bytes), target, simd_size, 128, cross_thread_size=8
    )
    start = random_bytes(size, data.draw(st.integers(0, 1 << 32))) + bytes(size)
    outcomes = []
    for name in ("interpreter", "checked"):
        buffer.data[:] = bytearray(start)
        buffer.initialize(0, size // 2)
        simulator = Simulator(target, memory, name, 1)
        dispatch = Dispatch((1, 1, 1), (items, 1, 1), struct.pack("<Q", buffer.address))
        statistics = simulator.run(simulator.load(description), dispatch)
        outcomes.append((statistics.instructions, buffer.data.tobytes()))
    assert outcomes[0] == outcomes[1]


CLEAR = """
    (W) mov (16|M0) r70.0<1>:uw 0:uw
    (W) mul (16|M0) r71.0<1>:ud r60.0<1;1,0>:uw 4:uw
    (W) mov (16|M0) r72.0<1>:ud 0:ud
    (W) atomic_store.slm.d32.a32 (16|M0) null flat[r71] r72
    barrier
"""


@pytest.mark.parametrize("seed", range(15))
def test_nothing_is_found_in_correct_programs(seed: int) -> None:
    """Divergent programs that share memory by atomics, between barriers."""
    rng = random.Random(seed)
    values = "".join(VALUES.format(register=20 + 2 * v, factor=rng.randrange(100)) for v in range(VARIABLES))
    text = START + CLEAR + values + assembly(shared_program(rng, 6), 32) + END
    bench = Bench(text, [512 * 3], simd_size=32, slm_size=64, unwritten=[0])
    assert bench.findings(local=(rng.choice([96, 80, 65]), 1, 1)) == ()
