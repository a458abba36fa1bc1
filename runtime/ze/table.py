"""The functions of the core API: one row each, in the order of the specification.

Documentation, validation, tracing, the look-up by name and the tests read this table and know no function otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from runtime.ze import (
    barrier,
    command_list,
    command_queue,
    context,
    copies,
    device,
    driver,
    event,
    event_commands,
    event_ipc,
    execution,
    fence,
    hints,
    image,
    image_copies,
    indirect_launch,
    kernel,
    kernel_allocations,
    launch,
    memory,
    memory_ipc,
    module,
    region_copies,
    sampler,
    seed,
    timestamps,
    virtual_memory,
)
from runtime.ze.function import Chapter, Function, Implementation, row

_ARRAYS = "INVALID_SIZE for an array that is null though its count is not zero: arrays carry their own length"

_ROWS: Mapping[Chapter, tuple[Callable[[Chapter], Function], ...]] = {
    Chapter.DRIVER: (
        row(driver.zeInit, "INVALID_ENUMERATION UNINITIALIZED", takes_handle=False),
        row(
            driver.zeInitDrivers,
            "INVALID_ARGUMENT INVALID_ENUMERATION UNINITIALIZED",
            pointers="desc",
            seed=None,
            since=(1, 10),
            takes_handle=False,
        ),
        row(driver.zeDriverGet, "UNINITIALIZED", takes_handle=False),
        row(driver.zeDriverGetApiVersion),
        row(driver.zeDriverGetProperties),
        row(driver.zeDriverGetIpcProperties, seed="zeDriverGetIPCProperties"),
        row(driver.zeDriverGetExtensionProperties, seed=None),
        row(driver.zeDriverGetLastErrorDescription, seed=None, since=(1, 6)),
        row(context.zeDriverGetDefaultContext, seed=None, since=(1, 14)),
    ),
    Chapter.DEVICE: (
        row(driver.zeDeviceGet),
        row(device.zeDeviceGetSubDevices),
        row(device.zeDeviceGetRootDevice, seed=None, since=(1, 7)),
        row(device.zeDeviceGetProperties),
        row(device.zeDeviceGetComputeProperties),
        row(device.zeDeviceGetModuleProperties, seed="zeDeviceGetKernelProperties"),
        row(device.zeDeviceGetCommandQueueGroupProperties, seed=None),
        row(device.zeDeviceGetMemoryProperties),
        row(device.zeDeviceGetMemoryAccessProperties),
        row(device.zeDeviceGetCacheProperties),
        row(device.zeDeviceGetImageProperties),
        row(device.zeDeviceGetExternalMemoryProperties, seed=None),
        row(device.zeDeviceGetP2PProperties),
        row(device.zeDeviceCanAccessPeer),
        row(device.zeDevicePciGetPropertiesExt, seed=None),
        row(
            device.zeDeviceGetFabricVertexExp,
            "DEVICE_IS_NOT_VERTEX",
            seed=None,
            since=(1, 4),
            note="Simulated devices have no fabric links.",
        ),
        row(
            device.zeDeviceReserveCacheExt,
            "UNSUPPORTED_FEATURE",
            seed=None,
            since=(1, 2),
            note="The cache is not under the user's control.",
        ),
        row(
            seed.zeDeviceSetLastLevelCacheConfig,
            "INVALID_ENUMERATION UNSUPPORTED_FEATURE",
            since=(0, 91),
            note="The cache is not under the user's control.",
        ),
        row(
            device.zeDeviceSetCacheAdviceExt,
            "INVALID_ENUMERATION UNSUPPORTED_FEATURE",
            pointers="ptr",
            seed=None,
            since=(1, 2),
            note="The cache is not under the user's control.",
        ),
        row(device.zeDeviceGetStatus, seed=None),
        row(device.zeDeviceGetGlobalTimestamps, seed=None),
        row(device.zeDeviceSynchronize, "DEVICE_LOST", seed=None, since=(1, 14)),
    ),
    Chapter.CONTEXT: (
        row(context.zeContextCreate, "INVALID_ENUMERATION", pointers="desc", seed=None),
        row(
            context.zeContextCreateEx,
            "INVALID_ENUMERATION",
            pointers="desc",
            seed=None,
            since=(1, 1),
            inexpressible=_ARRAYS,
        ),
        row(context.zeContextDestroy, "HANDLE_OBJECT_IN_USE", seed=None),
        row(context.zeContextGetStatus, seed=None),
        row(context.zeContextSystemBarrier, "DEVICE_LOST", seed=seed.zeDeviceSystemBarrier),
    ),
    Chapter.COMMAND_QUEUE: (
        row(command_queue.zeCommandQueueCreate, "DEVICE_LOST INVALID_ENUMERATION", pointers="desc"),
        row(command_queue.zeCommandQueueDestroy, "HANDLE_OBJECT_IN_USE"),
        row(
            execution.zeCommandQueueExecuteCommandLists,
            "DEVICE_LOST HANDLE_OBJECT_IN_USE INVALID_SIZE INVALID_COMMAND_LIST_TYPE INVALID_SYNCHRONIZATION_OBJECT",
            pointers="phCommandLists",
        ),
        row(command_queue.zeCommandQueueSynchronize, "NOT_READY DEVICE_LOST"),
        row(command_queue.zeCommandQueueGetOrdinal, seed=None, since=(1, 9)),
        row(command_queue.zeCommandQueueGetIndex, seed=None, since=(1, 9)),
        row(command_queue.zeCommandQueueGetFlags, seed=None, since=(1, 17)),
        row(command_queue.zeCommandQueueGetMode, seed=None, since=(1, 17)),
        row(command_queue.zeCommandQueueGetPriority, seed=None, since=(1, 17)),
    ),
    Chapter.COMMAND_LIST: (
        row(command_list.zeCommandListCreate, "DEVICE_LOST INVALID_ENUMERATION", pointers="desc"),
        row(command_list.zeCommandListCreateImmediate, "DEVICE_LOST INVALID_ENUMERATION", pointers="altdesc"),
        row(command_list.zeCommandListDestroy, "HANDLE_OBJECT_IN_USE"),
        row(command_list.zeCommandListClose),
        row(command_list.zeCommandListReset, "HANDLE_OBJECT_IN_USE"),
        row(command_list.zeCommandListHostSynchronize, "NOT_READY DEVICE_LOST", seed=None, since=(1, 6)),
        row(command_list.zeCommandListCreateCloneExp, seed=None, since=(1, 9)),
        row(
            execution.zeCommandListImmediateAppendCommandListsExp,
            "DEVICE_LOST HANDLE_OBJECT_IN_USE INVALID_SIZE INVALID_COMMAND_LIST_TYPE INVALID_SYNCHRONIZATION_OBJECT",
            pointers="phCommandLists",
            seed=None,
            since=(1, 10),
        ),
        row(command_list.zeCommandListGetDeviceHandle, seed=None, since=(1, 9)),
        row(command_list.zeCommandListGetContextHandle, seed=None, since=(1, 9)),
        row(command_list.zeCommandListGetOrdinal, seed=None, since=(1, 9)),
        row(command_list.zeCommandListImmediateGetIndex, seed=None, since=(1, 9)),
        row(command_list.zeCommandListIsImmediate, seed=None, since=(1, 9)),
        row(
            timestamps.zeCommandListAppendWriteGlobalTimestamp,
            "INVALID_SYNCHRONIZATION_OBJECT",
            pointers="dstptr",
            seed=None,
        ),
    ),
    Chapter.BARRIER: (
        row(barrier.zeCommandListAppendBarrier, "INVALID_SYNCHRONIZATION_OBJECT"),
        row(
            barrier.zeCommandListAppendMemoryRangesBarrier,
            "INVALID_SIZE INVALID_SYNCHRONIZATION_OBJECT",
            pointers="pRangeSizes pRanges",
        ),
    ),
    Chapter.COPY: (
        row(
            copies.zeCommandListAppendMemoryCopy,
            "INVALID_SIZE INVALID_SYNCHRONIZATION_OBJECT",
            pointers="dstptr srcptr",
        ),
        row(
            copies.zeCommandListAppendMemoryFill,
            "INVALID_SIZE INVALID_SYNCHRONIZATION_OBJECT",
            pointers="ptr pattern",
        ),
        row(
            region_copies.zeCommandListAppendMemoryCopyRegion,
            "INVALID_SIZE INVALID_SYNCHRONIZATION_OBJECT OVERLAPPING_REGIONS",
            pointers="dstptr dstRegion srcptr srcRegion",
        ),
        row(
            copies.zeCommandListAppendMemoryCopyFromContext,
            "INVALID_SIZE INVALID_SYNCHRONIZATION_OBJECT",
            pointers="dstptr srcptr",
            seed=None,
        ),
        row(hints.zeCommandListAppendMemoryPrefetch, pointers="ptr"),
        row(
            hints.zeCommandListAppendMemAdvise,
            "DEVICE_LOST INVALID_ENUMERATION",
            pointers="ptr",
            inexpressible="UNSUPPORTED_ENUMERATION: every device takes every advice",
        ),
        row(image_copies.zeCommandListAppendImageCopy, "INVALID_SYNCHRONIZATION_OBJECT OVERLAPPING_REGIONS"),
        row(image_copies.zeCommandListAppendImageCopyRegion, "INVALID_SYNCHRONIZATION_OBJECT OVERLAPPING_REGIONS"),
        row(image_copies.zeCommandListAppendImageCopyToMemory, "INVALID_SYNCHRONIZATION_OBJECT", pointers="dstptr"),
        row(image_copies.zeCommandListAppendImageCopyFromMemory, "INVALID_SYNCHRONIZATION_OBJECT", pointers="srcptr"),
        row(
            image_copies.zeCommandListAppendImageCopyToMemoryExt,
            "INVALID_SYNCHRONIZATION_OBJECT",
            pointers="dstptr",
            seed=None,
            since=(1, 3),
        ),
        row(
            image_copies.zeCommandListAppendImageCopyFromMemoryExt,
            "INVALID_SYNCHRONIZATION_OBJECT",
            pointers="srcptr",
            seed=None,
            since=(1, 3),
        ),
    ),
    Chapter.EVENT: (
        row(
            event.zeEventPoolCreate, "DEVICE_LOST INVALID_SIZE INVALID_ENUMERATION UNSUPPORTED_FEATURE", pointers="desc"
        ),
        row(event.zeEventPoolDestroy, "HANDLE_OBJECT_IN_USE"),
        row(event.zeEventPoolGetContextHandle, seed=None, since=(1, 9)),
        row(event.zeEventPoolGetFlags, seed=None, since=(1, 9)),
        row(event_ipc.zeEventPoolGetIpcHandle, "UNSUPPORTED_FEATURE"),
        row(event_ipc.zeEventPoolPutIpcHandle, pointers="phIpc", seed=None, since=(1, 6)),
        row(event_ipc.zeEventPoolOpenIpcHandle, pointers="hIpc"),
        row(event_ipc.zeEventPoolCloseIpcHandle, "HANDLE_OBJECT_IN_USE"),
        row(event.zeEventCreate, "INVALID_ENUMERATION", pointers="desc"),
        row(event.zeEventDestroy, "HANDLE_OBJECT_IN_USE"),
        row(
            event.zeEventCounterBasedCreate,
            "DEVICE_LOST INVALID_ENUMERATION",
            pointers="desc",
            seed=None,
            since=(1, 15),
        ),
        row(event_commands.zeCommandListAppendSignalEvent, "INVALID_SYNCHRONIZATION_OBJECT"),
        row(
            event_commands.zeCommandListAppendWaitOnEvents,
            "INVALID_SIZE INVALID_SYNCHRONIZATION_OBJECT",
            pointers="phEvents",
        ),
        row(event_commands.zeCommandListAppendEventReset, "INVALID_SYNCHRONIZATION_OBJECT"),
        row(event.zeEventHostSignal, "UNSUPPORTED_FEATURE"),
        row(event.zeEventHostSynchronize, "NOT_READY DEVICE_LOST"),
        row(event.zeEventQueryStatus, "NOT_READY DEVICE_LOST"),
        row(event.zeEventHostReset, "UNSUPPORTED_FEATURE"),
        row(event.zeEventGetEventPool, seed=None, since=(1, 9)),
        row(event.zeEventGetSignalScope, seed=None, since=(1, 9)),
        row(event.zeEventGetWaitScope, seed=None, since=(1, 9)),
        row(timestamps.zeEventQueryKernelTimestamp, "NOT_READY", seed=seed.zeEventGetTimestamp),
        row(timestamps.zeEventQueryTimestampsExp, "NOT_READY", seed=None, since=(1, 2)),
        row(timestamps.zeEventQueryKernelTimestampsExt, "NOT_READY", seed=None, since=(1, 6)),
        row(
            timestamps.zeCommandListAppendQueryKernelTimestamps,
            "INVALID_SIZE INVALID_SYNCHRONIZATION_OBJECT",
            pointers="phEvents dstptr",
            seed=None,
        ),
    ),
    Chapter.FENCE: (
        row(fence.zeFenceCreate, "DEVICE_LOST INVALID_ENUMERATION", pointers="desc"),
        row(fence.zeFenceDestroy, "HANDLE_OBJECT_IN_USE"),
        row(fence.zeFenceHostSynchronize, "NOT_READY DEVICE_LOST"),
        row(fence.zeFenceQueryStatus, "NOT_READY DEVICE_LOST"),
        row(fence.zeFenceReset, "HANDLE_OBJECT_IN_USE"),
    ),
    Chapter.IMAGE: (
        row(
            image.zeImageGetProperties,
            "UNSUPPORTED_FEATURE UNSUPPORTED_SIZE INVALID_ENUMERATION UNSUPPORTED_IMAGE_FORMAT",
            pointers="desc",
        ),
        row(
            image.zeImageCreate,
            "DEVICE_LOST OUT_OF_DEVICE_MEMORY UNSUPPORTED_FEATURE UNSUPPORTED_SIZE INVALID_ENUMERATION "
            "UNSUPPORTED_IMAGE_FORMAT",
            pointers="desc",
        ),
        row(image.zeImageDestroy),
    ),
    Chapter.SAMPLER: (
        row(sampler.zeSamplerCreate, "DEVICE_LOST UNSUPPORTED_FEATURE INVALID_ENUMERATION", pointers="desc"),
        row(sampler.zeSamplerDestroy),
    ),
    Chapter.MEMORY: (
        row(
            memory.zeMemAllocShared,
            "DEVICE_LOST OUT_OF_HOST_MEMORY UNSUPPORTED_SIZE UNSUPPORTED_ALIGNMENT INVALID_ENUMERATION "
            "UNSUPPORTED_ENUMERATION",
            pointers="device_desc host_desc",
            seed=seed.zeDriverAllocSharedMem,
        ),
        row(
            memory.zeMemAllocDevice,
            "DEVICE_LOST OUT_OF_DEVICE_MEMORY UNSUPPORTED_SIZE UNSUPPORTED_ALIGNMENT INVALID_ENUMERATION "
            "UNSUPPORTED_ENUMERATION",
            pointers="device_desc",
            seed=seed.zeDriverAllocDeviceMem,
        ),
        row(
            memory.zeMemAllocHost,
            "OUT_OF_HOST_MEMORY UNSUPPORTED_SIZE UNSUPPORTED_ALIGNMENT INVALID_ENUMERATION",
            pointers="host_desc",
            seed=seed.zeDriverAllocHostMem,
        ),
        row(memory.zeMemFree, pointers="ptr", seed=seed.zeDriverFreeMem),
        row(memory.zeMemFreeExt, "INVALID_ENUMERATION", pointers="pMemFreeDesc ptr", seed=None, since=(1, 3)),
        row(memory.zeMemGetAllocProperties, pointers="ptr", seed=seed.zeDriverGetMemAllocProperties),
        row(memory.zeMemGetAddressRange, pointers="ptr", seed=seed.zeDriverGetMemAddressRange),
        row(
            memory_ipc.zeMemGetIpcHandle,
            "OUT_OF_HOST_MEMORY HANDLE_OBJECT_IN_USE",
            pointers="ptr",
            seed=seed.zeDriverGetMemIpcHandle,
        ),
        row(memory_ipc.zeMemPutIpcHandle, pointers="handle", seed=None, since=(1, 6)),
        row(
            memory_ipc.zeMemOpenIpcHandle,
            "DEVICE_LOST OUT_OF_HOST_MEMORY INVALID_ENUMERATION",
            pointers="handle",
            seed=seed.zeDriverOpenMemIpcHandle,
        ),
        row(memory_ipc.zeMemCloseIpcHandle, pointers="ptr", seed=seed.zeDriverCloseMemIpcHandle),
        row(memory.zeMemGetPitchFor2dImage, "DEVICE_LOST UNSUPPORTED_SIZE", seed=None, since=(1, 9)),
    ),
    Chapter.VIRTUAL_MEMORY: (
        row(virtual_memory.zeVirtualMemQueryPageSize, "DEVICE_LOST UNSUPPORTED_SIZE", seed=None),
        row(virtual_memory.zeVirtualMemReserve, "OUT_OF_DEVICE_MEMORY UNSUPPORTED_SIZE", seed=None),
        row(virtual_memory.zeVirtualMemFree, "UNSUPPORTED_SIZE UNSUPPORTED_ALIGNMENT", pointers="ptr", seed=None),
        row(
            virtual_memory.zePhysicalMemCreate,
            "DEVICE_LOST OUT_OF_DEVICE_MEMORY UNSUPPORTED_SIZE INVALID_ENUMERATION",
            pointers="desc",
            seed=None,
        ),
        row(virtual_memory.zePhysicalMemDestroy, "HANDLE_OBJECT_IN_USE", seed=None),
        row(
            virtual_memory.zeVirtualMemMap,
            "UNSUPPORTED_SIZE UNSUPPORTED_ALIGNMENT INVALID_ENUMERATION",
            pointers="ptr",
            seed=None,
        ),
        row(virtual_memory.zeVirtualMemUnmap, "UNSUPPORTED_SIZE UNSUPPORTED_ALIGNMENT", pointers="ptr", seed=None),
        row(
            virtual_memory.zeVirtualMemSetAccessAttribute,
            "UNSUPPORTED_SIZE UNSUPPORTED_ALIGNMENT INVALID_ENUMERATION",
            pointers="ptr",
            seed=None,
        ),
        row(
            virtual_memory.zeVirtualMemGetAccessAttribute,
            "UNSUPPORTED_SIZE UNSUPPORTED_ALIGNMENT",
            pointers="ptr",
            seed=None,
        ),
    ),
    Chapter.RESIDENCY: (
        row(
            context.zeContextMakeMemoryResident,
            "DEVICE_LOST",
            pointers="ptr",
            seed=seed.zeDeviceMakeMemoryResident,
        ),
        row(context.zeContextEvictMemory, "DEVICE_LOST", pointers="ptr", seed=seed.zeDeviceEvictMemory),
        row(image.zeContextMakeImageResident, "DEVICE_LOST", seed=seed.zeDeviceMakeImageResident),
        row(image.zeContextEvictImage, "DEVICE_LOST", seed=seed.zeDeviceEvictImage),
    ),
    Chapter.MODULE: (
        row(
            module.zeModuleCreate,
            "DEVICE_LOST INVALID_SIZE INVALID_ENUMERATION INVALID_NATIVE_BINARY MODULE_BUILD_FAILURE "
            "DEPENDENCY_UNAVAILABLE",
            pointers="desc",
        ),
        row(module.zeModuleDestroy, "HANDLE_OBJECT_IN_USE"),
        row(module.zeModuleBuildLogDestroy),
        row(module.zeModuleBuildLogGetString),
        row(module.zeModuleGetGlobalPointer),
        row(module.zeModuleGetNativeBinary),
        row(module.zeModuleGetKernelNames),
        row(module.zeModuleGetProperties, seed=None),
    ),
    Chapter.KERNEL: (
        row(kernel.zeKernelCreate, "DEVICE_LOST INVALID_ENUMERATION INVALID_KERNEL_NAME", pointers="desc"),
        row(kernel.zeKernelDestroy),
        row(kernel.zeKernelSetArgumentValue, "INVALID_KERNEL_ARGUMENT_INDEX INVALID_KERNEL_ARGUMENT_SIZE"),
        row(kernel.zeKernelSetGroupSize, "INVALID_GROUP_SIZE_DIMENSION"),
        row(kernel.zeKernelSuggestGroupSize, "INVALID_GLOBAL_WIDTH_DIMENSION"),
        row(kernel.zeKernelSuggestMaxCooperativeGroupCount),
        row(kernel.zeKernelSetIndirectAccess, "INVALID_ENUMERATION", seed=None),
        row(kernel.zeKernelGetIndirectAccess, seed=None),
        row(
            seed.zeKernelSetAttribute,
            "INVALID_SIZE INVALID_ENUMERATION INVALID_KERNEL_ATTRIBUTE_VALUE",
            pointers="pValue",
            since=(0, 91),
        ),
        row(
            seed.zeKernelGetAttribute,
            "INVALID_ENUMERATION",
            since=(0, 91),
            inexpressible="INVALID_SIZE: values carry their own size",
        ),
        row(kernel.zeKernelGetSourceAttributes, seed=None),
        row(kernel.zeKernelSetCacheConfig, "INVALID_ENUMERATION", seed="zeKernelSetIntermediateCacheConfig"),
        row(kernel.zeKernelGetProperties),
        row(kernel.zeKernelGetName, seed=None),
        row(kernel.zeKernelSetGlobalOffsetExp, seed=None, since=(1, 1)),
        row(
            kernel.zeKernelSchedulingHintExp,
            "INVALID_ENUMERATION",
            pointers="pHint",
            seed=None,
            since=(1, 2),
            note="Hints have no effect.",
        ),
        row(kernel.zeKernelGetBinaryExp, seed=None, since=(1, 11)),
        row(
            kernel_allocations.zeKernelGetAllocationPropertiesExp,
            seed=None,
            since=(1, 14),
            inexpressible="UNSUPPORTED_FEATURE: the extension is there",
        ),
    ),
    Chapter.LAUNCH: (
        row(
            launch.zeCommandListAppendLaunchKernel,
            "OUT_OF_DEVICE_MEMORY INVALID_COMMAND_LIST_TYPE INVALID_SYNCHRONIZATION_OBJECT",
            pointers="pLaunchFuncArgs",
        ),
        row(
            launch.zeCommandListAppendLaunchCooperativeKernel,
            "OUT_OF_DEVICE_MEMORY INVALID_COMMAND_LIST_TYPE INVALID_SYNCHRONIZATION_OBJECT",
            pointers="pLaunchFuncArgs",
        ),
        row(
            indirect_launch.zeCommandListAppendLaunchKernelIndirect,
            "OUT_OF_DEVICE_MEMORY INVALID_COMMAND_LIST_TYPE INVALID_SYNCHRONIZATION_OBJECT",
            pointers="pLaunchArgumentsBuffer",
        ),
        row(
            indirect_launch.zeCommandListAppendLaunchMultipleKernelsIndirect,
            "OUT_OF_DEVICE_MEMORY INVALID_SIZE INVALID_COMMAND_LIST_TYPE INVALID_SYNCHRONIZATION_OBJECT",
            pointers="phKernels pCountBuffer pLaunchArgumentsBuffer",
        ),
        row(
            launch.zeCommandListAppendLaunchKernelWithParameters,
            "OUT_OF_DEVICE_MEMORY INVALID_COMMAND_LIST_TYPE INVALID_SYNCHRONIZATION_OBJECT",
            pointers="pGroupCounts",
            seed=None,
            since=(1, 14),
        ),
        row(
            launch.zeCommandListAppendLaunchKernelWithArguments,
            "OUT_OF_DEVICE_MEMORY INVALID_SIZE INVALID_COMMAND_LIST_TYPE INVALID_SYNCHRONIZATION_OBJECT "
            "INVALID_GROUP_SIZE_DIMENSION INVALID_KERNEL_ARGUMENT_SIZE",
            pointers="groupCounts groupSizes pArguments",
            seed=None,
            since=(1, 14),
        ),
    ),
}

FUNCTIONS: Mapping[str, Function] = MappingProxyType(
    {function.name: function for chapter, rows in _ROWS.items() for function in (make(chapter) for make in rows)}
)
"""All functions by name, in the order of the specification."""

CALLABLES: Mapping[str, Implementation] = MappingProxyType(
    {name: found for function in FUNCTIONS.values() for name, found in function.callables.items()}
)
"""What there is to call, by the names of 1.x and of 0.91."""
