"""Blocks that the instructions and messages of a target take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import FixedBitwidthType, FloatTF32Type, IndexType
from xdsl.ir import Attribute

from passes.xetile.blocking.grid import Shape, largest_divisor
from xegpu.dialects.xegpu import element_bits, packing_factor
from xegpu.targets import Block2D, BlockLimits, Target


@dataclass(frozen=True)
class Sizes:
    """The block sizes of one target."""

    target: Target

    # Matrices

    @property
    def columns(self) -> int:
        """Columns of B and C that one matrix instruction takes."""
        return self.target.dpas.execution_size

    def depth(self, element: Attribute) -> int:
        """Elements along K that one matrix instruction takes."""
        return self.target.dpas.depth * packing_factor(element)

    def rows(self, rows: int) -> int:
        """Rows of A and C for one matrix instruction, so that equal parts make up all of them."""
        return largest_divisor(rows, self.target.dpas.max_repeat)

    # Registers

    def lanes(self, shape: Shape) -> Shape:
        """Elements with an address each that one message takes: of a row, or of several short ones."""
        *outer, columns = shape
        width = largest_divisor(columns, self.target.subgroup_size)
        rows = [largest_divisor(size, self.target.subgroup_size // width) for size in outer]
        return (*rows, width)

    def vector(self, shape: Shape, element: Attribute) -> Shape:
        """A vector that nothing asks for in blocks of its own: rows of a register, as many as a matrix has."""
        *outer, columns = shape
        return (*(self.rows(rows) for rows in outer), largest_divisor(columns, self._row(element)))

    def _row(self, element: Attribute) -> int:
        """Elements that one register holds; of addresses, those of a message."""
        if isinstance(element, IndexType):
            return self.target.subgroup_size
        return self.target.grf_bytes // element_bytes(element)

    # Messages

    def load(self, element: Attribute, *, shared: bool) -> BlockLimits:
        """What one load or prefetch moves."""
        return self._limits(element, None if shared or (block := self.target.block2d) is None else block.load)

    def transposed_load(self, element: Attribute, *, shared: bool) -> BlockLimits:
        """What one load moves whose result is transposed: of short elements, those of an ordinary load."""
        block: Block2D | None = None if shared else self.target.block2d
        if block is not None and element_bytes(element) in block.load_transposed:
            return block.load_transposed[element_bytes(element)]
        return self.load(element, shared=shared)

    def store(self, element: Attribute, *, shared: bool) -> BlockLimits:
        """What one store moves."""
        return self._limits(element, None if shared or (block := self.target.block2d) is None else block.store)

    def _limits(self, element: Attribute, table: Mapping[int, BlockLimits] | None) -> BlockLimits:
        """Where no message moves a block, its rows are moved a register each, as many as a message could hold."""
        if table is not None:
            return table[element_bytes(element)]
        row, rows = self._row(element), self.target.max_message_bytes // self.target.grf_bytes
        return BlockLimits(1, row, 1, rows, (1,), row)


def element_bytes(element: Attribute) -> int:
    """Bytes that an element takes in memory."""
    if isinstance(element, IndexType):
        return 8
    assert isinstance(element, FixedBitwidthType | FloatTF32Type)
    return max(8, element_bits(element)) // 8
