"""Conversions between data types: `mov`, and the sources and results of every other instruction."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from runtime.simulator.interpreter.alu import rounding
from runtime.simulator.interpreter.threads.values import DTYPES, Array, Doubles, number
from xegpu.isa import DataType

Conversion = Callable[[Array], Array]


def conversion(source: DataType, target: DataType, *, saturate: bool = False) -> Conversion:
    """Returns the function that converts values of one type to another.

    Integers wrap, or are clamped with `saturate`. Floats become integers toward zero, clamped to the type's range, NaN
    becomes 0. Everything else rounds once to nearest even; `saturate` clamps floats to [0, 1], NaN and -0 to +0. NaN
    results need not be canonical yet.
    """
    if source is target and not saturate:
        return _same
    if target.is_float:
        return _to_float(source, target, saturate)
    return _float_to_integer(source, target) if source.is_float else _integer_to_integer(source, target, saturate)


def _same(values: Array) -> Array:
    return values


def _integer_to_integer(source: DataType, target: DataType, saturate: bool) -> Conversion:
    dtype = DTYPES[target]
    if not saturate:
        return lambda values: values.astype(dtype)
    from_, to = np.iinfo(DTYPES[source]), np.iinfo(dtype)
    low, high = max(from_.min, to.min), min(from_.max, to.max)
    return lambda values: np.clip(values, low, high).astype(dtype)


def _float_to_integer(source: DataType, target: DataType) -> Conversion:
    dtype = DTYPES[target]
    limits = np.iinfo(dtype)
    low, above = float(limits.min), float(limits.max + 1)
    largest = np.nextafter(above, 0.0)

    def convert(values: Array) -> Array:
        doubles = np.trunc(number(values, source).astype(np.float64))
        doubles = np.where(np.isnan(doubles), 0.0, doubles)
        inside = np.clip(doubles, low, largest).astype(dtype)
        return np.where(doubles >= above, dtype.type(limits.max), inside)

    return convert


def _to_float(source: DataType, target: DataType, saturate: bool) -> Conversion:
    if not saturate and (source, target) in _SINGLE:
        return _SINGLE[source, target]
    large = source in (DataType.Q, DataType.UQ) and target is not DataType.DF
    widen = rounding.integers_to_double if large else _widen
    narrow = _NARROW[target]
    if saturate:
        return lambda values: narrow(_clamp(widen(number(values, source))))
    return lambda values: narrow(widen(number(values, source)))


def _clamp(values: Doubles) -> Doubles:
    """Clamps to [0, 1]; adding zero turns -0 into +0."""
    return np.where(np.isnan(values), 0.0, np.clip(values, 0.0, 1.0) + 0.0)


def _widen(values: Array) -> Doubles:
    """Converts to f64: exactly, except for 64-bit integers, which round to nearest even."""
    return values.astype(np.float64)


_SINGLE: dict[tuple[DataType, DataType], Conversion] = {
    (DataType.F, DataType.TF32): rounding.single_to_tf32,
    (DataType.TF32, DataType.F): _same,
    (DataType.F, DataType.BF): rounding.single_to_bf_bits,
    (DataType.BF, DataType.F): lambda values: number(values, DataType.BF),
}
"""Conversions that are done directly, not through f64."""

_NARROW: dict[DataType, Callable[[Doubles], Array]] = {
    DataType.DF: _same,
    DataType.F: lambda values: values.astype(np.float32),
    DataType.HF: lambda values: values.astype(np.float16),
    DataType.BF: lambda values: rounding.single_to_bf_bits(rounding.to_single_odd(values)),
    DataType.TF32: lambda values: rounding.single_to_tf32(values.astype(np.float32)),
}
