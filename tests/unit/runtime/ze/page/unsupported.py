"""Functions that are not supported, and the reasons."""

from __future__ import annotations

CORE: tuple[tuple[str, str], ...] = (
    (
        "zeFabricVertexGetExp zeFabricVertexGetSubVerticesExp zeFabricVertexGetPropertiesExp "
        "zeFabricVertexGetDeviceExp zeFabricEdgeGetExp zeFabricEdgeGetVerticesExp zeFabricEdgeGetPropertiesExp",
        "simulated devices have no fabric links, as `zeDeviceGetFabricVertexExp` reports",
    ),
    (
        "zeCommandListGetNextCommandIdWithKernelsExp zeCommandListUpdateMutableCommandKernelsExp "
        "zeCommandListIsMutableExp",
        "mutable command lists are an extension that is not advertised",
    ),
    (
        "zeDeviceImportExternalSemaphoreExt zeDeviceReleaseExternalSemaphoreExt "
        "zeCommandListAppendSignalExternalSemaphoreExt zeCommandListAppendWaitExternalSemaphoreExt",
        "no other API on the simulated device could share semaphores",
    ),
    (
        "zeMemGetFileDescriptorFromIpcHandleExp zeMemGetIpcHandleFromFileDescriptorExp zeMemGetIpcHandleWithProperties",
        "the descriptor is the first four bytes of a handle; the extension is not advertised",
    ),
    (
        "zeMemSetAtomicAccessAttributeExp zeMemGetAtomicAccessAttributeExp zeDeviceGetVectorWidthPropertiesExt "
        "zeDeviceGetAggregatedCopyOffloadIncrementValue zePhysicalMemGetProperties zeImageGetDeviceOffsetExp",
        "these extensions are not advertised",
    ),
    (
        "zeEventCounterBasedGetIpcHandle zeEventCounterBasedOpenIpcHandle zeEventCounterBasedCloseIpcHandle "
        "zeEventCounterBasedGetDeviceAddress",
        "counter-based events cannot be shared",
    ),
    (
        "zeRTASBuilderCreateExp zeRTASBuilderGetBuildPropertiesExp zeRTASBuilderBuildExp zeRTASBuilderDestroyExp "
        "zeRTASParallelOperationCreateExp zeRTASParallelOperationGetPropertiesExp zeRTASParallelOperationJoinExp "
        "zeRTASParallelOperationDestroyExp zeDriverRTASFormatCompatibilityCheckExp",
        "simulated devices have no ray tracing units (the same for the names that end in `Ext`)",
    ),
)
"""Functions of the core API, and why they are not supported; the page omits those that are declared."""

TOOLS: tuple[tuple[str, str, str], ...] = (
    ("Metrics", "zetMetric*, zetCommandListAppendMetric*, zetDeviceActivateMetricGroups", "not supported yet"),
    ("Program debugging", "zetDebug*", "not supported; `xegpu-run --debug` debugs kernels"),
    ("Program instrumentation", "zetModuleGetDebugInfo, zetKernelGetProfileInfo", "not supported yet"),
    ("Initialization", "zetInit", "removed in 1.x; `zeInit` initializes everything"),
    ("System management", "zetSysman* (0.91), zes* (1.x)", "not supported yet"),
)
"""Parts of the tools APIs: their names, their functions, and why they are not supported."""
