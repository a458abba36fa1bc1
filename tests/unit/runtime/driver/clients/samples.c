// Does what samples and small tools do: finds the driver by each way, shows what it has, and shares events, memory and
// modules between contexts, devices and tiles.
#define _GNU_SOURCE
#include "client.h"
#include <dlfcn.h>

#define STRUCT(type, STYPE, name) type name = {ZE_STRUCTURE_TYPE_##STYPE}

enum { BYTES = 4096 };

static ze_device_handle_t devices[2];

typedef struct {
    uint32_t stype;
    const void *pNext;
    uint32_t flags;
} types_of_drivers;

typedef struct {
    char name[64];
    uint32_t specification;
    int version[3];
} component;

// The ways to begin: by the older call with each of its flags, and by the newer one, where the loader has it.
static void ways(void)
{
    OK(zeInit(ZE_INIT_FLAG_GPU_ONLY));
    OK(zeInit(0));
    ze_result_t (*versions)(size_t *, component *) =
        (ze_result_t(*)(size_t *, component *))dlsym(RTLD_DEFAULT, "zelLoaderGetVersions");
    CHECK(versions);
    size_t size = 0;
    OK(versions(&size, 0));
    CHECK(size > 0 && size < 8);
    component found[8];
    OK(versions(&size, found));
    CHECK(!strcmp(found[0].name, "loader") && found[0].version[0] == 1);
    ze_result_t (*init)(uint32_t *, ze_driver_handle_t *, types_of_drivers *) =
        (ze_result_t(*)(uint32_t *, ze_driver_handle_t *, types_of_drivers *))dlsym(RTLD_DEFAULT, "zeInitDrivers");
    if (!init)
        return;
    uint32_t flags[] = {1, 3, 7, UINT32_MAX};  // graphics alone, with other types, and all that may come
    for (int index = 0; index < 4; index++) {
        types_of_drivers desc = {0x00020021, 0, flags[index]};
        uint32_t count = 0;
        ze_driver_handle_t handle;
        OK(init(&count, 0, &desc));
        CHECK(count == 1);
        OK(init(&count, &handle, &desc));
        CHECK(handle == driver || !driver);
    }
}

static ze_command_list_handle_t list_of(ze_context_handle_t owner, ze_device_handle_t of)
{
    STRUCT(ze_command_queue_desc_t, COMMAND_QUEUE_DESC, desc);
    ze_command_list_handle_t found;
    OK(zeCommandListCreateImmediate(owner, of, &desc, &found));
    return found;
}

// One pool of events for both devices: one of them signals, the other one and the host wait.
static void across_devices(void)
{
    STRUCT(ze_event_pool_desc_t, EVENT_POOL_DESC, desc);
    desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
    desc.count = 2;
    ze_event_pool_handle_t pool;
    OK(zeEventPoolCreate(context, &desc, 2, devices, &pool));
    ze_event_handle_t events[2];
    for (uint32_t index = 0; index < 2; index++) {
        STRUCT(ze_event_desc_t, EVENT_DESC, of_event);
        of_event.index = index;
        of_event.signal = of_event.wait = ZE_EVENT_SCOPE_FLAG_DEVICE;
        OK(zeEventCreate(pool, &of_event, &events[index]));
    }
    STRUCT(ze_event_desc_t, EVENT_DESC, beyond);
    beyond.index = 2;
    ze_event_handle_t none;
    CHECK(zeEventCreate(pool, &beyond, &none) != ZE_RESULT_SUCCESS);
    STRUCT(ze_host_mem_alloc_desc_t, HOST_MEM_ALLOC_DESC, of_host);
    int *memory, numbers[2] = {3, 4};
    OK(zeMemAllocHost(context, &of_host, BYTES, 0, (void **)&memory));
    ze_command_list_handle_t lists[2] = {list_of(context, devices[0]), list_of(context, devices[1])};
    OK(zeCommandListAppendMemoryFill(lists[1], memory, &numbers[1], 4, BYTES, events[1], 1, &events[0]));
    EXPECT(ZE_RESULT_NOT_READY, zeEventQueryStatus(events[1]));
    OK(zeCommandListAppendMemoryFill(lists[0], memory, &numbers[0], 4, BYTES, events[0], 0, 0));
    OK(zeEventHostSynchronize(events[1], UINT64_MAX));
    CHECK(memory[0] == 4 && memory[1023] == 4);
    for (int index = 0; index < 2; index++) {
        OK(zeCommandListAppendEventReset(lists[index], events[index]));
        OK(zeCommandListDestroy(lists[index]));
        OK(zeEventDestroy(events[index]));
    }
    OK(zeEventPoolDestroy(pool));
    OK(zeMemFree(context, memory));
}

