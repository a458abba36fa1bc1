"""Expansion of choices between values that are not numbers."""

from __future__ import annotations

from xdsl.dialects.builtin import MemRefType
from xdsl.dialects.scf import YieldOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from xegpu.diagnostics import inherit_location
from xegpu.dialects.upstream.arith import SelectOp
from xegpu.dialects.upstream.scf import IfOp
from xegpu.dialects.xegpu import TensorDescType
from xegpu.dialects.xetile import TileType


class ExpandSelect(RewritePattern):
    """Expands `arith.select` between descriptors, tiles or buffers into `scf.if`, which forwards values of any type."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SelectOp, rewriter: PatternRewriter) -> None:
        if not chooses_objects(op):
            return
        choice = IfOp(op.cond, [op.result.type], _yielding(op, op.lhs), _yielding(op, op.rhs))
        inherit_location(op, choice)
        rewriter.replace(op, choice)


def chooses_objects(op: Operation) -> bool:
    """Returns whether an `arith.select` chooses between descriptors, tiles or buffers."""
    return type(op.results[0].type) in _OBJECTS


_OBJECTS = frozenset({MemRefType, TensorDescType, TileType})


def _yielding(op: SelectOp, value: SSAValue) -> Region:
    end = YieldOp(value)
    inherit_location(op, end)
    return Region(Block([end]))
