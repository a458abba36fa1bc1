"""The combining kinds of `vector`: their operations of `arith`, and their neutral elements."""

from __future__ import annotations

import math
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


def neutral_number(kind: str, bits: int, *, is_float: bool = False) -> int | float:
    """Returns the number that changes nothing it is combined with; integers are those of the bits, read as unsigned."""
    ones = (1 << bits) - 1
    match kind:
        case "add":
            return -0.0 if is_float else 0
        case "mul":
            return 1
        case "and" | "minui":
            return ones
        case "minsi":
            return ones >> 1
        case "maxsi":
            return 1 << bits - 1
        case "minnumf" | "maxnumf":
            return math.nan
        case "minimumf":
            return math.inf
        case "maximumf":
            return -math.inf
        case _:
            return 0
