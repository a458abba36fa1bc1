// Calls every core function of version 1.4 once, and checks what can be checked.
#include "client.h"

enum { BYTES = 4096 };

static ze_device_handle_t graphics;  // a device with images
static ze_module_handle_t module;

#define STRUCT(type, STYPE, name) type name = {ZE_STRUCTURE_TYPE_##STYPE}

static void drivers(void)
{
    ze_api_version_t version;
    OK(zeDriverGetApiVersion(driver, &version));
    CHECK(version >= ZE_API_VERSION_1_4);
    STRUCT(ze_driver_properties_t, DRIVER_PROPERTIES, properties);
    OK(zeDriverGetProperties(driver, &properties));
    CHECK(properties.driverVersion != 0);
    STRUCT(ze_driver_ipc_properties_t, DRIVER_IPC_PROPERTIES, ipc);
    OK(zeDriverGetIpcProperties(driver, &ipc));
    CHECK(ipc.flags & ZE_IPC_PROPERTY_FLAG_MEMORY);
    uint32_t count = 0;
    OK(zeDriverGetExtensionProperties(driver, &count, 0));
    CHECK(count > 10);
    ze_driver_extension_properties_t *extensions = calloc(count, sizeof *extensions);
    uint32_t fewer = 2;
    OK(zeDriverGetExtensionProperties(driver, &fewer, extensions));
    CHECK(fewer == 2 && !strncmp(extensions[1].name, "ZE_", 3) && !extensions[2].name[0]);
    free(extensions);
    void *function = 0;
    OK(zeDriverGetExtensionFunctionAddress(driver, "zeDeviceGet", &function));
    count = 0;
    OK(((ze_result_t(*)(ze_driver_handle_t, uint32_t *, ze_device_handle_t *))function)(driver, &count, 0));
    CHECK(count == 2);
    EXPECT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeDriverGetExtensionFunctionAddress(driver, "zexNone", &function));
}

