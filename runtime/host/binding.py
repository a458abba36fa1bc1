"""Values of the caller as arguments of a host program, checked against the types of its function."""

from __future__ import annotations

import numpy as np
from xdsl.dialects.builtin import IndexType, IntegerType, MemRefType
from xdsl.ir import Attribute

from runtime.api.argument_types import parse_memref
from runtime.api.array_view import view_array
from runtime.host.types import float_type
from runtime.host.values import Value


class ArgumentError(TypeError):
    """A value that does not fit the parameter of a function."""


def bound(name: str, type: Attribute, value: object) -> Value:
    """A value for a parameter: an array for a memref, of its element type, shape and layout; else a number.

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
    form = parse_memref(str(type))
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


def _described(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"a {value.dtype} array of shape {value.shape}"
    text = repr(value)
    return f"{value.__class__.__name__} {text if len(text) <= 40 else text[:37] + '...'}"
