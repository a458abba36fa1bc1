"""Math functions against Python's in f64: errors in units in the last place, and special values."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from tests.unit.compiler.support import DTYPES, PRECISION, Array, compile_one, kernel_text, random_array, refusal, run
from xegpu.targets import ARC, PVC, Target

COUNT = 256
Function = Callable[[Array], Array]
EXACT = 0.5001
"""Units in the last place of results that are correctly rounded, with room for the error of the expected value."""


def half_away(x: Array) -> Array:
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


FUNCTIONS: dict[str, tuple[Function, float]] = {
    "cos": (np.cos, EXACT),
    "erf": (np.vectorize(math.erf), 4),
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
    "sqrt": (np.sqrt, EXACT),
    "tan": (np.tan, 2),
    "tanh": (np.tanh, 4),
}
"""What each computes, and how many units in the last place of f32 it may be off."""
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


@pytest.mark.parametrize("element", ["f32", "f16", "bf16"])
@pytest.mark.parametrize("name", FUNCTIONS)
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


def test_doubles() -> None:
    x = np.abs(random_array(np.random.default_rng(1), COUNT, "f64"))
    y = run(compile_one(unary_text("math.sqrt", "f64")), x, np.zeros_like(x), local=(COUNT, 1, 1))[1]
    assert (y == np.sqrt(x)).all()
    y = run(compile_one(unary_text("math.rsqrt", "f64")), x, np.zeros_like(x), local=(COUNT, 1, 1))[1]
    assert (y == 1 / np.sqrt(x)).all()
    assert "'math.exp' op of f64 is not supported" in refusal(unary_text("math.exp", "f64"))


@pytest.mark.parametrize("element", ["f16", "f32", "f64"])
def test_classes(element: str) -> None:
    x = arguments("classes", element)
    for name, function in (("isnan", np.isnan), ("isinf", np.isinf), ("isfinite", np.isfinite)):
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
