"""Values of affine expressions in compiled code."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineDimExpr,
    AffineExpr,
    AffineMap,
    AffineSymExpr,
)

from runtime.host.emission.emitter import FunctionEmitter
from runtime.host.emission.memref_descriptors import number_of, product, total
from runtime.llvm import Value, integer


def map_values(emitter: FunctionEmitter, op: Operation, map: AffineMap, operands: Sequence[Value]) -> list[Value]:
    """Returns the results of a map for operands, dimensions first. Refuses divisions by anything but a constant."""
    return [expression_value(emitter, op, result, operands, map.num_dims) for result in map.results]


def expression_value(
    emitter: FunctionEmitter, op: Operation, expression: AffineExpr, operands: Sequence[Value], dimensions: int
) -> Value:
    """Returns the value of an expression over operands: `dimensions` dimensions, followed by symbols."""
    match expression:
        case AffineDimExpr(position):
            return operands[position]
        case AffineSymExpr(position):
            return operands[dimensions + position]
        case AffineConstantExpr(value):
            return integer(value)
        case AffineBinaryOpExpr(kind, left, right):
            a, b = (expression_value(emitter, op, side, operands, dimensions) for side in (left, right))
            if kind is AffineBinaryOpKind.Add:
                return total(emitter.code, a, b)
            if kind is AffineBinaryOpKind.Mul:
                return product(emitter.code, a, b)
            return quotient(emitter, op, kind, a, number_of(b))
    emitter.refuse(op, f"with {expression} is not supported in host code")


def quotient(emitter: FunctionEmitter, op: Operation, kind: AffineBinaryOpKind, a: Value, divisor: int | None) -> Value:
    """Returns a quotient by a positive constant, rounded down or up, or the remainder of one rounded down."""
    code = emitter.code
    if divisor is None or divisor <= 0:
        emitter.refuse(op, "divides by a number that is not a positive constant")
    b = integer(divisor)
    quotient = code.binary("sdiv", a, b)
    rest = code.binary("sub", a, code.binary("mul", quotient, b))
    if kind is AffineBinaryOpKind.CeilDiv:
        above = code.compare("icmp sgt", rest, integer(0))
        return code.binary("add", quotient, code.cast("zext", above, "i64"))
    below = code.compare("icmp slt", rest, integer(0))
    if kind is AffineBinaryOpKind.Mod:
        return code.select(below, code.binary("add", rest, b), rest)
    return code.binary("sub", quotient, code.cast("zext", below, "i64"))
