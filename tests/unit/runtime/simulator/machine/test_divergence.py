"""Divergent control flow: random structured programs against each channel on its own, and faults."""

from __future__ import annotations

import random

import numpy as np
import pytest

from runtime.simulator import DeviceFault, FaultKind, IllegalCode
from tests.unit.runtime.simulator.jit.launches import Bench
from tests.unit.runtime.simulator.programs.assembled import run_thread
from tests.unit.runtime.simulator.programs.differential import GRF_COUNT, Case, assert_engines_agree, run_case
from tests.unit.runtime.simulator.programs.divergent import (
    FIRST_REGISTER,
    VARIABLES,
    assembly,
    run_channel,
    shared_program,
    statements,
)
from xegpu.isa import assemble, decode_program
from xegpu.targets import PVC

LANES = 32


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("seed", range(40))
def test_channels_go_their_own_ways(seed: int) -> None:
    rng = random.Random(seed)
    program = statements(rng, 8)
    mask = rng.choice([0xFFFFFFFF, 0x0000FFFF, 0x12345678, 1, 0x80000000])
    values = np.array([[rng.randrange(1 << 10) for _ in range(LANES)] for _ in range(VARIABLES)], np.uint32)
    registers = np.zeros((GRF_COUNT, 16), np.uint32)
    registers[FIRST_REGISTER : FIRST_REGISTER + 2 * VARIABLES] = values.reshape(2 * VARIABLES, 16)
    text = assembly(program, LANES)
    instructions = decode_program(assemble(text + "\neot")).instructions
    case = Case(PVC, instructions, registers.tobytes(), (0,) * 4, mask)
    assert_engines_agree(case)
    outcome = run_case(case, ["interpreter"])["interpreter"]
    assert outcome.state is not None
    assert outcome.state.mask == mask
    found = np.frombuffer(outcome.state.registers, np.uint32).reshape(GRF_COUNT, 16)
    result = found[FIRST_REGISTER : FIRST_REGISTER + 2 * VARIABLES].reshape(VARIABLES, LANES)
    for lane in range(LANES):
        before = [int(values[variable, lane]) for variable in range(VARIABLES)]
        wanted = run_channel(program, before) if mask >> lane & 1 else before
        assert result[:, lane].tolist() == wanted, f"lane {lane}"


START = """
    (W) mov (8|M0) r60.0<1>:uw 0x76543210:uv
    (W) add (8|M0) r60.8<1>:uw r60.0<1;1,0>:uw 8:uw
    (W) add (16|M0) r60.16<1>:uw r60.0<1;1,0>:uw 16:uw
    (W) and (1|M0) r61.0<1>:ud r0.2<0;1,0>:ud 255:ud
"""
VALUES = """
    (W) mul (32|M0) r{register}.0<1>:ud r60.0<1;1,0>:uw {factor}:uw
    (W) add (32|M0) r{register}.0<1>:ud r{register}.0<1;1,0>:ud r61.0<0;1,0>:ud
"""
END = """
    (W) mul (1|M0) r61.0<1>:ud r61.0<0;1,0>:ud 512:ud
    (W) add (1|M0) r62.0<1>:uq r1.0<0;1,0>:uq r61.0<0;1,0>:ud
    (W) store.ugm.d32x64t.a64 (1|M0) flat[r62] r20
    (W) store.ugm.d32x64t.a64 (1|M0) flat[r62+256] r24
    eot
"""


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("seed", range(25))
def test_threads_share_memory_between_barriers(seed: int) -> None:
    """The order in which threads take turns is the same in both engines, so that even races have one outcome."""
    rng = random.Random(1000 + seed)
    values = "".join(VALUES.format(register=20 + 2 * v, factor=rng.randrange(100)) for v in range(VARIABLES))
    text = START + values + assembly(shared_program(rng, 6), LANES) + END
    bench = Bench(text, [512 * 3], simd_size=32, slm_size=64, barrier_count=1)
    items = rng.choice([96, 80, 65])
    (image,) = bench.results((1, 1, 1), (items, 1, 1))
    assert len(set(image)) > 1


ENGINES = pytest.mark.parametrize("engine", ["interpreter", "jit"])


def divergence(text: str, engine: str) -> tuple[str, int]:
    with pytest.raises(DeviceFault) as caught:
        run_thread(text, flags=(0xFF, 0, 0, 0), engine=engine)
    assert caught.value.kind is FaultKind.DIVERGENCE
    return caught.value.detail, caught.value.offset


@ENGINES
def test_a_thread_must_not_end_while_channels_wait(engine: str) -> None:
    text = "(f0.0) goto (32|M0) L L\njmpi (1|M0) M\nL: join (32|M0) M\nM: nop"
    assert divergence(text, engine) == ("a uniform jump passes a join where channels wait", 0x20)
    text = "(f0.0) goto (32|M0) L L\neot\nL: join (32|M0) M\nM: nop"
    assert divergence(text, engine) == ("the thread ends while channels of it wait at a join", 0x20)


