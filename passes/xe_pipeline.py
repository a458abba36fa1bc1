"""`xe-pipeline`: the whole compiler as one pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.passes import ModulePass

from passes.pipelines import xe_passes
from passes.support.pass_sequence import PassSequence
from passes.support.target_option import TargetOption
from passes.xe.select_code import VIRTUAL
from passes.xegpu.infer_op_level import INFERRED


@dataclass(frozen=True)
class XePipelinePass(TargetOption, PassSequence):
    """Compiles every kernel of every `gpu.module` down to allocated `xe` code."""

    name = "xe-pipeline"

    grf_count: int = 0
    """The number of registers per thread; 0 selects the smallest mode that a kernel fits in."""
    unroll_factor: int = 1
    """The number of iterations of innermost loops to merge into one."""
    pipeline_stages: int = 1
    """The number of iterations of innermost loops in flight at a time: 2 issues the loads of the next iteration early.
    """

    op_level: str = INFERRED
    """Whose values the operations of XeGPU have: `workgroup`, `subgroup` or `lane`; `auto` infers it."""

    code: str = VIRTUAL
    """The instructions of the code: `virtual` for those of the virtual ISA, `native` for those of the hardware."""

    def steps(self) -> Sequence[ModulePass]:
        return xe_passes(
            self.target,
            self.grf_count,
            unroll_factor=self.unroll_factor,
            pipeline_stages=self.pipeline_stages,
            op_level=self.op_level,
            code=self.code,
        )
