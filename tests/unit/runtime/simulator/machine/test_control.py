"""Float arithmetic under cr0: every direction of rounding and every denormal mode, against exact fractions."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from runtime.simulator import Memory, ThreadState
from runtime.simulator.engines import create
from tests.unit.runtime.simulator.oracles.alu import FORMATS, decode
from tests.unit.runtime.simulator.programs.differential import ENGINES, GRF_COUNT, kernel, random_bytes
from xegpu.isa import DataType, assemble, decode_program
from xegpu.targets import PVC

F, HF, BF, DF, TF32, Q, D = (DataType[name] for name in ("F", "HF", "BF", "DF", "TF32", "Q", "D"))
KEEP = {HF: 0x400, BF: 0x80, F: 0x80, TF32: 0x80, DF: 0x40}
LANES = 16

Exact = Fraction | float
"""A number that is not zero, or a float that needs no rounding."""


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


# What the results should be ------------------------------------------------------------------------------------------


def rounded(exact: Exact, type: DataType, mode: int) -> int:
    """The bits of a number, rounded once: 0 nearest even, 1 up, 2 down, 3 toward zero."""
    exponent_bits, fraction_bits = (8, 10) if type is TF32 else FORMATS[type]
    shift = 13 if type is TF32 else 0
    sign = 1 << (exponent_bits + fraction_bits)
    infinity = ((1 << exponent_bits) - 1) << fraction_bits
    if isinstance(exact, float):
        if math.isnan(exact):
            return (infinity | 1 << (fraction_bits - 1)) << shift
        magnitude = infinity if math.isinf(exact) else 0
        assert magnitude or exact == 0
        return (magnitude | (sign if math.copysign(1, exact) < 0 else 0)) << shift
    bias = (1 << exponent_bits - 1) - 1
    size, negative = abs(exact), exact < 0
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    exponent -= size < Fraction(2) ** exponent
    exponent = max(exponent, 1 - bias)
    units = size / Fraction(2) ** (exponent - fraction_bits)
    outward = mode == (2 if negative else 1)
    whole = round(units) if mode == 0 else math.ceil(units) if outward else math.floor(units)
    pattern = whole + ((exponent + bias - 1) << fraction_bits)
    if pattern >= infinity:
        pattern = infinity if mode == 0 or outward else infinity - 1
    return (pattern | (sign if negative else 0)) << shift


def flushed(bits: int, type: DataType, control: int) -> int:
    if control & KEEP[type]:
        return bits
    exponent_bits, fraction_bits = (8, 23) if type is TF32 else FORMATS[type]
    tiny = not bits >> fraction_bits & ((1 << exponent_bits) - 1)
    return bits & 1 << (type.bits - 1) if tiny else bits


def read(bits: int, type: DataType, control: int) -> float:
    return float(decode(flushed(bits, type, control), type))


def finite(*values: float) -> bool:
    return all(map(math.isfinite, values))


def total(a: float, b: float, c: float, mode: int) -> Exact:
    """a * b + c."""
    if not finite(a, b, c):
        return a * b + c if not finite(a, b) else c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact:
        return exact
    signs = math.copysign(1, a) * math.copysign(1, b), math.copysign(1, c)
    return math.copysign(0.0, signs[0]) if signs[0] == signs[1] else -0.0 if mode == 2 else 0.0


def product(a: float, b: float, mode: int) -> Exact:
    return Fraction(a) * Fraction(b) if finite(a, b) and a and b else a * b


def quotient(a: float, b: float, mode: int) -> Exact:
    if finite(a, b) and a and b:
        return Fraction(a) / Fraction(b)
    with np.errstate(all="ignore"):
        return float(np.float64(a) / np.float64(b))


def root(a: float, mode: int) -> Exact:
    if not a > 0 or math.isinf(a):
        return math.nan if a < 0 else a
    exact = Fraction(a)
    scale = 2 * (200 + exact.denominator.bit_length())
    scaled = (exact.numerator << scale) // exact.denominator
    near = math.isqrt(scaled)
    return Fraction(2 * near + (near * near != scaled), 2 << scale // 2)


OPERATIONS: dict[str, tuple[int, Callable[..., Exact]]] = {
    "add": (2, lambda a, b, mode: total(a, 1.0, b, mode)),
    "mul": (2, product),
    "mad": (3, total),
    "div": (2, quotient),
    "sqrtm": (1, root),
    "math.inv": (1, lambda a, mode: quotient(1.0, a, mode)),
    "math.sqt": (1, root),
}


# What the engines say ------------------------------------------------------------------------------------------------

PATTERNS = {
    F: (0, 1, 0x7FFFFF, 0x800000, 0x3F800000, 0x3F800001, 0x7F7FFFFF, 0x7F800000, 0x7FC00000, 0x33000000, 0x4B7FFFFF),
    HF: (0, 1, 0x3FF, 0x400, 0x3C00, 0x3C01, 0x7BFF, 0x7C00, 0x7E00, 0x1000, 0x6400),
    BF: (0, 1, 0x7F, 0x80, 0x3F80, 0x3F81, 0x7F7F, 0x7F80, 0x7FC0, 0x3300, 0x4B7F),
    DF: (0, 1, (1 << 52) - 1, 1 << 52, 0x3FF << 52, 0x7FEFFFFFFFFFFFFF, 0x7FF << 52, 0x7FF8 << 48, 0x3CA << 52),
}


def samples(type: DataType, rng: np.random.Generator) -> NDArray[np.generic]:
    """Bits of 16 numbers: special ones of both signs, and random ones, half of them close to one."""
    dtype = np.dtype(f"u{type.size}")
    values = np.frombuffer(random_bytes(LANES * type.size, int(rng.integers(1 << 32))), dtype).copy()
    if type in PATTERNS:
        special = rng.choice(np.array(PATTERNS[type], dtype), LANES)
        signs = rng.integers(0, 2, LANES, np.uint64).astype(dtype) << dtype.type(type.bits - 1)
        values = np.where(rng.random(LANES) < 0.5, special | signs, values)
        near = values % dtype.type(16) + dtype.type(PATTERNS[type][4])
        values = np.where(rng.random(LANES) < 0.25, near, values)
    return values


def run(engine: str, control: int, line: str, operands: list[NDArray[np.generic]], *, known: bool) -> bytes:
    """The bytes of r20 behind an instruction that runs with `control` in cr0; the JIT may know it or not."""
    source = f"{control:#x}:ud" if known else "r100:ud"
    text = f"(W) mov (1|M0) cr0.0:ud {source}\n{line}\neot"
    file = np.zeros((GRF_COUNT, 64), np.uint8)
    file[100, :4] = np.array([control], np.uint32).view(np.uint8)
    for index, values in enumerate(operands):
        data = np.frombuffer(values.tobytes(), np.uint8)
        file[1 + 4 * index : 5 + 4 * index].reshape(-1)[: len(data)] = data
    program = decode_program(assemble(text)).instructions
    state = ThreadState(file.tobytes(), (0,) * 4, 0xFFFFFFFF)
    final = create(engine).prepare(kernel(program, PVC)).run_thread(state, Memory())
    return final.registers[20 * 64 :]


CONTROLS = (0x4C0, 0x4D0, 0x4E0, 0x4F0, 0, 0x10, 0x20, 0x30, 0x400, 0x80, 0x40)


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(
    ("mnemonic", "type"),
    # There are no math functions of df.
    [(m, t) for m in OPERATIONS for t in (F, HF, DF) if t is not DF or not m.startswith("math")],
    ids=lambda part: part.text if isinstance(part, DataType) else part,
)
def test_operations(engine: str, mnemonic: str, type: DataType) -> None:
    count, function = OPERATIONS[mnemonic]
    rng = np.random.default_rng(1)
    sources = " ".join(f"r{1 + 4 * index}:{type.text}" for index in range(count))
    for control in CONTROLS:
        for known in (True, False):
            operands = [samples(type, rng) for _ in range(count)]
            mode = control >> 4 & 3
            line = f"{mnemonic} ({LANES}|M0) r20:{type.text} {sources}"
            after = np.frombuffer(run(engine, control, line, operands, known=known), f"u{type.size}")
            for lane in range(LANES):
                values = [read(int(operand[lane]), type, control) for operand in operands]
                expected = flushed(rounded(function(*values, mode), type, mode), type, control)
                assert hex(after[lane]) == hex(expected), (hex(control), values)


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("source", [F, HF, BF, DF, Q, D], ids=lambda t: t.text)
@pytest.mark.parametrize("target", [F, HF, BF, DF], ids=lambda t: t.text)
def test_conversions(engine: str, source: DataType, target: DataType) -> None:
    if source is target:
        return
    rng = np.random.default_rng(2)
    for control in CONTROLS:
        for known in (True, False):
            values, mode = samples(source, rng), control >> 4 & 3
            line = f"mov ({LANES}|M0) r20:{target.text} r1:{source.text}"
            after = np.frombuffer(run(engine, control, line, [values], known=known), f"u{target.size}")
            for lane in range(LANES):
                bits = int(values[lane])
                value = read(bits, source, control) if source.is_float else decode(bits, source)
                exact = Fraction(value) if math.isfinite(value) and value else float(value)
                expected = flushed(rounded(exact, target, mode), target, control)
                assert hex(after[lane]) == hex(expected), (hex(control), value)


def test_tf32_rounds_in_every_direction(engine: str) -> None:
    rng = np.random.default_rng(3)
    for control in CONTROLS:
        values, mode = samples(F, rng), control >> 4 & 3
        after = np.frombuffer(run(engine, control, f"mov ({LANES}|M0) r20:tf32 r1:f", [values], known=True), "u4")
        for lane in range(LANES):
            value = read(int(values[lane]), F, control)
            if abs(value) < 2.0**-126:
                value = math.copysign(0.0, value)
            exact = Fraction(value) if math.isfinite(value) and value else value
            assert hex(after[lane]) == hex(rounded(exact, TF32, mode)), (hex(control), value)


def test_copies_and_truncation_do_not_obey(engine: str) -> None:
    bits = np.array([1, 0x7F800001, 0x80000001, 0x3FFFFFFF] * 4, np.uint32)
    copied = np.frombuffer(run(engine, 0x30, f"mov ({LANES}|M0) r20:f r1:f", [bits], known=False), np.uint32)
    assert copied[:LANES].tolist() == bits.tolist()
    cut = np.frombuffer(run(engine, 0x4D0, f"mov ({LANES}|M0) r20:d r1:f", [bits], known=False), np.int32)
    assert cut[3] == 1


def test_comparisons_see_flushed_numbers(engine: str) -> None:
    bits = np.array([1, 0x80000001, 0x800000, 0] * 4, np.uint32)
    for control, expected in ((0, 0xBBBB), (0x80, 0x8888)):
        line = f"cmp ({LANES}|M0) (eq)f0.0 null:f r1:f 0.0:f\n(W) mov (1|M0) r20:ud f0.0:ud"
        after = np.frombuffer(run(engine, control, line, [bits], known=True), np.uint32)
        assert hex(after[0]) == hex(expected)


def test_the_control_register_is_followed_through_branches(engine: str) -> None:
    """One third is rounded up on one path and down on the other; then in whatever direction was chosen."""
    program = """
        (W) cmp (1|M0) (eq)f0.0 null:ud r2:ud 1:ud
        (W&f0.0) jmpi (1|M0) other
        (W) or (1|M0) cr0.0:ud cr0.0:ud 0x10:ud
        (W) div (1|M0) r20:f r1:f 3.0:f
        (W) jmpi (1|M0) end
    other:
        (W) xor (1|M0) cr0.0:ud cr0.0:ud 0x20:ud
        (W) div (1|M0) r20:f r1:f 3.0:f
    end:
        (W) div (1|M0) r21:f r1:f 3.0:f
        (W) and (1|M0) cr0.0:ud cr0.0:ud 0xFFFFFFCF:ud
        (W) div (1|M0) r22:f r1:f 3.0:f
        eot
    """
    code = decode_program(assemble(program)).instructions
    for choice, third in ((0, 0x3EAAAAAB), (1, 0x3EAAAAAA)):
        file = np.zeros((GRF_COUNT, 16), np.uint32)
        file[1, 0], file[2, 0] = 0x3F800000, choice
        state = ThreadState(file.tobytes(), (0,) * 4, 1)
        final = create(engine).prepare(kernel(code, PVC)).run_thread(state, Memory())
        after = np.frombuffer(final.registers, np.uint32).reshape(GRF_COUNT, 16)[20:23, 0]
        assert [hex(value) for value in after] == [hex(third), hex(third), "0x3eaaaaab"]


@pytest.mark.parametrize(
    ("write", "third"),
    [
        ("mov (1|M0) cr0.0:ud 0x10:ud", 0xBEAAAAAA),  # toward plus infinity
        ("mov (1|M0) cr0.0:ud 0x10:v", 0xBEAAAAAB),  # the first of eight numbers, which is zero: to the nearest
        ("mov (1|M0) cr0.0:ud 0x1:uv", 0xBEAAAAAB),
        ("mov (1|M0) (sat)cr0.0:ud 0xFFFFFFFF:d", 0xBEAAAAAB),  # below the range of the destination
        ("mov (1|M0) cr0.0:ud 0xFFFFFFFF:d", 0xBEAAAAAA),  # all bits: toward zero
    ],
)
def test_what_is_written_is_what_the_constant_means(engine: str, write: str, third: int) -> None:
    """A third of minus one."""
    code = decode_program(assemble(f"(W) {write}\n(W) div (1|M0) r20:f r1:f 3.0:f\neot")).instructions
    file = np.zeros((GRF_COUNT, 16), np.uint32)
    file[1, 0] = 0xBF800000
    final = create(engine).prepare(kernel(code, PVC)).run_thread(ThreadState(file.tobytes(), (0,) * 4, 1), Memory())
    assert hex(np.frombuffer(final.registers, np.uint32)[20 * 16]) == hex(third)