static void devices(void)
{
    uint32_t count = 2;
    ze_device_handle_t all[3] = {0, 0, (ze_device_handle_t)(void *)&count};
    OK(zeDeviceGet(driver, &count, all));
    CHECK(all[0] == device && all[1] && all[2] == (void *)&count);
    graphics = all[1];
    uint32_t tiles = 0;
    OK(zeDeviceGetSubDevices(device, &tiles, 0));
    CHECK(tiles == 2);
    ze_device_handle_t tile[2];
    OK(zeDeviceGetSubDevices(device, &tiles, tile));
    STRUCT(ze_device_properties_t, DEVICE_PROPERTIES, of_tile);
    OK(zeDeviceGetProperties(tile[1], &of_tile));
    CHECK(of_tile.subdeviceId == 1 && (of_tile.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE));
    STRUCT(ze_eu_count_ext_t, EU_COUNT_EXT, units);
    ze_base_properties_t unknown = {(ze_structure_type_t)0x7abcdef, &units};
    STRUCT(ze_device_properties_t, DEVICE_PROPERTIES, properties);
    properties.pNext = &unknown;
    OK(zeDeviceGetProperties(device, &properties));
    CHECK(properties.vendorId == 0x8086 && units.numTotalEUs > 0 && properties.pNext == &unknown);
    STRUCT(ze_device_properties_t, DEVICE_PROPERTIES_1_2, older);
    OK(zeDeviceGetProperties(device, &older));
    CHECK(older.timerResolution == 1000000000 / properties.timerResolution);
    STRUCT(ze_device_compute_properties_t, DEVICE_COMPUTE_PROPERTIES, compute);
    OK(zeDeviceGetComputeProperties(device, &compute));
    CHECK(compute.numSubGroupSizes == 2 && compute.subGroupSizes[1] == 32 && !compute.subGroupSizes[2]);
    STRUCT(ze_device_module_properties_t, DEVICE_MODULE_PROPERTIES, modules);
    STRUCT(ze_float_atomic_ext_properties_t, FLOAT_ATOMIC_EXT_PROPERTIES, atomics);
    modules.pNext = &atomics;
    OK(zeDeviceGetModuleProperties(device, &modules));
    CHECK(modules.spirvVersionSupported >= ZE_MAKE_VERSION(1, 2) && atomics.fp32Flags);
    count = 0;
    OK(zeDeviceGetCommandQueueGroupProperties(device, &count, 0));
    ze_command_queue_group_properties_t groups[8] = {0};
    OK(zeDeviceGetCommandQueueGroupProperties(device, &count, groups));
    CHECK(count && count <= 8 && (groups[0].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE));
    count = 1;
    STRUCT(ze_device_memory_ext_properties_t, DEVICE_MEMORY_EXT_PROPERTIES, memory_type);
    STRUCT(ze_device_memory_properties_t, DEVICE_MEMORY_PROPERTIES, memory);
    memory.pNext = &memory_type;
    OK(zeDeviceGetMemoryProperties(device, &count, &memory));
    CHECK(memory.totalSize > 1u << 30 && memory_type.physicalSize > 1u << 30 && memory.name[0]);
    STRUCT(ze_device_memory_access_properties_t, DEVICE_MEMORY_ACCESS_PROPERTIES, access);
    OK(zeDeviceGetMemoryAccessProperties(device, &access));
    CHECK(access.deviceAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW);
    count = 1;
    STRUCT(ze_device_cache_properties_t, DEVICE_CACHE_PROPERTIES, cache);
    OK(zeDeviceGetCacheProperties(device, &count, &cache));
    CHECK(cache.cacheSize > 0);
    STRUCT(ze_device_image_properties_t, DEVICE_IMAGE_PROPERTIES, images);
    OK(zeDeviceGetImageProperties(graphics, &images));
    CHECK(images.maxImageDims2D >= 8192);
    STRUCT(ze_device_external_memory_properties_t, DEVICE_EXTERNAL_MEMORY_PROPERTIES, external);
    OK(zeDeviceGetExternalMemoryProperties(device, &external));
    STRUCT(ze_device_p2p_properties_t, DEVICE_P2P_PROPERTIES, peer);
    OK(zeDeviceGetP2PProperties(device, graphics, &peer));
    ze_bool_t can_access = 7;
    OK(zeDeviceCanAccessPeer(device, graphics, &can_access));
    CHECK(can_access == 1);
    OK(zeDeviceGetStatus(device));
    uint64_t host = 0, ticks = 0;
    OK(zeDeviceGetGlobalTimestamps(device, &host, &ticks));
    CHECK(host && ticks);
    EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, zeDeviceReserveCacheExt(device, 3, 64));
    EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
           zeDeviceSetCacheAdviceExt(device, &host, 8, ZE_CACHE_EXT_REGION_ZE_CACHE_REGION_DEFAULT));
    STRUCT(ze_pci_ext_properties_t, PCI_EXT_PROPERTIES, pci);
    OK(zeDevicePciGetPropertiesExt(device, &pci));
    CHECK(pci.address.bus && pci.maxSpeed.genVersion > 0);
    ze_fabric_vertex_handle_t vertex;
    EXPECT(0x7ff00001, zeDeviceGetFabricVertexExp(device, &vertex));
}

