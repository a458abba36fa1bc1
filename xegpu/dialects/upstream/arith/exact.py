"""Divisions and right shifts, which may promise that nothing is lost.

xDSL's ops of these names have no `exact` flag.

https://mlir.llvm.org/docs/Dialects/ArithOps/
"""

from __future__ import annotations

from abc import ABC
from typing import ClassVar

from xdsl.dialects.arith import (
    SignlessIntegerBinaryOperation,
    SignlessIntegerBinaryOperationHasCanonicalizationPatternsTrait,
)
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, UnitAttr
from xdsl.interfaces import ConditionallySpeculatableInterface
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, traits_def
from xdsl.traits import ConstantLike, NoMemoryEffect, Pure
from xdsl.utils.hints import isa


class _ExactOp(SignlessIntegerBinaryOperation, ABC):
    """`%c = arith.divui %a, %b exact : i32`: with `exact`, a remainder makes the result poison."""

    RIGHT_UNIT: ClassVar[int]

    is_exact = opt_prop_def(UnitAttr, prop_name="isExact")

    assembly_format = "$lhs `,` $rhs (`exact` $isExact^)? attr-dict `:` type($result)"

    def __init__(
        self,
        operand1: SSAValue | Operation,
        operand2: SSAValue | Operation,
        result_type: Attribute | None = None,
        *,
        exact: bool = False,
    ):
        super().__init__(operand1, operand2, result_type)
        if exact:
            self.is_exact = UnitAttr()

    @classmethod
    def is_right_unit(cls, attr: IntegerAttr) -> bool:
        return attr.value.data == cls.RIGHT_UNIT


class _DivisionOp(_ExactOp, ConditionallySpeculatableInterface, ABC):
    RIGHT_UNIT: ClassVar = 1
    UNSAFE_DIVISORS: ClassVar[tuple[int, ...]]

    traits = traits_def(NoMemoryEffect(), SignlessIntegerBinaryOperationHasCanonicalizationPatternsTrait())

    def is_speculatable(self) -> bool:
        divisor = ConstantLike.get_constant_value(self.rhs)
        return isa(divisor, IntegerAttr[IntegerType | IndexType]) and divisor.value.data not in self.UNSAFE_DIVISORS


@irdl_op_definition
class DivUIOp(_DivisionOp):
    """Unsigned division, rounded down; `exact` promises that no remainder is lost.

    `%r = arith.divui %a, %b exact : i32`
    """

    name = "arith.divui"
    UNSAFE_DIVISORS: ClassVar = (0,)


@irdl_op_definition
class DivSIOp(_DivisionOp):
    """Signed division, rounded to zero; `exact` promises that no remainder is lost.

    `%r = arith.divsi %a, %b exact : i32`
    """

    name = "arith.divsi"
    UNSAFE_DIVISORS: ClassVar = (0, -1)


class _ShiftOp(_ExactOp, ABC):
    RIGHT_UNIT: ClassVar = 0

    traits = traits_def(Pure(), SignlessIntegerBinaryOperationHasCanonicalizationPatternsTrait())


@irdl_op_definition
class ShRUIOp(_ShiftOp):
    """Logical right shift, which shifts in zeros; `exact` promises that no set bit is lost.

    `%r = arith.shrui %a, %b exact : i32`
    """

    name = "arith.shrui"


@irdl_op_definition
class ShRSIOp(_ShiftOp):
    """Arithmetic right shift, which shifts in copies of the sign; `exact` promises that no set bit is lost.

    `%r = arith.shrsi %a, %b exact : i32`
    """

    name = "arith.shrsi"
