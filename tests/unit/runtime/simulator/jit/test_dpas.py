"""Matrix products in the JIT: shared operands, order, overlaps, rounding and flushing, against the interpreter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from runtime.simulator import Memory, ThreadState
from runtime.simulator.engines import create
from runtime.simulator.jit import JitEngine
from runtime.simulator.jit.alu.dpas import MAX_RUN
from tests.amounts import examples
from tests.unit.runtime.simulator.jit.hosts import HOSTS
from tests.unit.runtime.simulator.programs.differential import GRF_COUNT, kernel, random_bytes
from tests.unit.xegpu.isa.programs import dpas
from xegpu.isa import BY_MNEMONIC, DataType, Destination, Instruction, SourceRegister
from xegpu.isa.formats import dpas_operand_bytes
from xegpu.isa.model.operands import NULL, Register, grf
from xegpu.targets import ARC, PVC, Target

EOT = Instruction(BY_MNEMONIC["eot"])
REGISTERS = 48
F, BF = DataType.F, DataType.BF
SPECIAL = [
    sign | bits
    for sign in (0, 0x8000)
    for bits in (
        *(0, 1, 0x7F, 0x3FF),  # zero, and subnormal numbers of both formats
        *(0x80, 0x400, 0x2000, 0x1FC0, 0x1F80),  # the least normal ones, and bf whose products are near the least f
        *(0x3C00, 0x3F80, 0x3F81, 0x4000, 0x7BFF, 0x7F7F),  # ones, twos, largest ones
        *(0x7C00, 0x7F80, 0x7C01, 0x7F81, 0x7E00, 0x7FC0, 0x7FFF),  # infinities, NaNs of both kinds and any payload
    )
]
"""Words that as bf, hf, or half of an f are where arithmetic has exceptions."""


def register_file(kind: str, seed: int, target: Target) -> bytes:
    """Register contents: anything, halves, special values of bf and hf, or singles whose upper half is a bf, of usual
    size or with tiny products.
    """
    size = GRF_COUNT * target.platform.grf_bytes
    rng = np.random.default_rng(seed)
    if kind == "anything":
        return random_bytes(size, seed)
    if kind == "special":
        return rng.choice(np.array(SPECIAL, np.uint16), size // 2).tobytes()
    if kind == "halves":
        return rng.normal(0, 1, size // 2).astype(np.float16).tobytes()
    low, high = (-10, 10) if kind == "singles" else (-68, -60)
    values = rng.uniform(-2, 2, size // 4) * 2.0 ** rng.integers(low, high, size // 4)
    return values.astype(np.float32).tobytes()


@st.composite
def places(draw: st.DrawFn, instruction: Instruction, target: Target) -> list[Register]:
    """Other registers for D, C, B and A of a dpas."""
    found = []
    for used, alignment in dpas_operand_bytes(instruction, target):
        start = alignment * draw(st.integers(0, (REGISTERS * target.platform.grf_bytes - used) // alignment))
        found.append(grf(start // target.platform.grf_bytes, start % target.platform.grf_bytes))
    return found


@st.composite
def runs(draw: st.DrawFn, target: Target) -> list[Instruction]:
    """Several dpas: most have the types of the first one, and many its B."""
    run = [draw(dpas(target, REGISTERS))]
    for _ in range(draw(st.integers(0, 7))):
        if draw(st.integers(0, 4)) == 0:
            run.append(draw(dpas(target, REGISTERS)))
            continue
        model = run[0]
        d, c, b, a = draw(places(model, target))
        assert model.destination is not None
        operands = [source for source in model.sources if isinstance(source, SourceRegister)]
        sources = [replace(source, register=register) for source, register in zip(operands, (c, b, a), strict=True)]
        if draw(st.integers(0, 3)) > 0:
            sources[1] = operands[1]
        if draw(st.integers(0, 2)) == 0:
            sources[0] = replace(sources[0], register=d if sources[0].type.bits == model.destination.type.bits else c)
        run.append(replace(model, destination=replace(model.destination, register=d), sources=tuple(sources)))
    return run


def assert_agree(instructions: list[Instruction], state: ThreadState, target: Target, host: str = "this") -> None:
    executable, memory = kernel([*instructions, EOT], target), Memory()
    compiled = JitEngine(HOSTS[host]).prepare(executable).run_thread(state, memory)
    expected = create("interpreter").prepare(executable).run_thread(state, memory)
    for row in range(GRF_COUNT):
        place = slice(row * target.platform.grf_bytes, (row + 1) * target.platform.grf_bytes)
        assert compiled.registers[place].hex() == expected.registers[place].hex(), f"r{row}"


@st.composite
def states(draw: st.DrawFn, target: Target) -> ThreadState:
    kind = draw(st.sampled_from(["anything", "singles", "tiny", "halves", "special"]))
    registers = register_file(kind, draw(st.integers(0, 1 << 32)), target)
    mask = draw(st.sampled_from([0xFFFFFFFF, 0xFFFFFFFF, 0xFFFE]))
    return ThreadState(registers, (0,) * target.platform.flag_registers, mask)


@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda t: t.name)
@settings(max_examples=examples(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_runs_of_products(data: st.DataObject, target: Target) -> None:
    assert_agree(data.draw(runs(target)), data.draw(states(target)), target)


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("host", [name for name in HOSTS if name != "this"])
@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda t: t.name)
@settings(max_examples=examples(8), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_runs_of_products_on_lesser_cpus(data: st.DataObject, target: Target, host: str) -> None:
    assert_agree(data.draw(runs(target)), data.draw(states(target)), target, host)


def product(d: int, c: int | None, b: int, a: int, rows: int = 8) -> Instruction:
    """A bf product of PVC with f accumulators."""
    return Instruction(
        BY_MNEMONIC["dpas"],
        16,
        no_mask=True,
        destination=Destination(grf(d), F),
        sources=(
            SourceRegister(NULL if c is None else grf(c), F),
            SourceRegister(grf(b), BF),
            SourceRegister(grf(a), BF),
        ),
        repeat=rows,
    )


def move(d: int, source: int) -> Instruction:
    return Instruction(
        BY_MNEMONIC["mov"],
        16,
        no_mask=True,
        destination=Destination(grf(d), F),
        sources=(SourceRegister(grf(source), F),),
    )


@pytest.mark.parametrize(
    "instructions",
    [
        pytest.param([product(1, 0, 20, 30)], id="D shifted against C by a row"),
        pytest.param([product(0, 1, 20, 30)], id="D shifted against C by a row, downwards"),
        pytest.param([product(20, 0, 20, 30)], id="D over B"),
        pytest.param([product(30, 0, 20, 30), product(0, 0, 20, 30)], id="D over A, which the next one reads"),
        pytest.param([product(0, 0, 20, 30), product(8, 0, 20, 30)], id="C of the second is D of the first"),
        pytest.param([product(0, None, 20, 30), product(0, 0, 20, 34), product(0, 0, 20, 30)], id="a chain"),
        pytest.param([product(0, None, 20, 30), move(30, 40), product(8, None, 20, 30)], id="A changes between"),
        pytest.param([product(0, None, 20, 30), move(20, 40), product(8, None, 20, 30)], id="B changes between"),
        pytest.param([product(0, None, 20, 30), move(40, 0), product(0, None, 20, 34)], id="D is read between"),
        pytest.param([product(0, None, 20, 30), move(0, 40), product(8, 0, 20, 34)], id="D is overwritten between"),
        pytest.param([product(d % 40, d % 40, 48, 56) for d in range(MAX_RUN + 9)], id="longer than a run"),
    ],
)
def test_order_is_kept_where_registers_overlap(instructions: list[Instruction]) -> None:
    registers = register_file("singles", 7, PVC)
    assert_agree(instructions, ThreadState(registers, (0,) * PVC.platform.flag_registers), PVC)


@pytest.mark.parametrize("rows", [8, 5, 1])
@pytest.mark.parametrize("place", [0, 3])
def test_a_nan_in_any_product_that_shares_b_is_canonical(place: int, rows: int) -> None:
    values = np.frombuffer(register_file("singles", 7, PVC), np.float32).reshape(GRF_COUNT, 16).copy()
    values.view(np.uint32)[36:56] &= 0xFFFF0000  # words that are no NaN as bf
    values[0], values[8] = np.inf, -np.inf  # results whose sum is no number are numbers all the same
    first = 8 * place
    values.view(np.uint32)[first + rows - 1, 5] = 0x7F812345
    program = [product(8 * i, 8 * i, 48, 36 + 2 * i, rows) for i in range(4)]
    state = ThreadState(values.tobytes(), (0,) * PVC.platform.flag_registers)
    assert_agree(program, state, PVC)
    after = JitEngine().prepare(kernel([*program, EOT], PVC)).run_thread(state, Memory())
    results = np.frombuffer(after.registers, np.uint32).reshape(GRF_COUNT, 16)
    assert results[first + rows - 1, 5] == 0x7FC00000
    assert np.isnan(results[: 8 * 4].view(np.float32)).sum() == 1


def test_tiny_results_are_flushed_in_products_only() -> None:
    # A product of the smallest normal numbers' neighbourhood, next to an addition whose subnormal result must stay.
    values = np.zeros((GRF_COUNT, 16), np.float32)
    values[20:28] = values[30:34] = 2.0**-63
    values[40], values[41] = 2.0**-126, -1.5 * 2.0**-126
    subtract = Instruction(
        BY_MNEMONIC["add"],
        16,
        no_mask=True,
        destination=Destination(grf(42), F),
        sources=(SourceRegister(grf(40), F), SourceRegister(grf(41), F)),
    )
    first = replace(subtract, destination=Destination(grf(43), F))
    program = [first, product(0, None, 20, 30), subtract, EOT]
    state = ThreadState(values.tobytes(), (0,) * PVC.platform.flag_registers)
    after = JitEngine().prepare(kernel(program, PVC)).run_thread(state, Memory())
    results = np.frombuffer(after.registers, np.float32).reshape(GRF_COUNT, 16)
    assert (results[42:44] == -(2.0**-127)).all()
    # Eight products of 2^-126 for each row of A; a single one less than that would be flushed.
    assert (results[0:8] > 0).all()