static void memory(void)
{
    STRUCT(ze_device_mem_alloc_desc_t, DEVICE_MEM_ALLOC_DESC, of_device);
    STRUCT(ze_host_mem_alloc_desc_t, HOST_MEM_ALLOC_DESC, of_host);
    char *on_device, *on_host, *both = shared(BYTES);
    OK(zeMemAllocDevice(context, &of_device, BYTES, 0, device, (void **)&on_device));
    TAKES(ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, zeMemAllocHost(context, &of_host, BYTES, 4103, (void **)&on_host));
    OK(zeMemAllocHost(context, &of_host, BYTES, 8192, (void **)&on_host));
    CHECK((uintptr_t)on_host % 8192 == 0);
    memset(on_host, 7, BYTES);
    STRUCT(ze_memory_allocation_properties_t, MEMORY_ALLOCATION_PROPERTIES, properties);
    ze_device_handle_t owner = 0;
    OK(zeMemGetAllocProperties(context, on_device + 5, &properties, &owner));
    CHECK(properties.type == ZE_MEMORY_TYPE_DEVICE && owner == device && properties.id);
    OK(zeMemGetAllocProperties(context, &owner, &properties, 0));
    CHECK(properties.type == ZE_MEMORY_TYPE_UNKNOWN);
    void *base;
    size_t size;
    OK(zeMemGetAddressRange(context, on_device + 100, &base, &size));
    CHECK(base == on_device && size >= BYTES);
    OK(zeMemGetAddressRange(context, on_device + 100, 0, &size));
    ze_ipc_mem_handle_t handle;
    void *again;
    OK(zeMemGetIpcHandle(context, on_device, &handle));
    on_device[3] = 42;
    OK(zeMemOpenIpcHandle(context, device, handle, 0, &again));
    CHECK(again != on_device && ((char *)again)[3] == 42);
    OK(zeMemCloseIpcHandle(context, again));
    OK(zeContextMakeMemoryResident(context, device, both, BYTES));
    OK(zeContextEvictMemory(context, device, both, BYTES));
    OK(zeContextSystemBarrier(context, device));
    OK(zeContextGetStatus(context));
    STRUCT(ze_memory_free_ext_desc_t, MEMORY_FREE_EXT_DESC, blocking);
    blocking.freePolicy = ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE;
    OK(zeMemFreeExt(context, &blocking, both));
    OK(zeMemFree(context, on_device));
    OK(zeMemFree(context, on_host));
    EXPECT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeMemFree(context, on_host));
}

