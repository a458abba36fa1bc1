"""Expansions of `arith` operations into simpler ones, as in MLIR's `arith-expand`."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.type import get_element_type_or_self

from passes.support.normal_forms.rewriting import Add, constant, expands
from xegpu.dialects.upstream.arith import CmpiOp, DivSIOp, DivUIOp, ExtSIOp, ExtUIOp, IndexCastOp, IndexCastUIOp


def _extended(bit: SSAValue, type: Attribute, *, signed: bool) -> Operation:
    """An i1 as a number: true is 1, or -1 if signed."""
    if isinstance(get_element_type_or_self(type), IndexType):
        return (IndexCastOp if signed else IndexCastUIOp)(bit, type)
    return (ExtSIOp if signed else ExtUIOp)(bit, type)


def _rounded_division(
    divide: Callable[..., Operation], rest: Callable[..., Operation], adjusts: str | None = None
) -> Callable[[Add, Operation], list[SSAValue]]:
    """A division that rounds up or down, made of one that rounds toward zero.

    The quotient moves by one if there is a remainder and rounding toward zero goes the other way. `adjusts` is the
    predicate that then holds between zero and the exclusive or of remainder and divisor, whose sign bit tells whether
    their signs differ: the remainder has the sign of the dividend. Unsigned division always rounds down.
    """

    def expansion(add: Add, op: Operation) -> list[SSAValue]:
        (a, b), type = op.operands, op.results[0].type
        quotient = add(divide(a, b))
        if get_element_type_or_self(type) == IntegerType(1):
            # The only divisors are 1 and, signed, -1: nothing remains.
            return [quotient]
        remainder = add(rest(a, b))
        zero = add(constant(type, 0))
        moves = add(CmpiOp(remainder, zero, "ne"))
        if adjusts is not None:
            signs = add(CmpiOp(add(arith.XOrIOp(remainder, b)), zero, adjusts))
            moves = add(arith.AndIOp(moves, signs))
        step = add(_extended(moves, type, signed=adjusts == "slt"))
        return [add(arith.AddiOp(quotient, step))]

    return expansion


@expands(arith.AddUIExtendedOp)
def _sum_with_carry(add: Add, op: Operation) -> list[SSAValue]:
    """A sum that has overflowed is less than each of its terms."""
    a, b = op.operands
    total = add(arith.AddiOp(a, b))
    return [total, add(CmpiOp(total, a, "ult"))]


expands(arith.CeilDivSIOp)(_rounded_division(DivSIOp, arith.RemSIOp, "sge"))
expands(arith.CeilDivUIOp)(_rounded_division(DivUIOp, arith.RemUIOp))
expands(arith.FloorDivSIOp)(_rounded_division(DivSIOp, arith.RemSIOp, "slt"))
