"""From `scf.if` and `scf.for` to blocks and branches that know where in the source they come from."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation, Region
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriter, PatternRewriteWalker, RewritePattern
from xdsl.transforms.convert_scf_to_cf import ForLowering, IfLowering

from xegpu.diagnostics import inherit_location


@dataclass(frozen=True)
class _Located(RewritePattern):
    """Another pattern, whose new operations get the location of the one that they replace."""

    pattern: RewritePattern

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        place = op.location
        rewriter.operation_insertion_handler.append(lambda made: inherit_location(place, made))
        self.pattern.match_and_rewrite(op, rewriter)
        rewriter.operation_insertion_handler.pop()


def to_blocks(body: Region) -> None:
    """Replaces the structured control flow in a function's body; operations that it has no blocks for stay."""
    patterns: list[RewritePattern] = [_Located(IfLowering()), _Located(ForLowering())]
    PatternRewriteWalker(GreedyRewritePatternApplier(patterns)).rewrite_region(body)
