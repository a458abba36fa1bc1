"""Float arithmetic under the control register: rounding in any direction, flushing of subnormal numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from runtime.simulator.interpreter.alu import rounding
from runtime.simulator.interpreter.alu.elementary import NumpyLanes
from runtime.simulator.interpreter.threads.values import DTYPES, Array, Doubles, bits_dtype, canonical_nans, number
from runtime.simulator.machine.elementary import FUNCTIONS, Lanes
from runtime.simulator.machine.rounding import (
    FORMATS,
    FloatControl,
    Rounding,
    quotient_to_odd,
    root_to_odd,
    rounded,
    sum_to_odd,
)
from xegpu.isa import DataType


def flushed(values: Array, type: DataType) -> Array:
    """Flushes subnormal elements of a float type to zeros of their sign."""
    bits = values.view(bits_dtype(type))
    one, sign = bits.dtype.type(1), bits.dtype.type(1 << type.bits - 1)
    fraction_bits = 52 if type is DataType.DF else 23 if type is DataType.TF32 else FORMATS[type].fraction_bits
    exponent = (bits & ~sign) >> bits.dtype.type(fraction_bits)
    return np.where(exponent < one, bits & sign, bits).view(values.dtype)


def narrowed(doubles: Doubles, type: DataType, mode: Rounding) -> Array:
    """Converts f64, exact or rounded to odd, to elements of a type."""
    if type is DataType.DF:
        return doubles
    exact = rounded(NumpyLanes(doubles), type, _lanes_of(mode))
    assert isinstance(exact, NumpyLanes)
    singles: Array = exact.values.astype(np.float16 if type is DataType.HF else np.float32)
    return rounding.single_to_bf_bits(singles) if type is DataType.BF else singles


def _lanes_of(mode: Rounding) -> NumpyLanes:
    return NumpyLanes(np.array([int(mode)], np.int64))


def controlled_primitives(type: DataType, mode: Rounding) -> dict[str, Callable[..., Array]]:
    """Returns the primitives on values of a float type that round, each in the direction of `mode`."""
    if type is DataType.DF:
        return {name: _each(function, mode) for name, function in _DOUBLE.items()}
    if type in (DataType.BF, DataType.TF32):  # there is no arithmetic in these types
        return {}
    operations = _ODD | {name: _unmoded(name) for name in FUNCTIONS}
    return {name: _small(operation, type, mode) for name, operation in operations.items()}


def _small(operation: Callable[..., Lanes], type: DataType, mode: Rounding) -> Callable[..., Array]:
    def apply(*arguments: Array) -> Array:
        lanes = (NumpyLanes(np.asarray(argument, np.float64)) for argument in arguments)
        result = operation(_lanes_of(mode), *lanes)
        assert isinstance(result, NumpyLanes)
        return narrowed(result.values, type, mode).astype(DTYPES[type])

    return apply


def _unmoded(name: str) -> Callable[..., Lanes]:
    return lambda mode, *arguments: FUNCTIONS[name](*arguments)


_ODD: dict[str, Callable[..., Lanes]] = {
    "add": lambda mode, a, b: sum_to_odd(a, b, mode),
    "sub": lambda mode, a, b: sum_to_odd(a, b * -1.0, mode),
    "mul": lambda mode, a, b: a * b,
    "mad": lambda mode, a, b, c: sum_to_odd(a * b, c, mode),
    "div": lambda mode, a, b: quotient_to_odd(a, b),
    "sqrt": lambda mode, a: root_to_odd(a),
}
"""Primitives on f32 numbers, computed in f64 and rounded to odd."""


# f64: fractions, one element at a time -------------------------------------------------------------------------------


def _each(function: Callable[..., float], mode: Rounding) -> Callable[..., Array]:
    def apply(*arguments: Array) -> Array:
        lanes = np.broadcast_arrays(*arguments)
        rows = zip(*(lane.tolist() for lane in lanes), strict=True)
        return np.array([function(mode, *row) for row in rows], np.float64)

    return apply


def _directed(exact: Fraction, nearest: float, mode: Rounding) -> float:
    """Rounds an exact number that is not zero in a direction; `nearest` is the number rounded to nearest."""
    if mode is Rounding.NEAREST:
        return nearest
    up = mode is Rounding.UP or (mode is Rounding.ZERO and exact < 0)
    if math.isinf(nearest):
        beyond = (nearest > 0) == up
        return nearest if beyond else math.nextafter(nearest, 0.0)
    if up and Fraction(nearest) < exact:
        return math.nextafter(nearest, math.inf)
    if not up and Fraction(nearest) > exact:
        return math.nextafter(nearest, -math.inf)
    return nearest


def _nearest(exact: Fraction) -> float:
    try:
        return exact.numerator / exact.denominator
    except OverflowError:
        return math.inf if exact > 0 else -math.inf


def _mad(mode: Rounding, a: float, b: float, c: float) -> float:
    if not all(map(math.isfinite, (a, b, c))):
        return a * b + c if math.isinf(a) or math.isinf(b) or math.isnan(a + b) else c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact:
        return _directed(exact, _nearest(exact), mode)
    opposite = math.copysign(1, a) * math.copysign(1, b) != math.copysign(1, c)
    if opposite:
        return -0.0 if mode is Rounding.DOWN else 0.0
    return math.copysign(0.0, c)


def _add(mode: Rounding, a: float, b: float) -> float:
    return _mad(mode, a, 1.0, b)


def _mul(mode: Rounding, a: float, b: float) -> float:
    product = a * b
    if not (math.isfinite(a) and math.isfinite(b)) or a == 0 or b == 0:
        return product
    return _directed(Fraction(a) * Fraction(b), product, mode)


def _div(mode: Rounding, a: float, b: float) -> float:
    if not (math.isfinite(a) and math.isfinite(b)) or a == 0 or b == 0:
        return float(np.float64(a) / np.float64(b))
    exact = Fraction(a) / Fraction(b)
    return _directed(exact, _nearest(exact), mode)


def _sqrt(mode: Rounding, a: float) -> float:
    root = float(np.sqrt(np.float64(a)))
    if not math.isfinite(root) or root == 0:
        return root
    square = Fraction(root) ** 2
    if mode is Rounding.UP and square < Fraction(a):
        return math.nextafter(root, math.inf)
    if mode in (Rounding.DOWN, Rounding.ZERO) and square > Fraction(a):
        return math.nextafter(root, 0.0)
    return root


_DOUBLE: dict[str, Callable[..., float]] = {
    "add": _add,
    "sub": lambda mode, a, b: _add(mode, a, -b),
    "mul": _mul,
    "mad": _mad,
    "div": _div,
    "sqrt": _sqrt,
}


# Conversions ---------------------------------------------------------------------------------------------------------


def controlled_result(
    values: Array, source: DataType, target: DataType, control: FloatControl, *, saturate: bool
) -> Array:
    """Converts values of any type to elements of a float type, with canonical NaNs, flushed if `cr0` says so."""
    result = canonical_nans(_to_float(values, source, target, control.rounding, saturate=saturate), target)
    return flushed(result, target) if control.flushes(target) else result


def _to_float(values: Array, source: DataType, target: DataType, mode: Rounding, *, saturate: bool) -> Array:
    if source is target and not saturate:
        return values
    large = source in (DataType.Q, DataType.UQ)
    if large and target is DataType.DF and not saturate:
        return _each(lambda m, a: _directed(Fraction(a), float(a), m) if a else 0.0, mode)(values)
    doubles = rounding.integers_to_double(values) if large else number(values, source).astype(np.float64)
    if saturate:
        doubles = np.where(np.isnan(doubles), 0.0, np.clip(doubles, 0.0, 1.0) + 0.0)
    if target is DataType.TF32:
        doubles = np.where(np.abs(doubles) < rounding.SMALLEST_NORMAL, np.copysign(0.0, doubles), doubles)
    return narrowed(doubles, target, mode)
