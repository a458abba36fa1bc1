"""The kinds of atomic operations: how the old value and the new one are combined."""

from __future__ import annotations

from enum import IntEnum

from xdsl.dialects.builtin import I64, AnyFloat, IntegerAttr, IntegerType, i64
from xdsl.ir import Attribute


class AtomicKind(IntEnum):
    """The kinds of `arith`, which generic form writes as 64-bit integers."""

    ADDF = 0
    ADDI = 1
    ASSIGN = 2
    MAXIMUMF = 3
    MAXS = 4
    MAXU = 5
    MINIMUMF = 6
    MINS = 7
    MINU = 8
    MULF = 9
    MULI = 10
    ORI = 11
    ANDI = 12
    MAXNUMF = 13
    MINNUMF = 14

    @property
    def keyword(self) -> str:
        return self.name.lower()

    @property
    def attribute(self) -> IntegerAttr[I64]:
        return IntegerAttr(self.value, i64)

    def fits(self, element: Attribute) -> bool:
        """Returns whether the operation is defined for elements of this type; `assign` is for all."""
        if self is AtomicKind.ASSIGN:
            return True
        return isinstance(element, AnyFloat if self.name.endswith("F") else IntegerType)


BY_KEYWORD = {kind.keyword: kind for kind in AtomicKind}
