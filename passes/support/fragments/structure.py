"""Facts about operations that decide how operands and results are distributed."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, VectorType
from xdsl.ir import Operation, SSAValue

from xegpu.dialects.upstream import BroadcastInterface


def is_vector(value: SSAValue) -> bool:
    """Returns whether a value can be distributed over lanes."""
    return isinstance(value.type, VectorType) and not value.type.get_num_scalable_dims()


def elementwise_vectors(op: Operation) -> list[SSAValue]:
    """Returns the operands and results of an elementwise operation, which all have the same distribution."""
    return [value for value in (*op.operands, *op.results) if is_vector(value)]


def has_equal_elements(value: SSAValue) -> bool:
    """Returns whether a vector is a splat, of a constant or of a scalar value, which each lane can create."""
    op = value.owner
    if not isinstance(op, Operation):
        return False
    if isinstance(op, BroadcastInterface):
        return not isinstance(op.repeated.type, VectorType)
    attribute = op.properties.get("value")
    return op.name == "arith.constant" and isinstance(attribute, DenseIntOrFPElementsAttr) and attribute.is_splat()
