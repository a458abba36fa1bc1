"""`xegpu-optimize-group-transpose`: lets loads transpose groups of narrow elements, which stay together."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i32, i64
from xdsl.ir import Operation
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern, op_type_rewrite_pattern

from passes.kernel.target_pass import TargetPass
from passes.support.block_loads import is_whole_matrix_load
from passes.support.op_builder import OpBuilder
from xegpu.dialects.upstream.vector import ShapeCastOp, TransposeOp, vector_type
from xegpu.dialects.xegpu import LoadNdOp, element_bits
from xegpu.targets import Block2D, Target

_WORD_BITS = 32
"""The unit that block-2D messages transpose."""


@dataclass(frozen=True)
class XegpuOptimizeGroupTransposePass(TargetPass):
    """Lets a load transpose words of several elements, where the users of a block do nothing else with it.

    They cast `[R, C]` to `[R, C / n, n]`, in which `n` elements fill a word, and transpose that to `[C / n, R, n]`: the
    packed form of the transposed block. One message must be able to load it so.
    """

    name = "xegpu-optimize-group-transpose"

    def compile(self, scope: Operation, target: Target) -> None:
        if (messages := target.platform.block2d) is not None:
            PatternRewriteWalker(_FoldIntoLoad(messages), apply_recursively=False).rewrite_region(scope.regions[0])


class _FoldIntoLoad(RewritePattern):
    """Folds all transposes of the groups of a loaded block into its load."""

    def __init__(self, messages: Block2D):
        self._messages = messages

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoadNdOp, rewriter: PatternRewriter) -> None:
        users = [use.operation for use in op.value.uses]
        casts = [user for user in users if isinstance(user, ShapeCastOp)]
        bits = element_bits(op.desc.element_type)
        if not casts or len(casts) < len(users) or not is_whole_matrix_load(op) or bits >= _WORD_BITS:
            return
        (rows, columns), group = op.desc.tile, _WORD_BITS // bits
        groups = (rows, columns // group, group)
        moves = [use.operation for cast in casts for use in cast.result.uses]
        transposes = [move for move in moves if isinstance(move, TransposeOp) and _swaps_groups(move)]
        if not transposes or len(transposes) < len(moves):
            return
        if any(vector_type(cast.result).get_shape() != groups for cast in casts) or not self._is_message(groups):
            return
        load = LoadNdOp.create(
            operands=op.operands,
            result_types=[transposes[0].result.type],
            properties={
                **op.properties,
                "transpose": DenseArrayBase.from_list(i64, [1, 0]),
                "transpose_bit_width": IntegerAttr(_WORD_BITS, i32),
            },
            attributes=op.attributes,
        )
        value = OpBuilder(op).add(load)
        value.name_hint = op.value.name_hint
        for transpose in transposes:
            rewriter.replace(transpose, [], [value])
        for cast in casts:
            rewriter.erase(cast)
        rewriter.erase(op)

    def _is_message(self, groups: tuple[int, ...]) -> bool:
        """Returns whether one message transposes this many words."""
        rows, words, _ = groups
        limits, size = self._messages.load_transposed.get(_WORD_BITS // 8), rows * words * _WORD_BITS // 8
        return limits is not None and limits.allows(words, rows, 1) and size <= self._messages.max_load_bytes


def _swaps_groups(op: TransposeOp) -> bool:
    return tuple(op.permutation.get_values()) == (1, 0, 2)
