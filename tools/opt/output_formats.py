"""The outputs of `xegpu-opt` that extend or replace those of xDSL."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.utils.target import Target

from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):
    import tools.opt.kernel_targets as kernel_targets
    import tools.opt.layout_target as layout_target
    import tools.opt.mlir_target as mlir_target

OUTPUT_FORMATS: Mapping[str, Callable[[], type[Target]]] = {
    "layout": lambda: layout_target.LayoutTarget,
    "mlir": lambda: mlir_target.MLIRTextTarget,
    "xe-asm": lambda: kernel_targets.XeAsmTarget,
    "zebin": lambda: kernel_targets.ZebinTarget,
}
"""How outputs are found by name. Each is imported when it is asked for."""
