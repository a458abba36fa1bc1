"""Shapes of tiles and vectors, and the operations that work block by block without a rule of their own."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from passes.support.vectors.elementwise import has_one_shape, is_elementwise, vector_shape
from passes.xetile.blocking.grid import Shape
from xegpu.dialects.upstream.vector import BitcastOp
from xegpu.dialects.xetile import TileType


def shape_of(value: SSAValue) -> Shape | None:
    """Returns the shape of a vector or a tile; None for other values."""
    return value.type.get_shape() if isinstance(value.type, TileType) else vector_shape(value)


def works_block_by_block(op: Operation) -> bool:
    """Returns whether the same operation on the blocks of its operands gives the blocks of its results.

    That holds for elementwise operations, and for a bitcast between elements of one size.
    """
    return (is_elementwise(op) or isinstance(op, BitcastOp)) and has_one_shape(op)
