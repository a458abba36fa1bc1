"""Values of the ISA's types in numpy arrays.

A value is a one-dimensional array with one element per channel, or a single element that all channels share. bf has no
numpy type of its own: its values are held as their bits. tf32 values are f32 whose low bits are not significant.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from xegpu.isa import CANONICAL_NANS, FLOATS, INTEGERS, DataType, TypeKind

Array = NDArray[Any]
"""An array whose element type depends on an instruction's data types."""

Bools = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Doubles = NDArray[np.float64]

_KINDS = {TypeKind.UNSIGNED: "u", TypeKind.SIGNED: "i", TypeKind.FLOAT: "f"}
"""Numpy's letters for kinds of types."""

DTYPES: dict[DataType, np.dtype[Any]] = {
    type: np.dtype(f"{'u' if type is DataType.BF else _KINDS[type.kind]}{type.size}")
    for type in sorted(INTEGERS | FLOATS | {DataType.TF32}, key=lambda type: (type.is_float, type.bits, type.code))
}


def bits_dtype(type: DataType) -> np.dtype[Any]:
    """Returns the unsigned integer type of the same size."""
    return np.dtype(f"u{type.size}")


def number(values: Array, type: DataType) -> Array:
    """Converts values to numbers that numpy computes with: bf is widened to f32, exactly."""
    if type is DataType.BF:
        return (values.astype(np.uint32) << np.uint32(16)).view(np.float32)
    return values


def canonical_nans(values: Array, type: DataType) -> Array:
    """Replaces every NaN of a float type by the type's canonical quiet NaN."""
    numbers = number(values, type)
    nans = numbers != numbers
    if not nans.any():
        return values
    nan = np.array(CANONICAL_NANS[type], bits_dtype(type)).view(values.dtype)
    return np.where(nans, nan, values)


def lane_bits(truth: Bools) -> int:
    """Returns one bit per element, the first one lowest."""
    return int.from_bytes(np.packbits(truth, bitorder="little").tobytes(), "little")


def lane_array(bits: int, lanes: int) -> Bools:
    """Returns the low `lanes` bits as booleans, the lowest one first."""
    data = np.frombuffer(bits.to_bytes(4, "little"), np.uint8)
    return np.unpackbits(data, count=lanes, bitorder="little").view(np.bool_)
