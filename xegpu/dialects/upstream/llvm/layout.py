"""The layout of types in memory, with the sizes and alignments of 64-bit SPIR targets."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import FixedBitwidthType, IntegerType, VectorType
from xdsl.dialects.llvm import LLVMArrayType, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute

POINTER_BYTES = 8


def size_of(type: Attribute) -> int | None:
    """Returns the distance in bytes between neighbors of a type in an array; None for a type without a place there."""
    match type:
        case LLVMPointerType():
            return POINTER_BYTES
        case VectorType():
            element = type.get_element_type()
            bits = element.width.data if isinstance(element, IntegerType) else 8 * (size_of(element) or 0)
            return _rounded(-(-bits * type.element_count() // 8), alignment_of(type)) if bits else None
        case LLVMArrayType():
            size = size_of(type.type)
            return None if size is None else size * type.size.data
        case LLVMStructType():
            layout = field_offsets(list(type.types))
            return None if layout is None else layout[1]
        case FixedBitwidthType():
            return 1 << (max(type.bitwidth, 8) // 8 - 1).bit_length()
        case _:
            return None


def alignment_of(type: Attribute) -> int:
    """Returns the alignment in bytes that a type has unless its use says otherwise."""
    match type:
        case LLVMArrayType():
            return alignment_of(type.type)
        case LLVMStructType():
            return max((alignment_of(field) for field in type.types), default=1)
        case VectorType():
            element = type.get_element_type()
            bits = element.bitwidth if isinstance(element, FixedBitwidthType) else 8 * (size_of(element) or 1)
            return int(1 << max(-(-bits * type.element_count() // 8) - 1, 0).bit_length())
        case _:
            return size_of(type) or 1


def field_offsets(types: Sequence[Attribute], *, packed: bool = False) -> tuple[list[int], int] | None:
    """Returns the offset of each field of a structure, and its size; None if a field has no place in memory."""
    offsets, end, widest = [], 0, 1
    for type in types:
        size, alignment = size_of(type), 1 if packed else alignment_of(type)
        if size is None:
            return None
        offsets.append(_rounded(end, alignment))
        end = offsets[-1] + size
        widest = max(widest, alignment)
    return offsets, _rounded(end, widest)


def _rounded(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment
