"""Shapes and maps that the matrix engine of a target requires of the operands of `xegpu.dpas`."""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute

from xegpu.dialects.xegpu import DpasOp, SgMapAttr, packing_factor
from xegpu.targets import Target

Shape2D = tuple[int, int]


class MatrixShapes(NamedTuple):
    """Shapes [rows, columns] of A, B and C."""

    a: Shape2D
    b: Shape2D
    c: Shape2D


def matrices(op: DpasOp) -> MatrixShapes:
    """Returns the shapes of the whole operands, unpacked."""
    shapes = []
    for operand in (op.lhs, op.rhs, op.result):
        type = operand.type
        assert isinstance(type, VectorType)
        shapes.append((tuple(type.get_shape()), type.element_count()))
    (a, a_count), (b, b_count), (c, _) = shapes
    return MatrixShapes((a[0], a_count // a[0]), (b_count // b[1], b[1]), (c[0], c[1]))


def multiplies_whole_matrices(op: DpasOp) -> bool:
    """Returns whether the operands are whole matrices, not the fragments of a work-item.

    In fragments, A has fewer columns than B has rows.
    """
    a, b, _ = matrices(op)
    return a[1] == b[0]


def matrix_step(op: DpasOp, target: Target) -> int:
    """Returns the number of elements along K that one matrix instruction multiplies."""
    type = op.lhs.type
    assert isinstance(type, VectorType)
    return _step(type.element_type, target)


def _step(element: Attribute, target: Target) -> int:
    return target.platform.matrix_engine.depth * packing_factor(element)


def matrix_maps(op: DpasOp, target: Target) -> tuple[SgMapAttr, SgMapAttr, SgMapAttr]:
    """Returns the maps of A, B and C."""
    type = op.lhs.type
    assert isinstance(type, VectorType)
    return fragment_maps(type.element_type, target)


def fragment_maps(element: Attribute, target: Target) -> tuple[SgMapAttr, SgMapAttr, SgMapAttr]:
    """Returns the maps of A, B and C: a row of A is 32 bytes, a lane of B holds 32 bits of one column."""
    lanes, columns = target.platform.subgroup_size, _step(element, target)
    if columns >= lanes:
        a = SgMapAttr([1, lanes], [1, columns // lanes])
    else:
        a = SgMapAttr([lanes // columns, columns], [1, 1])
    factor = columns // target.platform.matrix_engine.depth
    return a, SgMapAttr([1, lanes], [factor, 1]), SgMapAttr([1, lanes], [1, 1])
