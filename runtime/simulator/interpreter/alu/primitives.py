"""The primitives of the instruction table's formulas, on numpy arrays.

Arguments are values of the instruction's computation type, one per lane or one for all lanes. Integer arithmetic wraps;
float results are rounded once to nearest even.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runtime.simulator.interpreter.alu import rounding
from runtime.simulator.interpreter.alu.bits import BITS
from runtime.simulator.interpreter.alu.elementary import ELEMENTARY
from runtime.simulator.interpreter.threads.values import Array, Bools
from xegpu.isa import Condition

Primitive = Callable[..., Array]


def _unsigned(values: Array) -> Array:
    bits: Array = values.view(f"u{values.itemsize}")
    return bits


def _count(values: Array) -> Array:
    """Returns shift counts modulo the width."""
    bits = _unsigned(values)
    count: Array = bits & bits.dtype.type(8 * values.itemsize - 1)
    return count


def _shl(a: Array, b: Array) -> Array:
    shifted: Array = _unsigned(a) << _count(b)
    return shifted.view(a.dtype)


def _lshr(a: Array, b: Array) -> Array:
    shifted: Array = _unsigned(a) >> _count(b)
    return shifted.view(a.dtype)


def _ashr(a: Array, b: Array) -> Array:
    signed = np.dtype(f"i{a.itemsize}")
    shifted: Array = a.view(signed) >> _count(b).view(signed)
    return shifted.view(a.dtype)


def _multiply_high(a: Array, b: Array) -> Array:
    """Returns the upper half of a product: that of the unsigned bits, corrected for negative factors."""
    width, x, y = a.dtype.type(8 * a.itemsize), _unsigned(a), _unsigned(b)
    half, low = x.dtype.type(4 * a.itemsize), x.dtype.type((1 << 4 * a.itemsize) - 1)
    x0, x1, y0, y1 = x & low, x >> half, y & low, y >> half
    middle = x1 * y0 + (x0 * y0 >> half)
    carried = x0 * y1 + (middle & low)
    high: Array = (x1 * y1 + (middle >> half) + (carried >> half)).view(a.dtype)
    if a.dtype.kind == "u":
        return high
    sign = width - a.dtype.type(1)
    return np.asarray(high - ((a >> sign) & b) - ((b >> sign) & a))


def _rotate_left(a: Array, b: Array) -> Array:
    count, width = _count(b), a.dtype.type(8 * a.itemsize)
    return np.asarray((a << count) | (a >> (-count & (width - a.dtype.type(1)))))


def _rotate_right(a: Array, b: Array) -> Array:
    return _rotate_left(a, np.asarray(-b))


def _magnitudes(a: Array, b: Array) -> tuple[Array, Array]:
    """Returns absolute values as unsigned numbers; a zero divisor is replaced by one."""
    a, b = _unsigned(np.abs(a)), _unsigned(np.abs(b))
    return a, np.where(b == 0, b.dtype.type(1), b)


def _divide_integers(a: Array, b: Array) -> Array:
    dividend, divisor = _magnitudes(a, b)
    quotient = (dividend // divisor).view(a.dtype)
    quotient = np.where((a < 0) != (b < 0), -quotient, quotient)
    return np.where(b == 0, ~a.dtype.type(0), quotient)


def _remainder(a: Array, b: Array) -> Array:
    dividend, divisor = _magnitudes(a, b)
    remainder = (dividend % divisor).view(a.dtype)
    return np.where(b == 0, a, np.where(a < 0, -remainder, remainder))


def _average(a: Array, b: Array) -> Array:
    return np.asarray((a | b) - ((a ^ b) >> a.dtype.type(1)))


def _multiply_add_integers(a: Array, b: Array, c: Array) -> Array:
    return np.asarray(a * b + c)


def _multiply_add_floats(a: Array, b: Array, c: Array) -> Array:
    if a.dtype == np.float64:
        return rounding.fused_multiply_add_double(a, b, c)
    return rounding.fused_multiply_add(a, b, c).astype(a.dtype)


def _minimum(a: Array, b: Array) -> Array:
    return np.where((a < b) | (b != b), a, b)


def _maximum(a: Array, b: Array) -> Array:
    return np.where((a >= b) | (b != b), a, b)


def _fraction(a: Array) -> Array:
    largest = np.nextafter(a.dtype.type(1), a.dtype.type(0))
    rest: Array = np.minimum(a - np.floor(a), largest)
    return np.where(np.isinf(a), a.dtype.type(0), rest)


COMMON: dict[str, Primitive] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "min": _minimum,
    "max": _maximum,
    "select": np.where,
}
"""Primitives that are the same for integers and floats."""

INTEGER: dict[str, Primitive] = (
    COMMON
    | BITS
    | {
        "mad": _multiply_add_integers,
        "and": np.bitwise_and,
        "or": np.bitwise_or,
        "xor": np.bitwise_xor,
        "not": np.bitwise_not,
        "shl": _shl,
        "lshr": _lshr,
        "ashr": _ashr,
        "rol": _rotate_left,
        "ror": _rotate_right,
        "mulh": _multiply_high,
        "avg": _average,
        "carry": lambda a, b: (a + b < a).astype(a.dtype),
        "borrow": lambda a, b: (a < b).astype(a.dtype),
        "div": _divide_integers,
        "rem": _remainder,
    }
)

FLOAT: dict[str, Primitive] = (
    COMMON
    | ELEMENTARY
    | {
        "mad": _multiply_add_floats,
        "div": np.divide,
        "floor": np.floor,
        "ceil": np.ceil,
        "trunc": np.trunc,
        "roundeven": np.rint,
        "sqrt": np.sqrt,
        "frc": _fraction,
    }
)

_COMPARISONS: dict[Condition, Callable[[Array, Array], Bools]] = {
    Condition.EQ: np.equal,
    Condition.NE: np.not_equal,
    Condition.GT: np.greater,
    Condition.GE: np.greater_equal,
    Condition.LT: np.less,
    Condition.LE: np.less_equal,
    Condition.UN: lambda a, b: (a != a) | (b != b),
}


def comparison(condition: Condition) -> Callable[[Array, Array], Bools]:
    """Returns the function that compares its two arguments by `condition`, lane by lane."""
    return _COMPARISONS[condition]
