"""`scf.forall` and `affine.parallel` as `scf.parallel`, which host and device lower."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf, nan

from xdsl.dialects import arith
from xdsl.dialects.affine import ApplyOp, MinOp, YieldOp as AffineYieldOp
from xdsl.dialects.builtin import AffineMapAttr, AnyFloat, IndexType, IntegerType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.utils.hints import isa

from passes.support.normal_forms.rewriting import constant
from passes.support.op_builder import OpBuilder
from xegpu.diagnostics import CompileError, inherit_location
from xegpu.dialects.upstream import affine, scf
from xegpu.dialects.upstream.scf import ReduceReturnOp


@dataclass(frozen=True)
class _ReductionKind:
    """A combination of two values; its neutral element follows from the number of bits of an integer."""

    combine: Callable[[SSAValue, SSAValue], Operation]
    neutral: Callable[[int], float]
    of_floats: bool = False


_REDUCTIONS: Mapping[str, _ReductionKind] = {
    "addf": _ReductionKind(arith.AddfOp, lambda _: 0, of_floats=True),
    "mulf": _ReductionKind(arith.MulfOp, lambda _: 1, of_floats=True),
    "maximumf": _ReductionKind(arith.MaximumfOp, lambda _: -inf, of_floats=True),
    "minimumf": _ReductionKind(arith.MinimumfOp, lambda _: inf, of_floats=True),
    "maxnumf": _ReductionKind(arith.MaxnumfOp, lambda _: nan, of_floats=True),
    "minnumf": _ReductionKind(arith.MinnumfOp, lambda _: nan, of_floats=True),
    "addi": _ReductionKind(arith.AddiOp, lambda _: 0),
    "muli": _ReductionKind(arith.MuliOp, lambda _: 1),
    "andi": _ReductionKind(arith.AndIOp, lambda _: -1),
    "ori": _ReductionKind(arith.OrIOp, lambda _: 0),
    "xori": _ReductionKind(arith.XOrIOp, lambda _: 0),
    "maxs": _ReductionKind(arith.MaxSIOp, lambda bits: -(1 << (bits - 1))),
    "mins": _ReductionKind(arith.MinSIOp, lambda bits: (1 << (bits - 1)) - 1),
    "maxu": _ReductionKind(arith.MaxUIOp, lambda _: 0),
    "minu": _ReductionKind(arith.MinUIOp, lambda _: -1),
}


class ParallelLoops(RewritePattern):
    """Replaces loops over boxes by `scf.parallel`, which computes affine bounds before it starts."""

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if isinstance(op, scf.ForallOp):
            build = OpBuilder(op)
            bounds = [[build.value(bound) for bound in bounds] for bounds in op.mixed_bounds()]
            rewriter.replace(op, _parallel(op, op.body, bounds, (), ()))
        elif isinstance(op, affine.ParallelOp):
            build = OpBuilder(op)
            lower = [_extreme(build, affine.MaxOp, map, op.lower_operands) for map in op.lower_bounds]
            upper = [_extreme(build, MinOp, map, op.upper_operands) for map in op.upper_bounds]
            steps = [build.value(step.value.data) for step in op.steps]
            kinds = [_reduction(op, name, type) for name, type in zip(op.kinds, op.result_types, strict=True)]
            starts = [_neutral(build, kind, type) for kind, type in zip(kinds, op.result_types, strict=True)]
            rewriter.replace(op, _parallel(op, op.body, zip(lower, upper, steps, strict=True), kinds, starts))


def _parallel(
    op: Operation,
    body: Region,
    bounds: Iterable[Sequence[SSAValue]],
    kinds: Sequence[_ReductionKind],
    starts: Sequence[SSAValue],
) -> scf.ParallelOp:
    """Returns a loop with the body of another one, whose terminator yields the values to reduce."""
    lower, upper, step = zip(*bounds, strict=True)
    block = body.detach_block(body.block)
    end = block.last_op
    assert end is not None
    values = end.operands if isinstance(end, AffineYieldOp) else ()
    reduce = scf.ReduceOp(values, [_combination(kind, value.type) for kind, value in zip(kinds, values, strict=True)])
    block.erase_op(end)
    block.add_op(reduce)
    loop = scf.ParallelOp(lower, upper, step, Region(block), starts)
    inherit_location(op, loop, *reduce.walk())
    return loop


def _combination(kind: _ReductionKind, type: Attribute) -> Region:
    block = Block(arg_types=[type, type])
    combined = kind.combine(*block.args)
    block.add_ops([combined, ReduceReturnOp(combined.results[0])])
    return Region(block)


def _reduction(op: affine.ParallelOp, name: str, type: Attribute) -> _ReductionKind:
    found = _REDUCTIONS.get(name)
    fits = found is not None and (isa(type, AnyFloat) if found.of_floats else isinstance(type, IntegerType | IndexType))
    if found is None or not fits:
        raise CompileError(op, f'cannot reduce {type} by "{name}"')
    return found


def _neutral(build: OpBuilder, kind: _ReductionKind, type: Attribute) -> SSAValue:
    bits = type.width.data if isinstance(type, IntegerType) else 64
    return build.add(constant(type, kind.neutral(bits)))


def _extreme(
    build: OpBuilder, choose: type[affine.MaxOp | MinOp], map: AffineMapAttr, operands: Sequence[SSAValue]
) -> SSAValue:
    if len(map.data.results) == 1:
        return build.add(ApplyOp(operands, map))
    return build.add(choose.create(operands=operands, result_types=[IndexType()], properties={"map": map}))
