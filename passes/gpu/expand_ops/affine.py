"""Expansion of `affine` operations into `scf`, `memref`, `vector` and `arith`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from xdsl.dialects import arith
from xdsl.dialects.affine import ApplyOp, ForOp, LoadOp, MinOp, StoreOp, VectorLoadOp, VectorStoreOp, YieldOp
from xdsl.dialects.builtin import AffineMapAttr, IntegerAttr, i1
from xdsl.dialects.scf import YieldOp as ScfYieldOp
from xdsl.ir import Operation, Region, SSAValue
from xdsl.ir.affine import (
    AffineBinaryOpExpr,
    AffineBinaryOpKind,
    AffineConstantExpr,
    AffineConstraintKind,
    AffineDimExpr,
    AffineExpr,
    AffineSymExpr,
)
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from passes.support.op_builder import Index, OpBuilder
from xegpu.diagnostics import CompileError, inherit_location
from xegpu.dialects.upstream import memref, scf, vector
from xegpu.dialects.upstream.affine import DelinearizeIndexOp, IfOp, LinearizeIndexOp, MaxOp
from xegpu.dialects.upstream.arith import CmpiOp

_COMPARISONS = {
    AffineConstraintKind.ge: "sge",
    AffineConstraintKind.le: "sle",
    AffineConstraintKind.eq: "eq",
}


class ExpandAffine(RewritePattern):
    """Expands the maps and sets of `affine` operations into arithmetic on indices."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        build = OpBuilder(op)
        match op:
            case ApplyOp():
                rewriter.replace(op, [], [build.value(_results(build, op.map, op.mapOperands)[0])])
            case MinOp():
                rewriter.replace(op, [], [_extreme(build, arith.MinSIOp, op.map, op.arguments)])
            case LinearizeIndexOp():
                rewriter.replace(op, [], [build.value(_linear(build, op))])
            case DelinearizeIndexOp():
                rewriter.replace(op, [], _indices_of(build, op))
            case MaxOp():
                rewriter.replace(op, [], [_extreme(build, arith.MaxSIOp, op.map, op.arguments)])
            case LoadOp():
                rewriter.replace(op, [], [build.add(memref.LoadOp(op.memref, _indices(build, op)))])
            case StoreOp():
                build.insert(memref.StoreOp(op.value, op.memref, _indices(build, op)))
                rewriter.erase(op)
            case VectorLoadOp():
                rewriter.replace(
                    op,
                    [],
                    [
                        build.add(
                            vector.LoadOp(operands=[op.memref, _indices(build, op)], result_types=[op.result.type])
                        )
                    ],
                )
            case VectorStoreOp():
                build.insert(vector.StoreOp(operands=[op.value, op.memref, _indices(build, op)]))
                rewriter.erase(op)
            case ForOp():
                low = _extreme(build, arith.MaxSIOp, op.lowerBoundMap, op.lowerBoundOperands)
                high = _extreme(build, arith.MinSIOp, op.upperBoundMap, op.upperBoundOperands)
                step = build.value(op.step.value.data)
                loop = scf.ForOp(low, high, step, op.inits, _body(op, op.body))
                inherit_location(op, loop)
                rewriter.replace(op, loop)
            case IfOp():
                condition = _condition(build, op)
                then, otherwise = (_body(op, region) for region in list(op.regions))
                choice = scf.IfOp(condition, op.result_types, then, otherwise)
                inherit_location(op, choice)
                rewriter.replace(op, choice)
            case _:
                pass


def _body(op: Operation, region: Region) -> Region:
    """Takes a region from an operation, and ends it as regions of `scf` end."""
    op.detach_region(region)
    for block in region.blocks:
        end = block.last_op
        values = end.operands if isinstance(end, YieldOp) else ()
        new = ScfYieldOp(*values)
        inherit_location(op, new)
        if isinstance(end, YieldOp):
            block.erase_op(end)
        block.add_op(new)
    return region


