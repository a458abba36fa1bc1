"""`xegpu-optimize-transpose`: replaces transposes of loaded blocks by loads that transpose."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, PatternRewriteWalker, RewritePattern, op_type_rewrite_pattern

from passes.support.block_loads import is_whole_matrix_load
from passes.support.op_builder import OpBuilder
from xegpu.dialects.upstream.vector import TransposeOp, vector_type
from xegpu.dialects.xegpu import LoadNdOp, element_bits

_TRANSPOSABLE_BITS = (32, 64)
"""The sizes of elements, in bits, that block-2D messages transpose."""


@dataclass(frozen=True)
class XegpuOptimizeTransposePass(ModulePass):
    """Lets a load transpose a block of 32- or 64-bit elements whose only users are transposes."""

    name = "xegpu-optimize-transpose"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(_FoldTransposesIntoLoad(), apply_recursively=False).rewrite_module(op)


class _FoldTransposesIntoLoad(RewritePattern):
    """Folds all transposes of a loaded block into its load."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: LoadNdOp, rewriter: PatternRewriter) -> None:
        users = [use.operation for use in op.value.uses]
        transposes = [user for user in users if isinstance(user, TransposeOp)]
        if not transposes or len(transposes) < len(users) or not is_whole_matrix_load(op):
            return
        if element_bits(op.desc.element_type) not in _TRANSPOSABLE_BITS:
            return
        transposed = LoadNdOp(op.tensor_desc, vector_type(transposes[0].result), transpose=(1, 0), hints=op.hints)
        transposed.attributes.update(op.attributes)
        value = OpBuilder(op).add(transposed)
        value.name_hint = op.value.name_hint
        for transpose in transposes:
            rewriter.replace(transpose, [], [value])
        rewriter.erase(op)
