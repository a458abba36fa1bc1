"""Functions that there are not, and why."""

from __future__ import annotations

CORE: tuple[tuple[str, str], ...] = (
    (
        "zeFabricVertexGetExp zeFabricVertexGetSubVerticesExp zeFabricVertexGetPropertiesExp "
        "zeFabricVertexGetDeviceExp zeFabricEdgeGetExp zeFabricEdgeGetVerticesExp zeFabricEdgeGetPropertiesExp",
        "simulated devices have no fabric links, and `zeDeviceGetFabricVertexExp` says so",
    ),
    (
        "zeCommandListGetNextCommandIdWithKernelsExp zeCommandListUpdateMutableCommandKernelsExp "
        "zeCommandListIsMutableExp",
        "mutable command lists are an extension that is not advertised",
    ),
    (
        "zeDeviceImportExternalSemaphoreExt zeDeviceReleaseExternalSemaphoreExt "
        "zeCommandListAppendSignalExternalSemaphoreExt zeCommandListAppendWaitExternalSemaphoreExt",
        "there is no other API on the simulated device to share semaphores with",
    ),
    (
        "zeMemGetFileDescriptorFromIpcHandleExp zeMemGetIpcHandleFromFileDescriptorExp zeMemGetIpcHandleWithProperties",
        "the descriptor is the first four bytes of a handle; the extension is not advertised",
    ),
    (
        "zeMemSetAtomicAccessAttributeExp zeMemGetAtomicAccessAttributeExp zeDeviceGetVectorWidthPropertiesExt "
        "zeDeviceGetAggregatedCopyOffloadIncrementValue zePhysicalMemGetProperties zeImageGetDeviceOffsetExp",
        "later extensions, not advertised",
    ),
    (
        "zeEventCounterBasedGetIpcHandle zeEventCounterBasedOpenIpcHandle zeEventCounterBasedCloseIpcHandle "
        "zeEventCounterBasedGetDeviceAddress",
        "counter-based events stay in their process",
    ),
    (
        "zeRTASBuilderCreateExp zeRTASBuilderGetBuildPropertiesExp zeRTASBuilderBuildExp zeRTASBuilderDestroyExp "
        "zeRTASParallelOperationCreateExp zeRTASParallelOperationGetPropertiesExp zeRTASParallelOperationJoinExp "
        "zeRTASParallelOperationDestroyExp zeDriverRTASFormatCompatibilityCheckExp",
        "simulated devices have no ray tracing units (the same for the names that end in `Ext`)",
    ),
)
"""Functions of the core API, and why they are missing; those that the table of functions has are left out."""

TOOLS: tuple[tuple[str, str, str], ...] = (
    ("Metrics", "zetMetric*, zetCommandListAppendMetric*, zetDeviceActivateMetricGroups", "not there yet"),
    ("Program debugging", "zetDebug*", "not there; `xegpu-run --debug` debugs kernels"),
    ("Program instrumentation", "zetModuleGetDebugInfo, zetKernelGetProfileInfo", "not there yet"),
    ("Initialization", "zetInit", "1.x dropped it; `zeInit` initializes all"),
    ("System management", "zetSysman* (0.91), zes* (1.x)", "not there yet"),
)
"""Parts of the tools APIs: what they are, which functions, and why they are missing."""
