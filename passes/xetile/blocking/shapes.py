"""Shapes of values, and which operations compute each element of a result from the same elements of the operands."""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Operation, SSAValue

from passes.xetile.blocking.grid import Shape
from xegpu.dialects.xetile import TileType

_DIALECTS = ("arith.", "math.")
_OTHERS = frozenset({"vector.bitcast", "vector.fma"})
"""These too, where all shapes are equal."""


def vector_shape(value: SSAValue) -> Shape | None:
    """The shape of a vector, or None: the value is none, or of no fixed size."""
    type = value.type
    if not isinstance(type, VectorType) or type.get_num_scalable_dims() or not type.get_num_dims():
        return None
    return tuple(type.get_shape())


def shape_of(value: SSAValue) -> Shape | None:
    """The shape of a vector or a tile, None for what is neither."""
    return value.type.get_shape() if isinstance(value.type, TileType) else vector_shape(value)


def is_elementwise(op: Operation) -> bool:
    """Whether the operation may be done block by block."""
    if not (op.name.startswith(_DIALECTS) or op.name in _OTHERS) or not op.operands:
        return False
    shapes = {vector_shape(result) for result in op.results}
    shapes.update(vector_shape(operand) for operand in op.operands if isinstance(operand.type, VectorType))
    return len(shapes) == 1 and None not in shapes
