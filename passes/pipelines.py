"""Pipelines: passes strung together under one name."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination

from passes.convert_xegpu_to_xe import ConvertXegpuToXePass
from passes.convert_xetile_to_xegpu import ConvertXetileToXegpuPass
from passes.gpu.expand_ops import GpuExpandOpsPass
from passes.gpu.inline_calls import GpuInlineCallsPass
from passes.scf.loop_pipelining import ScfLoopPipeliningPass
from passes.scf.loop_unroll import ScfLoopUnrollPass
from passes.support.pass_sequence import apply_step
from passes.xe.allocate_registers import XeAllocateRegistersPass
from passes.xe.cse import XeCsePass
from passes.xe.hoist_loads import XeHoistLoadsPass
from passes.xe.loop_invariant_code_motion import XeLoopInvariantCodeMotionPass
from passes.xegpu.apply_vnni_transformation import XegpuApplyVnniTransformationPass
from passes.xegpu.combine_loads import XegpuCombineLoadsPass
from passes.xegpu.convert_layout_to_sg_map import XegpuConvertLayoutToSgMapPass
from passes.xegpu.distribute_sg_map import XegpuDistributeSgMapPass
from passes.xegpu.hoist_descriptors import XegpuHoistDescriptorsPass
from passes.xegpu.optimize_transpose import XegpuOptimizeTransposePass
from passes.xegpu.verify_target import XegpuVerifyTargetPass
from passes.xetile.blocking import XetileBlockingPass
from passes.xetile.canonicalization import XetileCanonicalizationPass
from passes.xetile.init_duplicate import XetileInitDuplicatePass
from passes.xetile.wg_to_sg import XetileWgToSgPass
from xegpu.diagnostics import SourceBuffer, failing_as, parse_module, verify
from xegpu.dialects import register_dialects
from xegpu.dialects.xe import compiled_kernels
from xegpu.isa import CompiledKernel
from xegpu.targets import Target


def xetile_passes(target: str) -> list[ModulePass]:
    """The passes from XeTile kernels to XeGPU kernels; they leave alone what is XeGPU already."""
    return [
        XetileWgToSgPass(target),
        XetileInitDuplicatePass(),
        XetileCanonicalizationPass(),
        XetileBlockingPass(target),
        ConvertXetileToXegpuPass(target),
        XegpuOptimizeTransposePass(),
        XegpuApplyVnniTransformationPass(),
    ]


def loop_passes(target: str, unroll_factor: int, pipeline_stages: int) -> list[ModulePass]:
    """The passes that unroll and pipeline loops, none if neither is wanted (1)."""
    passes: list[ModulePass] = []
    if pipeline_stages != 1:
        passes.append(ScfLoopPipeliningPass(target, pipeline_stages, unroll_factor))
    if unroll_factor != 1:
        passes.append(ScfLoopUnrollPass(unroll_factor))
    return [*passes, CanonicalizePass(), CommonSubexpressionElimination()] if passes else []


def xe_passes(target: str, grf_count: int = 0, *, unroll_factor: int = 1, pipeline_stages: int = 1) -> list[ModulePass]:
    """The passes from XeTile or XeGPU kernels to allocated `xe` kernels."""
    return [
        GpuInlineCallsPass(),
        GpuExpandOpsPass(),
        *xetile_passes(target),
        XegpuHoistDescriptorsPass(),
        XegpuCombineLoadsPass(target),
        XegpuVerifyTargetPass(target),
        XegpuConvertLayoutToSgMapPass(),
        XegpuDistributeSgMapPass(target),
        CanonicalizePass(),
        CommonSubexpressionElimination(),
        *loop_passes(target, unroll_factor, pipeline_stages),
        ConvertXegpuToXePass(target),
        CanonicalizePass(),
        XeLoopInvariantCodeMotionPass(),
        XeCsePass(),
        XeHoistLoadsPass(),
        XeAllocateRegistersPass(grf_count),
    ]


def compile_to_kernels(text: str, target: Target, filename: str = "<string>") -> list[CompiledKernel]:
    """All kernels of all `gpu.module`s in MLIR text, compiled; host code is left out.

    Raises `CompileError` with the place in `filename` for text that is wrong or that cannot be compiled.
    """
    context, module = read_module(SourceBuffer(filename, text))
    return run_to_kernels(context, module, xe_passes(target.name))


def read_module(source: SourceBuffer) -> tuple[Context, ModuleOp]:
    """The module in MLIR text, found correct, and what it was read with. Raises `CompileError`."""
    context = Context()
    register_dialects(context)
    module = parse_module(context, source)
    verify(module)
    return context, module


def run_to_kernels(context: Context, module: ModuleOp, steps: Sequence[ModulePass]) -> list[CompiledKernel]:
    """The kernels that a module holds when `steps` have been applied to it, which must allocate registers.

    Only the result is verified: after each step it would take as long as the steps do. Raises `CompileError`, also for
    whatever goes wrong in a pass.
    """
    for step in steps:
        with failing_as(f"pass '{step.name}'"):
            apply_step(step, context, module)
    verify(module)
    return compiled_kernels(module)