// Each tile has memory, lists and kernels of its own; its memory is that of its device, too.
static void tiles(const char *path)
{
    uint32_t count = 2;
    ze_device_handle_t parts[2], whole = device;
    OK(zeDeviceGetSubDevices(device, &count, parts));
    for (uint32_t index = 0; index < count; index++) {
        device = parts[index];
        ze_module_handle_t module = load(path);
        ze_kernel_desc_t desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, 0, 0, "vadd"};
        ze_kernel_handle_t kernel;
        OK(zeKernelCreate(module, &desc, &kernel));
        float *arrays[3];
        for (uint32_t array = 0; array < 3; array++) {
            arrays[array] = shared(256 * sizeof(float));
            OK(zeKernelSetArgumentValue(kernel, array, sizeof(void *), &arrays[array]));
        }
        EXPECT(ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX, zeKernelSetArgumentValue(kernel, 9, 8, &arrays[0]));
        OK(zeKernelSetArgumentValue(kernel, 0, 3, &arrays[0])); // an address is taken whole
        for (int item = 0; item < 256; item++)
            arrays[0][item] = (float)item, arrays[1][item] = 1;
        OK(zeKernelSetGroupSize(kernel, 64, 1, 1));
        ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
        ze_group_count_t *groups = shared(sizeof *groups);
        *groups = (ze_group_count_t){4, 1, 1};
        OK(zeCommandListAppendLaunchKernelIndirect(list, kernel, groups, 0, 0, 0));
        CHECK(arrays[2][255] == 256);
        OK(zeCommandListAppendLaunchCooperativeKernel(list, kernel, groups, 0, 0, 0));
        OK(zeCommandListDestroy(list));
        OK(zeKernelDestroy(kernel));
        OK(zeModuleDestroy(module));
        OK(zeMemFree(context, groups));
        for (int array = 0; array < 3; array++)
            OK(zeMemFree(context, arrays[array]));
    }
    device = whole;
}

// What cannot be built or found has a reason; advice and residency are taken for every kind of memory.
static void refusals(const char *path)
{
    uint8_t nonsense[64] = {3, 2, 35, 7};
    for (int native = 0; native < 2; native++) {
        ze_module_desc_t desc = {ZE_STRUCTURE_TYPE_MODULE_DESC};
        desc.format = native ? ZE_MODULE_FORMAT_NATIVE : ZE_MODULE_FORMAT_IL_SPIRV;
        desc.inputSize = sizeof nonsense;
        desc.pInputModule = nonsense;
        ze_module_handle_t module;
        ze_module_build_log_handle_t log = 0;
        ze_result_t expected = native ? ZE_RESULT_ERROR_INVALID_NATIVE_BINARY : ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
        EXPECT(expected, zeModuleCreate(context, device, &desc, &module, &log));
        // A loader that intercepts gives the log of a module that was not built as the driver's handle, which it does
        // not take back.
        if (getenv("ZE_ENABLE_LOADER_INTERCEPT"))
            continue;
        size_t size = 0;
        OK(zeModuleBuildLogGetString(log, &size, 0));
        CHECK(size > 1);
        OK(zeModuleBuildLogDestroy(log));
    }
    ze_module_handle_t module = load(path);
    ze_kernel_desc_t desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, 0, 0, "none"};
    ze_kernel_handle_t kernel;
    EXPECT(ZE_RESULT_ERROR_INVALID_KERNEL_NAME, zeKernelCreate(module, &desc, &kernel));
    OK(zeModuleDestroy(module));
    ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    char *memory = shared(BYTES);
    for (int advice = 0; advice < 8; advice++)
        OK(zeCommandListAppendMemAdvise(list, device, memory, BYTES, (ze_memory_advice_t)advice));
    OK(zeCommandListAppendMemoryPrefetch(list, memory, BYTES));
    OK(zeContextMakeMemoryResident(context, device, memory, 16));
    OK(zeContextEvictMemory(context, device, memory, 16));
    OK(zeCommandListDestroy(list));
    for (uint32_t policy = 0; policy < 3; policy++) {
        ze_memory_free_ext_desc_t freeing = {ZE_STRUCTURE_TYPE_MEMORY_FREE_EXT_DESC, 0, policy};
        OK(zeMemFreeExt(context, &freeing, policy ? shared(64) : memory));
    }
    STRUCT(ze_fence_desc_t, FENCE_DESC, signaled);
    signaled.flags = ZE_FENCE_FLAG_SIGNALED;
    STRUCT(ze_command_queue_desc_t, COMMAND_QUEUE_DESC, queue_desc);
    queue_desc.flags = ZE_COMMAND_QUEUE_FLAG_EXPLICIT_ONLY;
    ze_command_queue_handle_t queue;
    ze_fence_handle_t fence;
    OK(zeCommandQueueCreate(context, device, &queue_desc, &queue));
    OK(zeFenceCreate(queue, &signaled, &fence));
    OK(zeFenceQueryStatus(fence));
    OK(zeFenceDestroy(fence));
    OK(zeCommandQueueDestroy(queue));
}

