"""The `arith` operations of the combining kinds of `vector`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects.arith import (
    AddfOp,
    AddiOp,
    AndIOp,
    MaximumfOp,
    MaxnumfOp,
    MaxSIOp,
    MaxUIOp,
    MinimumfOp,
    MinnumfOp,
    MinSIOp,
    MinUIOp,
    MulfOp,
    MuliOp,
    OrIOp,
    XOrIOp,
)
from xdsl.dialects.builtin import AnyFloat
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Operation, SSAValue
from xdsl.utils.hints import isa
from xdsl.utils.type import get_element_type_or_self

_Combination = Callable[[SSAValue, SSAValue], Operation]

_OF_FLOATS: Mapping[CombiningKindFlag, _Combination] = {
    CombiningKindFlag.ADD: AddfOp,
    CombiningKindFlag.MUL: MulfOp,
    CombiningKindFlag.MINNUMF: MinnumfOp,
    CombiningKindFlag.MAXNUMF: MaxnumfOp,
    CombiningKindFlag.MINIMUMF: MinimumfOp,
    CombiningKindFlag.MAXIMUMF: MaximumfOp,
}

_OF_INTEGERS: Mapping[CombiningKindFlag, _Combination] = {
    CombiningKindFlag.ADD: AddiOp,
    CombiningKindFlag.MUL: MuliOp,
    CombiningKindFlag.MINUI: MinUIOp,
    CombiningKindFlag.MINSI: MinSIOp,
    CombiningKindFlag.MAXUI: MaxUIOp,
    CombiningKindFlag.MAXSI: MaxSIOp,
    CombiningKindFlag.AND: AndIOp,
    CombiningKindFlag.OR: OrIOp,
    CombiningKindFlag.XOR: XOrIOp,
}


def combine(kind: CombiningKindFlag, a: SSAValue, b: SSAValue) -> Operation:
    """Returns the operation that combines two values element by element; the kind must be legal for their type."""
    table = _OF_FLOATS if isa(get_element_type_or_self(a.type), AnyFloat) else _OF_INTEGERS
    return table[kind](a, b)
