"""Constant vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import AnyFloat, DenseIntOrFPElementsAttr, IndexType, IntegerType, Signedness, VectorType
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Attribute


def splat_constant(type: VectorType, number: float) -> ConstantOp:
    """Returns a constant vector whose elements are all `number`, rounded to the element type."""
    return vector_constant(type, [number] * type.element_count())


def vector_constant(type: VectorType, numbers: Sequence[float]) -> ConstantOp:
    """Returns a constant vector with these elements, row-major, rounded to the element type."""
    element = type.element_type
    if isinstance(element, IntegerType | IndexType):
        integers = VectorType(element, type.get_shape())
        return ConstantOp(DenseIntOrFPElementsAttr.from_list(integers, list(map(int, numbers))))
    assert isinstance(element, AnyFloat)
    floats = VectorType(element, type.get_shape())
    return ConstantOp(DenseIntOrFPElementsAttr.from_list(floats, list(map(float, numbers))))


def neutral_element(kind: CombiningKindFlag, element: Attribute) -> float:
    """Returns the neutral element of a combining kind: combined with another element, it returns that one."""
    bits = element.width.data if isinstance(element, IntegerType) else 64
    is_unsigned = isinstance(element, IntegerType) and element.signedness.data is Signedness.UNSIGNED
    largest, smallest = (1 << bits - 1) - 1, -(1 << bits - 1)
    ones = (1 << bits) - 1 if is_unsigned else -1
    match kind:
        case CombiningKindFlag.ADD:
            return 0 if isinstance(element, IntegerType | IndexType) else -0.0
        case CombiningKindFlag.MUL:
            return 1
        case CombiningKindFlag.AND | CombiningKindFlag.MINUI:
            return ones
        case CombiningKindFlag.MINSI:
            return largest
        case CombiningKindFlag.MAXSI:
            return smallest
        case CombiningKindFlag.MINNUMF | CombiningKindFlag.MAXNUMF:
            return math.nan
        case CombiningKindFlag.MINIMUMF:
            return math.inf
        case CombiningKindFlag.MAXIMUMF:
            return -math.inf
        case _:
            return 0
