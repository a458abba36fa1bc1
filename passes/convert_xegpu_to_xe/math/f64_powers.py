"""Powers, and hyperbolic and inverse functions of f64, composed of those in `f64_functions`.

All results are within 4 units in the last place, powers within 8, `erfc` within 14.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from xdsl.dialects.math import (
    AcoshOp,
    AcosOp,
    AsinhOp,
    AsinOp,
    Atan2Op,
    AtanhOp,
    AtanOp,
    CbrtOp,
    CoshOp,
    CosOp,
    ErfOp,
    Exp2Op,
    ExpM1Op,
    ExpOp,
    Log1pOp,
    Log2Op,
    Log10Op,
    LogOp,
    PowFOp,
    RsqrtOp,
    SinhOp,
    SinOp,
    SqrtOp,
    TanhOp,
    TanOp,
)
from xdsl.ir import Operation

from passes.convert_xegpu_to_xe.lowering.values import Elements
from passes.convert_xegpu_to_xe.math import f64_functions
from passes.convert_xegpu_to_xe.math.sequences import FloatSequence, chebyshev
from passes.kernel.register_types import BOOLEAN
from xegpu.dialects.upstream.math import ErfcOp
from xegpu.isa.model import Condition

_ATAN_SERIES = [(-1) ** n / (2 * n + 1) for n in range(1, 23)]
_ERF_SERIES = [2 / math.sqrt(math.pi) * (-1) ** n / (math.factorial(n) * (2 * n + 1)) for n in range(20)]
_TAN_PI_8 = math.tan(math.pi / 8)
_LARGE = 40.0
"""For larger x, e^-x is less than half a unit in the last place of e^x (e^-80 is less than 2^-115)."""
_HUGE = 2.0**28
"""For larger x, sqrt(x^2 + 1) and sqrt(x^2 - 1) round to x: they differ from it by a factor of 1 + 2^-57."""
_ERF_IS_ONE = 5.93
"""The error function rounds to 1 from here on: erfc(5.93) is less than 2^-54, half a unit in the last place below 1."""
_ERFC_IS_ZERO = 27.3
"""erfc(27.3) is less than 2^-1075, half of the smallest f64, and rounds to 0."""
_PI_LOW = 1.2246467991473532e-16
"""pi - math.pi, the next 53 bits of pi."""


def _both(f: FloatSequence, a: Elements, b: Elements) -> Elements:
    return f.emit.alu("and", BOOLEAN, [a, b], f.count)


# Powers --------------------------------------------------------------------------------------------------------------


def power(f: FloatSequence, base: Elements, exponent: Elements) -> Elements:
    """x^y as e^(y log |x|), with a logarithm of about 60 bits.

    The special cases are those of IEEE 754-2019, section 9.2.1.
    """
    high, low = f64_functions.long_log(f, f.magnitude(base))
    product = f("mul", high, exponent)
    rest = f("mad", low, exponent, f("mad", high, exponent, product, negate=(False, False, True)))
    usual = f.compare(f.magnitude(product), Condition.LT, 800)
    rest = f.choose(usual, rest, 0.0)
    part, scale = f64_functions.exponential_parts(f, f64_functions.clamped(f, product, -760, 720))
    result = f64_functions.scaled(f, f("add", f("mad", part, rest, f("add", part, rest)), 1), scale)
    result = f64_functions.or_nan(f, product, result)

    whole = f.compare(f("rndz", exponent), Condition.EQ, exponent)
    half = f("mul", exponent, 0.5)
    odd = _both(f, whole, f.compare(f("rndz", half), Condition.NE, half))
    result = f.choose(odd, f.with_sign(result, base), result)
    is_finite = _both(f, f.compare(base, Condition.LT, 0), f.compare(base, Condition.GT, -math.inf))
    result = f.choose(_both(f, is_finite, f.compare(f("rndz", exponent), Condition.NE, exponent)), math.nan, result)
    endless = f.compare(f.magnitude(exponent), Condition.EQ, math.inf)
    result = f.choose(_both(f, endless, f.compare(base, Condition.EQ, -1)), 1.0, result)
    result = f.choose(f.compare(base, Condition.EQ, 1), 1.0, result)
    return f.choose(f.compare(exponent, Condition.EQ, 0), 1.0, result)


def _cbrt(f: FloatSequence, x: Elements) -> Elements:
    """The exponential of a third of the logarithm, corrected by one Newton step."""
    magnitude = f.magnitude(x)
    root = f64_functions.exp(f, f("mul", f64_functions.log(f, magnitude), 1 / 3))
    wanted = f("div", magnitude, f("mul", root, root))
    root = f("mad", f("add", wanted, root, negate=(False, True)), 1 / 3, root)
    usual = _both(f, f.compare(magnitude, Condition.GT, 0), f.compare(magnitude, Condition.LT, math.inf))
    return f.choose(usual, f.with_sign(root, x), x)


# Hyperbolic functions ------------------------------------------------------------------------------------------------


def _half_exponential(f: FloatSequence, magnitude: Elements) -> Elements:
    """Returns e^x / 2, which is finite where e^x may overflow."""
    root = f64_functions.exp(f, f("mul", magnitude, 0.5))
    return f("mul", f("mul", root, 0.5), root)


def _sinh(f: FloatSequence, x: Elements) -> Elements:
    magnitude = f.magnitude(x)
    t = f64_functions.expm1(f, magnitude)
    near = f("mul", f("add", t, f("div", t, f("add", t, 1))), 0.5)
    near = f.choose(f.compare(magnitude, Condition.LT, _LARGE), near, _half_exponential(f, magnitude))
    return f.with_sign(f64_functions.or_nan(f, x, near), x)


def _cosh(f: FloatSequence, x: Elements) -> Elements:
    magnitude = f.magnitude(x)
    power = f64_functions.exp(f, magnitude)
    near = f("mad", power, 0.5, f("div", 0.5, power))
    return f.choose(f.compare(magnitude, Condition.LT, _LARGE), near, _half_exponential(f, magnitude))


def _asinh(f: FloatSequence, x: Elements) -> Elements:
    magnitude = f.magnitude(x)
    square = f("mul", magnitude, magnitude)
    more = f("div", square, f("add", f("sqrtm", f("add", square, 1)), 1))
    near = f64_functions.log1p(f, f("add", magnitude, more))
    far = f("add", f64_functions.log(f, magnitude), math.log(2))
    return f.with_sign(f.choose(f.compare(magnitude, Condition.LT, _HUGE), near, far), x)


def _acosh(f: FloatSequence, x: Elements) -> Elements:
    more = f("add", x, -1)
    near = f64_functions.log1p(f, f("add", more, f("sqrtm", f("mad", more, more, f("add", more, more)))))
    far = f("add", f64_functions.log(f, x), math.log(2))
    result = f.choose(f.compare(x, Condition.LT, _HUGE), near, far)
    return f.choose(f.compare(x, Condition.LT, 1), math.nan, result)


def _atanh(f: FloatSequence, x: Elements) -> Elements:
    magnitude = f.magnitude(x)
    rest = f("add", magnitude, 1, negate=(True, False))
    ratio = f("div", f("add", magnitude, magnitude), rest)
    return f.with_sign(f("mul", f64_functions.log1p(f, ratio), 0.5), x)


# Angles --------------------------------------------------------------------------------------------------------------


def _arctangent(f: FloatSequence, slope: Elements) -> Elements:
    """Returns the arctangent of slopes from 0 to 1.

    Above tan(pi / 8), atan(t) is pi / 4 + atan((t - 1) / (t + 1)). The Taylor series in the rest, at most 0.415 in
    magnitude, ends with t^45; the first term left out is less than 2^-63 of the result.
    """
    steep = f.compare(slope, Condition.GT, _TAN_PI_8)
    turned = f("div", f("add", slope, -1), f("add", slope, 1))
    t = f.choose(steep, turned, slope)
    square = f("mul", t, t)
    angle = f("mad", f("mul", t, square), f64_functions.powers(f, square, _ATAN_SERIES), t)
    return f("add", f.choose(steep, math.pi / 4, 0.0), f("add", angle, f.choose(steep, _PI_LOW / 4, 0.0)))


def _quadrant(f: FloatSequence, y: Elements, x: Elements) -> Elements:
    """Returns the angle of a point in the first quadrant, axes included."""
    steep = f.compare(y, Condition.GT, x)
    rise, run = f.choose(steep, x, y), f.choose(steep, y, x)
    slope = f("div", rise, run)
    slope = f.choose(f.compare(run, Condition.EQ, 0), 0.0, slope)
    slope = f.choose(f.compare(rise, Condition.EQ, math.inf), 1.0, slope)
    angle = _arctangent(f, slope)
    rest = f("add", f("add", angle, _PI_LOW / 2, negate=(True, False)), math.pi / 2)
    return f.choose(steep, rest, angle)


def atan2(f: FloatSequence, y: Elements, x: Elements) -> Elements:
    """Returns the angle of a point in any quadrant."""
    angle = _quadrant(f, f.magnitude(y), f.magnitude(x))
    ahead = f("add", f("add", angle, _PI_LOW, negate=(True, False)), math.pi)
    # The sign of zero counts.
    behind = f.compare(f.with_sign(f("mov", 1.0), x), Condition.LT, 0)
    angle = f.choose(behind, ahead, angle)
    return f64_functions.or_nan(f, x, f64_functions.or_nan(f, y, f.with_sign(angle, y)))


def _atan(f: FloatSequence, x: Elements) -> Elements:
    return f64_functions.or_nan(f, x, f.with_sign(_quadrant(f, f.magnitude(x), f("mov", 1.0)), x))


def _other_leg(f: FloatSequence, x: Elements) -> Elements:
    """Returns the square root of 1 - x^2, as a product that keeps its digits near 1."""
    return f("sqrtm", f("mul", f("add", x, 1), f("add", x, 1, negate=(True, False))))


def _erf(f: FloatSequence, x: Elements) -> Elements:
    """Below 1, a Taylor series; above, 1 minus a Chebyshev expansion of the complement, up to where the result is 1."""
    magnitude = f.magnitude(x)
    near = f("mul", x, f64_functions.powers(f, f("mul", x, x), _ERF_SERIES))
    rest = chebyshev(f, math.erfc, magnitude, 2.5, _ERF_IS_ONE, 40)
    rest = f.choose(f.compare(magnitude, Condition.LT, _ERF_IS_ONE), rest, 0.0)
    rest = f.choose(f.compare(magnitude, Condition.LT, 2.5), chebyshev(f, math.erfc, magnitude, 1, 2.5, 32), rest)
    far = f("add", rest, 1, negate=(True, False))
    result = f.with_sign(f.choose(f.compare(magnitude, Condition.LT, 1), near, far), x)
    return f64_functions.or_nan(f, x, result)


def _erfc(f: FloatSequence, x: Elements) -> Elements:
    """Up to 0.5, 1 - erf(x); above, e^(-x^2) / (x + 2) times a function of 1 / (x + 2) that changes by a factor of 3.

    The rounding error of x^2 is computed by a fused multiply-add and applied as a factor.
    """
    near = f("add", _erf(f, x), 1, negate=(True, False))
    last = f64_functions.clamped(f, x, 0.5, _ERFC_IS_ZERO)
    square = f("mul", last, last)
    lost = f("mad", last, last, square, negate=(False, False, True))
    power = f64_functions.exp(f, f("mov", square, negate=(True,)))
    power = f("mad", power, lost, power, negate=(False, True, False))
    place = f("div", 1, f("add", last, 2))
    factor = f("mul", chebyshev(f, _scaled_erfc, place, 1 / (_ERFC_IS_ZERO + 2), 1 / 2.5, 28), place)
    far = f.choose(f.compare(x, Condition.LT, _ERFC_IS_ZERO), f("mul", power, factor), 0)
    return f64_functions.or_nan(f, x, f.choose(f.compare(x, Condition.LE, 0.5), near, far))


def _scaled_erfc(place: float) -> float:
    """Returns erfc(x) e^(x^2) (x + 2) for place = 1 / (x + 2) and x of at least 0.5.

    It integrates e^(-t^2) / (x^2 + t^2) by the trapezoidal rule, whose error falls exponentially with the distance of
    the poles at ±ix: it is below e^(-50) here. No term is negative, so that nothing cancels.
    """
    x, step = 1 / place - 2, 1 / 16
    terms = (math.exp(-((k * step) ** 2)) / (x * x + (k * step) ** 2) for k in range(1, 112))
    return 2 * x / math.pi * step * math.fsum([0.5 / (x * x), *terms]) / place


DOUBLE_FUNCTIONS: Mapping[type[Operation], Callable[..., Elements]] = {
    AcosOp: lambda f, x: atan2(f, _other_leg(f, x), x),
    AcoshOp: _acosh,
    AsinOp: lambda f, x: atan2(f, x, _other_leg(f, x)),
    AsinhOp: _asinh,
    AtanOp: _atan,
    Atan2Op: atan2,
    AtanhOp: _atanh,
    CbrtOp: _cbrt,
    CosOp: f64_functions.cos,
    CoshOp: _cosh,
    ErfOp: _erf,
    ErfcOp: _erfc,
    ExpOp: f64_functions.exp,
    Exp2Op: f64_functions.exp2,
    ExpM1Op: f64_functions.expm1,
    LogOp: f64_functions.log,
    Log10Op: lambda f, x: f64_functions.log_with(f, x, math.log10(math.e), math.log10(2), 0),
    Log1pOp: f64_functions.log1p,
    Log2Op: lambda f, x: f64_functions.log_with(f, x, math.log2(math.e), 1, 0),
    PowFOp: power,
    RsqrtOp: f64_functions.rsqrt,
    SinOp: f64_functions.sin,
    SinhOp: _sinh,
    SqrtOp: lambda f, x: f("sqrtm", x),
    TanOp: f64_functions.tan,
    TanhOp: f64_functions.tanh,
}
"""Functions of one or two f64 numbers, by the class of the operation."""
