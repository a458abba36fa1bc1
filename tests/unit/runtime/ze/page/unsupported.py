"""Parts of the tools APIs that are not supported, and the reasons."""

from __future__ import annotations

TOOLS: tuple[tuple[str, str, str], ...] = (
    ("Metrics", "zetMetric*, zetCommandListAppendMetric*, zetDeviceActivateMetricGroups", "not supported yet"),
    ("Program debugging", "zetDebug*", "not supported; `xegpu-run --debug` debugs kernels"),
    ("Program instrumentation", "zetModuleGetDebugInfo, zetKernelGetProfileInfo", "not supported yet"),
    ("Initialization", "zetInit", "removed in 1.x; `zeInit` initializes everything"),
)
"""Parts of the tools APIs: their names, their functions, and why they are not supported."""
