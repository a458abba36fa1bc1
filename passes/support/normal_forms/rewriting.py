"""Replaces operations by their normal forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set as AbstractSet

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import AnyFloat, FloatAttr, IndexType, IntegerAttr, IntegerType, VectorType
from xdsl.ir import Attribute, Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern
from xdsl.utils.hints import isa

from passes.support.control_flow import operations_in
from passes.support.vectors.constants import splat_constant
from xegpu.diagnostics import LocationListener

Add = Callable[[Operation], SSAValue]
"""Inserts an operation in front of the one that is replaced, and returns its first result."""
Expansion = Callable[[Operation, Add], Sequence[SSAValue]]
"""Returns the values that replace the results of an operation."""
Expansions = Mapping[str, Expansion]


class _ExpansionPattern(RewritePattern):
    """Replaces operations by name."""

    def __init__(self, expansions: Expansions) -> None:
        self._expansions = expansions

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        expansion = self._expansions.get(op.name)
        if expansion is None:
            return

        def add(new: Operation) -> SSAValue:
            rewriter.insert(new)
            return new.results[0]

        rewriter.replace(op, [], expansion(op, add))


def expand(body: Region, expansions: Expansions, native: AbstractSet[str] = frozenset()) -> None:
    """Replaces the operations of a body that have an expansion; those named in `native` stay.

    New operations get the location of the one that they replace.
    """
    wanted = {name: expansion for name, expansion in expansions.items() if name not in native}
    if any(op.name in wanted for op in operations_in(body)):
        PatternRewriteWalker(_ExpansionPattern(wanted), listener=LocationListener()).rewrite_region(body)


def constant(type: Attribute, number: float) -> ConstantOp:
    """Returns a constant of a scalar type, or a vector with the same number in all elements."""
    if isa(type, VectorType):
        return splat_constant(type, number)
    if isinstance(type, IntegerType | IndexType):
        return ConstantOp(IntegerAttr(int(number), type))
    assert isa(type, AnyFloat)
    return ConstantOp(FloatAttr(float(number), type))
