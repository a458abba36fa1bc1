"""The layout of the reader's types, which have packed structures beside those of the llvm dialect."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NoReturn

from xdsl.dialects.builtin import IntAttr, IntegerType, VectorType
from xdsl.dialects.llvm import LLVMArrayType, LLVMStructType
from xdsl.ir import Attribute

from passes.frontends.llvm.reader import PackedStructType, Value, constant_value, elements_of
from xegpu.dialects.upstream.llvm import alignment_of, field_offsets, size_of

_BYTE = IntegerType(8)
MOST_LEAVES = 1024
"""The largest number of scalars and vectors that a value of an array or structure may consist of."""


def bytes_of(type: Attribute) -> int | None:
    """Returns the distance in bytes between neighbors of a type in an array; None for types without a size."""
    if isinstance(type, LLVMArrayType):
        size = bytes_of(type.type)
        return None if size is None else size * type.size.data
    if is_aggregate(type):
        layout = fields(type)
        return None if layout is None else layout[1]
    return size_of(type)


def is_aggregate(type: Attribute) -> bool:
    """Returns whether a type is an array or a structure."""
    return isinstance(type, PackedStructType | LLVMArrayType) or type.name == "llvm.struct"


def fields(type: Attribute) -> tuple[list[int], int] | None:
    """Returns the offsets of the fields of a structure, and its size."""
    parts = elements_of(type) or []
    return field_offsets([_in_llvm(part) for part in parts], packed=isinstance(type, PackedStructType))


def _in_llvm(type: Attribute) -> Attribute:
    """Returns a type of the same layout, without packed structures."""
    if isinstance(type, PackedStructType):
        return LLVMArrayType(IntAttr(bytes_of(type) or 0), _BYTE)
    if isinstance(type, LLVMArrayType):
        return LLVMArrayType(type.size, _in_llvm(type.type))
    if is_aggregate(type):
        return LLVMStructType.from_type_list([_in_llvm(part) for part in elements_of(type) or []])
    return type


def plain(type: Attribute) -> Attribute:
    """Returns a type of the same layout that the llvm dialect has."""
    return _in_llvm(type)


def alignment(type: Attribute) -> int:
    """Returns the alignment of a type."""
    return alignment_of(_in_llvm(type))


def leaves(type: Attribute, offset: int = 0) -> Iterator[tuple[Attribute, int]]:
    """Yields the parts of a value of a type, in order: types of scalars and vectors, and their offsets."""
    if isinstance(type, LLVMArrayType):
        step = bytes_of(type.type) or 0
        for index in range(type.size.data):
            yield from leaves(type.type, offset + index * step)
    elif is_aggregate(type):
        layout = fields(type)
        for part, at in zip(elements_of(type) or [], layout[0] if layout else [], strict=False):
            yield from leaves(part, offset + at)
    else:
        yield type, offset


def leaf_count(type: Attribute) -> int:
    """Returns the number of leaves of a type."""
    if isinstance(type, LLVMArrayType):
        return type.size.data * leaf_count(type.type)
    if is_aggregate(type):
        return sum(leaf_count(part) for part in elements_of(type) or [])
    return 1


def path_range(type: Attribute, path: tuple[int, ...]) -> tuple[int, int]:
    """Returns the positions of the first leaf, and behind the last one, of the part of a type that a path leads to."""
    start = 0
    for index in path:
        parts = elements_of(type) or []
        start += (
            index * leaf_count(parts[0]) if isinstance(type, LLVMArrayType) else sum(map(leaf_count, parts[:index]))
        )
        type = parts[index]
    return start, start + leaf_count(type)


def pointer_distance(
    source: Attribute, indices: Sequence[Value], refuse: Callable[[str], NoReturn]
) -> tuple[int, list[tuple[Value, int]]]:
    """Returns the bytes that the constant indices of a `getelementptr` add up to, and the others with their sizes."""
    distance = 0
    dynamic: list[tuple[Value, int]] = []
    type = source
    for position, index in enumerate(indices):
        known = constant_value(index)
        if position and is_aggregate(type) and not isinstance(type, LLVMArrayType):
            parts, layout = elements_of(type) or [], fields(type)
            if known is None or not 0 <= known < len(parts) or layout is None:
                refuse(f"names a field of {type} that it does not have")
            distance += layout[0][known]
            type = parts[known]
            continue
        if position:
            if not isinstance(type, LLVMArrayType | VectorType):
                refuse(f"looks into type {type}, which has no parts")
            type = type.type if isinstance(type, LLVMArrayType) else type.get_element_type()
        size = bytes_of(type)
        if size is None:
            refuse(f"counts in elements of type {type}, which memory does not hold")
        if known is not None:
            distance += known * size
        else:
            dynamic.append((index, size))
    return distance, dynamic
