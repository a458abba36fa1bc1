"""Compares kernels and bodies of builtins, executed on the CPU, with numpy and Python's integers."""

from __future__ import annotations

import ctypes
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from passes.frontends.builtins import DATA_LAYOUT, TRIPLE, Scalar, mangle
from passes.frontends.optimisation import optimise
from passes.frontends.spirv import translate
from tests.amounts import examples
from tests.paths import ROOT
from tests.unit.passes.frontends.spirv.cpu import Cpu

CORPUS = ROOT / "tests/corpus/spirv"
GENERATOR = np.random.default_rng(5)


def cpu(name: str) -> Cpu:
    (path,) = [each for each in [Path(CORPUS / f"{name}.spv")] if each.exists()]
    return Cpu(optimise(translate(path.read_bytes()).text))


def test_vector_add() -> None:
    a, b = (GENERATOR.standard_normal(64).astype(np.float32) for _ in range(2))
    c = np.full(64, 7, np.float32)
    cpu("vector_add.ocloc").launch("vector_add", 64, a, b, c, ctypes.c_float(2), ctypes.c_int(60))
    np.testing.assert_allclose(c[:60], a[:60] + 2 * b[:60], rtol=1e-6, atol=1e-6)
    assert (c[60:] == 7).all()


def control_flow(x: int) -> int:
    kind = x & 7
    r = {0: x * 3, 1: x - 100 + 17, 2: 17, 5: 0}.get(kind, -x)
    if kind != 5:
        for k in range(x & 15):
            if k == 11:
                break
            if k % 3 == 1:
                continue
            r ^= k << (k & 3)
    while r > 1000:
        r //= 2
    r += 3
    while r < 0:
        r += 3
    return r


@pytest.mark.parametrize("producer", ["ocloc", "clang22"])
def test_control_flow(producer: str) -> None:
    x = GENERATOR.integers(-3000, 3000, 256).astype(np.int32)
    out = np.zeros(256, np.int32)
    module = cpu(f"control_flow.{producer}")
    module.launch("control_flow", 256, x, out)
    assert out.tolist() == [control_flow(each) for each in x.tolist()]
    selectors = np.array([0x100000001, -1, 7, 1, 0xFFFFFFFF, 0], np.int64)
    module.launch("long_switch", 6, selectors, out)
    assert out[:6].tolist() == [1, 2, 3, 4, 4, 4]


def test_conversions_round_as_they_say() -> None:
    """Every directed rounding is the neighbour on its side, which exact comparison with Python's numbers tells."""
    d = np.concatenate(
        [GENERATOR.standard_normal(40) * 10.0 ** GENERATOR.integers(-9, 9, 40), [0.0, -0.0, 1.0, 65519.9, -7.5]]
    )
    d = np.append(d, [0.1, -0.1, 3e-8])
    count = len(d)
    ints = GENERATOR.integers(-(2**63), 2**63 - 1, count)
    f, h, n = np.zeros(8 * count, np.float32), np.zeros(4 * count, np.float16), np.zeros(4 * count, np.int32)
    cpu("conversions.ocloc").launch("conversions", count, d, ints, f, h, n)
    unsigned = ints.astype(np.uint64)
    for i in range(count):
        exact, integer, natural = float(d[i]), int(ints[i]), int(unsigned[i])
        up, down, near = (float(f[8 * i + place]) for place in (1, 2, 3))
        assert down <= exact <= up
        assert near == float(np.float32(exact))
        assert up == down or np.nextafter(np.float32(down), np.float32(np.inf)) == np.float32(up)
        assert (
            abs(int(f[8 * i + 4]))
            <= abs(integer)
            < abs(int(np.nextafter(f[8 * i + 4], np.float32(np.copysign(np.inf, integer)))))
        )
        assert int(f[8 * i + 5]) >= integer > int(np.nextafter(f[8 * i + 5], np.float32(-np.inf)))
        assert int(f[8 * i + 6]) <= natural <= int(f[8 * i + 7])
        single = float(np.float32(exact))
        if abs(single) < 65504:
            towards, above, below = (float(h[4 * i + place]) for place in range(3))
            assert abs(towards) <= abs(single)
            assert below <= single <= above
            assert np.nextafter(np.float16(below), np.float16(np.inf)) == np.float16(above) or below == above
        assert n[4 * i] == min(max(math.ceil(exact), -(2**31)), 2**31 - 1)
        assert n[4 * i + 1] == min(max(int(exact), 0), 255)
        assert n[4 * i + 2] == min(max(math.floor(single), -(2**15)), 2**15 - 1)


