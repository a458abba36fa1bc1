"""Arithmetic of host code against Python's exact integers and numpy."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from runtime.host.data.failures import ProgramError
from tests.amounts import examples
from tests.unit.passes.kernels.rounding import MODES, assert_rounded, candidates
from tests.unit.runtime.host.support import Program, function, operation
from xegpu.diagnostics import CompileError

WIDTHS = {"i1": 1, "i8": 8, "i16": 16, "i24": 24, "i32": 32, "i64": 64, "index": 64}
DTYPES = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}


EPSILON = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23, "f64": 2.0**-52}
SMALLEST = {"f16": 2.0**-14, "bf16": 2.0**-126, "f32": 2.0**-126, "f64": 2.0**-1022}
"""Normal numbers."""


def signed(value: int, bits: int) -> int:
    """A number as results are given: signed, but for one bit."""
    value &= (1 << bits) - 1
    return value if bits == 1 or value < 1 << bits - 1 else value - (1 << bits)


def two_complement(value: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value


INTEGERS: dict[str, Callable[[int, int, int], int]] = {
    "addi": lambda a, b, n: a + b,
    "subi": lambda a, b, n: a - b,
    "muli": lambda a, b, n: a * b,
    "andi": lambda a, b, n: a & b,
    "ori": lambda a, b, n: a | b,
    "xori": lambda a, b, n: a ^ b,
    "minsi": lambda a, b, n: min(two_complement(a, n), two_complement(b, n)),
    "maxsi": lambda a, b, n: max(two_complement(a, n), two_complement(b, n)),
    "minui": lambda a, b, n: min(a, b),
    "maxui": lambda a, b, n: max(a, b),
    "shli": lambda a, b, n: a << b if b < n else 0,
    "shrui": lambda a, b, n: a >> b if b < n else 0,
    "shrsi": lambda a, b, n: two_complement(a, n) >> min(b, n - 1),
    "divui": lambda a, b, n: a // b,
    "remui": lambda a, b, n: a % b,
    "ceildivui": lambda a, b, n: -(-a // b),
    "divsi": lambda a, b, n: _toward_zero(two_complement(a, n), two_complement(b, n)),
    "remsi": lambda a, b, n: _rest(two_complement(a, n), two_complement(b, n)),
    "floordivsi": lambda a, b, n: two_complement(a, n) // two_complement(b, n),
    "ceildivsi": lambda a, b, n: -(-two_complement(a, n) // two_complement(b, n)),
}


def _toward_zero(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _rest(a: int, b: int) -> int:
    return a - b * _toward_zero(a, b)


@cache
def compiled(name: str, type: str) -> Program:
    return operation(f"arith.{name} %a0, %a1 : {type}", [type, type], type)


def interesting(bits: int) -> st.SearchStrategy[int]:
    edges = [0, 1, (1 << bits) - 1, 1 << bits - 1, (1 << bits - 1) - 1]
    return st.sampled_from([edge & ((1 << bits) - 1) for edge in edges]) | st.integers(0, (1 << bits) - 1)


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("name", INTEGERS)
@settings(max_examples=examples(40), derandomize=True, deadline=None)
@given(st.data())
def test_integers(name: str, data: st.DataObject) -> None:
    type = data.draw(st.sampled_from([t for t in WIDTHS if t != "i1" or ("div" not in name and "rem" not in name)]))
    bits = WIDTHS[type]
    a, b = (data.draw(interesting(bits)) for _ in range(2))
    program = compiled(name, type)
    divides = "div" in name or "rem" in name
    overflows = (a, b) == (1 << bits - 1, (1 << bits) - 1) and "si" in name
    if divides and (b == 0 or overflows):
        with pytest.raises(ProgramError, match="divides by zero" if b == 0 else "overflows: the least number by -1"):
            program(signed(a, bits), signed(b, bits))
        return
    assert program(signed(a, bits), signed(b, bits)) == signed(INTEGERS[name](a, b, bits), bits)


def test_wide_integers() -> None:
    """Products of any width; quotients of at most 64 bits."""
    program = operation("arith.muli %a0, %a1 : i128", ["i128", "i128"], "i128")
    assert program(2**70 + 3, -(2**40)) == signed((2**70 + 3) * -(2**40), 128)
    with pytest.raises(CompileError, match=r"'arith\.divui' op of integers of more than 64 bits is not supported"):
        operation("arith.divui %a0, %a1 : i65", ["i65", "i65"], "i65")


PREDICATES: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


@pytest.mark.parametrize(
    "predicate", ["eq", "ne", *(sign + name for sign in "su" for name in ("lt", "le", "gt", "ge"))]
)
@pytest.mark.parametrize("type", ["i8", "i64", "index"])
def test_comparisons(type: str, predicate: str) -> None:
    program = operation(f"arith.cmpi {predicate}, %a0, %a1 : {type}", [type, type], "i1")
    compare = PREDICATES[predicate[-2:]]
    bits = WIDTHS[type]
    for a in (-3, 0, 2):
        for b in (-3, 0, 2):
            x, y = (n & (1 << bits) - 1 if predicate[0] == "u" else n for n in (a, b))
            assert program(a, b) == compare(x, y)


def test_whole_sums_and_products() -> None:
    program = function(
        "%s, %c = arith.addui_extended %a0, %a1 : i8, i1\n%l, %h = arith.mulsi_extended %a0, %a1 : i8\n"
        "%m, %i = arith.mului_extended %a0, %a1 : i8",
        ["i8", "i8"],
        ["i8", "i1", "i8", "i8", "i8", "i8"],
        "%s, %c, %l, %h, %m, %i",
    )
    for a, b in ((-1, 1), (-128, -128), (100, 27), (127, 127)):
        x, y = a & 0xFF, b & 0xFF
        assert program(a, b) == (
            signed(a + b, 8),
            int(x + y > 0xFF),
            signed(a * b, 8),
            signed(a * b >> 8, 8),
            signed(x * y, 8),
            signed(x * y >> 8, 8),
        )


FLOATS: dict[str, Callable[..., np.generic]] = {
    "addf": np.add,
    "subf": np.subtract,
    "mulf": np.multiply,
    "divf": np.divide,
    "maximumf": np.maximum,
    "minimumf": np.minimum,
    "maxnumf": np.fmax,
    "minnumf": np.fmin,
}


@cache
def compiled_float(name: str, type: str) -> Program:
    return operation(f"arith.{name} %a0, %a1 : {type}", [type, type], type)


@pytest.mark.parametrize("name", FLOATS)
@settings(max_examples=examples(40), derandomize=True, deadline=None)
@given(st.data())
def test_floats(name: str, data: st.DataObject) -> None:
    """Rounded once: sums, products and quotients of narrow types are exact enough in f64 for that."""
    type = data.draw(st.sampled_from(sorted(DTYPES)))
    dtype = np.dtype(DTYPES[type])
    with np.errstate(all="ignore"):
        a, b = (float(np.array(data.draw(st.floats(width=32))).astype(dtype)) for _ in range(2))
        found = compiled_float(name, type)(a, b)
        wide = np.float64 if type != "f32" else np.float32
        expected = float(np.array(FLOATS[name](wide(a), wide(b))).astype(dtype))
    assert isinstance(found, float)
    if name in ("maxnumf", "minnumf", "maximumf", "minimumf") and a == b == 0.0:
        assert found == 0.0
    else:
        assert found == expected or (math.isnan(found) and math.isnan(expected))


@pytest.mark.parametrize("type", DTYPES)
def test_negation_and_remainder(type: str) -> None:
    program = function(
        f"%n = arith.negf %a0 : {type}\n%r = arith.remf %a0, %a1 : {type}", [type, type], [type, type], "%n, %r"
    )
    assert program(5.5, -2.0) == (-5.5, 1.5)
    assert str(program(0.0, 1.0)) == "(-0.0, 0.0)"


def test_f64_becomes_a_narrow_type_in_one_rounding() -> None:
    """Through f32 first it would become another number."""
    half = operation("arith.truncf %a0 : f64 to f16", ["f64"], "f16")
    assert half(1.0 + 2.0**-11 + 2.0**-40) == 1.0 + 2.0**-10
    brain = operation("arith.truncf %a0 : f64 to bf16", ["f64"], "bf16")
    assert brain(1.0 + 2.0**-8 + 2.0**-40) == 1.0 + 2.0**-7
    assert str(brain(math.nan)) == "nan"
    assert half(1e9) == math.inf


@pytest.mark.parametrize("target", DTYPES)
@pytest.mark.parametrize("source", ["i1", "i8", "i16", "i32", "i64"])
@settings(max_examples=examples(15), derandomize=True, deadline=None)
@given(st.data())
def test_integers_to_floats(source: str, target: str, data: st.DataObject) -> None:
    number = data.draw(interesting(WIDTHS[source]))
    bits = WIDTHS[source]
    for name, value in (("sitofp", two_complement(number, bits)), ("uitofp", number)):
        found = conversion(name, source, target)(signed(number, bits))
        assert found == rounded(value, target)


@cache
def conversion(name: str, source: str, target: str) -> Program:
    return operation(f"arith.{name} %a0 : {source} to {target}", [source], target)


def rounded(value: int, target: str) -> float:
    """An integer rounded once to the nearest number of a type, ties to even."""
    bits = {"f16": 11, "bf16": 8, "f32": 24, "f64": 53}[target]
    excess = max(abs(value).bit_length() - bits, 0)
    magnitude, rest = abs(value) >> excess, abs(value) & ((1 << excess) - 1)
    half = 1 << excess - 1 if excess else 1
    magnitude += rest > half or (rest == half and magnitude & 1)
    result = math.copysign(math.ldexp(magnitude, excess), value) if value else 0.0
    return math.copysign(math.inf, result) if target == "f16" and abs(result) > 65504 else result


@pytest.mark.parametrize("source", DTYPES)
def test_floats_to_integers_stay_in_range(source: str) -> None:
    text = "arith.{} %a0 : {} to i8"
    signed_program, unsigned = (operation(text.format(n, source), [source], "i8") for n in ("fptosi", "fptoui"))
    for value, as_signed, as_unsigned in (
        (-1.75, -1, 0),
        (100.5, 100, 100),
        (200.0, 127, -56),
        (math.inf, 127, -1),
        (-math.inf, -128, 0),
        (math.nan, 0, 0),
    ):
        assert (signed_program(value), unsigned(value)) == (as_signed, as_unsigned)


def test_integers_change_their_size() -> None:
    program = function(
        "%s = arith.extsi %a0 : i8 to i32\n%u = arith.extui %a0 : i8 to i32\n%t = arith.trunci %a1 : i32 to i8\n"
        "%x = arith.index_cast %a0 : i8 to index\n%y = arith.index_castui %a0 : i8 to index\n"
        "%z = index.castu %x : index to i16\n%f = arith.bitcast %a1 : i32 to f32",
        ["i8", "i32"],
        ["i32", "i32", "i8", "index", "index", "i16", "f32"],
        "%s, %u, %t, %x, %y, %z, %f",
    )
    assert program(-2, 0x3FC00081) == (-2, 254, -127, -2, 254, -2, float(np.uint32(0x3FC00081).view(np.float32)))


@pytest.mark.parametrize(
    ("constant", "type", "value"),
    [
        ("true", "i1", 1),
        ("-5 : i24", "i24", -5),
        ("0x7FC00000 : f32", "f32", math.nan),
        ("1.0e10 : bf16", "bf16", 9999220736.0),
        ("6.1e-5 : f16", "f16", 6.1035e-05),
        ("0xFFF0000000000000 : f64", "f64", -math.inf),
    ],
)
def test_constants(constant: str, type: str, value: float) -> None:
    found = function(f"%r = arith.constant {constant}", [], [type], "%r")()
    assert isinstance(found, int | float)
    assert found == pytest.approx(value, rel=1e-3, nan_ok=True)


MATH = (
    *("absf", "ceil", "cos", "exp", "exp2", "floor", "log", "log10", "log2", "sin", "sqrt", "trunc", "acos", "asin"),
    *("asinh", "atan", "cosh", "erf", "erfc", "expm1", "log1p", "sinh", "tan", "tanh"),
)


@pytest.mark.parametrize("type", DTYPES)
def test_functions(type: str) -> None:
    """To two units in the last place of what the C library gives in f64."""
    body = "".join(f"%r{n} = math.{name} %a0 : {type}\n" for n, name in enumerate(MATH))
    program = function(body, [type], [type] * len(MATH), ", ".join(f"%r{n}" for n in range(len(MATH))))
    dtype = np.dtype(DTYPES[type])
    for value in (0.25, 0.7):
        x = float(np.array(value).astype(dtype))
        results = program(x)
        assert isinstance(results, tuple)
        for name, found in zip(MATH, results, strict=True):
            exact = {"absf": abs, "exp2": lambda v: 2.0**v}.get(name) or getattr(math, name)
            expected = float(exact(x))
            assert found == pytest.approx(expected, rel=2 * EPSILON[type]), name


def test_classes_of_numbers() -> None:
    for type in DTYPES:
        names = ("isnan", "isinf", "isfinite", "isnormal")
        body = "".join(f"%r{n} = math.{name} %a0 : {type}\n" for n, name in enumerate(names))
        program = function(body, [type], ["i1"] * 4, "%r0, %r1, %r2, %r3")
        subnormal = SMALLEST[type] / 2
        assert program(math.nan) == (1, 0, 0, 0)
        assert program(-math.inf) == (0, 1, 0, 0)
        assert program(1.0) == (0, 0, 1, 1)
        assert program(subnormal) == (0, 0, 1, 0)


def test_bits_and_powers() -> None:
    program = function(
        "%a = math.ctlz %a0 : i32\n%b = math.cttz %a0 : i32\n%c = math.ctpop %a0 : i32\n%d = math.absi %a0 : i32\n"
        "%e = math.ipowi %a0, %a1 : i32",
        ["i32", "i32"],
        ["i32"] * 5,
        "%a, %b, %c, %d, %e",
    )
    assert program(-40, 3) == (0, 3, 28, 40, -64000)
    assert program(1, -7) == (31, 0, 1, 1, 1)
    assert program(-1, -7) == (0, 0, 32, 1, -1)
    with pytest.raises(ProgramError, match=r"t\.mlir:6:6: error: 'math.ipowi' op raises 0 to the power -1"):
        program(0, -1)


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(("source", "target"), [("f32", "f16"), ("f32", "bf16"), ("f64", "f32"), ("f64", "bf16")])
@pytest.mark.parametrize("mode", MODES)
def test_rounding_modes(source: str, target: str, mode: str) -> None:
    truncate = operation(f"arith.truncf %a0 {mode} : {source} to {target}", [source], target)
    values = candidates(source, target)
    found = [truncate(float(value)) for value in values]
    assert_rounded(values, np.array(found, np.float64).astype(DTYPES[target]), target, mode)
