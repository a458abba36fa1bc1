"""Passes: what turns XeGPU kernels into code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module

from xdsl.passes import ModulePass

# Each pass is imported when a pipeline names it: name: (module, class).
_PASSES: Mapping[str, tuple[str, str]] = {
    "convert-xegpu-to-xe": ("passes.convert_xegpu_to_xe", "ConvertXegpuToXePass"),
    "convert-xetile-to-xegpu": ("passes.convert_xetile_to_xegpu", "ConvertXetileToXegpuPass"),
    "gpu-expand-ops": ("passes.gpu.expand_ops", "GpuExpandOpsPass"),
    "gpu-inline-calls": ("passes.gpu.inline_calls", "GpuInlineCallsPass"),
    "gpu-kernel-outlining": ("passes.gpu.kernel_outlining", "GpuKernelOutliningPass"),
    "lift-cf-to-scf": ("passes.lift_cf_to_scf", "LiftCfToScfPass"),
    "scf-loop-pipelining": ("passes.scf.loop_pipelining", "ScfLoopPipeliningPass"),
    "scf-loop-unroll": ("passes.scf.loop_unroll", "ScfLoopUnrollPass"),
    "xe-allocate-registers": ("passes.xe.allocate_registers", "XeAllocateRegistersPass"),
    "xe-cse": ("passes.xe.cse", "XeCsePass"),
    "xe-hoist-loads": ("passes.xe.hoist_loads", "XeHoistLoadsPass"),
    "xe-loop-invariant-code-motion": ("passes.xe.loop_invariant_code_motion", "XeLoopInvariantCodeMotionPass"),
    "xe-pipeline": ("passes.pipelines", "XePipelinePass"),
    "xegpu-apply-vnni-transformation": (
        "passes.xegpu.apply_vnni_transformation",
        "XegpuApplyVnniTransformationPass",
    ),
    "xegpu-combine-loads": ("passes.xegpu.combine_loads", "XegpuCombineLoadsPass"),
    "xegpu-convert-layout-to-sg-map": ("passes.xegpu.convert_layout_to_sg_map", "XegpuConvertLayoutToSgMapPass"),
    "xegpu-convert-sg-map-to-layout": ("passes.xegpu.convert_sg_map_to_layout", "XegpuConvertSgMapToLayoutPass"),
    "xegpu-distribute-sg-map": ("passes.xegpu.distribute_sg_map", "XegpuDistributeSgMapPass"),
    "xegpu-hoist-descriptors": ("passes.xegpu.hoist_descriptors", "XegpuHoistDescriptorsPass"),
    "xegpu-optimize-transpose": ("passes.xegpu.optimize_transpose", "XegpuOptimizeTransposePass"),
    "xegpu-propagate-sg-map": ("passes.xegpu.propagate_sg_map", "XegpuPropagateSgMapPass"),
    "xegpu-verify-target": ("passes.xegpu.verify_target", "XegpuVerifyTargetPass"),
    "xetile-blocking": ("passes.xetile.blocking", "XetileBlockingPass"),
    "xetile-blockop-fallback": ("passes.xetile.blockop_fallback", "XetileBlockopFallbackPass"),
    "xetile-canonicalization": ("passes.xetile.canonicalization", "XetileCanonicalizationPass"),
    "xetile-init-duplicate": ("passes.xetile.init_duplicate", "XetileInitDuplicatePass"),
    "xetile-wg-to-sg": ("passes.xetile.wg_to_sg", "XetileWgToSgPass"),
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
