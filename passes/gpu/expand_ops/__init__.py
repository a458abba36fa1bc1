"""`gpu-expand-ops`: expands operations of kernels into simpler ones, so that later passes handle fewer of them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.cf import SwitchOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriter, PatternRewriteWalker, RewritePattern

from passes.gpu.expand_ops.affine import ExpandAffine
from passes.gpu.expand_ops.buffers import ExpandCopy, ExpandReshape, InlineAllocaScope
from passes.gpu.expand_ops.choices import ExpandSelect, ExpandSwitch, chooses_objects
from passes.gpu.expand_ops.loops import ExpandParallel
from passes.support.control_flow import operations_in, operations_of
from passes.support.normal_forms import ParallelLoops, SignedBounds
from passes.support.normal_forms.masks import unmask
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.affine import ParallelOp
from xegpu.dialects.upstream.arith import SelectOp
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.scf import ForallOp

_PATTERNS = (
    ExpandAffine(),
    ExpandCopy(),
    ExpandParallel(),
    ExpandReshape(),
    ExpandSelect(),
    ExpandSwitch(),
    InlineAllocaScope(),
    SignedBounds(),
)


_DIALECTS = frozenset({"affine", "memref", "scf"})
"""The dialects of the operations that have expansions, beside `cf.switch` and choices between other than numbers."""
_LOOPS = frozenset({ForallOp.name, ParallelOp.name})


@cache
def _has_expansion(name: str) -> bool:
    return name == SwitchOp.name or name.partition(".")[0] in _DIALECTS


def _may_expand(op: Operation) -> bool:
    return _has_expansion(op.name) or (op.name == SelectOp.name and chooses_objects(op))


class _Expansion(RewritePattern):
    """The expansion of an operation, if it has one."""

    def __init__(self) -> None:
        self._patterns = GreedyRewritePatternApplier(list(_PATTERNS), dce_enabled=False)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        if _may_expand(op):
            self._patterns.match_and_rewrite(op, rewriter)


@dataclass(frozen=True)
class GpuExpandOpsPass(ModulePass):
    """Expands operations of kernels: `affine`, loops in parallel, copies and reshapes of buffers, switches and masks.

    Each work-item executes the iterations of a parallel loop one after the other. Raises `CompileError` for forms of
    these operations that have no expansion.
    """

    name = "gpu-expand-ops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        # Inner operations come first, because the expansion of an outer one moves them.
        loops = PatternRewriteWalker(ParallelLoops(), walk_regions_first=True, apply_recursively=False)
        walker = PatternRewriteWalker(_Expansion(), walk_regions_first=True, walk_reverse=True, apply_recursively=False)
        for function in operations_of(op, FuncOp):
            if function.kernel is None:
                continue
            unmask(function.body)
            _check_mappings(function)
            names = {op.name for op in operations_in(function) if _may_expand(op)}
            if not names.isdisjoint(_LOOPS):
                loops.rewrite_region(function.body)
            if names:
                walker.rewrite_region(function.body)


def _check_mappings(function: FuncOp) -> None:
    """Refuses loops that say which work-items share their iterations: that has to be done before."""
    for op in operations_of(function, ForallOp):
        if op.mapping is not None:
            raise CompileError(
                op,
                "has a mapping in a kernel: let mlir-opt share the iterations first "
                "(transform.gpu.map_nested_forall_to_threads), or remove it, and each work-item executes all of them",
            )
