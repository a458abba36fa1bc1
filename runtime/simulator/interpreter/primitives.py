"""The primitives of the instruction table's formulas, each once, on numpy arrays.

Arguments are values of the instruction's computation type, of one lane each or shared by all lanes. Integer arithmetic
wraps; float results are rounded once to nearest even.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runtime.simulator.interpreter import rounding
from runtime.simulator.interpreter.values import Array, Bools
from xegpu.isa import Condition

Primitive = Callable[..., Array]


def _unsigned(values: Array) -> Array:
    bits: Array = values.view(f"u{values.itemsize}")
    return bits


def _count(values: Array) -> Array:
    """Shift counts, modulo the width."""
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
    wide = np.int64 if a.dtype.kind == "i" else np.uint64
    return ((a.astype(wide) * b.astype(wide)) >> wide(32)).astype(a.dtype)


def _magnitudes(a: Array, b: Array) -> tuple[Array, Array]:
    """Absolute values as unsigned numbers; a zero divisor is replaced by one."""
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


COMMON: dict[str, Primitive] = {
    "add": np.add,
    "mul": np.multiply,
    "min": _minimum,
    "max": _maximum,
    "select": np.where,
}
"""The same for integers and floats."""

INTEGER: dict[str, Primitive] = COMMON | {
    "mad": _multiply_add_integers,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "not": np.bitwise_not,
    "shl": _shl,
    "lshr": _lshr,
    "ashr": _ashr,
    "mulh": _multiply_high,
    "div": _divide_integers,
    "rem": _remainder,
}

FLOAT: dict[str, Primitive] = COMMON | {
    "mad": _multiply_add_floats,
    "div": np.divide,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "roundeven": np.rint,
}

_COMPARISONS: dict[Condition, Callable[[Array, Array], Bools]] = {
    Condition.EQ: np.equal,
    Condition.NE: np.not_equal,
    Condition.GT: np.greater,
    Condition.GE: np.greater_equal,
    Condition.LT: np.less,
    Condition.LE: np.less_equal,
}


def comparison(condition: Condition) -> Callable[[Array, Array], Bools]:
    """The function that tells for each lane whether `condition` holds between its two arguments."""
    return _COMPARISONS[condition]
