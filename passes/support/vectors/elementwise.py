"""Recognizes operations that compute each element of their results from elements at the same position."""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from xegpu.dialects.upstream import Elementwise


def is_elementwise(op: Operation) -> bool:
    """Returns whether an operation is elementwise by MLIR's definition, on scalars or on vectors."""
    return op.has_trait(Elementwise, value_if_unregistered=False)


def vector_shape(value: SSAValue) -> tuple[int, ...] | None:
    """Returns the shape of a vector; None for other values and for vectors of rank 0 or of scalable size."""
    type = value.type
    if not isinstance(type, VectorType) or type.get_num_scalable_dims() or not type.get_num_dims():
        return None
    return tuple(type.get_shape())


def has_one_shape(op: Operation) -> bool:
    """Returns whether all results of an operation are vectors of one shape, which all its vector operands share."""
    shapes = {vector_shape(result) for result in op.results}
    shapes.update(vector_shape(operand) for operand in op.operands if isinstance(operand.type, VectorType))
    return len(shapes) == 1 and None not in shapes
