"""Replaces operations by their normal forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType, VectorType
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern
from xdsl.utils.hints import isa

from passes.support.control_flow import operations_in
from passes.support.op_table import OpTable
from passes.support.vectors.constants import splat_constant
from xegpu.diagnostics import LocationListener

Add = Callable[[Operation], SSAValue]
"""Inserts an operation in front of the one that is replaced, and returns its first result."""
Expansions = OpTable[Add, Sequence[SSAValue]]
"""Rules that return the values which replace the results of an operation."""
EXPANSIONS = Expansions()
"""Every expansion but those of the `index` dialect. The modules of this package fill the table."""
expands = EXPANSIONS.register


class _ExpansionPattern(RewritePattern):
    """Replaces the operations that have an expansion, but for those that `stays` names."""

    def __init__(self, expansions: Expansions, stays: Callable[[Operation], bool]) -> None:
        self._expansions, self._stays = expansions, stays

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        expansion = self._expansions.get(op)
        if expansion is None or self._stays(op):
            return

        def add(new: Operation) -> SSAValue:
            rewriter.insert(new)
            return new.results[0]

        rewriter.replace(op, [], expansion(add, op))


def expand(body: Region, expansions: Expansions, stays: Callable[[Operation], bool] = lambda op: False) -> None:
    """Replaces the operations of a body that have an expansion, but for those of which `stays` is true.

    New operations get the location of the one that they replace.
    """
    if any(op in expansions and not stays(op) for op in operations_in(body)):
        PatternRewriteWalker(_ExpansionPattern(expansions, stays), listener=LocationListener()).rewrite_region(body)


def constant(type: Attribute, number: float) -> ConstantOp:
    """Returns a constant of a scalar type, or a vector with the same number in all elements."""
    if isa(type, VectorType):
        return splat_constant(type, number)
    if isinstance(type, IntegerType | IndexType):
        return ConstantOp(IntegerAttr(int(number), type))
    assert isa(type, AnyFloat)
    return ConstantOp(FloatAttr(float(number), type))
