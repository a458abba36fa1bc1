"""Pipelines: the sequences of passes that compile kernels, and functions that run them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.canonicalize import CanonicalizePass
from xdsl.transforms.common_subexpression_elimination import CommonSubexpressionElimination

from passes.arith.promote_integers import ArithPromoteIntegersPass
from passes.convert_llvm_to_gpu import ConvertLlvmToGpuPass
from passes.convert_xegpu_to_xe import ConvertXegpuToXePass
from passes.convert_xegpu_to_xetile import ConvertXegpuToXetilePass
from passes.convert_xetile_to_xegpu import ConvertXetileToXegpuPass
from passes.convert_xevm_to_xegpu import ConvertXevmToXegpuPass
from passes.gpu.expand_ops import GpuExpandOpsPass
from passes.gpu.infer_block_size import GpuInferBlockSizePass
from passes.gpu.inline_calls import GpuInlineCallsPass
from passes.gpu.kernel_outlining import GpuKernelOutliningPass
from passes.memref.flatten_vector_elements import MemrefFlattenVectorElementsPass
from passes.scf.loop_pipelining import ScfLoopPipeliningPass
from passes.scf.loop_unroll import ScfLoopUnrollPass
from passes.support.collection import collection_paused
from passes.support.pass_sequence import apply_step
from passes.support.tile_dialects import holds_tiles
from passes.xe.allocate_registers import XeAllocateRegistersPass
from passes.xe.canonicalize import XeCanonicalizePass
from passes.xe.cse import XeCsePass
from passes.xe.hoist_loads import XeHoistLoadsPass
from passes.xe.loop_invariant_code_motion import XeLoopInvariantCodeMotionPass
from passes.xe.select_code import NATIVE, VIRTUAL, XeSelectCodePass
from passes.xe.split_register_blocks import XeSplitRegisterBlocksPass
from passes.xegpu.apply_vnni_transformation import XegpuApplyVnniTransformationPass
from passes.xegpu.combine_loads import XegpuCombineLoadsPass
from passes.xegpu.convert_generation import XegpuConvertGenerationPass
from passes.xegpu.convert_layout_to_sg_map import XegpuConvertLayoutToSgMapPass
from passes.xegpu.distribute_sg_map import XegpuDistributeSgMapPass
from passes.xegpu.hoist_descriptors import XegpuHoistDescriptorsPass
from passes.xegpu.infer_op_level import INFERRED, XegpuInferOpLevelPass
from passes.xegpu.optimize_group_transpose import XegpuOptimizeGroupTransposePass
from passes.xegpu.optimize_transpose import XegpuOptimizeTransposePass
from passes.xegpu.verify_target import XegpuVerifyTargetPass
from passes.xegpu.wg_to_sg_distribute import XegpuWgToSgDistributePass
from passes.xetile.blocking import XetileBlockingPass
from passes.xetile.canonicalization import XetileCanonicalizationPass
from passes.xetile.init_duplicate import XetileInitDuplicatePass
from passes.xetile.wg_to_sg import XetileWgToSgPass
from xegpu.diagnostics import SourceBuffer, failing_as
from xegpu.dialects import register_dialects
from xegpu.dialects.xe import compiled_kernels
from xegpu.isa import CompiledKernel
from xegpu.isa.native import RESERVED_REGISTERS
from xegpu.mlir import parse_module, verify
from xegpu.targets import Target


def xetile_passes(target: str) -> list[ModulePass]:
    """Returns the passes from XeTile kernels to XeGPU kernels; they leave kernels in XeGPU unchanged."""
    return [
        XetileWgToSgPass(target),
        XetileInitDuplicatePass(),
        XetileCanonicalizationPass(),
        XetileBlockingPass(target),
        ConvertXetileToXegpuPass(target),
        XegpuOptimizeTransposePass(),
        XegpuApplyVnniTransformationPass(),
    ]


def imported_passes(target: str, grf_count: int = 0) -> list[ModulePass]:
    """Returns the passes from kernels that a front end has imported to allocated `xe` kernels.

    LLVM has simplified such kernels, and they hold nothing of what only MLIR has: host code, launches, calls, and
    buffers with types. What is left out of `xe_passes` would find next to nothing to do.
    """
    return [
        ArithPromoteIntegersPass(),
        GpuExpandOpsPass(),
        ConvertXevmToXegpuPass(),
        XegpuInferOpLevelPass(INFERRED),
        ConvertXegpuToXetilePass(),
        XegpuConvertGenerationPass(target=target),
        *xetile_passes(target),
        XegpuHoistDescriptorsPass(),
        XegpuCombineLoadsPass(target),
        XegpuVerifyTargetPass(target),
        XegpuConvertLayoutToSgMapPass(),
        XegpuDistributeSgMapPass(target),
        _CanonicalizeTiledPass(),
        _MergeTiledPass(),
        *lowering_passes(target, grf_count),
    ]


class _CanonicalizeTiledPass(CanonicalizePass):
    """`canonicalize`, for modules with tiles."""


class _MergeTiledPass(CommonSubexpressionElimination):
    """`cse`, for modules with tiles."""


def lowering_passes(target: str, grf_count: int = 0, code: str = VIRTUAL) -> list[ModulePass]:
    """Returns the passes from XeGPU kernels to allocated `xe` kernels, whose code is virtual or native."""
    reserved = RESERVED_REGISTERS if code == NATIVE else 0
    return [
        ConvertXegpuToXePass(target),
        XeCanonicalizePass(),
        XeLoopInvariantCodeMotionPass(),
        XeCsePass(),
        XeSplitRegisterBlocksPass(grf_count),
        XeHoistLoadsPass(),
        XeAllocateRegistersPass(grf_count, reserved),
        *([] if code == VIRTUAL else [XeSelectCodePass(code)]),
    ]


def loop_passes(target: str, unroll_factor: int, pipeline_stages: int) -> list[ModulePass]:
    """Returns the passes that unroll and pipeline loops; none where both parameters are 1."""
    passes: list[ModulePass] = []
    if pipeline_stages != 1:
        passes.append(ScfLoopPipeliningPass(target, pipeline_stages, unroll_factor))
    if unroll_factor != 1:
        passes.append(ScfLoopUnrollPass(unroll_factor))
    return [*passes, CanonicalizePass(), CommonSubexpressionElimination()] if passes else []


def xe_passes(
    target: str,
    grf_count: int = 0,
    *,
    unroll_factor: int = 1,
    pipeline_stages: int = 1,
    op_level: str | None = None,
    code: str = VIRTUAL,
) -> list[ModulePass]:
    """Returns the passes from XeTile or XeGPU kernels to allocated `xe` kernels; their options are the pipeline's."""
    return [
        MemrefFlattenVectorElementsPass(),
        GpuKernelOutliningPass(),
        ConvertLlvmToGpuPass(),
        GpuInferBlockSizePass(),
        GpuInlineCallsPass(),
        ArithPromoteIntegersPass(),
        GpuExpandOpsPass(),
        ConvertXevmToXegpuPass(),
        XegpuInferOpLevelPass(op_level or INFERRED),
        XegpuWgToSgDistributePass(target, op_level or INFERRED),
        XegpuOptimizeGroupTransposePass(target),
        ConvertXegpuToXetilePass(),
        XegpuConvertGenerationPass(target=target),
        *xetile_passes(target),
        XegpuHoistDescriptorsPass(),
        XegpuCombineLoadsPass(target),
        XegpuVerifyTargetPass(target),
        XegpuConvertLayoutToSgMapPass(),
        XegpuDistributeSgMapPass(target),
        CanonicalizePass(),
        CommonSubexpressionElimination(),
        *loop_passes(target, unroll_factor, pipeline_stages),
        *lowering_passes(target, grf_count, code),
    ]


