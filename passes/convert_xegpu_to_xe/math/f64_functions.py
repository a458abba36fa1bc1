"""Exponentials, logarithms and trigonometric functions of f64: argument reduction, then power series in Horner form.

All results are within 4 units in the last place; sines, cosines and tangents for arguments up to 2^20, beyond which the
reduction loses digits. The series are Taylor series: on the reduced intervals, the first term left out is less than
2^-62 of the result, far below rounding (2^-53).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from passes.convert_xegpu_to_xe.lowering.values import Elements, UniformConstant
from passes.convert_xegpu_to_xe.math.sequences import FloatSequence
from passes.kernel.register_types import BOOLEAN
from xegpu.isa.model import Condition, DataType

_Q = DataType.Q
_LN2 = (0.6931471803691238, 1.9082149292705877e-10)
"""ln 2 as a sum (Cody and Waite).

The first part has 32 significant bits, so that its products with exponents of up to 21 bits are exact.
"""
_HALF_PI = (1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21)
"""pi / 2 as a sum of three (Cody and Waite, as fdlibm splits it).

The first two parts have at most 33 significant bits, so that their products with up to 2^20 quarters are exact.
"""
_FRACTION_BITS, _BIAS = 52, 1023
_ROOT_HALF = 0x3FE6A09E667F3BCD
"""The bits of sqrt(1/2): significands are reduced to the interval from there to sqrt(2)."""
_EXPONENTIAL = [1 / math.factorial(n) for n in range(1, 15)]
_SINE = [(-1) ** n / math.factorial(2 * n + 1) for n in range(1, 9)]
_COSINE = [(-1) ** n / math.factorial(2 * n) for n in range(2, 10)]
_ARTANH = [2 / (2 * n + 1) for n in range(1, 13)]
_OVERFLOW, _UNDERFLOW = 710.0, -746.0
"""Bounds of the exponential: e^x overflows above 709.78, the logarithm of the largest f64, and rounds to zero below
-745.13, that of 2^-1075.
"""


def powers(f: FloatSequence, x: Elements, coefficients: Sequence[float]) -> Elements:
    """Returns the power series c0 + c1 x + c2 x^2 + ... in Horner form."""
    total = f("mov", coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        total = f("mad", total, x, coefficient)
    return total


def _integers(f: FloatSequence, value: Elements) -> Elements:
    return f.emit.alu("mov", _Q, [value], f.count)


def _two_to(f: FloatSequence, exponent: Elements) -> Elements:
    """Returns 2 to the power of integers from -1022 to 1023, by writing the exponent field."""
    biased = f.emit.alu("add", _Q, [exponent, UniformConstant(_Q, _BIAS)], f.count)
    return f.emit.alu("shl", _Q, [biased, UniformConstant(_Q, _FRACTION_BITS)], f.count).as_type(f.type)


def scaled(f: FloatSequence, value: Elements, exponent: Elements) -> Elements:
    """Returns the value times 2^exponent, in two steps: the power alone may overflow or underflow."""
    half = f.emit.alu("asr", _Q, [exponent, UniformConstant(_Q, 1)], f.count)
    rest = f.emit.alu("add", _Q, [exponent, half], f.count, negate=(False, True))
    return f("mul", f("mul", value, _two_to(f, half)), _two_to(f, rest))


def clamped(f: FloatSequence, x: Elements, low: float, high: float) -> Elements:
    raised = f.choose(f.compare(x, Condition.GT, low), x, low)
    return f.choose(f.compare(raised, Condition.LT, high), raised, high)


def _minus(f: FloatSequence, x: Elements, factor: Elements, parts: Sequence[float]) -> Elements:
    """Returns x - factor * (sum of parts), each product by a fused multiply-add."""
    for part in parts:
        x = f("mad", factor, -part, x)
    return x


def exponential_parts(f: FloatSequence, x: Elements) -> tuple[Elements, Elements]:
    """Returns p and n such that e^x is (1 + p) 2^n, for arguments within the bounds.

    The reduced argument lies within ln 2 / 2 of zero. The series ends with r^14 / 14!; r^15 / 15! is less than 2^-63.
    """
    count = f("rnde", f("mul", x, 1 / math.log(2)))
    rest = _minus(f, x, count, _LN2)
    return f("mul", rest, powers(f, rest, _EXPONENTIAL)), _integers(f, count)


def or_nan(f: FloatSequence, x: Elements, result: Elements) -> Elements:
    return f.choose(f.compare(x, Condition.NE, x), x, result)


def exp(f: FloatSequence, x: Elements) -> Elements:
    power, exponent = exponential_parts(f, clamped(f, x, _UNDERFLOW, _OVERFLOW))
    return or_nan(f, x, scaled(f, f("add", power, 1), exponent))


def exp2(f: FloatSequence, x: Elements) -> Elements:
    inside = clamped(f, x, -1080, 1025)
    count = f("rnde", inside)
    rest = f("mul", f("add", inside, count, negate=(False, True)), math.log(2))
    power = f("mul", rest, powers(f, rest, _EXPONENTIAL))
    return or_nan(f, x, scaled(f, f("add", power, 1), _integers(f, count)))


def expm1(f: FloatSequence, x: Elements) -> Elements:
    """e^x - 1 as 2^n p + (2^n - 1), which keeps the digits of p near zero.

    Beyond 40, 1 is less than half a unit of e^x.
    """
    power, exponent = exponential_parts(f, clamped(f, x, -40, 40))
    scale = _two_to(f, exponent)
    near = f.choose(f.compare(x, Condition.EQ, 0), x, f("mad", power, scale, f("add", scale, -1)))
    return or_nan(f, x, f.choose(f.compare(x, Condition.LT, 40), near, exp(f, x)))


def _reduced(f: FloatSequence, x: Elements) -> tuple[Elements, Elements]:
    """Returns y and n such that a positive number is (1 + y) 2^n, with y exact and from sqrt(1/2) - 1 to sqrt(2) - 1.

    Subnormal numbers are scaled by 2^54 first.
    """
    emit, count = f.emit, f.count
    tiny = f.compare(x, Condition.LT, 2.0**-1022)
    bits = f.choose(tiny, f("mul", x, 2.0**54), x).as_type(_Q)
    above = emit.alu("add", _Q, [bits, UniformConstant(_Q, -_ROOT_HALF)], count)
    exponent = emit.alu("asr", _Q, [above, UniformConstant(_Q, _FRACTION_BITS)], count)
    shifted = emit.alu("shl", _Q, [exponent, UniformConstant(_Q, _FRACTION_BITS)], count)
    significand = emit.alu("add", _Q, [bits, shifted], count, negate=(False, True)).as_type(f.type)
    number = emit.alu("mov", f.type, [exponent], count)
    return f("add", significand, -1), f("add", number, f.choose(tiny, -54, 0))


def _logarithm_parts(f: FloatSequence, x: Elements) -> tuple[Elements, Elements]:
    """Returns y and n such that the logarithm of a positive number is y + n ln 2; y is at most ln 2 / 2.

    With s = f / (2 + f), s is below 0.172 and log(1 + f) is 2 s + s R, where R = 2 s^2 / 3 + 2 s^4 / 5 + ... ends with
    s^24.
    """
    less, number = _reduced(f, x)
    quotient = f("div", less, f("add", less, 2))
    square = f("mul", quotient, quotient)
    # log m = f - s (f - R) with R = 2 s^2 / 3 + 2 s^4 / 5 + ...: the large part of it is exact.
    rest = f("mul", square, powers(f, square, _ARTANH))
    return f("add", less, f("mul", quotient, f("add", less, rest, negate=(False, True))), negate=(False, True)), number


def long_log(f: FloatSequence, x: Elements) -> tuple[Elements, Elements]:
    """Returns the logarithm of a magnitude as the sum of two f64, with about 60 significant bits.

    For 0 and infinity, the first part is the result.
    """
    less, number = _reduced(f, x)
    sum = f("add", less, 2)
    quotient = f("div", less, sum)
    # What the sum and the quotient have lost.
    missing = f("add", less, f("add", sum, -2), negate=(False, True))
    residue = f("mad", quotient, sum, less, negate=(True, False, False))
    lost = f("div", f("mad", quotient, missing, residue, negate=(True, False, False)), sum)
    square = f("mul", quotient, quotient)
    series = f("mul", f("mul", quotient, square), powers(f, square, _ARTANH))
    twice = f("add", quotient, quotient)
    whole = f("mul", number, _LN2[0])
    high = f("add", whole, twice)
    rounding = f("add", f("add", whole, high, negate=(False, True)), twice)
    rest = f("add", f("mad", number, _LN2[1], rounding), f("add", series, f("add", lost, lost)))
    total = f("add", high, rest)
    low = f("add", f("add", high, total, negate=(False, True)), rest)
    high = f.choose(f.compare(x, Condition.LT, math.inf), total, x)
    return or_nan(f, x, f.choose(f.compare(x, Condition.EQ, 0), -math.inf, high)), low


def log_with(f: FloatSequence, x: Elements, unit: float, high: float, low: float) -> Elements:
    """Returns a logarithm in the base for which `unit` is log e, and `high` + `low` is log 2."""
    part, number = _logarithm_parts(f, x)
    scaled = part if unit == 1 else f("mul", part, unit)
    result = f("mad", number, high, f("mad", number, low, scaled)) if low else f("mad", number, high, scaled)
    result = f.choose(f.compare(x, Condition.LT, math.inf), result, x)
    result = f.choose(f.compare(x, Condition.EQ, 0), -math.inf, result)
    return or_nan(f, x, f.choose(f.compare(x, Condition.LT, 0), math.nan, result))


def log(f: FloatSequence, x: Elements) -> Elements:
    return log_with(f, x, 1, *_LN2)


def log1p(f: FloatSequence, x: Elements) -> Elements:
    """log(1 + x) as log u + (x - (u - 1)) / u with u = 1 + x: the quotient restores what rounding has taken from u."""
    sum = f("add", x, 1)
    lost = f("add", x, f("add", sum, -1), negate=(False, True))
    logarithm = log(f, sum)
    corrected = f("add", logarithm, f("div", lost, sum))
    is_usual = f.compare(f.magnitude(logarithm), Condition.LT, math.inf)
    result = f.choose(is_usual, corrected, logarithm)
    return f.choose(f.compare(f.magnitude(x), Condition.LT, 2.0**-54), x, result)


def _quarters(f: FloatSequence, x: Elements) -> tuple[Elements, Elements, Elements]:
    """Returns the sine and cosine of x reduced by multiples of pi / 2, and the number of these multiples.

    The rest is at most pi / 4, where the first terms left out are x^19 / 19! and x^20 / 20!.
    """
    count = f("rnde", f("mul", x, 2 / math.pi))
    rest = _minus(f, x, count, _HALF_PI)
    square = f("mul", rest, rest)
    sine = f("mad", f("mul", rest, square), powers(f, square, _SINE), rest)
    half = f("mad", square, -0.5, f("mov", 1.0))
    cosine = f("mad", f("mul", square, square), powers(f, square, _COSINE), half)
    return sine, cosine, _integers(f, count)


def _bit(f: FloatSequence, number: Elements, bit: int) -> Elements:
    """Returns whether a bit of integers is set."""
    masked = f.emit.alu("and", _Q, [number, UniformConstant(_Q, bit)], f.count)
    return f.emit.alu("cmp", BOOLEAN, [masked, UniformConstant(_Q, 0)], f.count, condition=Condition.NE)


def _turned(f: FloatSequence, x: Elements, ahead: int) -> Elements:
    """Returns the sine of x + `ahead` * pi / 2."""
    sine, cosine, quarters = _quarters(f, x)
    quarters = f.emit.alu("add", _Q, [quarters, UniformConstant(_Q, ahead)], f.count)
    value = f.choose(_bit(f, quarters, 1), cosine, sine)
    return f.choose(_bit(f, quarters, 2), f("mul", value, -1.0), value)


def sin(f: FloatSequence, x: Elements) -> Elements:
    # Zero keeps its sign.
    return f.choose(f.compare(x, Condition.EQ, 0), x, _turned(f, x, 0))


def cos(f: FloatSequence, x: Elements) -> Elements:
    return _turned(f, x, 1)


def tan(f: FloatSequence, x: Elements) -> Elements:
    sine, cosine, quarters = _quarters(f, x)
    is_odd = _bit(f, quarters, 1)
    over, under = f.choose(is_odd, cosine, sine), f.choose(is_odd, f("mul", sine, -1.0), cosine)
    return f.choose(f.compare(x, Condition.EQ, 0), x, f("div", over, under))


def tanh(f: FloatSequence, x: Elements) -> Elements:
    """With t = e^(-2|x|) - 1, tanh |x| is -t / (t + 2), which keeps its digits near zero."""
    t = expm1(f, f("mul", f.magnitude(x), -2))
    return f.with_sign(f("div", t, f("add", t, 2)), x)


def rsqrt(f: FloatSequence, x: Elements) -> Elements:
    return f("div", 1, f("sqrtm", x))