static void virtual_memory(void)
{
    size_t page, size;
    OK(zeVirtualMemQueryPageSize(context, device, 1 << 20, &page));
    size = 4 * page;
    void *start = 0;
    TAKES(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeVirtualMemReserve(context, 0, size, &start));
    if (!start)  // the layer wants a wish for the address
        OK(zeVirtualMemReserve(context, (void *)(1ull << 44), size, &start));
    STRUCT(ze_physical_mem_desc_t, PHYSICAL_MEM_DESC, desc);
    desc.size = size;
    ze_physical_mem_handle_t physical;
    OK(zePhysicalMemCreate(context, device, &desc, &physical));
    OK(zeVirtualMemMap(context, start, size, physical, 0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
    memset(start, 1, size);
    OK(zeVirtualMemSetAccessAttribute(context, start, size, ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY));
    ze_memory_access_attribute_t access;
    size_t found;
    OK(zeVirtualMemGetAccessAttribute(context, start, size, &access, &found));
    CHECK(access == ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY && found == size);
    OK(zeVirtualMemUnmap(context, start, size));
    OK(zePhysicalMemDestroy(context, physical));
    OK(zeVirtualMemFree(context, start, size));
}

static void modules(const char *path)
{
    module = load(path);
    size_t size = 0;
    OK(zeModuleGetNativeBinary(module, &size, 0));
    uint8_t *binary = malloc(size);
    OK(zeModuleGetNativeBinary(module, &size, binary));
    CHECK(!memcmp(binary, "\177ELF", 4));
    free(binary);
    uint32_t count = 0;
    OK(zeModuleGetKernelNames(module, &count, 0));
    const char *names[8];
    OK(zeModuleGetKernelNames(module, &count, names));
    CHECK(count == 6 && !strcmp(names[0], "vadd"));
    STRUCT(ze_module_properties_t, MODULE_PROPERTIES, properties);
    OK(zeModuleGetProperties(module, &properties));
    void *place;
    EXPECT(ZE_RESULT_ERROR_INVALID_GLOBAL_NAME, zeModuleGetGlobalPointer(module, "none", &size, &place));
    OK(zeModuleGetFunctionPointer(module, "vadd", &place));
    ze_module_build_log_handle_t log;
    OK(zeModuleDynamicLink(1, &module, &log));
    size = 0;
    OK(zeModuleBuildLogGetString(log, &size, 0));
    char *text = malloc(size);
    OK(zeModuleBuildLogGetString(log, &size, text));
    CHECK(size == strlen(text) + 1);
    free(text);
    OK(zeModuleBuildLogDestroy(log));
    STRUCT(ze_linkage_inspection_ext_desc_t, LINKAGE_INSPECTION_EXT_DESC, inspection);
    inspection.flags = ZE_LINKAGE_INSPECTION_EXT_FLAG_EXPORTS;
    OK(zeModuleInspectLinkageExt(&inspection, 1, &module, &log));
    OK(zeModuleBuildLogDestroy(log));
    ze_module_desc_t broken = {ZE_STRUCTURE_TYPE_MODULE_DESC, 0, ZE_MODULE_FORMAT_IL_SPIRV, 8, (uint8_t *)"nothing", 0, 0};
    ze_module_handle_t none;
    EXPECT(ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, zeModuleCreate(context, device, &broken, &none, &log));
    OK(zeModuleBuildLogGetString(log, &size, 0));
    CHECK(size > 8);
    OK(zeModuleBuildLogDestroy(log));
}

static ze_kernel_handle_t kernels(void)
{
    ze_kernel_desc_t desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, 0, 0, "scale"};
    ze_kernel_handle_t kernel;
    OK(zeKernelCreate(module, &desc, &kernel));
    size_t size = 0;
    OK(zeKernelGetName(kernel, &size, 0));
    CHECK(size == sizeof "scale");
    char name[sizeof "scale"];
    OK(zeKernelGetName(kernel, &size, name));
    CHECK(!strcmp(name, "scale"));
    STRUCT(ze_kernel_preferred_group_size_properties_t, KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES, preferred);
    STRUCT(ze_kernel_properties_t, KERNEL_PROPERTIES, properties);
    properties.pNext = &preferred;
    OK(zeKernelGetProperties(kernel, &properties));
    CHECK(properties.numKernelArgs == 3 && preferred.preferredMultiple);
    uint32_t x, y, z, count;
    OK(zeKernelSuggestGroupSize(kernel, 256, 1, 1, &x, &y, &z));
    CHECK(x && y == 1 && z == 1);
    OK(zeKernelSetGroupSize(kernel, 16, 1, 1));
    OK(zeKernelSuggestMaxCooperativeGroupCount(kernel, &count));
    CHECK(count > 1);
    OK(zeKernelSetIndirectAccess(kernel, ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE));
    ze_kernel_indirect_access_flags_t flags = 0;
    OK(zeKernelGetIndirectAccess(kernel, &flags));
    CHECK(flags == ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE);
    OK(zeKernelSetCacheConfig(kernel, ZE_CACHE_CONFIG_FLAG_LARGE_SLM));
    uint32_t length = 0;
    TAKES(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeKernelGetSourceAttributes(kernel, &length, 0));
    char *attributes = 0;
    OK(zeKernelGetSourceAttributes(kernel, &length, &attributes));
    attributes = malloc(length);
    OK(zeKernelGetSourceAttributes(kernel, &length, &attributes));
    CHECK(length == strlen(attributes) + 1);
    free(attributes);
    OK(zeKernelSetGlobalOffsetExp(kernel, 0, 0, 0));
    STRUCT(ze_scheduling_hint_exp_desc_t, SCHEDULING_HINT_EXP_DESC, hint);
    OK(zeKernelSchedulingHintExp(kernel, &hint));
    return kernel;
}

static void launches(ze_kernel_handle_t kernel)
{
    float *values = shared(BYTES), factor = 2;
    EXPECT(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, zeKernelSetArgumentValue(kernel, 1, 0, &factor));
    EXPECT(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX, zeKernelSetArgumentValue(kernel, 3, 4, &factor));
    OK(zeKernelSetArgumentValue(kernel, 0, sizeof values, &values));
    OK(zeKernelSetArgumentValue(kernel, 1, sizeof factor, &factor));
    OK(zeKernelSetArgumentValue(kernel, 2, 16 * sizeof(float), 0));
    float factors[4] = {2, 3, 5, 7};
    TAKES(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, zeKernelSetArgumentValue(kernel, 1, sizeof factors, factors));
    TAKES(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE, zeKernelSetArgumentValue(kernel, 0, 4, &values));
    ze_group_count_t groups = {2, 1, 1};
    ze_group_count_t *indirect = shared(BYTES);
    indirect[0] = groups;
    uint32_t *count = shared(BYTES);
    *count = 1;
    STRUCT(ze_command_queue_desc_t, COMMAND_QUEUE_DESC, queue_desc);
    ze_command_queue_handle_t queue;
    OK(zeCommandQueueCreate(context, device, &queue_desc, &queue));
    STRUCT(ze_command_list_desc_t, COMMAND_LIST_DESC, list_desc);
    ze_command_list_handle_t list;
    OK(zeCommandListCreate(context, device, &list_desc, &list));
    STRUCT(ze_fence_desc_t, FENCE_DESC, fence_desc);
    ze_fence_handle_t fence;
    OK(zeFenceCreate(queue, &fence_desc, &fence));
    for (int index = 0; index < 32; index++)
        values[index] = (float)index;
    OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, 0, 0, 0));
    OK(zeCommandListAppendBarrier(list, 0, 0, 0));
    OK(zeCommandListAppendLaunchCooperativeKernel(list, kernel, &groups, 0, 0, 0));
    OK(zeCommandListAppendBarrier(list, 0, 0, 0));
    OK(zeCommandListAppendLaunchKernelIndirect(list, kernel, indirect, 0, 0, 0));
    size_t range = BYTES;
    const void *ranges[] = {values};
    OK(zeCommandListAppendMemoryRangesBarrier(list, 1, &range, ranges, 0, 0, 0));
    OK(zeCommandListAppendLaunchMultipleKernelsIndirect(list, 1, &kernel, count, indirect, 0, 0, 0));
    OK(zeCommandListClose(list));
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, fence));
    OK(zeFenceHostSynchronize(fence, UINT64_MAX));
    OK(zeFenceQueryStatus(fence));
    OK(zeFenceReset(fence));
    EXPECT(ZE_RESULT_NOT_READY, zeFenceQueryStatus(fence));
    OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
    for (int index = 0; index < 32; index++)
        CHECK(values[index] == 16 * (float)index);
    OK(zeCommandListReset(list));
    OK(zeFenceDestroy(fence));
    OK(zeCommandListDestroy(list));
    OK(zeCommandQueueDestroy(queue));
    OK(zeMemFree(context, values));
    OK(zeMemFree(context, indirect));
    OK(zeMemFree(context, count));
}