@collection_paused()
def compile_to_kernels(text: str, target: Target, filename: str = "<string>") -> list[CompiledKernel]:
    """Compiles the kernels of each `gpu.module` in MLIR text; host code is ignored.

    Raises `CompileError`, with locations in `filename`, for text that is wrong or that cannot be compiled.
    """
    context, module = read_module(SourceBuffer(filename, text))
    return run_to_kernels(context, module, xe_passes(target.name))


@collection_paused()
def read_module(source: SourceBuffer) -> tuple[Context, ModuleOp]:
    """Parses and verifies MLIR text. Returns the module and its context. Raises `CompileError`."""
    context = Context()
    register_dialects(context)
    module = parse_module(context, source)
    verify(module)
    return context, module


@collection_paused()
def run_to_kernels(context: Context, module: ModuleOp, steps: Sequence[ModulePass]) -> list[CompiledKernel]:
    """Applies passes that allocate registers to a module and returns its compiled kernels.

    Passes on tiles are left out where the module has none, and nothing is verified between passes: that would take as
    long as the passes. Encoding checks each instruction. Raises `CompileError`, which also stands for any failure
    inside a pass.
    """
    tiled: bool | None = None
    for step in steps:
        with failing_as(f"pass '{step.name}'"):
            if type(step) in _ON_TILES:
                tiled = holds_tiles(module) if tiled is None else tiled
                if not tiled:
                    continue
            apply_step(step, context, module)
    return compiled_kernels(module)


def without_optimisations(steps: Sequence[ModulePass]) -> list[ModulePass]:
    """Returns the passes that kernels need to become code, of those that also make it fast."""
    return [step for step in steps if type(step) not in _OPTIMISATIONS]


_OPTIMISATIONS: frozenset[type[ModulePass]] = frozenset(
    {
        CommonSubexpressionElimination,
        XegpuCombineLoadsPass,
        XeCanonicalizePass,
        XeLoopInvariantCodeMotionPass,
        XeCsePass,
        XeHoistLoadsPass,
    }
)


_ON_TILES: frozenset[type[ModulePass]] = frozenset(
    {
        ConvertXevmToXegpuPass,
        XegpuWgToSgDistributePass,
        XegpuOptimizeGroupTransposePass,
        ConvertXegpuToXetilePass,
        XegpuConvertGenerationPass,
        XetileWgToSgPass,
        XetileInitDuplicatePass,
        XetileCanonicalizationPass,
        XetileBlockingPass,
        ConvertXetileToXegpuPass,
        XegpuOptimizeTransposePass,
        XegpuApplyVnniTransformationPass,
        XegpuHoistDescriptorsPass,
        XegpuCombineLoadsPass,
        XegpuVerifyTargetPass,
        XegpuConvertLayoutToSgMapPass,
        XegpuDistributeSgMapPass,
        _CanonicalizeTiledPass,
        _MergeTiledPass,
    }
)
"""The passes that change nothing in a module without operations and attributes of XeGPU, XeTile and XeVM."""
