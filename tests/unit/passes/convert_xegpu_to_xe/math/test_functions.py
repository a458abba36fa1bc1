"""Math functions against Python's in f64: errors in units in the last place, and special values."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from tests.bulk import math_accuracy
from tests.paths import ROOT
from tests.unit.passes.kernels.harness import (
    DTYPES,
    PRECISION,
    Array,
    compile_one,
    kernel_text,
    random_array,
    run,
)
from xegpu.targets import ARC, PVC, Target

COUNT = 256
Function = Callable[[Array], Array]
EXACT = 0.5001
"""Units in the last place of results that are correctly rounded, with room for the error of the expected value."""


def half_away(x: Array) -> Array:
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


FUNCTIONS: dict[str, tuple[Function, float]] = {
    "acos": (np.arccos, 4),
    "acosh": (np.arccosh, 4),
    "asin": (np.arcsin, 4),
    "asinh": (np.arcsinh, 4),
    "atan": (np.arctan, 4),
    "atanh": (np.arctanh, 4),
    "cbrt": (np.cbrt, 1),
    "cos": (np.cos, EXACT),
    "cosh": (np.cosh, 4),
    "erf": (np.vectorize(math.erf), 4),
    "erfc": (np.vectorize(math.erfc), 8),
    "exp": (np.exp, 2),
    "exp2": (np.exp2, EXACT),
    "expm1": (np.expm1, 4),
    "log": (np.log, 2),
    "log10": (np.log10, 2),
    "log1p": (np.log1p, 4),
    "log2": (np.log2, EXACT),
    "round": (half_away, 0),
    "rsqrt": (lambda x: 1 / np.sqrt(x), EXACT),
    "sin": (np.sin, EXACT),
    "sinh": (np.sinh, 4),
    "sqrt": (np.sqrt, EXACT),
    "tan": (np.tan, 2),
    "tanh": (np.tanh, 4),
}
"""The reference of each function, and the error it may have in units in the last place of f32."""
SPECIAL = [
    0.0,
    -0.0,
    1,
    -1,
    np.inf,
    -np.inf,
    np.nan,
    88.7,
    89,
    -104,
    1e-30,
    1e30,
    0.5,
    -0.5,
    1.5,
    2.5,
    0.49999997,
    0.99999994,
    1.0000001,
    -9.5,
    3.96,
]


def unary_text(op: str, element: str, result: str = "") -> str:
    result = result or element
    widen = f"%q = arith.extui %r : i1 to {result}" if result != element else ""
    body = f"""
    %i = gpu.global_id x
    %a = memref.load %x[%i] : memref<{COUNT}x{element}>
    %r = {op} %a : {element}
    {widen}
    memref.store {"%q" if widen else "%r"}, %y[%i] : memref<{COUNT}x{result}>"""
    return kernel_text(f"%x: memref<{COUNT}x{element}>, %y: memref<{COUNT}x{result}>", body, "")


def arguments(name: str, element: str) -> Array:
    rng = np.random.default_rng(len(name))
    parts = [np.array(SPECIAL), rng.standard_normal(100) * 30, rng.standard_normal(80) * 0.1]
    parts.append(np.exp(rng.standard_normal(COUNT - sum(map(len, parts))) * 10))
    values = np.concatenate(parts)
    if name in ("sin", "cos", "tan"):
        values = np.clip(values, -50, 50)
    with np.errstate(over="ignore"):
        return values.astype(DTYPES[element])


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize(
    ("name", "element"), [(n, e) for i, n in enumerate(FUNCTIONS) for e in ("f32", ("f16", "bf16")[i % 2])]
)
def test_function(name: str, element: str) -> None:
    """Of the small types, results are those of f32, rounded."""
    function, allowed = FUNCTIONS[name]
    x = arguments(name, element)
    y = run(compile_one(unary_text(f"math.{name}", element)), x, np.zeros_like(x), local=(COUNT, 1, 1))[1]
    with np.errstate(all="ignore"):
        exact = function(x.astype(np.float64))
        expected = exact.astype(x.dtype).astype(np.float64)
    found = y.astype(np.float64)
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(found[~finite], expected[~finite])
    np.testing.assert_array_equal(np.signbit(found[expected == 0]), np.signbit(expected[expected == 0]))
    smallest = {"f32": -125, "f16": -13, "bf16": -125}[element]
    unit = 2.0 ** (np.maximum(np.frexp(exact[finite])[1], smallest) - PRECISION[element])
    worst = (np.abs(found[finite] - exact[finite]) / unit).max()
    assert worst <= (allowed if element == "f32" else min(allowed, EXACT))


DOUBLES = sorted(FUNCTIONS.keys() - {"erfc", "round"})
"""Functions of f64 that are sequences of instructions."""


@pytest.mark.sampled(every=16)
@pytest.mark.parametrize("name", DOUBLES)
def test_doubles(name: str) -> None:
    """Within 4 units in the last place, subnormal results included, of what the host computes with longer floats."""
    function = FUNCTIONS[name][0]
    extremes = [5e-324, 1e-310, 2.0**-1022, 1e308, -1e308, 709.7, 709.8, -708.5, -745, -746, 1e-17, -1e-17, 36, -36, 40]
    x = arguments(name, "f64")
    if name not in ("sin", "cos", "tan"):
        x[-len(extremes) :] = extremes
    else:
        x[-20:] = np.linspace(-1e6, 1e6, 20)
    y = run(compile_one(unary_text(f"math.{name}", "f64")), x, np.zeros_like(x), local=(COUNT, 1, 1))[1]
    with np.errstate(all="ignore"):
        exact = np.asarray(function(x.astype(np.longdouble)))
        expected = exact.astype(np.float64)
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(y[~finite], expected[~finite])
    np.testing.assert_array_equal(np.signbit(y[expected == 0]), np.signbit(expected[expected == 0]))
    unit = np.ldexp(np.longdouble(1), np.maximum(np.frexp(exact[finite])[1], -1021) - PRECISION["f64"])
    worst = (np.abs(y[finite] - exact[finite]) / unit).max()
    assert worst <= 4, worst


def test_sines_and_cosines_of_doubles() -> None:
    body = (
        "%i = gpu.global_id x\n%a = memref.load %x[%i] : memref<256xf64>\n%s, %c = math.sincos %a : f64\n"
        "memref.store %s, %y[%i] : memref<256xf64>\nmemref.store %c, %z[%i] : memref<256xf64>"
    )
    x = np.linspace(-20, 20, COUNT)
    text = kernel_text("%x: memref<256xf64>, %y: memref<256xf64>, %z: memref<256xf64>", body, "")
    _, sine, cosine = run(compile_one(text), x, x, x, local=(COUNT, 1, 1))
    np.testing.assert_allclose(sine, np.sin(x), rtol=1e-15)
    np.testing.assert_allclose(cosine, np.cos(x), rtol=1e-15)


@pytest.mark.sampled(every=4)
def test_powers_of_doubles() -> None:
    """As IEEE 754 says of special numbers; elsewhere within 8 units in the last place."""
    special = [
        0.0,
        -0.0,
        1,
        -1,
        2,
        -2,
        3,
        0.5,
        -0.5,
        1.5,
        -3,
        1e300,
        -1e300,
        1e-300,
        5e-324,
        1023,
        np.inf,
        -np.inf,
        np.nan,
    ]
    rng = np.random.default_rng(4)
    x, y = (v.ravel() for v in np.meshgrid(special, special))
    x = np.concatenate([x, np.exp(rng.standard_normal(200) * 50), 1 + rng.standard_normal(100) * 1e-9])
    y = np.concatenate([y, rng.standard_normal(200) * 5, rng.standard_normal(100) * 1e10])
    count = len(x)
    body = (
        f"%i = gpu.block_id x\n%a = memref.load %x[%i] : memref<{count}xf64>\n"
        f"%b = memref.load %y[%i] : memref<{count}xf64>\n"
        f"%r = math.powf %a, %b : f64\nmemref.store %r, %z[%i] : memref<{count}xf64>\n"
        f"%s = math.atan2 %a, %b : f64\nmemref.store %s, %w[%i] : memref<{count}xf64>"
    )
    arguments = ", ".join(f"%{name}: memref<{count}xf64>" for name in "xyzw")
    results = run(compile_one(kernel_text(arguments, body)), x, y, x, x, groups=(count, 1, 1))
    with np.errstate(all="ignore"):
        exact = np.power(x.astype(np.longdouble), y.astype(np.longdouble)), np.arctan2(x.astype(np.longdouble), y)
    for found, wanted, allowed in zip(results[2:], exact, (8, 4), strict=True):
        with np.errstate(all="ignore"):
            expected = wanted.astype(np.float64)
        there = np.isfinite(expected)
        np.testing.assert_array_equal(found[~there], expected[~there])
        np.testing.assert_array_equal(np.signbit(found[there]), np.signbit(expected[there]))
        unit = np.ldexp(np.longdouble(1), np.maximum(np.frexp(wanted[there])[1], -1021) - PRECISION["f64"])
        assert (np.abs(found[there] - wanted[there]) / unit).max() <= allowed


def test_integer_powers_of_doubles() -> None:
    x = np.array([2.0, -3.0, 0.5, -0.1, 0.0, -0.0, 1e100])
    y = np.array([10, 3, -4, -5, 0, 3, 3], np.int32)
    body = (
        "%i = gpu.block_id x\n%a = memref.load %x[%i] : memref<7xf64>\n%b = memref.load %y[%i] : memref<7xi32>\n"
        "%r = math.fpowi %a, %b : f64, i32\nmemref.store %r, %z[%i] : memref<7xf64>"
    )
    text = kernel_text("%x: memref<7xf64>, %y: memref<7xi32>, %z: memref<7xf64>", body)
    found = run(compile_one(text), x, y, np.zeros(7), groups=(7, 1, 1))[2]
    np.testing.assert_allclose(found, x**y, rtol=1e-15)
    assert np.signbit(found).tolist() == np.signbit(x**y).tolist()


def test_complementary_error_function_of_doubles() -> None:
    """Within 14 units in the last place of what the host computes."""
    special = [np.inf, -np.inf, np.nan, 0.0, -0.0, 5e-324, -1e-20, 0.5, 26.6, 27.2, 27.3, 1e300]
    x = np.concatenate([special, np.linspace(-6.5, 27.4, COUNT - len(special))])
    y = run(compile_one(unary_text("math.erfc", "f64")), x, np.zeros_like(x), local=(COUNT, 1, 1))[1]
    expected = np.vectorize(math.erfc)(x)
    assert (np.isnan(y) == np.isnan(x)).all()
    finite = ~np.isnan(x)
    assert (np.abs(y[finite] - expected[finite]) <= 14 * np.spacing(expected[finite])).all()


@pytest.mark.parametrize("element", ["f16", "f32", "f64"])
def test_classes(element: str) -> None:
    x = arguments("classes", element)
    for name, function in (
        ("isnan", np.isnan),
        ("isinf", np.isinf),
        ("isfinite", np.isfinite),
        ("isnormal", lambda v: np.isfinite(v) & (np.abs(v) >= np.finfo(v.dtype).smallest_normal)),
    ):
        kernel = compile_one(unary_text(f"math.{name}", element, "i8"))
        assert run(kernel, x, np.zeros(COUNT, np.int8), local=(COUNT, 1, 1))[1].tolist() == function(x).tolist()


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_bits(bits: int) -> None:
    x = random_array(np.random.default_rng(bits), COUNT, f"i{bits}")
    x[:8] = [0, 1, -1, 2, 4, 8, np.iinfo(x.dtype).min, np.iinfo(x.dtype).max]
    words = [format(int(v) % (1 << bits), f"0{bits}b") for v in x]
    rules: dict[str, Callable[[str], int]] = {
        "ctlz": lambda word: len(word) - len(word.lstrip("0")),
        "cttz": lambda word: len(word) - len(word.rstrip("0")),
        "ctpop": lambda word: word.count("1"),
    }
    for name, rule in rules.items():
        y = run(compile_one(unary_text(f"math.{name}", f"i{bits}")), x, np.zeros_like(x), local=(COUNT, 1, 1))[1]
        assert y.tolist() == [rule(word) for word in words]
    y = run(compile_one(unary_text("math.absi", f"i{bits}")), x, np.zeros_like(x), local=(COUNT, 1, 1))[1]
    assert (y == np.abs(x)).all()


@pytest.mark.parametrize("target", [PVC, ARC], ids=["pvc", "arc"])
def test_vectors(target: Target) -> None:
    """Whole vectors in subgroup mode: powers, signs, bounds, sine and cosine at once."""
    body = """
    %low = arith.constant dense<-0.5> : vector<32xf32>
    %high = arith.constant dense<0.25> : vector<32xf32>
    %tx = xegpu.create_nd_tdesc %x[0] : memref<32xf32> -> !xegpu.tensor_desc<32xf32>
    %v = xegpu.load_nd %tx : !xegpu.tensor_desc<32xf32> -> vector<32xf32>
    %m = math.absf %v : vector<32xf32>
    %p = math.powf %m, %v : vector<32xf32>
    %c = math.copysign %high, %v : vector<32xf32>
    %k = math.clampf %v to [%low, %high] : vector<32xf32>
    %s, %t = math.sincos %v : vector<32xf32>"""
    names = "pckst"
    for row, name in enumerate(names):
        desc = "!xegpu.tensor_desc<32xf32>"
        body += f"\n%d{name} = xegpu.create_nd_tdesc %y[{row}, 0] : memref<5x32xf32> -> {desc}"
        body += f"\nxegpu.store_nd %{name}, %d{name} : vector<32xf32>, {desc}"
    x = random_array(np.random.default_rng(2), 32, "f32")
    kernel = compile_one(kernel_text("%x: memref<32xf32>, %y: memref<5x32xf32>", body), target)
    y = run(kernel, x, np.zeros((5, 32), np.float32), target=target)[1]
    wide = x.astype(np.float64)
    quarter = np.float32(0.25)
    expected = [np.abs(wide) ** wide, np.copysign(quarter, x), np.clip(x, -0.5, 0.25), np.sin(wide), np.cos(wide)]
    np.testing.assert_allclose(y, np.array(expected), rtol=2**-23)


def test_angles_of_points() -> None:
    """In all quadrants, on all axes, and where points are infinitely far away."""
    places = np.array([0.0, -0.0, 1, -1, 0.3, -2.5, 1e30, 1e-30, np.inf, -np.inf, np.nan], np.float32)
    rng = np.random.default_rng(2)
    x, y = (
        np.concatenate([v, rng.standard_normal(90).astype(np.float32)])
        for v in (np.repeat(places, 11), np.tile(places, 11))
    )
    count = len(x)
    body = (
        f"%i = gpu.block_id x\n%a = memref.load %y[%i] : memref<{count}xf32>\n"
        f"%b = memref.load %x[%i] : memref<{count}xf32>\n"
        f"%r = math.atan2 %a, %b : f32\nmemref.store %r, %z[%i] : memref<{count}xf32>"
    )
    arguments = ", ".join(f"%{name}: memref<{count}xf32>" for name in "xyz")
    kernel = compile_one(kernel_text(arguments, body))
    found = run(kernel, x, y, np.zeros_like(x), groups=(count, 1, 1))[2].astype(np.float64)
    exact = np.arctan2(y.astype(np.float64), x.astype(np.float64))
    np.testing.assert_array_equal(np.isnan(found), np.isnan(exact))
    there = ~np.isnan(exact)
    np.testing.assert_array_equal(np.signbit(found[there]), np.signbit(exact[there]))
    np.testing.assert_allclose(found[there], exact[there], rtol=4 * 2.0**-24, atol=2.0**-149)


@pytest.mark.parametrize("element", ["i8", "i32", "i64"])
def test_powers_of_integers(element: str) -> None:
    numbers = np.array([0, 1, -1, 2, -2, 3, -7, 100, -128], DTYPES[element])
    exponents = np.array([0, 1, 2, 3, 7, 31, 100, -1, -2, -127], DTYPES[element])
    base, exponent = (v.ravel() for v in np.meshgrid(numbers, exponents))
    base, exponent = base[(base != 0) | (exponent >= 0)], exponent[(base != 0) | (exponent >= 0)]
    count, bits = len(base), 8 * base.itemsize
    body = (
        f"%i = gpu.block_id x\n%a = memref.load %x[%i] : memref<{count}x{element}>\n"
        f"%b = memref.load %y[%i] : memref<{count}x{element}>\n"
        f"%r = math.ipowi %a, %b : {element}\nmemref.store %r, %z[%i] : memref<{count}x{element}>"
    )
    arguments = ", ".join(f"%{name}: memref<{count}x{element}>" for name in "xyz")
    found = run(compile_one(kernel_text(arguments, body)), base, exponent, np.zeros_like(base), groups=(count, 1, 1))[2]
    for b, e, r in zip(base.tolist(), exponent.tolist(), found.tolist(), strict=True):
        expected = pow(b, e, 1 << bits) if e >= 0 else {1: 1, -1: 1 if e % 2 == 0 else -1}.get(b, 0)
        assert (r - expected) % (1 << bits) == 0, (b, e, r)


@pytest.mark.parametrize("element", ["f32", "bf16"])
def test_powers_of_floats_with_integer_exponents(element: str) -> None:
    base = np.array([2.5, -2.5, -1.0, 0.0, -0.0, -3.0, np.inf, -0.5], DTYPES[element])
    for exponent in (0, 1, 2, -3):
        body = (
            f"%i = gpu.block_id x\n%a = memref.load %x[%i] : memref<8x{element}>\n"
            f"%b = arith.constant {exponent} : i32\n"
            f"%r = math.fpowi %a, %b : {element}, i32\nmemref.store %r, %z[%i] : memref<8x{element}>"
        )
        kernel = compile_one(kernel_text(f"%x: memref<8x{element}>, %z: memref<8x{element}>", body))
        found = run(kernel, base, np.zeros_like(base), groups=(8, 1, 1))[1]
        with np.errstate(all="ignore"):
            expected = (base.astype(np.float64) ** exponent).astype(base.dtype)
        np.testing.assert_allclose(
            found.astype(np.float64), expected.astype(np.float64), rtol=2.0 ** -PRECISION[element]
        )
        np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))


SIGNED_ZEROS = {"maximumf": "0", "minimumf": "-", "maxnumf": "first", "minnumf": "second"}


@pytest.mark.parametrize("name", SIGNED_ZEROS)
@pytest.mark.parametrize("signs", [(1.0, -1.0), (-1.0, 1.0)])
def test_extrema_of_zeros_with_both_signs(name: str, signs: tuple[float, float]) -> None:
    """For `maxnumf` and `minnumf`, MLIR leaves open which one is returned."""
    body = f"%i = arith.constant 0 : index\n%r = arith.{name} %a, %b : f32\nmemref.store %r, %o[%i] : memref<1xf32>"
    kernel = compile_one(kernel_text("%a: f32, %b: f32, %o: memref<1xf32>", body))
    (result,) = run(kernel, *(np.copysign(np.float32(0), np.float32(s)) for s in signs), np.ones(1, np.float32))
    expected = {"0": 1.0, "-": -1.0, "first": signs[0], "second": signs[1]}[SIGNED_ZEROS[name]]
    assert result[0] == 0 and np.copysign(1.0, result[0]) == expected


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("name", math_accuracy.FUNCTIONS)
def test_measured_accuracy(name: str) -> None:
    """The page of measured errors holds for other arguments, with a little to spare for larger samples."""
    (row,) = [line for line in (ROOT / "docs/math-accuracy.md").read_text().splitlines() if f"`{name}` |" in line]
    for (element, target), cell in zip(math_accuracy.COLUMNS, row.split("|")[2:-1], strict=True):
        if cell.strip() != "refused":
            assert math_accuracy.measure(name, element, target, 512)[0] <= float(cell) + 0.5