static void events(void)
{
    STRUCT(ze_event_pool_desc_t, EVENT_POOL_DESC, pool_desc);
    pool_desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | ZE_EVENT_POOL_FLAG_IPC;
    pool_desc.count = 3;
    ze_event_pool_handle_t pool, opened;
    OK(zeEventPoolCreate(context, &pool_desc, 0, 0, &pool));
    ze_event_handle_t event[3];
    for (uint32_t index = 0; index < 3; index++) {
        STRUCT(ze_event_desc_t, EVENT_DESC, desc);
        desc.index = index;
        OK(zeEventCreate(pool, &desc, &event[index]));
    }
    ze_ipc_event_pool_handle_t ipc;
    OK(zeEventPoolGetIpcHandle(pool, &ipc));
    OK(zeEventPoolOpenIpcHandle(context, ipc, &opened));
    STRUCT(ze_event_desc_t, EVENT_DESC, desc);
    ze_event_handle_t same;
    OK(zeEventCreate(opened, &desc, &same));
    OK(zeEventHostSignal(event[0]));
    OK(zeEventQueryStatus(same));
    OK(zeEventDestroy(same));
    OK(zeEventPoolCloseIpcHandle(opened));
    OK(zeEventHostReset(event[0]));
    EXPECT(ZE_RESULT_NOT_READY, zeEventHostSynchronize(event[0], 1000));
    ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    uint64_t *time = shared(BYTES);
    OK(zeCommandListAppendWaitOnEvents(list, 1, &event[0]));
    OK(zeCommandListAppendWriteGlobalTimestamp(list, time, event[1], 0, 0));
    OK(zeCommandListAppendSignalEvent(list, event[2]));
    EXPECT(ZE_RESULT_NOT_READY, zeEventQueryStatus(event[2]));
    OK(zeEventHostSignal(event[0]));
    OK(zeEventHostSynchronize(event[2], UINT64_MAX));
    CHECK(*time);
    ze_kernel_timestamp_result_t times;
    OK(zeEventQueryKernelTimestamp(event[1], &times));
    CHECK(times.global.kernelEnd >= times.global.kernelStart);
    uint32_t count = 1;
    OK(zeEventQueryTimestampsExp(event[1], device, &count, &times));
    CHECK(count == 1);
    ze_kernel_timestamp_result_t *results = shared(BYTES);
    size_t offset = 32;
    OK(zeCommandListAppendEventReset(list, event[2]));
    OK(zeEventHostReset(event[0]));
    OK(zeCommandListAppendQueryKernelTimestamps(list, 1, &event[1], results, &offset, event[0], 0, 0));
    OK(zeEventHostSynchronize(event[0], UINT64_MAX));
    CHECK(results[1].global.kernelStart == times.global.kernelStart);
    OK(zeCommandListDestroy(list));
    for (int index = 0; index < 3; index++)
        OK(zeEventDestroy(event[index]));
    OK(zeEventPoolDestroy(pool));
    OK(zeMemFree(context, time));
    OK(zeMemFree(context, results));
}

