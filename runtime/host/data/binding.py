"""Checks values of the caller against the types of a host function's parameters."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerType, MemRefType
from xdsl.ir import Attribute

from runtime.api import MemRefType as ArrayType, view_array
from runtime.host.data.types import float_type
from runtime.host.data.values import Value
from xegpu.dialects.upstream.memref import has_explicit_strides, memref_strides
from xegpu.isa import ELEMENT_TYPES


class ArgumentError(TypeError):
    """A value that does not fit the parameter of a function."""


def bound(name: str, type: Attribute, value: object) -> Value:
    """Returns a value for a parameter: an array for a memref, whose type it must fit, else a number.

    Raises `ArgumentError`.
    """
    if isinstance(type, MemRefType):
        return _array(name, type, value)
    if not isinstance(value, int | float | np.generic) or isinstance(value, np.ndarray):
        raise ArgumentError(f"argument '{name}': expected {type}, got {_described(value)}")
    if float_type(type) is not None:
        return float(value)
    if not isinstance(type, IntegerType | IndexType):
        raise ArgumentError(f"argument '{name}': values of type {type} cannot be passed")
    number = int(value)
    bits = 64 if isinstance(type, IndexType) else type.width.data
    if number != value or not -(1 << bits - 1) <= number < 1 << bits:
        raise ArgumentError(f"argument '{name}': expected {type}, got {value}")
    return number


def _array(name: str, type: MemRefType[Attribute], value: object) -> Value:
    if not isinstance(value, np.ndarray):
        raise ArgumentError(f"argument '{name}': expected an array for {type}, got {_described(value)}")
    form = array_type(type)
    if form is None:
        raise ArgumentError(f"argument '{name}': arrays cannot be passed for {type}")
    try:
        view = view_array(value)
    except ValueError as error:
        raise ArgumentError(f"argument '{name}': {error}") from None
    reason = form.mismatch(view.dtype, view.shape, view.strides)
    if reason:
        raise ArgumentError(f"argument '{name}': expected {type}, got {_described(value)}: {reason}")
    if not view.writable:
        raise ArgumentError(f"argument '{name}': expected an array that can be written, got a read-only one")
    return value


def array_type(type: MemRefType[Attribute]) -> ArrayType | None:
    """Returns the arrays that a memref type describes; None for element types and layouts that arrays do not have."""
    layout, element = memref_strides(type), str(type.element_type)
    if layout is None or element not in ELEMENT_TYPES:
        return None
    shape = tuple(None if size == DYNAMIC_INDEX else size for size in type.get_shape())
    strides = tuple(layout[0]) if has_explicit_strides(type) else None
    return ArrayType(str(type), shape, element, strides, layout[1])


def _described(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"a {value.dtype} array of shape {value.shape}"
    text = repr(value)
    return f"{value.__class__.__name__} {text if len(text) <= 40 else text[:37] + '...'}"
