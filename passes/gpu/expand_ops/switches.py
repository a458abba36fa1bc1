"""Expansion of branches to one of many blocks into branches to one of two."""

from __future__ import annotations

from xdsl.dialects.arith import CmpiOp, ConstantOp
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType
from xdsl.dialects.cf import BranchOp, ConditionalBranchOp, SwitchOp
from xdsl.ir import Block
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

from xegpu.diagnostics import inherit_location


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