static void copies(void)
{
    ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    char *memory = shared(BYTES), *host = malloc(BYTES);
    uint16_t pattern = 0x1234;
    OK(zeCommandListAppendMemoryFill(list, memory, &pattern, sizeof pattern, BYTES, 0, 0, 0));
    OK(zeCommandListAppendMemoryCopy(list, host, memory, BYTES, 0, 0, 0));
    CHECK(((uint16_t *)host)[BYTES / 2 - 1] == pattern);
    ze_copy_region_t to = {4, 0, 0, 8, 2, 1}, from = {0, 1, 0, 8, 2, 1};
    for (int index = 0; index < BYTES; index++)
        host[index] = (char)index;
    OK(zeCommandListAppendMemoryCopyRegion(list, memory, &to, 16, 32, host, &from, 32, 64, 0, 0, 0));
    CHECK(memory[4] == 32 && memory[16 + 4 + 7] == 64 + 7);
    ze_context_desc_t desc = {ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_context_handle_t other;
    OK(zeContextCreateEx(driver, &desc, 1, &device, &other));
    STRUCT(ze_host_mem_alloc_desc_t, HOST_MEM_ALLOC_DESC, of_host);
    char *foreign;
    OK(zeMemAllocHost(other, &of_host, BYTES, 0, (void **)&foreign));
    foreign[9] = 99;
    OK(zeCommandListAppendMemoryCopyFromContext(list, memory, other, foreign, 16, 0, 0, 0));
    CHECK(memory[9] == 99);
    int is_strict = getenv("ZE_ENABLE_PARAMETER_VALIDATION") != 0; // memory is that of the list's context
    EXPECT(is_strict ? ZE_RESULT_ERROR_INVALID_ARGUMENT : ZE_RESULT_SUCCESS,
        zeCommandListAppendMemoryCopy(list, foreign + 16, memory, 16, 0, 0, 0));
    CHECK(is_strict || foreign[25] == 99);
    OK(zeCommandListAppendMemoryPrefetch(list, memory, BYTES));
    OK(zeCommandListAppendMemAdvise(list, device, memory, BYTES, ZE_MEMORY_ADVICE_SET_READ_MOSTLY));
    OK(zeContextDestroy(other));
    OK(zeCommandListDestroy(list));
    OK(zeMemFree(context, memory));
    free(host);
}

static void images(void)
{
    STRUCT(ze_image_desc_t, IMAGE_DESC, desc);
    desc.type = ZE_IMAGE_TYPE_2D;
    desc.format.layout = ZE_IMAGE_FORMAT_LAYOUT_32;
    desc.format.type = ZE_IMAGE_FORMAT_TYPE_UINT;
    desc.width = desc.height = 4;
    desc.depth = 1;
    STRUCT(ze_image_properties_t, IMAGE_PROPERTIES, properties);
    OK(zeImageGetProperties(graphics, &desc, &properties));
    ze_image_handle_t a, b, view;
    OK(zeImageCreate(context, graphics, &desc, &a));
    OK(zeImageCreate(context, graphics, &desc, &b));
    STRUCT(ze_image_memory_properties_exp_t, IMAGE_MEMORY_EXP_PROPERTIES, layout);
    OK(zeImageGetMemoryPropertiesExp(a, &layout));
    CHECK(layout.size >= 64 && layout.rowPitch >= 16);
    STRUCT(ze_image_allocation_ext_properties_t, IMAGE_ALLOCATION_EXT_PROPERTIES, allocation);
    OK(zeImageGetAllocPropertiesExt(context, a, &allocation));
    OK(zeImageViewCreateExp(context, graphics, &desc, a, &view));
    OK(zeImageDestroy(view));
    OK(zeContextMakeImageResident(context, graphics, a));
    OK(zeContextEvictImage(context, graphics, a));
    STRUCT(ze_command_queue_desc_t, COMMAND_QUEUE_DESC, queue_desc);
    queue_desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
    ze_command_list_handle_t list;
    OK(zeCommandListCreateImmediate(context, graphics, &queue_desc, &list));
    uint32_t texels[16], found[16] = {0};
    for (uint32_t index = 0; index < 16; index++)
        texels[index] = index;
    OK(zeCommandListAppendImageCopyFromMemory(list, a, texels, 0, 0, 0, 0));
    OK(zeCommandListAppendImageCopy(list, b, a, 0, 0, 0));
    ze_image_region_t region = {1, 1, 0, 2, 2, 1}, corner = {0, 0, 0, 2, 2, 1};
    OK(zeCommandListAppendImageCopyRegion(list, b, a, &corner, &region, 0, 0, 0));
    OK(zeCommandListAppendImageCopyToMemory(list, found, b, 0, 0, 0, 0));
    CHECK(found[0] == 5 && found[5] == 10 && found[15] == 15);
    OK(zeCommandListAppendImageCopyToMemoryExt(list, found, b, &corner, 32, 64, 0, 0, 0));
    CHECK(found[8] == 9);
    OK(zeCommandListAppendImageCopyFromMemoryExt(list, b, found, &corner, 32, 64, 0, 0, 0));
    STRUCT(ze_sampler_desc_t, SAMPLER_DESC, sampler_desc);
    ze_sampler_handle_t sampler;
    OK(zeSamplerCreate(context, graphics, &sampler_desc, &sampler));
    OK(zeSamplerDestroy(sampler));
    OK(zeCommandListDestroy(list));
    OK(zeImageDestroy(a));
    OK(zeImageDestroy(b));
}

int main(int count, char **arguments)
{
    CHECK(count == 2);
    begin();
    drivers();
    devices();
    memory();
    virtual_memory();
    copies();
    events();
    images();
    modules(arguments[1]);
    ze_kernel_handle_t kernel = kernels();
    launches(kernel);
    OK(zeKernelDestroy(kernel));
    OK(zeModuleDestroy(module));
    OK(zeContextDestroy(context));
    puts("done");
    return 0;
}
