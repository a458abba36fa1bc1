"""The representation of the values of a host program: MLIR types as LLVM types.

A value consists of one LLVM value or several, its parts. A ranked memref has the parts of MLIR's descriptors: the
allocated pointer, the aligned pointer, the offset, sizes and strides, in elements. An unranked one has its rank and a
pointer to such a descriptor in memory. f16 and bf16 are held as their bits, because LLVM computes with neither as MLIR
specifies on every CPU, tf32 as f32; vectors are flat, with the last dimension varying fastest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from xdsl.dialects.builtin import (
    FunctionType,
    IndexType,
    IntegerType,
    MemRefType,
    NoneType,
    TensorType,
    UnrankedMemRefType,
    VectorType,
)
from xdsl.dialects.gpu import AsyncTokenType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute

from runtime.llvm import carrier
from xegpu.isa import ELEMENT_TYPES, DataType

INDEX = "i64"

_MEMORY_WIDTHS = (8, 16, 32, 64)
_WIDEST = 128
_MAX_LANES = 1 << 16


BUFFERIZE = (
    "mlir-opt --convert-elementwise-to-linalg --one-shot-bufferize="
    '"bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map"'
)
"""The command that makes buffers of tensors, in LLVM 19 and 22."""


class UnsupportedType(Exception):
    """A type that host programs cannot have values of; the text names it and the reason."""


def float_type(type: Attribute) -> DataType | None:
    """Returns the number format of a floating-point type; None for other types."""
    element = ELEMENT_TYPES.get(type.name)
    return None if element is None or element.data_type is None or not element.data_type.is_float else element.data_type


def _llvm_float(kind: DataType) -> str:
    """Returns the LLVM type of floating-point values: an integer of their bits for f16 and bf16."""
    return f"i{kind.bits}" if kind.bits < 32 else carrier(kind)


def element_type(type: Attribute) -> Attribute:
    """Returns the type of a vector's elements, or a scalar type itself."""
    return type.get_element_type() if isinstance(type, VectorType) else type


def lanes_of(type: Attribute) -> int:
    """Returns the number of elements of a vector; 1 for a scalar."""
    return math.prod(type.get_shape()) if isinstance(type, VectorType) else 1


def scalar(type: Attribute) -> str:
    """Returns the LLVM type that holds a scalar. Raises `UnsupportedType`."""
    match type:
        case IndexType():
            return INDEX
        case IntegerType() if 1 <= type.width.data <= _WIDEST:
            return f"i{type.width.data}"
    kind = float_type(type)
    if kind is None:
        raise UnsupportedType(f"values of type {type} are not supported in host code")
    return _llvm_float(kind)


def parts_of(type: Attribute) -> tuple[str, ...]:
    """Returns the LLVM types of the parts of a value. Raises `UnsupportedType`."""
    match type:
        case VectorType():
            if any(bit.value.data for bit in type.scalable_dims):
                raise UnsupportedType(f"{type} is scalable, which host code does not support")
            if not 0 < lanes_of(type) <= _MAX_LANES:
                raise UnsupportedType(f"{type} has {lanes_of(type)} elements, host code supports 1 to {_MAX_LANES}")
            return (f"<{lanes_of(type)} x {scalar(type.get_element_type())}>",)
        case MemRefType():
            memory_type(type.element_type)
            return ("ptr", "ptr", INDEX, *(INDEX,) * (2 * type.get_num_dims()))
        case UnrankedMemRefType():
            memory_type(type.element_type)
            return (INDEX, "ptr")
        case LLVMPointerType():
            return ("ptr",)
        case AsyncTokenType() | NoneType():
            return ()
        case TensorType():
            raise UnsupportedType(f"{type} is not a buffer: bufferize the program first, with\n  {BUFFERIZE}")
        case FunctionType():
            raise UnsupportedType("functions as values are not supported in host code")
    return (scalar(type),)


@dataclass(frozen=True)
class MemoryType:
    """The form of an element in memory: an LLVM type, and its size in bytes, which is its alignment as well."""

    llvm: str
    size: int


def memory_type(type: Attribute) -> MemoryType:
    """Returns the form of elements of a memref in memory; an i1 takes a byte. Raises `UnsupportedType`."""
    kind = float_type(type)
    if kind is not None:
        return MemoryType(_llvm_float(kind), kind.bits // 8)
    match type:
        case IndexType():
            return MemoryType(INDEX, 8)
        case IntegerType() if type.width.data == 1:
            return MemoryType("i8", 1)
        case IntegerType() if type.width.data in _MEMORY_WIDTHS:
            return MemoryType(f"i{type.width.data}", type.width.data // 8)
    raise UnsupportedType(f"memory with elements of type {type} is not supported in host code")