def wrap(value: int, width: int, signed: bool) -> int:
    value &= (1 << width) - 1
    return value - (1 << width) if signed and value >> width - 1 else value


def clamp(value: int, width: int, signed: bool) -> int:
    least, most = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    return min(max(value, least), most)


ORACLES = {
    "abs": lambda w, s, a, b, c: abs(a),
    "abs_diff": lambda w, s, a, b, c: abs(a - b),
    "add_sat": lambda w, s, a, b, c: clamp(a + b, w, s),
    "sub_sat": lambda w, s, a, b, c: clamp(a - b, w, s),
    "hadd": lambda w, s, a, b, c: a + b >> 1,
    "rhadd": lambda w, s, a, b, c: a + b + 1 >> 1,
    "mul_hi": lambda w, s, a, b, c: a * b >> w,
    "mad_hi": lambda w, s, a, b, c: (a * b >> w) + c,
    "mad_sat": lambda w, s, a, b, c: clamp(a * b + c, w, s),
    "max": lambda w, s, a, b, c: max(a, b),
    "min": lambda w, s, a, b, c: min(a, b),
    "clz": lambda w, s, a, b, c: w - (a & (1 << w) - 1).bit_length(),
    "popcount": lambda w, s, a, b, c: (a & (1 << w) - 1).bit_count(),
    "rotate": lambda w, s, a, b, c: (a & (1 << w) - 1) << b % w | (a & (1 << w) - 1) >> (w - b % w),
    "bitselect": lambda w, s, a, b, c: a & ~c | b & c,
    "clamp": lambda w, s, a, b, c: min(max(a, min(b, c)), max(b, c)),
}
"""The exact results of integer functions from the width, the sign and the arguments; `clamp` orders its bounds."""

ARITY = {"abs": 1, "clz": 1, "popcount": 1, "mad_hi": 3, "mad_sat": 3, "bitselect": 3, "clamp": 3}
CODES = {"c": 8, "h": 8, "s": 16, "t": 16, "i": 32, "j": 32, "l": 64, "m": 64}
TYPES = {8: ctypes.c_uint8, 16: ctypes.c_uint16, 32: ctypes.c_uint32, 64: ctypes.c_uint64}


def integers_module() -> str:
    """Returns a module that calls every function for every type."""
    lines = [f'target datalayout = "{DATA_LAYOUT}"', f'target triple = "{TRIPLE}"']
    for name in ORACLES:
        for code, width in CODES.items():
            count = ARITY.get(name, 2)
            types = ", ".join([f"i{width}"] * count)
            lines.append(f"declare spir_func i{width} @{mangle(name, (Scalar(code),) * count)}({types})")
            names = ", ".join(f"i{width} %{each}" for each in "abc"[:count])
            lines.append(f"define spir_kernel void @{name}_{code}(ptr %r, {names}) {{")
            lines.append(f"  %x = call spir_func i{width} @{mangle(name, (Scalar(code),) * count)}({names})")
            lines.append(f"  store i{width} %x, ptr %r\n  ret void\n}}")
    return "\n".join(lines)


INTEGERS = Cpu(optimise(integers_module()))


