"""Float results are rounded once: cases where a second rounding shows, against exact fractions."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest

from runtime.simulator.interpreter.alu import rounding
from runtime.simulator.interpreter.alu.conversions import conversion
from runtime.simulator.interpreter.threads.values import DTYPES, Array, canonical_nans
from tests.unit.runtime.simulator.oracles.alu import decode, encode, float_mad
from xegpu.isa import DataType

LIMITS = {DataType.F: (-149, 127, 23), DataType.HF: (-24, 15, 10), DataType.DF: (-1074, 1023, 52)}
SAMPLES = 4000


def sparse(rng: random.Random, type: DataType, low: int, high: int) -> float:
    """A number with few significant bits, whose products and sums come close to midpoints: +-(2^i +- 2^j)."""
    smallest, largest, fraction_bits = LIMITS[type]
    exponent = min(max(rng.randint(low, high), smallest), largest)
    other = rng.randint(max(exponent - fraction_bits, smallest), exponent)
    magnitude = Fraction(2) ** exponent + rng.choice([-1, 0, 1]) * Fraction(2) ** other
    return rng.choice([1, -1]) * float(decode(encode(magnitude, type), type))


def bits(values: Array, type: DataType) -> list[int]:
    return [int(pattern) for pattern in values.view(f"u{type.size}")]


def converted(values: list[float] | list[int], source: DataType, target: DataType) -> list[int]:
    with np.errstate(all="ignore"):
        return bits(conversion(source, target)(np.array(values, DTYPES[source])), target)


@pytest.mark.parametrize(("type", "window"), [(DataType.F, 40), (DataType.HF, 20), (DataType.DF, 80)])
def test_mad_rounds_once(type: DataType, window: int) -> None:
    """Terms of similar size over the whole range, so that the addition's error matters."""
    rng = random.Random(1)
    cases = []
    for _ in range(SAMPLES):
        exponent = rng.randint(*LIMITS[type][:2])
        near = exponent - window, exponent + window
        cases.append((sparse(rng, type, -4, 4), sparse(rng, type, *near), sparse(rng, type, *near)))
    a, b, c = np.array(cases, DTYPES[type]).T
    with np.errstate(all="ignore"):
        if type is DataType.DF:
            result = rounding.fused_multiply_add_double(a, b, c)
        else:
            result = rounding.fused_multiply_add(a, b, c).astype(DTYPES[type])
    assert bits(canonical_nans(result, type), type) == [encode(float_mad(*case, type), type) for case in cases]


def test_the_tail_of_a_product_decides_a_tie() -> None:
    """Half a unit in the last place of c, and a little more that f64 cannot hold beside c."""
    a, b, c = np.float32(1 + 2.0**-23), np.float32(2.0**-18), np.float32(2.0**6)

    def mad(a: np.float32) -> np.float32:
        return np.float32(rounding.fused_multiply_add(np.array([a]), np.array([b]), np.array([c]))[0])

    assert mad(a) == c + np.float32(2.0**-17)
    assert mad(np.float32(1)) == c


def test_an_infinite_addend_wins_over_a_product_that_overflows() -> None:
    values = (np.array([v]) for v in (1e300, 1e300, -np.inf))
    assert rounding.fused_multiply_add_double(*values)[0] == -np.inf


def test_exact_zeros_have_the_sign_of_ieee() -> None:
    def mad(a: float, b: float, c: float) -> float:
        return float(rounding.fused_multiply_add_double(np.array([a]), np.array([b]), np.array([c]))[0])

    assert np.copysign(1, mad(2.0, 3.0, -6.0)) == 1
    assert np.copysign(1, mad(-0.0, 3.0, -0.0)) == -1
    assert np.copysign(1, mad(-(2.0**-1000), 2.0**-1000, 0.0)) == -1


def test_sum_to_odd_lies_on_the_right_side_of_every_midpoint() -> None:
    rng = random.Random(2)
    a, b = np.array([(sparse(rng, DataType.DF, -60, 60), sparse(rng, DataType.DF, -60, 60)) for _ in range(SAMPLES)]).T
    total = rounding.sum_to_odd(a, b)
    for x, y, result in zip(a.tolist(), b.tolist(), total.tolist(), strict=True):
        exact = Fraction(x) + Fraction(y)
        below, above = Fraction(np.nextafter(result, -np.inf)), Fraction(np.nextafter(result, np.inf))
        assert Fraction(result) == exact or (below < exact < above and np.float64(result).view(np.int64) & 1)


@pytest.mark.parametrize(
    ("target", "low", "high"),
    [(DataType.BF, -160, 130), (DataType.F, -160, 130), (DataType.HF, -30, 17)],
)
def test_doubles_round_once(target: DataType, low: int, high: int) -> None:
    rng = random.Random(3)
    values = [sparse(rng, DataType.DF, low, high) for _ in range(SAMPLES)] + [np.inf, -np.inf]
    assert converted(values, DataType.DF, target) == [encode(value, target) for value in values]


@pytest.mark.parametrize("source", [DataType.Q, DataType.UQ])
@pytest.mark.parametrize("target", [DataType.F, DataType.BF, DataType.HF, DataType.DF])
def test_large_integers_round_once(source: DataType, target: DataType) -> None:
    """Midpoints of the target plus or minus a little, which a detour over f64 would lose."""
    rng = random.Random(4)
    fraction_bits = {DataType.F: 24, DataType.BF: 8, DataType.HF: 11, DataType.DF: 53}[target]
    values = []
    for _ in range(SAMPLES):
        high = rng.randint(0, 63)
        value = (1 << high) + (1 << max(high - fraction_bits, 0)) + rng.choice([-2, -1, 0, 1, 2])
        value += rng.randint(0, 3) << max(high - fraction_bits + 1, 0)
        if source is DataType.Q:
            values.append(rng.choice([1, -1]) * min(value, (1 << 63) - 1))
        else:
            values.append(value % (1 << 64))
    assert converted(values, source, target) == [encode(value, target) for value in values]


def test_singles_to_tf32() -> None:
    rng = random.Random(5)
    patterns = [rng.getrandbits(32) for _ in range(SAMPLES)] + [rng.getrandbits(24) for _ in range(SAMPLES)]
    patterns += [high << 24 | low for high in (0x7F, 0xFF) for low in range(0x7FE000, 0x800001)]
    values = np.array([p for p in patterns if np.isfinite(decode(p, DataType.F))] + [0x7F800000], np.uint32)
    result = rounding.single_to_tf32(values.view(np.float32))
    assert bits(result, DataType.F) == [encode(decode(int(p), DataType.F), DataType.TF32) for p in values]
