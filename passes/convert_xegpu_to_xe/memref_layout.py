"""Sizes and strides of memrefs and of the buffers that descriptors are made of."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    DenseArrayBase,
    IntAttr,
    IntegerType,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap
from xdsl.utils.hints import isa

from xegpu.dialects.xegpu import CreateNdDescOp
from xegpu.dialects.xegpu.syntax import integers


def has_explicit_strides(type: MemRefType[Attribute]) -> bool:
    """Whether the type carries a strided layout, whose dynamic strides are values of their own."""
    return isinstance(type.layout, StridedLayoutAttr)


def memref_strides(type: MemRefType[Attribute]) -> tuple[list[int | None], int | None] | None:
    """Strides and offset in elements, None where dynamic; None altogether for a layout that has no strides."""
    layout = type.layout
    if isinstance(layout, StridedLayoutAttr):
        return [_static(stride) for stride in layout.strides], _static(layout.offset)
    if isinstance(layout, AffineMapAttr) and layout.data != AffineMap.identity(type.get_num_dims()):
        return None
    if not isinstance(layout, AffineMapAttr | NoneAttr):
        return None
    strides: list[int | None] = []
    step: int | None = 1
    for size in reversed(type.get_shape()):
        strides.insert(0, step)
        step = None if step is None or size == DYNAMIC_INDEX else step * size
    return strides, 0


def _static(attribute: IntAttr | NoneAttr) -> int | None:
    return attribute.data if isinstance(attribute, IntAttr) else None


def extent(op: CreateNdDescOp) -> tuple[list[int | None], list[int | None]]:
    """Sizes and strides of the source in elements, None where they are values."""
    shape, strides = op.const_shape, op.const_strides
    if shape is not None and strides is not None:
        return _entries(shape), _entries(strides)
    source = op.source.type
    if not isa(source, MemRefType):
        return [None], [1]  # an address alone describes a line of unknown length
    layout = memref_strides(source)
    assert layout is not None
    return [None if s == DYNAMIC_INDEX else s for s in source.get_shape()], layout[0]


def _entries(values: DenseArrayBase[IntegerType]) -> list[int | None]:
    return [None if v == DYNAMIC_INDEX else v for v in integers(values)]