@settings(max_examples=examples(40))
@given(
    st.lists(
        st.integers(0, 2**64 - 1) | st.sampled_from([0, 1, 2**63, 2**31, 2**64 - 1, 2**32 - 1, 127, 128]),
        min_size=3,
        max_size=3,
    )
)
def test_integer_functions(numbers: list[int]) -> None:
    for name, oracle in ORACLES.items():
        for code, width in CODES.items():
            signed = code in "csil"
            a, b, c = (wrap(each, width, signed) for each in numbers)
            if name == "clamp":
                b, c = min(b, c), max(b, c)
            kind = TYPES[width]
            result = kind(0)
            count = ARITY.get(name, 2)
            run = INTEGERS.function(f"{name}_{code}", None, ctypes.c_void_p, *[kind] * count)
            run(ctypes.addressof(result), *(each & (1 << width) - 1 for each in (a, b, c)[:count]))
            assert result.value == oracle(width, signed, a, b, c) & (1 << width) - 1, (name, code, a, b, c)


FLOATS = {
    "fract": (lambda x: (x - math.floor(x), float(math.floor(x))), "float"),
    "modf": (math.modf, "float"),
    "frexp": (math.frexp, "i32"),
}


def test_functions_that_store_a_second_result() -> None:
    lines = [f'target datalayout = "{DATA_LAYOUT}"', f'target triple = "{TRIPLE}"']
    for name, (_, kind) in FLOATS.items():
        symbol = f"_Z5{name}fP{'i' if kind == 'i32' else 'f'}" if len(name) == 5 else f"_Z4{name}fPf"
        lines.append(f"declare spir_func float @{symbol}(float, ptr)")
        lines.append(f"define spir_kernel void @{name}(ptr %r, float %x, ptr %p) {{")
        lines.append(
            f"  %y = call spir_func float @{symbol}(float %x, ptr %p)\n  store float %y, ptr %r\n  ret void\n}}"
        )
    module = Cpu(optimise("\n".join(lines)))
    for name, (oracle, kind) in FLOATS.items():
        run = module.function(name, None, ctypes.c_void_p, ctypes.c_float, ctypes.c_void_p)
        for value in [0.0, -0.0, 1.5, -2.75, 1e-40, -3e-45, 1e30, 0.1, -1e-3, 65536.0]:
            x = float(np.float32(value))
            result, second = ctypes.c_float(9), (ctypes.c_int32 if kind == "i32" else ctypes.c_float)(9)
            run(ctypes.addressof(result), x, ctypes.addressof(second))
            expected = oracle(x)
            below = min(expected[0], 1 - 2**-24) if name == "fract" else expected[0]
            assert (result.value, second.value) == (float(np.float32(below)), expected[1]), (name, x)


def test_shuffles() -> None:
    v = GENERATOR.integers(-99, 99, (8, 4)).astype(np.int32)
    mask = GENERATOR.integers(0, 2**32, (8, 4)).astype(np.uint32)
    out = np.zeros(8, np.int32)
    cpu("shuffles.clang22").launch("shuffles", 8, v, out, mask)
    for i in range(8):
        s = v[i][mask[i] & 3]
        both = np.concatenate([v[i], s])
        t = both[[7, 6, 5, 4, 3, 2, 1, 0]]
        r = [int(v[i][k & 3]) * k for k in range(8)]
        selected = (int(v[i][0]) & ~0x0F0F0F0F) | (int(v[i][1]) & 0x0F0F0F0F)
        data = v[i].tobytes()
        swapped = int.from_bytes(bytes(data[k] for k in (3, 2, 1, 0)), "little", signed=True)
        total = int(s[0]) + int(t[3]) + int(t[7]) * 3 + r[i & 7] + selected + swapped
        assert out[i] == wrap(total, 32, signed=True)


def test_doubles() -> None:
    x = GENERATOR.standard_normal(32) * 5
    ints = GENERATOR.integers(-(2**40), 2**40, 32)
    out = np.zeros(32)
    cpu("doubles.ocloc").launch("doubles", 32, x, out, ints)
    whole = np.trunc(x)
    expected = x * x + np.floor(x) + (x - whole) + whole + ints + np.fmax(x, 1) + np.hypot(x, 1) + np.sqrt(np.abs(x))
    np.testing.assert_allclose(out, expected, rtol=1e-12, atol=1e-12)
