"""Passes: what turns XeGPU kernels into code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from xdsl.passes import ModulePass

# Each pass is imported when a pipeline names it: name: (module, class).
_PASSES: Mapping[str, tuple[str, str]] = {
    "convert-xegpu-to-xe": ("passes.convert_xegpu_to_xe", "ConvertXegpuToXePass"),
    "convert-xetile-to-xegpu": ("passes.convert_xetile_to_xegpu", "ConvertXetileToXegpuPass"),
    "gpu-expand-ops": ("passes.gpu_expand_ops", "GpuExpandOpsPass"),
    "gpu-inline-calls": ("passes.gpu_inline_calls", "GpuInlineCallsPass"),
    "gpu-kernel-outlining": ("passes.gpu_kernel_outlining", "GpuKernelOutliningPass"),
    "lift-cf-to-scf": ("passes.lift_cf_to_scf", "LiftCfToScfPass"),
    "scf-loop-pipelining": ("passes.scf_loop_pipelining", "ScfLoopPipeliningPass"),
    "scf-loop-unroll": ("passes.scf_loop_unroll", "ScfLoopUnrollPass"),
    "xe-allocate-registers": ("passes.xe_allocate_registers", "XeAllocateRegistersPass"),
    "xe-cse": ("passes.xe_cse", "XeCsePass"),
    "xe-hoist-loads": ("passes.xe_hoist_loads", "XeHoistLoadsPass"),
    "xe-loop-invariant-code-motion": ("passes.xe_loop_invariant_code_motion", "XeLoopInvariantCodeMotionPass"),
    "xe-pipeline": ("passes.pipelines", "XePipelinePass"),
    "xegpu-apply-vnni-transformation": (
        "passes.xegpu_apply_vnni_transformation",
        "XegpuApplyVnniTransformationPass",
    ),
    "xegpu-combine-loads": ("passes.xegpu_combine_loads", "XegpuCombineLoadsPass"),
    "xegpu-convert-layout-to-sg-map": ("passes.xegpu_convert_layout_to_sg_map", "XegpuConvertLayoutToSgMapPass"),
    "xegpu-convert-sg-map-to-layout": ("passes.xegpu_convert_sg_map_to_layout", "XegpuConvertSgMapToLayoutPass"),
    "xegpu-distribute-sg-map": ("passes.xegpu_distribute_sg_map", "XegpuDistributeSgMapPass"),
    "xegpu-hoist-descriptors": ("passes.xegpu_hoist_descriptors", "XegpuHoistDescriptorsPass"),
    "xegpu-optimize-transpose": ("passes.xegpu_optimize_transpose", "XegpuOptimizeTransposePass"),
    "xegpu-propagate-sg-map": ("passes.xegpu_propagate_sg_map", "XegpuPropagateSgMapPass"),
    "xegpu-verify-target": ("passes.xegpu_verify_target", "XegpuVerifyTargetPass"),
    "xetile-blocking": ("passes.xetile_blocking", "XetileBlockingPass"),
    "xetile-blockop-fallback": ("passes.xetile_blockop_fallback", "XetileBlockopFallbackPass"),
    "xetile-canonicalization": ("passes.xetile_canonicalization", "XetileCanonicalizationPass"),
    "xetile-init-duplicate": ("passes.xetile_init_duplicate", "XetileInitDuplicatePass"),
    "xetile-wg-to-sg": ("passes.xetile_wg_to_sg", "XetileWgToSgPass"),
}


def _factory(module: str, name: str) -> Callable[[], type[ModulePass]]:
    def load() -> type[ModulePass]:
        loaded = getattr(import_module(module), name)
        assert isinstance(loaded, type)
        assert issubclass(loaded, ModulePass)
        return loaded

    return load


def registry() -> dict[str, Callable[[], type[ModulePass]]]:
    """Factories of the passes of this project, by the names that pipelines use."""
    return {name: _factory(*where) for name, where in _PASSES.items()}


__all__ = ["registry"]
