"""Rules about the memref types of operands and results.

xDSL has no such helpers.

https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, UnrankedMemRefType
from xdsl.ir import SSAValue
from xdsl.irdl import base
from xdsl.utils.exceptions import VerifyException
from xdsl.utils.hints import isa

AnyMemRef = base(MemRefType) | base(UnrankedMemRefType)


def any_memref(value: SSAValue) -> MemRefType | UnrankedMemRefType:
    """The type of a value that is known to be a memref."""
    return cast(MemRefType | UnrankedMemRefType, value.type)


def ranked_memref(value: SSAValue) -> MemRefType:
    """The type of a value that is known to be a memref with a rank."""
    assert isa(value.type, MemRefType)
    return value.type


def agree(a: int | None, b: int | None) -> bool:
    """Returns whether two extents can be equal; None and `DYNAMIC_INDEX` are unknown ones."""
    return a == b or a in (None, DYNAMIC_INDEX) or b in (None, DYNAMIC_INDEX)


def are_cast_compatible(source: MemRefType | UnrankedMemRefType, result: MemRefType | UnrankedMemRefType) -> bool:
    """Returns whether a memref at run time can have both types."""
    if source.element_type != result.element_type or source.memory_space != result.memory_space:
        return False
    if isinstance(source, UnrankedMemRefType) or isinstance(result, UnrankedMemRefType):
        return not (isinstance(source, UnrankedMemRefType) and isinstance(result, UnrankedMemRefType))
    if source.get_num_dims() != result.get_num_dims() or not all(map(agree, source.get_shape(), result.get_shape())):
        return False
    ours, theirs = source.get_strides(), result.get_strides()
    if ours is None or theirs is None:
        return source.layout == result.layout
    return agree(source.get_offset(), result.get_offset()) and all(map(agree, ours, theirs))


def verify_subscripts(memref: MemRefType, indices: Sequence[SSAValue], what: str = "subscripts") -> None:
    """Raises VerifyException unless there is one index for each dimension."""
    if len(indices) != memref.get_num_dims():
        raise VerifyException(f"expects {memref.get_num_dims()} {what} for {memref}, got {len(indices)}")