@ENGINES
def test_a_jump_that_passes_no_waiting_channel_is_free(engine: str) -> None:
    text = "(f1.0) goto (32|M0) L L\njmpi (1|M0) M\nL: join (32|M0) M\nM: mov (1|M0) r5:ud 7:ud"
    assert run_thread(text, engine=engine)[5, "u4"][0] == 7


@ENGINES
def test_an_endless_divergent_loop_is_stopped(engine: str) -> None:
    bench = Bench("L: goto.b (16|M0) M L\nM: join (16|M0) N\nN: eot", [], simd_size=16, instruction_limit=1000)
    with pytest.raises(DeviceFault) as caught:
        bench.run(engine, (1, 1, 1), (16, 1, 1))
    assert caught.value.kind is FaultKind.RUNAWAY


@pytest.mark.parametrize("form", ["barrier", "sbarrier.signal\n sbarrier.wait"])
def test_a_thread_arrives_if_any_channel_does(form: str) -> None:
    """Channels that are on when the thread waits are on afterwards, and no others; those at the join come back."""
    text = f"""
    (W) mov (1|M0) f0.0<1>:uw 0xfff0:uw
    (W) mov (16|M0) r4.0<1>:ud 1:ud
    (f0.0) goto (16|M0) N N
    mov (16|M0) r4.0<1>:ud 2:ud
    {form}
    add (16|M0) r4.0<1>:ud r4.0<1;1,0>:ud 10:ud
    N: join (16|M0) O
    O:
    mul (16|M0) r4.0<1>:ud r4.0<1;1,0>:ud 2:ud
    (W) and (1|M0) r10.0<1>:ud r0.2<0;1,0>:ud 255:ud
    (W) mul (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud 64:ud
    (W) add (1|M0) r11.0<1>:uq r1.0<0;1,0>:uq r10.0<0;1,0>:ud
    (W) store.ugm.d32x16t.a64 (1|M0) flat[r11] r4
    eot
    """
    (image,) = Bench(text, [64 * 3], simd_size=16, barrier_count=1).results((1, 1, 1), (48, 1, 1))
    assert np.frombuffer(image, np.uint32).reshape(3, 16).tolist() == [[24] * 4 + [2] * 12] * 3


def test_barriers_of_partly_filled_and_divergent_threads() -> None:
    text = """
    (W) mov (1|M0) f0.0<1>:uw 0x5555:uw
    mov (16|M0) r4.0<1>:ud 1:ud
    (f0.0) goto (16|M0) L L
    mov (16|M0) r4.0<1>:ud 2:ud
    L: join (16|M0) M
    M: barrier
    (~f0.0) goto (16|M0) N N
    add (16|M0) r4.0<1>:ud r4.0<1;1,0>:ud 10:ud
    N: join (16|M0) O
    O:
    (W) and (1|M0) r10.0<1>:ud r0.2<0;1,0>:ud 255:ud
    (W) mul (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud 64:ud
    (W) add (1|M0) r11.0<1>:uq r1.0<0;1,0>:uq r10.0<0;1,0>:ud
    (W) store.ugm.d32x16t.a64 (1|M0) flat[r11] r4
    eot
    """
    (image,) = Bench(text, [64 * 3], simd_size=16, barrier_count=1).results((1, 1, 1), (40, 1, 1))
    rows = np.frombuffer(image, np.uint32).reshape(3, 16)
    assert rows[0].tolist() == [11, 2] * 8
    assert rows[2].tolist()[:8] == [11, 2] * 4


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("goto (16|M0) L L\nL: nop\neot", "goto: channels can only wait at a join"),
        ("L: join (16|M0) M\nM: goto (16|M0) N L\nN: eot", "goto: goto leads down, goto.b up"),
        ("goto.b (16|M0) N L\nL: join (16|M0) N\nN: eot", "goto.b: goto leads down, goto.b up"),
        ("L: goto.b (16|M0) N L\nN: eot", "goto.b: channels can only wait at a join"),
        ("L: join (16|M0) L\neot", "join: the join distance must be positive"),
        ("join (8|M0) L\nL: eot", "join: execution size 8, the threads have 16 channels"),
        ("(W) join (16|M0) L\nL: eot", r"join: works on all channels .* without \(W\)"),
        ("goto (16|M16) L L\nL: join (16|M0) M\nM: eot", "goto: works on all channels .* from M0"),
        ("(f0.0.any) goto (16|M0) L L\nL: join (16|M0) M\nM: eot", "goto: takes a plain predicate"),
        ("call (1|M0) r10.0 L\nL: eot\ncall (1|M0) r127.14 L\ncall (1|M0) r10.1 L\neot", "needs an aligned qword"),
    ],
)
def test_illegal_flow(text: str, reason: str) -> None:
    with pytest.raises((IllegalCode, ValueError), match=reason):
        Bench(text, [], simd_size=16).run("jit", (1, 1, 1), (16, 1, 1))
