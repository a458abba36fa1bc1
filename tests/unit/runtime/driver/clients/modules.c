// Loads a module in SPIR-V from a file, as suites and samples do: names and attributes of kernels, variables, the native
// binary, fills of every pattern size on every queue group, and times of kernels one after the other.
#include "client.h"

static ze_module_handle_t loaded(const char *path)
{
    static uint8_t data[1 << 20];
    FILE *file = fopen(path, "rb");
    CHECK(file);
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    ze_module_desc_t desc = {ZE_STRUCTURE_TYPE_MODULE_DESC, 0, ZE_MODULE_FORMAT_IL_SPIRV, size, data, "-ze-opt-level=2", 0};
    ze_module_handle_t module;
    ze_module_build_log_handle_t log;
    OK(zeModuleCreate(context, device, &desc, &module, &log));
    size_t length = 0;
    OK(zeModuleBuildLogGetString(log, &length, 0));
    CHECK(length > 0);
    OK(zeModuleBuildLogDestroy(log));
    return module;
}

static void names(ze_module_handle_t module)
{
    uint32_t count = 0;
    OK(zeModuleGetKernelNames(module, &count, 0));
    const char *found[8];
    CHECK(count == 1);
    OK(zeModuleGetKernelNames(module, &count, found));
    CHECK(!strcmp(found[0], "count"));
    ze_module_properties_t properties = {ZE_STRUCTURE_TYPE_MODULE_PROPERTIES};
    OK(zeModuleGetProperties(module, &properties));
    CHECK(properties.flags == 0);
}

static void *mapped(void)
{
    size_t page;
    void *start;
    OK(zeVirtualMemQueryPageSize(context, device, 1 << 16, &page));
    OK(zeVirtualMemReserve(context, 0, page, &start));
    ze_physical_mem_desc_t desc = {ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, 0, 0, page};
    ze_physical_mem_handle_t physical;
    OK(zePhysicalMemCreate(context, device, &desc, &physical));
    OK(zeVirtualMemMap(context, start, page, physical, 0, ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE));
    return start;
}

// A kernel counts what each of its work-items sees of the variable, in memory that is mapped.
static void counts(ze_module_handle_t module)
{
    ze_kernel_desc_t desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, 0, 0, "count"};
    ze_kernel_handle_t kernel;
    OK(zeKernelCreate(module, &desc, &kernel));
    uint32_t size = 0;
    OK(zeKernelGetSourceAttributes(kernel, &size, 0));
    char text[64], *place = text;
    CHECK(size <= sizeof text);
    OK(zeKernelGetSourceAttributes(kernel, &size, &place));
    CHECK(!strcmp(text, "work_group_size_hint(1,1,1)"));
    size_t bytes;
    void *variable, *results = mapped();
    OK(zeModuleGetGlobalPointer(module, "start", &bytes, &variable));
    CHECK(bytes == 4);
    ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    int start = 40, found[32];
    OK(zeCommandListAppendMemoryCopy(list, variable, &start, 4, 0, 0, 0));
    OK(zeKernelSetGroupSize(kernel, 16, 1, 1));
    OK(zeKernelSetArgumentValue(kernel, 0, sizeof results, &results));
    ze_event_pool_desc_t pool_desc = {ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, 0, ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, 1};
    ze_event_pool_handle_t pool;
    OK(zeEventPoolCreate(context, &pool_desc, 0, 0, &pool));
    ze_event_desc_t event_desc = {ZE_STRUCTURE_TYPE_EVENT_DESC};
    ze_event_handle_t event;
    OK(zeEventCreate(pool, &event_desc, &event));
    uint64_t last = 0;
    for (int launch = 0; launch < 5; launch++) {
        ze_group_count_t groups = {2, 1, 1};
        ze_kernel_timestamp_result_t times;
        OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, event, 0, 0));
        OK(zeEventQueryKernelTimestamp(event, &times));
        CHECK(times.global.kernelStart >= last && times.global.kernelEnd >= times.global.kernelStart);
        last = times.global.kernelEnd;
        OK(zeEventHostReset(event));
        EXPECT(ZE_RESULT_NOT_READY, zeEventQueryKernelTimestamp(event, &times));
    }
    OK(zeCommandListAppendMemoryCopy(list, found, results, sizeof found, 0, 0, 0));
    for (int index = 0; index < 32; index++)
        CHECK(found[index] == start + index);
}

static void fills(void)
{
    uint32_t count = 0;
    OK(zeDeviceGetCommandQueueGroupProperties(device, &count, 0));
    ze_command_queue_group_properties_t groups[4] = {{ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES}};
    CHECK(count <= 4);
    OK(zeDeviceGetCommandQueueGroupProperties(device, &count, groups));
    uint8_t pattern[2048], found[5 * 2048];
    for (size_t index = 0; index < sizeof pattern; index++)
        pattern[index] = (uint8_t)(index * 7 + index / 256);
    uint8_t *memory = shared(sizeof found);
    for (uint32_t ordinal = 0; ordinal < count; ordinal++) {
        ze_command_queue_desc_t desc = {ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, 0, ordinal};
        desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
        ze_command_list_handle_t list;
        OK(zeCommandListCreateImmediate(context, device, &desc, &list));
        size_t most = groups[ordinal].maxMemoryFillPatternSize;
        for (size_t size = 1; size <= most && size <= sizeof pattern; size *= 2) {
            size_t bytes = 5 * size - size / 2;  // the last pattern is cut
            OK(zeCommandListAppendMemoryFill(list, memory, pattern, size, bytes, 0, 0, 0));
            OK(zeCommandListAppendMemoryCopy(list, found, memory, bytes, 0, 0, 0));
            for (size_t index = 0; index < bytes; index++)
                CHECK(found[index] == pattern[index % size]);
        }
        OK(zeCommandListDestroy(list));
    }
}

// The descriptor of a program says all, so that of the module may have anything in its place.
static void program(const char *path)
{
    static uint8_t data[1 << 20];
    FILE *file = fopen(path, "rb");
    CHECK(file);
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    const uint8_t *inputs[] = {data};
    ze_module_program_exp_desc_t all = {ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC, 0, 1, &size, inputs, 0, 0};
    void *no_address = (void *)1;
    ze_module_desc_t desc = {ZE_STRUCTURE_TYPE_MODULE_DESC, &all, ZE_MODULE_FORMAT_IL_SPIRV, 1, no_address, no_address, no_address};
    ze_module_handle_t module;
    OK(zeModuleCreate(context, device, &desc, &module, 0));
    names(module);
}

int main(int count, char **arguments)
{
    CHECK(count == 2);
    begin();
    ze_module_handle_t module = loaded(arguments[1]);
    names(module);
    program(arguments[1]);
    counts(module);
    fills();
    puts("done");
    return 0;
}
