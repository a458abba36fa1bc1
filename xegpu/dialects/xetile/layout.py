"""How the elements of a memref lie in memory."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from xdsl.dialects.builtin import AffineMapAttr, MemRefType
from xdsl.ir.affine import AffineBinaryOpExpr, AffineBinaryOpKind, AffineDimExpr, AffineMap

LINEAR = (AffineBinaryOpKind.Add, AffineBinaryOpKind.Mul)


def strides_of(memref: MemRefType) -> Sequence[int | None] | None:
    """Strides in elements, None for one that only the run time knows; None where the layout has no strides."""
    shape = memref.get_shape()
    if not isinstance(memref.layout, AffineMapAttr):
        strides = memref.get_strides()
        return strides if strides is not None and len(strides) == len(shape) else None
    layout = memref.layout.data
    if layout.num_dims != len(shape) or not memref.has_static_shape():
        return None
    order = [expr.position for expr in layout.results if isinstance(expr, AffineDimExpr)]
    if sorted(order) == list(range(len(shape))) and len(layout.results) == len(shape):
        return _permuted_strides(shape, order)
    return _linear_strides(layout)


def _permuted_strides(shape: Sequence[int], order: Sequence[int]) -> list[int]:
    """Strides of a dense memref whose dimensions lie in `order`, outermost first."""
    strides = [1] * len(shape)
    for outer, inner in reversed([*pairwise(order)]):
        strides[outer] = strides[inner] * shape[inner]
    return strides


def _linear_strides(layout: AffineMap) -> list[int] | None:
    """Strides of `(i, j, ...) -> (i * s + j * t + ... + offset)`; symbols only add to the offset."""
    if len(layout.results) != 1:
        return None
    expr = layout.results[0]
    if any(part.kind not in LINEAR for part in expr.dfs() if isinstance(part, AffineBinaryOpExpr)):
        return None
    origin, symbols = [0] * layout.num_dims, [0] * layout.num_symbols
    base = expr.eval(origin, symbols)
    return [expr.eval([*origin[:dim], 1, *origin[dim + 1 :]], symbols) - base for dim in range(layout.num_dims)]
