"""What operations ask of the sharing of their operands and results, by their kind."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, VectorType
from xdsl.ir import Operation, SSAValue

from passes.support.control_flow import branch_operands, loop_operands, region_operands
from xegpu.dialects.upstream import BroadcastInterface


def is_vector(value: SSAValue) -> bool:
    """Whether a value is one that lanes may share."""
    return isinstance(value.type, VectorType) and not value.type.get_num_scalable_dims()


def elementwise_vectors(op: Operation) -> list[SSAValue]:
    """Operands and results of an elementwise operation that are shared alike."""
    return [value for value in (*op.operands, *op.results) if is_vector(value)]


def has_equal_elements(value: SSAValue) -> bool:
    """Whether any part of a vector is as easily made as all of it: a scalar, known or computed, everywhere."""
    op = value.owner
    if not isinstance(op, Operation):
        return False
    if isinstance(op, BroadcastInterface):
        return not isinstance(op.repeated.type, VectorType)
    attribute = op.properties.get("value")
    return op.name == "arith.constant" and isinstance(attribute, DenseIntOrFPElementsAttr) and attribute.is_splat()


def passed(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """The pairs (argument of a block or result, value that it gets) of control flow."""
    yield from branch_operands(op)
    yield from region_operands(op)
    yield from loop_operands(op)
