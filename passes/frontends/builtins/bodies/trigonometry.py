"""Bodies of sines, cosines and tangents of f64, whose arguments may be as large as numbers get.

Arguments beyond those that two parts of pi / 2 reduce take the bits of 2 / pi that matter: what lies above them gives
whole turns, and what lies below nothing that a result shows (Payne and Hanek).
"""

from __future__ import annotations

import math
from itertools import pairwise

from passes.frontends.builtins.bodies.arithmetic import Arithmetic
from passes.frontends.builtins.bodies.body import Body, writes_scalar
from passes.frontends.builtins.mangling import Scalar

_LARGE = 2.0**20
_TWO_OVER_PI = (
    0x0000000000000000,
    0xA2F9836E4E441529,
    0xFC2757D1F534DDC0,
    0xDB6295993C439041,
    0xFE5163ABDEBBC561,
    0xB7246E3A424DD2E0,
    0x06492EEA09D1921C,
    0xFE1DEB1CB129A73E,
    0xE88235F52EBB4484,
    0xE99C7026B45F7E41,
    0x3991D639835339F4,
    0x9C845F8BBDF9283B,
    0x1FF897FFDE05980F,
    0xEF2F118B5A0A6D1F,
    0x6D367ECF27CB09B7,
    0x4F463F669E5FEA2D,
    0x7527BAC7EBE5F17B,
    0x3D0739F78A5292EA,
    0x6BFB5FB11F8D5D08,
    0x56033046FC7B6BAB,
)
"""The bits of 2 / pi behind 64 zeros."""
_TABLE = "xegpu.two_over_pi"
_PADDING, _EXPONENT_BIAS, _FRACTION = 64, 1023, 52


@writes_scalar("sin", "cos", "tan", codes=("d",))
def _circular(body: Body) -> None:
    f, (x,) = Arithmetic(body, body.scalar), body.arguments
    near = f.compare("olt", f.intrinsic("fabs", x), _LARGE)
    body.do(f"br i1 {near}, label %small, label %large")
    f.label("small")
    direct = f.intrinsic(body.name, x)
    body.do("br label %end")
    f.label("large")
    rest, quarter = _reduced(body, f, x)
    sine, cosine = f.intrinsic("sin", rest), f.intrinsic("cos", rest)
    odd = body.op(f"trunc i64 {quarter} to i1")
    if body.name == "tan":
        reduced = f.divide(f.choose(odd, cosine, sine), f.choose(odd, f.negate(sine), cosine))
    else:
        if body.name == "cos":
            quarter = body.op(f"add i64 {quarter}, 1")
            odd = body.op(f"trunc i64 {quarter} to i1")
        value = f.choose(odd, cosine, sine)
        second = body.op(f"trunc i64 {body.op(f'lshr i64 {quarter}, 1')} to i1")
        reduced = f.choose(second, f.negate(value), value)
    finite = f.compare("olt", f.intrinsic("fabs", x), math.inf)
    reduced = f.choose(finite, reduced, math.nan)
    body.do("br label %end")
    f.label("end")
    body.give(body.op(f"phi double [ {direct}, %small ], [ {reduced}, %large ]"))


def _reduced(body: Body, f: Arithmetic, x: str) -> tuple[str, str]:
    """Returns the remainder of a large number divided by pi / 2, and the quotient modulo 4."""
    words = ", ".join(f"i64 {word}" for word in _TWO_OVER_PI)
    array = f"[{len(_TWO_OVER_PI)} x i64]"
    body.variables[_TABLE] = f"@{_TABLE} = internal addrspace(2) constant {array} [{words}], align 8"
    bits = body.op(f"bitcast double {x} to i64")
    field = body.op(f"and i64 {body.op(f'lshr i64 {bits}, {_FRACTION}')}, 2047")
    # An infinite number has no exponent; it reads the table like the largest finite one.
    field = body.intrinsic("umin", "i64", field, "2046")
    mantissa = body.op(f"or i64 {body.op(f'and i64 {bits}, {(1 << _FRACTION) - 1}')}, {1 << _FRACTION}")
    # The number is mantissa * 2^e. Bits of 2 / pi up to the one of weight 2^(1 - e) count whole turns.
    start = body.op(f"sub i64 {field}, {_EXPONENT_BIAS + _FRACTION + 2 - _PADDING}")
    word, shift = body.op(f"lshr i64 {start}, 6"), body.op(f"and i64 {start}, 63")
    loaded = []
    for place in range(4):
        index = body.op(f"add i64 {word}, {place}")
        address = body.op(f"getelementptr i64, ptr addrspace(2) @{_TABLE}, i64 {index}")
        loaded.append(body.op(f"load i64, ptr addrspace(2) {address}, align 8"))
    top, middle, low = (body.intrinsic("fshl", "i64", one, two, shift) for one, two in pairwise(loaded))
    high_product, middle_product = _product(body, mantissa, top, middle, low)
    quarter = body.op(f"lshr i64 {high_product}, 62")
    fraction = body.intrinsic("fshl", "i64", high_product, middle_product, "2")
    lower = body.op(f"shl i64 {middle_product}, 2")
    # A fraction of a half or more belongs to the next multiple: as a signed number it is below zero.
    rounded = body.op(f"lshr i64 {fraction}, 63")
    quarter = body.op(f"add i64 {quarter}, {rounded}")
    first = body.op(f"sitofp i64 {body.op(f'and i64 {fraction}, -2048')} to double")
    second = body.op(f"uitofp i64 {body.op(f'and i64 {fraction}, 2047')} to double")
    third = f.multiply(body.op(f"uitofp i64 {lower} to double"), 2.0**-64)
    rest = f.multiply(f.add(first, f.add(second, third)), math.pi / 2 * 2.0**-64)
    negative = body.op(f"icmp slt i64 {bits}, 0")
    turned = body.op(f"sub i64 0, {quarter}")
    quarter = body.op(f"and i64 {body.op(f'select i1 {negative}, i64 {turned}, i64 {quarter}')}, 3")
    return f.choose(negative, f.negate(rest), rest), quarter


def _product(body: Body, mantissa: str, top: str, middle: str, low: str) -> tuple[str, str]:
    """Returns the two upper words of the lower three of a product with three words."""
    kinds = (Scalar("m"), Scalar("m"))
    halves = [
        (body.call("mul_hi", "i64", kinds, mantissa, each), body.op(f"mul i64 {mantissa}, {each}"))
        for each in (middle, low)
    ]
    under = body.op(f"add i64 {halves[0][1]}, {halves[1][0]}")
    carry = body.op(f"zext i1 {body.op(f'icmp ult i64 {under}, {halves[1][0]}')} to i64")
    over = body.op(f"add i64 {body.op(f'mul i64 {mantissa}, {top}')}, {halves[0][0]}")
    return body.op(f"add i64 {over}, {carry}"), under
