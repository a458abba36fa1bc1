"""Strides of memref types."""

from __future__ import annotations

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AffineMapAttr,
    IntAttr,
    MemRefType,
    NoneAttr,
    StridedLayoutAttr,
)
from xdsl.ir import Attribute
from xdsl.ir.affine import AffineMap


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
