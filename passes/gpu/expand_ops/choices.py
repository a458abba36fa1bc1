"""Expansion of choices: between values that are not numbers, and between blocks."""

from __future__ import annotations

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, MemRefType
from xdsl.dialects.cf import BranchOp, ConditionalBranchOp, SwitchOp
from xdsl.dialects.scf import YieldOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from xegpu.diagnostics import inherit_location
from xegpu.dialects.upstream.arith import CmpiOp, SelectOp
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


class ExpandSwitch(RewritePattern):
    """Expands `cf.switch` into a chain of comparisons with its cases."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: SwitchOp, rewriter: PatternRewriter) -> None:
        block, type = op.parent_block(), op.flag.type
        assert block is not None and block.parent is not None and isinstance(type, IntegerType | IndexType)
        values = [] if op.case_values is None else [int(value) for value in op.case_values.get_values()]
        tests = [Block() for _ in values]
        # The last test branches to the default block.
        rest = [(following, ()) for following in tests[1:]] + [(op.default_block, tuple(op.default_operands))]
        for test, value, target, operands, (other, other_operands) in zip(
            tests, values, op.case_blocks, op.case_operand, rest, strict=True
        ):
            number = ConstantOp(IntegerAttr(value, type))
            equal = CmpiOp(op.flag, number.result, "eq")
            test.add_ops((number, equal, ConditionalBranchOp(equal.result, target, operands, other, other_operands)))
            inherit_location(op, *test.ops)
            block.parent.insert_block_after(test, block if test is tests[0] else tests[tests.index(test) - 1])
        first = BranchOp(tests[0]) if tests else BranchOp(op.default_block, *op.default_operands)
        inherit_location(op, first)
        rewriter.replace(op, first, [])
