"""The math functions, once for all engines: fixed sequences of exactly rounded operations on f64.

Only additions, subtractions, products, quotients and square roots of IEEE 754 are used, no math library, so that every
engine on every machine computes the same bits. Arguments are numbers that f32 can represent; results have some 50
correct bits and are rounded once more, to f32 or hf. `docs/isa.md` states the resulting errors.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Self

_FRACTION_BITS = 52
_BIAS = 1023
_SQRT_HALF_BITS = 0x3FE6A09E667F3BCD
"""Bits of sqrt(1/2) as f64."""

_LARGEST_POWER = 1000.0
"""Powers of two up to this one are rounded to infinity, and their reciprocals to zero, in f32 and hf."""


class LaneOperations(ABC):
    """The operations on lanes that engines implement: the interpreter on numpy arrays, the JIT by emitting LLVM IR."""

    @abstractmethod
    def constant(self, value: float) -> Self:
        """Returns a constant of the same kind."""

    @abstractmethod
    def binary(self, operation: str, other: Self) -> Self:
        """Applies `add`, `sub`, `mul`, `div` (f64), `and`, `or`, `shl`, `lshr`, `ashr` (integers), `and`, `or`
        (booleans).
        """

    @abstractmethod
    def compare(self, relation: str, other: Self) -> Self:
        """Compares: `eq`, `lt`, `gt`, or `ne`, the only one that is true if an operand is NaN."""

    @abstractmethod
    def choose(self, yes: Self, no: Self) -> Self:
        """Selects by a boolean: `yes` where it is true, else `no`."""

    @abstractmethod
    def sqrt(self) -> Self: ...

    @abstractmethod
    def integral(self, name: str) -> Self:
        """Rounds f64 to an integral value: `rint` (nearest, ties to even), `ceil`, `floor` or `trunc`."""

    @abstractmethod
    def bits(self) -> Self:
        """Returns the bits of f64 as integers."""

    @abstractmethod
    def double(self) -> Self:
        """Returns the f64 whose bits these integers are."""

    @abstractmethod
    def to_integer(self) -> Self:
        """Converts integral f64 that is within the range of i64."""

    @abstractmethod
    def to_double(self) -> Self:
        """Converts integers to f64, rounded."""

    @abstractmethod
    def lookup(self, table: Sequence[int]) -> Self:
        """Returns entries of a table of 64-bit patterns; the integers are valid indices."""


class Lanes(LaneOperations):
    """One f64, one 64-bit integer or one boolean for each channel; integers wrap and compare as signed.

    Functions that are written with these operators exist once for both engines.
    """

    def rint(self) -> Self:
        """Returns the nearest integral f64, ties to even."""
        return self.integral("rint")

    def _lifted(self, other: Self | float) -> Self:
        return other if isinstance(other, Lanes) else self.constant(other)

    def __add__(self, other: Self | float) -> Self:
        return self.binary("add", self._lifted(other))

    def __sub__(self, other: Self | float) -> Self:
        return self.binary("sub", self._lifted(other))

    def __mul__(self, other: Self | float) -> Self:
        return self.binary("mul", self._lifted(other))

    def __truediv__(self, other: Self | float) -> Self:
        return self.binary("div", self._lifted(other))

    def __and__(self, other: Self | int) -> Self:
        return self.binary("and", self._lifted(other))

    def __or__(self, other: Self | int) -> Self:
        return self.binary("or", self._lifted(other))

    def __lshift__(self, count: int) -> Self:
        return self.binary("shl", self.constant(count))

    def __rshift__(self, count: int) -> Self:
        """Arithmetic shift."""
        return self.binary("ashr", self.constant(count))

    def shifted_right(self, count: int) -> Self:
        """Logical shift."""
        return self.binary("lshr", self.constant(count))

    def is_equal(self, other: float) -> Self:
        return self.compare("eq", self.constant(other))

    def is_less(self, other: float) -> Self:
        return self.compare("lt", self.constant(other))

    def is_greater(self, other: float) -> Self:
        return self.compare("gt", self.constant(other))

    def differs(self, other: Self) -> Self:
        return self.compare("ne", other)


def _polynomial(x: Lanes, coefficients: Sequence[float]) -> Lanes:
    """Evaluates a polynomial by Horner's scheme, the constant coefficient first."""
    result = x.constant(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        result = result * x + coefficient
    return result


def _magnitude(x: Lanes) -> Lanes:
    return (x.bits() & ((1 << 63) - 1)).double()


def rsqrt(x: Lanes) -> Lanes:
    """Returns 1 / sqrt(x)."""
    return x.constant(1.0) / x.sqrt()


# Logarithm and powers ------------------------------------------------------------------------------------------------

_LN2 = Fraction("0.69314718055994530941723212145817656807550013436025525412068")

_LOG2_TERMS = tuple(float(2 / (_LN2 * (2 * k + 1))) for k in range(12))
"""log2((1 + s) / (1 - s)) = s * sum of term k * s^2k; the first omitted term is below 2^-64 for s up to 0.172."""

_EXP2_TERMS = tuple(float(_LN2**k / math.factorial(k)) for k in range(16))
"""2^x = sum of term k * x^k; the first omitted term is below 2^-66 for x up to 1/2."""


def log2(x: Lanes) -> Lanes:
    """Returns the logarithm to base 2: x = m * 2^e with m from sqrt(1/2) to sqrt(2), and a series for m."""
    bits = x.bits()
    exponent = (bits - _SQRT_HALF_BITS) >> _FRACTION_BITS
    m = (bits - (exponent << _FRACTION_BITS)).double()
    s = (m - 1.0) / (m + 1.0)
    result = exponent.to_double() + s * _polynomial(s * s, _LOG2_TERMS)
    result = x.is_equal(math.inf).choose(x, result)
    result = x.is_equal(0.0).choose(x.constant(-math.inf), result)
    return (x.is_less(0.0) | x.differs(x)).choose(x.constant(math.nan), result)


def exp2(x: Lanes) -> Lanes:
    """Returns 2 to the power of x: x = n + f with f up to 1/2, and a series for 2^f."""
    limited = x.is_greater(_LARGEST_POWER).choose(x.constant(_LARGEST_POWER), x)
    limited = limited.is_greater(-_LARGEST_POWER).choose(limited, x.constant(-_LARGEST_POWER))
    whole = limited.rint()
    scale = ((whole.to_integer() + _BIAS) << _FRACTION_BITS).double()
    result = _polynomial(limited - whole, _EXP2_TERMS) * scale
    result = x.is_equal(math.inf).choose(x, result)
    result = x.is_equal(-math.inf).choose(x.constant(0.0), result)
    return x.differs(x).choose(x, result)


def power(a: Lanes, b: Lanes) -> Lanes:
    """Returns a to the power of b: 2^(b * log2 |a|), with the sign and the special values of IEEE 754's pow."""
    negative = a.bits().is_less(0)
    magnitude = _magnitude(a)
    result = exp2(b * log2(magnitude))
    half = b * 0.5
    odd = b.compare("eq", b.rint()) & half.differs(half.rint())
    result = (negative & odd).choose(result * -1.0, result)
    fractional = b.differs(b.rint()) & a.is_less(0.0) & a.is_greater(-math.inf)
    result = fractional.choose(a.constant(math.nan), result)
    # IEEE 754, section 9.2.1: pow(x, 0) and pow(1, y) are 1 even if the other operand is NaN.
    infinite = _magnitude(b).is_equal(math.inf)
    one = a.is_equal(1.0) | b.is_equal(0.0) | (a.is_equal(-1.0) & infinite)
    return one.choose(a.constant(1.0), result)


# Sine and cosine -----------------------------------------------------------------------------------------------------

_SIN_TERMS = tuple((-1) ** k / math.factorial(2 * k + 1) for k in range(11))
_COS_TERMS = tuple((-1) ** k / math.factorial(2 * k) for k in range(11))
"""Coefficients in powers of x^2; the first omitted terms are below 2^-70 for x up to pi / 4."""

_MANTISSA_BITS = 24
_SMALLEST_EXPONENT, _LARGEST_EXPONENT = -1, 127
"""Exponents of f32 for which an angle needs reduction: from 1/2 on."""


def _turns() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Returns, for each exponent, the quarter turns (multiples of pi / 2) modulo 4 of the lowest bit of the
    significand, in units of 2^-62, and the next 64 bits in units of 2^-126.
    """
    with localcontext() as context:
        context.prec = 120
        quarters = 2 / _pi()
        scaled = int(quarters * 2**300)
    entries = []
    for exponent in range(_SMALLEST_EXPONENT, _LARGEST_EXPONENT + 1):
        last_bit = exponent - (_MANTISSA_BITS - 1)
        entries.append(scaled >> (300 - 126 - last_bit) & ((1 << 128) - 1))
    return tuple(entry >> 64 for entry in entries), tuple(entry & ((1 << 64) - 1) for entry in entries)


def _pi() -> Decimal:
    """Returns pi to the precision of the decimal context, by Machin's formula."""

    def arctan(inverse: int) -> Decimal:
        power = total = Decimal(1) / inverse
        divisor = 1
        while abs(power) > Decimal(10) ** -130:
            power /= -(inverse**2)
            divisor += 2
            total += power / divisor
        return total

    return 4 * (4 * arctan(5) - arctan(239))


_TURNS, _TURNS_BELOW = _turns()
_DWORD = 0xFFFFFFFF


def _reduced(magnitude: Lanes) -> tuple[Lanes, Lanes]:
    """Reduces a non-negative number to an angle of at most pi / 4 in magnitude, and the quarter turns modulo 4.

    Payne and Hanek's method: the 24-bit significand is multiplied by those bits of 2 / pi that matter; whole turns
    vanish modulo 2^64.
    """
    bits = magnitude.bits()
    exponent = (bits >> _FRACTION_BITS) - _BIAS
    outside = exponent.is_less(_SMALLEST_EXPONENT) | exponent.is_greater(_LARGEST_EXPONENT)
    index = outside.choose(exponent.constant(0), exponent - _SMALLEST_EXPONENT)
    high, low = index.lookup(_TURNS), index.lookup(_TURNS_BELOW)
    significand = (bits & ((1 << _FRACTION_BITS) - 1) | 1 << _FRACTION_BITS) >> (_FRACTION_BITS - _MANTISSA_BITS + 1)
    lowest = significand * (low & _DWORD)
    middle = significand * low.shifted_right(32) + lowest.shifted_right(32)
    below = middle << 32 | lowest & _DWORD
    turns = significand * high + middle.shifted_right(32)
    quarter = (turns + (1 << 61)).shifted_right(62)
    rest = turns - (quarter << 62)
    angle = (rest.to_double() * 2.0**-62 + below.shifted_right(1).to_double() * 2.0**-125) * (math.pi / 2)
    small = magnitude.is_less(math.pi / 4)
    return small.choose(magnitude, angle), small.choose(quarter.constant(0), quarter)


def _sine_of(magnitude: Lanes, quarters: int) -> Lanes:
    """Returns the sine of a non-negative angle plus `quarters` quarter turns."""
    angle, quarter = _reduced(magnitude)
    quarter = quarter + quarters
    square = angle * angle
    sine, cosine = angle * _polynomial(square, _SIN_TERMS), _polynomial(square, _COS_TERMS)
    value = (quarter & 1).is_equal(0).choose(sine, cosine)
    return (quarter & 2).is_equal(0).choose(value, value * -1.0)


def _finite(x: Lanes, magnitude: Lanes, value: Lanes) -> Lanes:
    """Returns x, but NaN for infinities and NaNs."""
    return magnitude.is_less(math.inf).choose(value, x.constant(math.nan))


def sin(x: Lanes) -> Lanes:
    """Returns the sine; x is in radians."""
    magnitude = _magnitude(x)
    value = _sine_of(magnitude, 0)
    return _finite(x, magnitude, x.bits().is_less(0).choose(value * -1.0, value))


def cos(x: Lanes) -> Lanes:
    """Returns the cosine; x is in radians."""
    magnitude = _magnitude(x)
    return _finite(x, magnitude, _sine_of(magnitude, 1))


FUNCTIONS: dict[str, Callable[..., Lanes]] = {
    "rsqrt": rsqrt,
    "log2": log2,
    "exp2": exp2,
    "pow": power,
    "sin": sin,
    "cos": cos,
}
"""Primitives of the instruction table that this module computes."""
