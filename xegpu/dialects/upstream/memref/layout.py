"""Strides of memrefs.

https://mlir.llvm.org/docs/Dialects/MemRef/
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, AffineMapAttr, IntAttr, MemRefType, NoneAttr, StridedLayoutAttr
from xdsl.ir import Attribute
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

Strides = tuple[list[int | None], int | None]
"""Strides and offset in elements, None where dynamic."""


def has_explicit_strides(type: MemRefType[Attribute]) -> bool:
    """Returns whether the type has an explicit layout, whose dynamic strides are passed at run time."""
    layout = type.layout
    if isinstance(layout, AffineMapAttr):
        return layout.data != AffineMap.identity(type.get_num_dims())
    return isinstance(layout, StridedLayoutAttr)


def memref_strides(type: MemRefType[Attribute]) -> Strides | None:
    """Returns the strides and the offset of a memref, in elements; None for a layout that has no strides.

    xDSL's `MemRefType.get_strides` knows neither permuted dimensions nor affine layouts with an offset.
    """
    known = _strides(type)
    return known if known is not None and len(known[0]) == type.get_num_dims() else None


def _strides(type: MemRefType[Attribute]) -> Strides | None:
    layout = type.layout
    if isinstance(layout, StridedLayoutAttr):
        return [_static(stride) for stride in layout.strides], _static(layout.offset)
    if isinstance(layout, AffineMapAttr) and has_explicit_strides(type):
        return _affine_strides(layout.data, type.get_shape())
    if not isinstance(layout, AffineMapAttr | NoneAttr):
        return None
    return _row_major(type.get_shape()), 0


def _row_major(shape: Sequence[int]) -> list[int | None]:
    strides: list[int | None] = []
    step: int | None = 1
    for size in reversed(shape):
        strides.insert(0, step)
        step = None if step is None or size == DYNAMIC_INDEX else step * size
    return strides


def _affine_strides(layout: AffineMap, shape: Sequence[int]) -> Strides | None:
    """Strides of a layout with one result that is linear, or that only changes the order of the dimensions."""
    if len(layout.results) == 1:
        linear = _coefficients(layout.results[0], layout.num_dims)
        return None if linear is None else (linear[:-1], linear[-1])
    order = [e.position for e in layout.results if isinstance(e, AffineDimExpr)]
    if sorted(order) != list(range(len(shape))) or len(layout.results) != len(shape):
        return None
    steps = dict(zip(order, _row_major([shape[dimension] for dimension in order]), strict=True))
    # Nothing passes a stride that follows from sizes in another order.
    return None if None in steps.values() else ([steps[dimension] for dimension in range(len(shape))], 0)


def _coefficients(expression: AffineExpr, dimensions: int) -> list[int | None] | None:
    """The strides of the dimensions and the offset; None where there is a symbol, and for a map that is not linear."""
    constant: list[int | None] = [0] * dimensions
    match expression:
        case AffineDimExpr(position):
            return [*(int(dimension == position) for dimension in range(dimensions)), 0]
        case AffineConstantExpr(value):
            return [*constant, value]
        case AffineSymExpr():
            return [*constant, None]
        case AffineBinaryOpExpr(kind, left, right):
            a, b = _coefficients(left, dimensions), _coefficients(right, dimensions)
            if a is None or b is None:
                return None
            if kind is AffineBinaryOpKind.Add:
                return [_sum(x, y) for x, y in zip(a, b, strict=True)]
            if kind is AffineBinaryOpKind.Mul and constant in (a[:-1], b[:-1]):
                factor, terms = (a[-1], b) if a[:-1] == constant else (b[-1], a)
                return [_product(term, factor) for term in terms]
    return None


def _sum(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _product(a: int | None, b: int | None) -> int | None:
    if 0 in (a, b):
        return 0
    return None if a is None or b is None else a * b


def _static(attribute: IntAttr | NoneAttr) -> int | None:
    return attribute.data if isinstance(attribute, IntAttr) else None
