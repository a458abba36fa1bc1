"""The interface of the rewrite for the rules of operations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from passes.support.op_builder import OpBuilder
from passes.xetile.blocking.grid import Shape
from passes.xetile.blocking.sizes import Sizes
from xegpu.dialects.xetile import TileAttr, TileType


class BlockedValues(ABC):
    """The vectors and tiles of a kernel, in blocks."""

    sizes: Sizes
    builder: OpBuilder
    """Inserts operations in front of the one that is being rewritten."""

    @abstractmethod
    def block(self, value: SSAValue) -> Shape:
        """Returns the block in which a vector or tile is kept."""

    @abstractmethod
    def cut(self, value: SSAValue, block: Shape) -> Sequence[SSAValue]:
        """Returns a vector or tile in blocks of the given size, row-major; tiles have no size but their own."""

    @abstractmethod
    def define(self, value: SSAValue, block: Shape, parts: Sequence[SSAValue]) -> None:
        """Records the value of a result, in blocks of the given size."""

    def own(self, value: SSAValue) -> Sequence[SSAValue]:
        """Returns a vector or tile in the blocks in which it is kept."""
        return self.cut(value, self.block(value))

    def copy(self, op: Operation, operands: Sequence[SSAValue], result_types: Sequence[Attribute]) -> Operation:
        """Inserts the same operation with other operands."""
        made = type(op).create(
            operands=operands,
            result_types=result_types,
            properties=dict(op.properties),
            attributes=dict(op.attributes),
        )
        self.builder.insert(made)
        return made


def part_type(type: Attribute, block: Shape) -> TileType | VectorType:
    """Returns the type of one block of a tile or vector."""
    if isinstance(type, TileType):
        return TileType(block, type.element_type, type.encoding if isinstance(type.encoding, TileAttr) else None)
    assert isinstance(type, VectorType)
    return VectorType(type.element_type, block)
