"""Lowers inverse trigonometric, hyperbolic and inverse hyperbolic functions, in f32 as sequences of instructions.

All results are within 4 units in the last place of f32; those of f16 and bf16 are computed in f32 and rounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from xdsl.dialects.math import AcoshOp, AcosOp, AsinhOp, AsinOp, Atan2Op, AtanhOp, AtanOp, CoshOp, SinhOp
from xdsl.ir import Operation

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, UniformConstant
from passes.convert_xegpu_to_xe.math.functions import compute, exp, expm1, log, log1p
from passes.convert_xegpu_to_xe.math.sequences import FloatSequence, chebyshev
from passes.kernel.register_types import BOOLEAN
from xegpu.isa.model import Condition, integer

_HUGE = 2.0**30
"""For larger x, x^2 + 1 rounds to x^2, and the square of a yet larger number may overflow."""


def _of_square(inverse: Callable[[float], float]) -> Callable[[float], float]:
    """Returns inverse(x) / x as a function of x^2, for an odd function with slope 1 at zero."""
    return lambda z: inverse(math.sqrt(z)) / math.sqrt(z)


def _difference(f: FloatSequence, constant: float, value: Elements) -> Elements:
    """Returns a constant minus a value; the constant is a sum of two f32."""
    high = f.constant(constant)
    rest = f("add", value, constant - float(high.value), negate=(True, False))
    return f("add", rest, high)


def _is_negative(f: FloatSequence, x: Elements) -> Elements:
    """Returns whether the sign bit is set, which it is for -0."""
    bits = integer(f.type.bits, signed=True)
    return f.emit.alu("cmp", BOOLEAN, [x.as_type(bits), UniformConstant(bits, 0)], f.count, condition=Condition.LT)


# Trigonometric -------------------------------------------------------------------------------------------------------


def _atan_up_to_one(f: FloatSequence, x: Elements) -> Elements:
    return f("mul", x, chebyshev(f, _of_square(math.atan), f("mul", x, x), 0, 1))


def _atan(f: FloatSequence, x: Elements) -> Elements:
    """Above 1, pi / 2 minus the arctangent of the reciprocal."""
    magnitude = f.magnitude(x)
    steep = f.compare(magnitude, Condition.GT, 1)
    angle = _atan_up_to_one(f, f.choose(steep, f("div", 1, magnitude), magnitude))
    return f.with_sign(f.choose(steep, _difference(f, math.pi / 2, angle), angle), x)


def _atan2(f: FloatSequence, y: Elements, x: Elements) -> Elements:
    rise, run = f.magnitude(y), f.magnitude(x)
    steep = f.compare(rise, Condition.GT, run)
    smaller, larger = f.choose(steep, run, rise), f.choose(steep, rise, run)
    slope = f("div", smaller, larger)
    slope = f.choose(f.compare(larger, Condition.EQ, 0), 0, slope)
    slope = f.choose(f.compare(smaller, Condition.EQ, math.inf), 1, slope)
    angle = _atan_up_to_one(f, slope)
    angle = f.choose(steep, _difference(f, math.pi / 2, angle), angle)
    angle = f.choose(_is_negative(f, x), _difference(f, math.pi, angle), angle)
    for operand in (x, y):
        angle = f.choose(f.compare(operand, Condition.NE, operand), operand, angle)
    return f.choose(f.compare(angle, Condition.NE, angle), angle, f.with_sign(angle, y))


def _asin_up_to_half(f: FloatSequence, x: Elements, square: Elements) -> Elements:
    return f("mul", x, chebyshev(f, _of_square(math.asin), square, 0, 0.25))


def _half_angle(f: FloatSequence, magnitude: Elements) -> Elements:
    """Returns the arc cosine of a number from 0.5 to 1, as 2 asin(sqrt((1 - x) / 2))."""
    square = f("mul", f("add", magnitude, 1, negate=(True, False)), 0.5)
    return f("mul", _asin_up_to_half(f, f("sqrtm", square), square), 2)


def _asin(f: FloatSequence, x: Elements) -> Elements:
    magnitude = f.magnitude(x)
    near = _asin_up_to_half(f, magnitude, f("mul", x, x))
    far = _difference(f, math.pi / 2, _half_angle(f, magnitude))
    return f.with_sign(f.choose(f.compare(magnitude, Condition.LE, 0.5), near, far), x)


def _acos(f: FloatSequence, x: Elements) -> Elements:
    magnitude = f.magnitude(x)
    near = _difference(f, math.pi / 2, _asin_up_to_half(f, x, f("mul", x, x)))
    far = _half_angle(f, magnitude)
    far = f.choose(f.compare(x, Condition.LT, 0), _difference(f, math.pi, far), far)
    return f.choose(f.compare(magnitude, Condition.LE, 0.5), near, far)


# Hyperbolic ----------------------------------------------------------------------------------------------------------


def _half_power(f: FloatSequence, magnitude: Elements) -> Elements:
    """Returns e^x / 2, which overflows only where the half does."""
    root = exp(f, f("mul", magnitude, 0.5))
    return f("mul", f("mul", root, 0.5), root)


def _sinh(f: FloatSequence, x: Elements) -> Elements:
    magnitude = f.magnitude(x)
    less = expm1(f, magnitude)
    near = f("mul", f("add", less, f("div", less, f("add", less, 1))), 0.5)
    far = _half_power(f, magnitude)
    return f.with_sign(f.choose(f.compare(magnitude, Condition.LT, 20), near, far), x)


def _cosh(f: FloatSequence, x: Elements) -> Elements:
    magnitude = f.magnitude(x)
    power = f("mul", exp(f, magnitude), 0.5)
    near = f("add", power, f("div", 0.25, power))
    return f.choose(f.compare(magnitude, Condition.LT, 20), near, _half_power(f, magnitude))


def _asinh(f: FloatSequence, x: Elements) -> Elements:
    """log(a + sqrt(a^2 + 1)) as log1p(a + a^2 / (sqrt(a^2 + 1) + 1)), which keeps the digits of small numbers."""
    magnitude = f.magnitude(x)
    square = f("mul", magnitude, magnitude)
    root = f("add", f("sqrtm", f("add", square, 1)), 1)
    near = log1p(f, f("add", magnitude, f("div", square, root)))
    far = f("add", log(f, magnitude), math.log(2))
    return f.with_sign(f.choose(f.compare(magnitude, Condition.LT, _HUGE), near, far), x)


def _acosh(f: FloatSequence, x: Elements) -> Elements:
    above = f("add", x, -1)
    near = log1p(f, f("add", above, f("sqrtm", f("mul", above, f("add", above, 2)))))
    far = f("add", log(f, x), math.log(2))
    result = f.choose(f.compare(x, Condition.LT, _HUGE), near, far)
    return f.choose(f.compare(x, Condition.LT, 1), math.nan, result)


def _atanh(f: FloatSequence, x: Elements) -> Elements:
    magnitude = f.magnitude(x)
    twice = f("add", magnitude, magnitude)
    ratio = f("div", twice, f("add", magnitude, 1, negate=(True, False)))
    result = f("mul", log1p(f, ratio), 0.5)
    result = f.choose(f.compare(magnitude, Condition.GT, 1), math.nan, result)
    return f.with_sign(result, x)


_FUNCTIONS: Mapping[type[Operation], Callable[..., Elements]] = {
    AcosOp: _acos,
    AcoshOp: _acosh,
    AsinOp: _asin,
    AsinhOp: _asinh,
    AtanOp: _atan,
    Atan2Op: _atan2,
    AtanhOp: _atanh,
    CoshOp: _cosh,
    SinhOp: _sinh,
}


@lowers(*_FUNCTIONS)
def inverse_function(lowering: KernelLowering, op: Operation) -> None:
    compute(lowering, op, _FUNCTIONS[type(op)])