def _indices(build: OpBuilder, op: LoadOp | StoreOp | VectorLoadOp | VectorStoreOp) -> list[SSAValue]:
    return [build.value(index) for index in _results(build, op.map, op.indices)]


def _linear(build: OpBuilder, op: LinearizeIndexOp) -> Index:
    linear: Index = op.multi_index[0] if op.multi_index else 0
    sizes = op.inner_sizes(len(op.multi_index))
    for index, size in zip(op.multi_index[1:], sizes, strict=True):
        linear = build.plus(build.times(linear, size), index)
    return linear


def _indices_of(build: OpBuilder, op: DelinearizeIndexOp) -> list[SSAValue]:
    rest, inner = op.linear_index, list[SSAValue]()
    for size in reversed(op.inner_sizes(len(op.multi_index))):
        inner.append(_quotient(build, AffineBinaryOpKind.Mod, rest, size))
        rest = _quotient(build, AffineBinaryOpKind.FloorDiv, rest, size)
    return [rest, *reversed(inner)][: len(op.multi_index)]


def _extreme(
    build: OpBuilder,
    operation: type[arith.MinSIOp | arith.MaxSIOp],
    map: AffineMapAttr,
    operands: Sequence[SSAValue],
) -> SSAValue:
    values = [build.value(index) for index in _results(build, map, operands)]
    return reduce(lambda a, b: build.add(operation(a, b)), values)


def _condition(build: OpBuilder, op: IfOp) -> SSAValue:
    members = op.condition.data
    holds: SSAValue | None = None
    for constraint in members.constraints:
        left, right = (
            build.value(_value(build, side, op.args, members.num_dims)) for side in (constraint.lhs, constraint.rhs)
        )
        one = build.add(CmpiOp(left, right, _COMPARISONS[constraint.kind]))
        holds = one if holds is None else build.add(arith.AndIOp(holds, one))
    return build.add(arith.ConstantOp(IntegerAttr(1, i1))) if holds is None else holds


def _results(build: OpBuilder, map: AffineMapAttr, operands: Sequence[SSAValue]) -> list[Index]:
    return [_value(build, result, operands, map.data.num_dims) for result in map.data.results]


def _value(build: OpBuilder, expression: AffineExpr, operands: Sequence[SSAValue], dimensions: int) -> Index:
    """Returns the value of an expression over `dimensions` dimensions and the symbols behind them."""
    match expression:
        case AffineDimExpr(position):
            return operands[position]
        case AffineSymExpr(position):
            return operands[dimensions + position]
        case AffineConstantExpr(number):
            return number
        case AffineBinaryOpExpr(kind, left, right):
            a, b = (_value(build, side, operands, dimensions) for side in (left, right))
            if kind is AffineBinaryOpKind.Add:
                return build.plus(a, b)
            if kind is AffineBinaryOpKind.Mul:
                return build.times(a, b)
            return _quotient(build, kind, build.value(a), b)
    raise CompileError(build.anchor, f"with {expression} is not supported in a kernel")


def _quotient(build: OpBuilder, kind: AffineBinaryOpKind, a: SSAValue, divisor: Index) -> SSAValue:
    """Returns a quotient by a positive number, rounded down or up, or the remainder of one rounded down."""
    if isinstance(divisor, int) and divisor <= 0:
        raise CompileError(build.anchor, f"divides by {divisor}: expected a positive number")
    if kind is AffineBinaryOpKind.CeilDiv:
        return build.add(arith.CeilDivSIOp(a, build.value(divisor)))
    if kind is AffineBinaryOpKind.FloorDiv:
        return build.add(arith.FloorDivSIOp(a, build.value(divisor)))
    if isinstance(divisor, int) and divisor & (divisor - 1) == 0:
        return build.add(arith.AndIOp(a, build.value(divisor - 1)))
    down = build.add(arith.FloorDivSIOp(a, build.value(divisor)))
    return build.add(arith.SubiOp(a, build.value(build.times(down, divisor))))
