"""The layout of types in memory, with the sizes and alignments of 64-bit SPIR targets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import FixedBitwidthType, IntegerType, VectorType
from xdsl.dialects.llvm import GEP_USE_SSA_VAL, LLVMArrayType, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.type import get_element_type_or_self

from xegpu.dialects.upstream.llvm.pointers import GEPOp

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


def part_of(type: Attribute, index: int) -> tuple[Attribute, int] | None:
    """Returns the type of a part of an array, vector or structure, and its offset; None if it is not there."""
    if isinstance(type, LLVMStructType):
        layout = field_offsets(list(type.types))
        if layout is None or not 0 <= index < len(type.types):
            return None
        return type.types.data[index], layout[0][index]
    if not isinstance(type, LLVMArrayType | VectorType):
        return None
    element = type.type if isinstance(type, LLVMArrayType) else type.get_element_type()
    step = size_of(element)
    return None if step is None else (element, index * step)


def pointer_terms(op: GEPOp) -> Iterator[tuple[SSAValue | int, int]]:
    """Yields the indices of a `llvm.getelementptr`, and the bytes that each of them counts in.

    Raises:
        VerifyException: If a type has no place in memory.
    """
    dynamic = iter(op.ssa_indices)
    type: Attribute = op.elem_type
    for position, index in enumerate(op.rawConstantIndices.iter_values()):
        if position and isinstance(type, LLVMStructType):
            part = part_of(type, index)
            if part is None:
                raise VerifyException(f"looks into {type}, which memory does not hold")
            type = part[0]
            yield 1, part[1]
            continue
        if position:
            type = type.type if isinstance(type, LLVMArrayType) else get_element_type_or_self(type)
        step = size_of(type)
        if step is None:
            raise VerifyException(f"counts in elements of type {type}, which memory does not hold")
        yield next(dynamic) if index == GEP_USE_SSA_VAL else index, step
