"""Block sizes that the instructions and messages of a target support."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import FixedBitwidthType, FloatTF32Type, IndexType
from xdsl.ir import Attribute

from passes.xetile.blocking.grid import Shape, largest_divisor
from xegpu.dialects.xegpu import element_bits, packing_factor
from xegpu.targets import Block2D, BlockLimits, Dpas, Target


@dataclass(frozen=True)
class Sizes:
    """The block sizes of one target."""

    target: Target

    # Matrices

    @property
    def columns(self) -> int:
        """The number of columns of B and C in one matrix instruction."""
        return self.target.platform.matrix_engine.execution_size

    def depth(self, element: Attribute) -> int:
        """Returns the number of elements along K in one matrix instruction."""
        return self.target.platform.matrix_engine.depth * packing_factor(element)

    def rows(self, rows: int) -> int:
        """Returns the number of rows of A and C per matrix instruction, such that equal parts fill all rows.

        Without a matrix engine, vectors have as many as one usually has.
        """
        return largest_divisor(rows, (self.target.platform.dpas or Dpas).max_repeat)

    # Registers

    def lanes(self, shape: Shape) -> Shape:
        """Returns the block of elements with an address each for one message: part of a row, or several short rows."""
        *outer, columns = shape
        width = largest_divisor(columns, self.target.platform.subgroup_size)
        rows = [largest_divisor(size, self.target.platform.subgroup_size // width) for size in outer]
        return (*rows, width)

    def vector(self, shape: Shape, element: Attribute) -> Shape:
        """Returns the block of a vector without requests: rows of one register, as many as a matrix operand has."""
        *outer, columns = shape
        return (*(self.rows(rows) for rows in outer), largest_divisor(columns, self._row(element)))

    def _row(self, element: Attribute) -> int:
        """Returns the number of elements per register; for addresses, the number per message."""
        if isinstance(element, IndexType):
            return self.target.platform.subgroup_size
        return self.target.platform.grf_bytes // element_bytes(element)

    # Messages

    def load(self, element: Attribute, *, shared: bool) -> BlockLimits:
        """Returns the limits of one load or prefetch."""
        return self._limits(element, None if shared or (block := self.target.platform.block2d) is None else block.load)

    def transposed_load(self, element: Attribute, *, shared: bool) -> BlockLimits:
        """Returns the limits of one load that transposes; for short elements, those of an ordinary load."""
        block: Block2D | None = None if shared else self.target.platform.block2d
        if block is not None and element_bytes(element) in block.load_transposed:
            return block.load_transposed[element_bytes(element)]
        return self.load(element, shared=shared)

    def store(self, element: Attribute, *, shared: bool) -> BlockLimits:
        """Returns the limits of one store."""
        return self._limits(element, None if shared or (block := self.target.platform.block2d) is None else block.store)

    def _limits(self, element: Attribute, table: Mapping[int, BlockLimits] | None) -> BlockLimits:
        """Returns the limits of block messages, or else of row messages: one register per row."""
        if table is not None:
            return table[element_bytes(element)]
        row, rows = self._row(element), self.target.platform.max_message_bytes // self.target.platform.grf_bytes
        return BlockLimits(1, row, 1, rows, (1,), row)


def element_bytes(element: Attribute) -> int:
    """Returns the bytes of an element in memory."""
    if isinstance(element, IndexType):
        return 8
    assert isinstance(element, FixedBitwidthType | FloatTF32Type)
    return max(8, element_bits(element)) // 8
