"""`xegpu-convert-generation`: rewrites XeGPU of one generation as that of another."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker, RewritePattern
from xdsl.utils.exceptions import PassFailedException

from passes.kernel.target_pass import TargetPass
from passes.support.layouts import drop_layouts
from passes.support.tiles.planes import split_planes
from passes.xegpu.convert_generation.blocks import BlockAccess, CompleteDescriptor, StackedBlocks
from passes.xegpu.convert_generation.forwarded import expand_forwarded_descriptors
from passes.xegpu.convert_generation.gathers import GatherLoad, GatherPrefetch, GatherStore, LanesFirst, LanesFirstStore
from passes.xegpu.convert_generation.lanes import (
    LaneGather,
    LaneLoad,
    LaneMatrixLoad,
    LaneMatrixStore,
    LanePrefetch,
    LaneProduct,
    LaneScatter,
    LaneStore,
    check_subgroup_size,
)
from passes.xegpu.convert_generation.matrices import MatrixLoad, MatrixStore, erase_matrices
from passes.xegpu.convert_generation.to_llvm22 import convert_to_llvm22
from passes.xegpu.convert_generation.wide import WideAtomic, WideLoad, WidePrefetch, WideStore
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.xegpu import is_of_llvm22
from xegpu.targets import Target


def _patterns(target: Target) -> list[RewritePattern]:
    """Returns the patterns, those for lanes before those that take any value as a whole."""
    return [
        CompleteDescriptor(),
        WideLoad(target),
        WideStore(target),
        WidePrefetch(target),
        WideAtomic(target),
        LaneLoad(),
        LaneStore(),
        LaneProduct(target),
        LaneGather(),
        LaneScatter(),
        LanePrefetch(),
        LaneMatrixLoad(),
        LaneMatrixStore(),
        BlockAccess(),
        StackedBlocks(),
        GatherLoad(target),
        GatherStore(target),
        GatherPrefetch(target),
        LanesFirst(),
        LanesFirstStore(),
        MatrixLoad(),
        MatrixStore(),
    ]


@dataclass(frozen=True)
class XegpuConvertGenerationPass(TargetPass):
    """Rewrites kernels of subgroups and lanes in the XeGPU of LLVM 22 as kernels in the XeGPU of the RFC.

    Offsets of accesses become offsets of descriptors, gathers from a base go through descriptors of at most 32 lanes,
    matrices become accesses of shared local memory, and blocks and products with batch dimensions those of planes.
    Values of a subgroup are whole in both, so that layouts are dropped: they determine who computes, not what. Layouts
    that distribute over subgroups are an error; `xegpu-wg-to-sg-distribute` comes first. Operations in the form of the
    RFC stay as they are.

    In the other direction, offsets move from descriptors to accesses, sg_maps become layouts, and the fragments of
    lanes vectors of rank 1. Kernels whose threads are subgroups are launched with work-items instead. What LLVM 22
    cannot express is an error.
    """

    name = "xegpu-convert-generation"

    to: str = "rfc"
    """The generation to convert to: `rfc` or `llvm22`."""

    def compile(self, scope: Operation, target: Target) -> None:
        if self.to == "llvm22":
            if not isinstance(scope, ModuleOp):
                raise CompileError(
                    scope,
                    f"is for {target.name} and others are not: host code, which launches both, needs option target",
                )
            convert_to_llvm22(scope, target)
            return
        if self.to != "rfc":
            raise PassFailedException(f"expected to=rfc or to=llvm22, got to={self.to}")
        patterns = _patterns(target)
        walker = PatternRewriteWalker(GreedyRewritePatternApplier(patterns, dce_enabled=False))
        for function in [o for o in scope.walk() if isinstance(o, FuncOp)]:
            if is_of_llvm22(function):
                drop_layouts(function)
            check_subgroup_size(function, target)
            split_planes(function)
            expand_forwarded_descriptors(function)
            walker.rewrite_region(function.body)
            erase_matrices(function)
