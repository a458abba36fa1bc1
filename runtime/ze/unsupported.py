"""Functions of the core API that are not supported, and the reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NoReturn

from runtime.ze.spec.results import ZeError, ze_result_t

UNSUPPORTED: tuple[tuple[str, str], ...] = (
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
        "simulated devices have no ray tracing units",
    ),
)
"""Functions of the core API, and why they are not supported."""


def _refusing(name: str, reason: str) -> Callable[..., NoReturn]:
    def refuse(*args: object, **kwargs: object) -> NoReturn:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, f"{name}: {reason}")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = f"Raises `UNSUPPORTED_FEATURE`: {reason}."
    return refuse


def refusing_functions() -> Iterator[tuple[str, Callable[..., NoReturn]]]:
    """Yields the names of the functions, each with one that raises `UNSUPPORTED_FEATURE` whatever it is called with."""
    for names, reason in UNSUPPORTED:
        for name in names.split():
            yield name, _refusing(name, reason)