// Copies as tools for bandwidth make them: all sizes, from and to vectors of the program, in lists executed repeatedly.
static void bandwidth(void)
{
    STRUCT(ze_device_mem_alloc_desc_t, DEVICE_MEM_ALLOC_DESC, of_device);
    size_t most = 1 << 22;
    char *vector = malloc(most), *back = calloc(1, most), *on_device;
    for (size_t index = 0; index < most; index++)
        vector[index] = (char)(index * 31 >> 3);
    OK(zeMemAllocDevice(context, &of_device, most, 1, device, (void **)&on_device));
    STRUCT(ze_command_queue_desc_t, COMMAND_QUEUE_DESC, queue_desc);
    ze_command_queue_handle_t queue;
    OK(zeCommandQueueCreate(context, device, &queue_desc, &queue));
    STRUCT(ze_command_list_desc_t, COMMAND_LIST_DESC, list_desc);
    for (size_t size = 1; size <= most; size *= 8) {
        ze_command_list_handle_t there, here;
        OK(zeCommandListCreate(context, device, &list_desc, &there));
        OK(zeCommandListCreate(context, device, &list_desc, &here));
        OK(zeCommandListAppendMemoryCopy(there, on_device, vector, size, 0, 0, 0));
        OK(zeCommandListAppendMemoryCopy(here, back, on_device, size, 0, 0, 0));
        OK(zeCommandListClose(there));
        OK(zeCommandListClose(here));
        for (int round = 0; round < 4; round++) {
            ze_command_list_handle_t both[2] = {there, here};
            OK(zeCommandQueueExecuteCommandLists(queue, round % 2 ? 2 : 1, round % 2 ? both : &there, 0));
            OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
        }
        CHECK(!memcmp(vector, back, size));
        OK(zeCommandListDestroy(there));
        OK(zeCommandListDestroy(here));
    }
    OK(zeCommandQueueDestroy(queue));
    OK(zeMemFree(context, on_device));
    free(vector);
    free(back);
}

int main(int count, char **arguments)
{
    CHECK(count == 2);
    ways();
    begin();
    ways();
    uint32_t found = 2;
    OK(zeDeviceGet(driver, &found, devices));
    CHECK(found == 2 && devices[0] == device);
    ze_context_desc_t desc = {ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_context_handle_t others[2];
    OK(zeContextCreateEx(driver, &desc, 0, 0, &others[0]));
    OK(zeContextCreateEx(driver, &desc, 2, devices, &others[1]));
    OK(zeContextGetStatus(others[1]));
    OK(zeContextDestroy(others[0]));
    OK(zeContextDestroy(others[1]));
    across_devices();
    tiles(arguments[1]);
    refusals(arguments[1]);
    bandwidth();
    OK(zeContextDestroy(context));
    puts("done");
    return 0;
}
