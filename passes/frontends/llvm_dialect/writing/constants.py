"""Constants of MLIR as constants of LLVM IR."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    BFloat16Type,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    Float16Type,
    Float32Type,
    Float64Type,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    VectorType,
)
from xdsl.dialects.llvm import LLVMArrayType, LLVMStructType
from xdsl.ir import Attribute

from passes.frontends.llvm_dialect.writing.text import escaped
from passes.frontends.llvm_dialect.writing.types import type_text

Number = int | float


class NoConstant(Exception):
    """LLVM IR has no such constant; the text names it."""


def constant_text(value: Attribute, type: Attribute) -> str:
    """Returns a constant of a type without its type. Raises `NoConstant`."""
    match value:
        case IntegerAttr():
            return number_text(value.value.data, type)
        case FloatAttr():
            return number_text(value.value.data, type)
        case StringAttr():
            return f'c"{escaped(value.data.encode())}"'
        case BytesAttr():
            return f'c"{escaped(value.data)}"'
        case DenseIntOrFPElementsAttr():
            numbers = list(value.get_values())
            count = _count(type)
            if count is None or len(numbers) not in (1, count):
                raise NoConstant(f"{value} as a constant of type {type}")
            return _shaped(iter(numbers * count if len(numbers) == 1 else numbers), type)
        case ArrayAttr() if isinstance(type, LLVMStructType) and len(type.types) == len(value):
            parts = zip(type.types, value, strict=True)
            return f"{{ {', '.join(f'{type_text(part)} {constant_text(each, part)}' for part, each in parts)} }}"
        case ArrayAttr() if isinstance(type, LLVMArrayType) and type.size.data == len(value):
            element = type_text(type.type)
            return f"[{', '.join(f'{element} {constant_text(each, type.type)}' for each in value)}]"
        case _:
            raise NoConstant(f"{value} as a constant of type {type}")


def number_text(number: Number, type: Attribute) -> str:
    """Returns a number of a type."""
    match type:
        case IntegerType() | IndexType():
            if isinstance(type, IntegerType) and type.width.data == 1:
                return "true" if number else "false"
            return str(int(number))
        case Float16Type():
            return f"0xH{np.float16(number).view(np.uint16):04X}"
        case BFloat16Type():
            bits = DenseIntOrFPElementsAttr.from_list(VectorType(type, [1]), [float(number)]).data.data
            return f"0xR{int.from_bytes(bits, 'little'):04X}"
        case Float32Type() | Float64Type():
            return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"
        case VectorType():
            return _shaped(iter([number] * type.element_count()), type)
        case _:
            raise NoConstant(f"{number} as a constant of type {type}")


def _count(type: Attribute) -> int | None:
    """Returns the number of scalars in an array or vector; None for other types."""
    match type:
        case VectorType():
            return type.element_count()
        case LLVMArrayType():
            inner = _count(type.type)
            return type.size.data * (1 if inner is None else inner)
        case _:
            return None


def _shaped(numbers: Iterator[Number], type: Attribute) -> str:
    """Returns numbers as a constant of an array or vector."""
    match type:
        case VectorType():
            element = type.get_element_type()
            part, count = type_text(element), type.element_count()
            return f"<{', '.join(f'{part} {number_text(next(numbers), element)}' for _ in range(count))}>"
        case LLVMArrayType():
            part = type_text(type.type)
            return f"[{', '.join(f'{part} {_shaped(numbers, type.type)}' for _ in range(type.size.data))}]"
        case _:
            return number_text(next(numbers), type)
