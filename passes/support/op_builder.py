"""Inserts operations into a kernel, and folds index arithmetic on constants."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.arith import AddiOp, ConstantOp, MuliOp, RemUIOp
from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Operation, SSAValue

from xegpu.diagnostics import inherit_location
from xegpu.dialects.upstream.arith import DivUIOp
from xegpu.dialects.xegpu.ops import constant_index

Index = SSAValue | int
"""An index as a value, or as a number known at compile time."""


class OpBuilder:
    """Inserts operations in front of `anchor`, and gives them its location."""

    def __init__(self, anchor: Operation):
        self.anchor = anchor

    def insert(self, op: Operation) -> None:
        """Inserts an operation."""
        block = self.anchor.parent
        assert block is not None
        inherit_location(self.anchor, *op.walk())
        block.insert_op_before(op, self.anchor)

    def add(self, op: Operation) -> SSAValue:
        """Inserts an operation, and returns its only result."""
        self.insert(op)
        (result,) = op.results
        return result

    # Indices

    def value(self, index: Index) -> SSAValue:
        """Returns the index as a value."""
        return self.add(ConstantOp(IntegerAttr(index, IndexType()))) if isinstance(index, int) else index

    def plus(self, a: Index, b: Index) -> Index:
        """Returns the sum of two indices."""
        a, b = known(a), known(b)
        if isinstance(a, int) and isinstance(b, int):
            return a + b
        if a == 0 or b == 0:
            return b if a == 0 else a
        return self.add(AddiOp(self.value(a), self.value(b)))

    def times(self, a: Index, b: Index) -> Index:
        """Returns the product of two indices."""
        a, b = known(a), known(b)
        if isinstance(a, int) and isinstance(b, int):
            return a * b
        if a in (0, 1) or b in (0, 1):
            factor, other = (a, b) if a in (0, 1) else (b, a)
            return other if factor == 1 else 0
        return self.add(MuliOp(self.value(a), self.value(b)))

    def quotient(self, a: Index, b: int) -> Index:
        """Returns an index that is not negative, divided by a positive number and rounded down."""
        a = known(a)
        if isinstance(a, int) or b == 1:
            return a // b if isinstance(a, int) else a
        return self.add(DivUIOp(a, self.value(b)))

    def remainder(self, a: Index, b: int) -> Index:
        """Returns the remainder of an index that is not negative, divided by a positive number."""
        a = known(a)
        if isinstance(a, int) or b == 1:
            return a % b if isinstance(a, int) else 0
        return self.add(RemUIOp(a, self.value(b)))

    def dot(self, a: Sequence[Index], b: Sequence[Index]) -> Index:
        """Returns the sum of the products of corresponding entries."""
        total: Index = 0
        for x, y in zip(a, b, strict=True):
            total = self.plus(total, self.times(x, y))
        return total


def known(index: Index) -> Index:
    """Returns the index as a number if it is constant."""
    constant = constant_index(index)
    return index if constant is None else constant
