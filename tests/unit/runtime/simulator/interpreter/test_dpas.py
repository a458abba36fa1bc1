"""Matrix products against the exact scalar model, and the definitions that it rests on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from numpy.typing import NDArray

from runtime.simulator import Memory, ThreadState
from runtime.simulator.engines import create
from tests.amounts import examples
from tests.unit.runtime.simulator.oracles import dpas as dpas_oracle
from tests.unit.runtime.simulator.programs.differential import GRF_COUNT, kernel, random_bytes
from tests.unit.xegpu.isa.programs import dpas
from xegpu.isa import BY_MNEMONIC, DataType, Destination, Instruction, SourceRegister
from xegpu.isa.model.operands import NULL, grf
from xegpu.targets import ARC, PVC, Target

EOT = Instruction(BY_MNEMONIC["eot"])
BF, HF, F, TF32 = DataType.BF, DataType.HF, DataType.F, DataType.TF32


def run(instruction: Instruction, registers: bytes, target: Target = PVC, mask: int = 0xFFFFFFFF) -> bytes:
    prepared = create("interpreter").prepare(kernel([instruction, EOT], target))
    return prepared.run_thread(ThreadState(registers, (0,) * target.platform.flag_registers, mask), Memory()).registers


@st.composite
def operand_bytes(draw: st.DrawFn, target: Target) -> bytes:
    """Register files of all kinds: anything, and floats of like size whose sums round and whose products are tiny."""
    size = GRF_COUNT * target.platform.grf_bytes
    seed = draw(st.integers(0, 1 << 32))
    kind = draw(st.sampled_from(["anything", "singles", "tiny", "halves"]))
    if kind == "anything":
        return random_bytes(size, seed)
    rng = np.random.default_rng(seed)
    if kind == "halves":
        return rng.normal(0, 1, size // 2).astype(np.float16).tobytes()
    # The upper half of an f32 is a bf: exponents around 0, or where products are about the smallest normal number.
    low, high = (-10, 10) if kind == "singles" else (-68, -60)
    count = size // 4
    values = rng.choice([-1.0, 1.0], count) * rng.uniform(1, 2, count) * 2.0 ** rng.integers(low, high, count)
    singles = values.astype(np.float32).view(np.uint16)
    singles[0::2] = singles[1::2]
    return singles.tobytes()


@pytest.mark.parametrize("target", [PVC, ARC], ids=lambda t: t.name)
@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_dpas_is_the_exact_model(data: st.DataObject, target: Target) -> None:
    instruction = data.draw(dpas(target))
    registers = data.draw(operand_bytes(target))
    mask = data.draw(st.sampled_from([0xFFFFFFFF, 0x1, 0xFFFE]) | st.integers(0, 0xFFFFFFFF))
    result = run(instruction, registers, target, mask)
    expected = dpas_oracle.execute(instruction, registers, mask, target)
    for row in range(GRF_COUNT):
        place = slice(row * target.platform.grf_bytes, (row + 1) * target.platform.grf_bytes)
        assert result[place].hex() == expected[place].hex(), f"r{row}"


def product(terms: list[tuple[float, float]], c: float, type: DataType) -> int:
    """Bits of the f result of c plus the products of `terms`, those of the highest k; the rest are +0 * +0."""
    depth = 8 if type is TF32 else 16
    dtype = np.float16 if type is HF else np.float32
    pairs = np.zeros((2, depth), dtype)
    pairs[:, depth - len(terms) :] = np.array(terms, dtype).T
    patterns = pairs.view(np.uint32) >> 16 if type is BF else pairs.view(f"u{pairs.itemsize}")
    a, b = patterns.astype(np.uint32 if type is TF32 else np.uint16)
    registers = np.zeros((GRF_COUNT, 16), np.uint32)
    registers[8, :8] = a.view(np.uint32)
    registers[16:24, 0] = b.view(np.uint32)
    registers[0, 0] = np.array([c], np.float32).view(np.uint32)[0]
    instruction = Instruction(
        BY_MNEMONIC["dpas"],
        16,
        destination=Destination(grf(32), F),
        sources=(SourceRegister(grf(0), F), SourceRegister(grf(16), type), SourceRegister(grf(8), type)),
        repeat=1,
    )
    after = run(instruction, registers.tobytes())
    return int(np.frombuffer(after, np.uint32).reshape(GRF_COUNT, 16)[32, 0])


def f32(value: float) -> int:
    return int(np.array([value], np.float32).view(np.uint32)[0])


ONE = (1.0, 1.0)
NONE = (0.0, 0.0)
TINY = (2.0**-63 * (1 - 2.0**-8), 2.0**-63)
"""A product just below the smallest normal f32."""


def test_bf_takes_subnormal_inputs_as_zeros_and_hf_keeps_them() -> None:
    assert product([(2.0**-130, 2.0**100)], 0.0, BF) == 0
    assert product([(1.0, -(2.0**-130)), (1.0, -(2.0**-130))], -0.0, BF) == f32(0.0)  # chains start from +0
    assert product([(2.0**-24, 1.0)], 0.0, HF) == f32(2.0**-24)


def test_bf_flushes_tiny_steps_to_zeros_of_their_sign() -> None:
    assert product([TINY], 2.0**-126, BF) == f32(2.0**-126)
    negative = (-TINY[0], TINY[1])
    assert product([negative, negative], -0.0, BF) == f32(-0.0)
    assert product([negative, negative], 0.0, BF) == 0
    assert product([(2.0**-63, 2.0**-63)], 0.0, BF) == f32(2.0**-126)


def test_tininess_is_judged_after_rounding_to_24_bits() -> None:
    smallest = (2.0**-63, 2.0**-63)
    # 2^-126 minus a quarter, and minus half, of a unit in its last place round up to it; minus one unit stays below.
    assert product([smallest, NONE, (-(2.0**-76), 2.0**-76), NONE], 0.0, BF) == f32(2.0**-126)
    assert product([smallest, NONE, (-(2.0**-76), 2.0**-75), NONE], 0.0, BF) == f32(2.0**-126)
    assert product([smallest, NONE, (-(2.0**-75), 2.0**-75), NONE], 0.0, BF) == 0


def test_bf_flushes_the_sum_of_chains_and_the_last_sum() -> None:
    smallest, minus = (2.0**-63, 2.0**-63), (-(2.0**-63) * 1.5, 2.0**-63)
    assert product([smallest, minus], 2.0**-126, BF) == f32(2.0**-126)
    assert product([smallest], -(2.0**-126) * 1.5, BF) == f32(-0.0)
    assert product([NONE], 2.0**-130, BF) == 0
    assert product([smallest], 2.0**-127, BF) == f32(2.0**-126)


def test_hf_keeps_a_subnormal_c() -> None:
    assert product([NONE], 2.0**-130, HF) == f32(2.0**-130)


def test_even_and_odd_products_are_summed_apart_and_meet_c_last() -> None:
    small = (2.0**-12, 2.0**-12)
    assert product([small, small], 1.0, BF) == f32(1 + 2.0**-23)
    assert product([small], 1.0, BF) == f32(1)
    assert product([small, NONE, ONE, NONE], 0.0, BF) == f32(1)  # one chain: rounds to even at once
    assert product([small, ONE], 0.0, BF) == f32(1)
    assert product([small, (3 * 2.0**-12, 2.0**-12), ONE, NONE], 0.0, BF) == f32(1 + 2.0**-22)


def test_tf32_is_one_ascending_chain() -> None:
    small = (2.0**-12, 2.0**-12)
    assert product([ONE, small, small], 0.0, TF32) == f32(1)
    assert product([small, small, ONE], 0.0, TF32) == f32(1 + 2.0**-23)
    assert product([(2.0**-130, 2.0**100)], 0.0, TF32) == 0


def test_tf32_ignores_the_low_bits_of_its_inputs() -> None:
    assert product([(1.0 + 2.0**-11, 1.0)], 0.0, TF32) == f32(1)
    assert product([(1.0, 1.0 + 2.0**-11)], 0.0, TF32) == f32(1)
    assert product([(1.0 + 2.0**-10, 1.0)], 0.0, TF32) == f32(1 + 2.0**-10)


def test_nan_results_are_canonical() -> None:
    assert product([(np.inf, 0.0)], 1.0, BF) == 0x7FC00000
    assert product([ONE], np.nan, HF) == 0x7FC00000
    assert product([(np.inf, 1.0)], -np.inf, BF) == 0x7FC00000
    assert product([(np.inf, 1.0)], 1.0, BF) == 0x7F800000


def test_null_accumulator_is_plus_zero() -> None:
    registers = np.zeros((GRF_COUNT, 16), np.float32)
    registers[0] = 5
    instruction = Instruction(
        BY_MNEMONIC["dpas"],
        16,
        destination=Destination(grf(0), F),
        sources=(SourceRegister(NULL, F), SourceRegister(grf(16), BF), SourceRegister(grf(8), BF)),
        repeat=1,
    )
    after = np.frombuffer(run(instruction, registers.tobytes()), np.uint32).reshape(GRF_COUNT, 16)
    assert not after[0].any()


def test_integers_wrap() -> None:
    registers = np.zeros((GRF_COUNT, 64), np.uint8)
    registers[0] = np.full(16, 0x7FFFFFFF, np.uint32).view(np.uint8)
    registers[8], registers[16:24] = 0x80, 0x80
    instruction = Instruction(
        BY_MNEMONIC["dpas"],
        16,
        destination=Destination(grf(32), DataType.D),
        sources=(
            SourceRegister(grf(0), DataType.D),
            SourceRegister(grf(16), DataType.B),
            SourceRegister(grf(8), DataType.UB),
        ),
        repeat=1,
    )
    after = np.frombuffer(run(instruction, registers.tobytes()), np.uint32).reshape(GRF_COUNT, 16)
    assert (after[32] == (0x7FFFFFFF + 32 * 128 * -128) % (1 << 32)).all()


def test_blocked_gemm_tile_is_numpy_within_rounding() -> None:
    """A plain, B in VNNI form: an 8x16x16 product of bf values that f32 holds exactly."""
    rng = np.random.default_rng(0)
    a, b = rng.integers(-8, 8, (8, 16)), rng.integers(-8, 8, (16, 16))
    registers = np.zeros((GRF_COUNT, 32), np.uint16)

    def bf(values: NDArray[np.int64]) -> NDArray[np.uint16]:
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)

    registers[8:12] = bf(a).reshape(4, 32)
    registers[16:24] = bf(b).reshape(8, 2, 16).swapaxes(1, 2).reshape(8, 32)
    instruction = Instruction(
        BY_MNEMONIC["dpas"],
        16,
        destination=Destination(grf(32), F),
        sources=(SourceRegister(NULL, F), SourceRegister(grf(16), BF), SourceRegister(grf(8), BF)),
        repeat=8,
    )
    after = np.frombuffer(run(instruction, registers.tobytes()), np.float32).reshape(GRF_COUNT, 16)
    np.testing.assert_array_equal(after[32:40], a @ b)
