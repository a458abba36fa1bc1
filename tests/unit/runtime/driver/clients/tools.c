// Measures a launch with the metrics of the tools API, and asks what a debugger asks first.
#include "client.h"
#include <level_zero/zet_api.h>

static zet_metric_group_handle_t group_sampled_by(zet_metric_group_sampling_type_flags_t sampling)
{
    uint32_t count = 0;
    OK(zetMetricGroupGet(device, &count, 0));
    CHECK(count && count < 64);
    zet_metric_group_handle_t groups[64];
    OK(zetMetricGroupGet(device, &count, groups));
    for (uint32_t index = 0; index < count; index++) {
        zet_metric_group_properties_t properties = {ZET_STRUCTURE_TYPE_METRIC_GROUP_PROPERTIES};
        OK(zetMetricGroupGetProperties(groups[index], &properties));
        CHECK(properties.stype == ZET_STRUCTURE_TYPE_METRIC_GROUP_PROPERTIES && properties.name[0]);
        if (properties.samplingType & sampling)
            return groups[index];
    }
    CHECK(!"a group that is sampled so");
    return 0;
}

static void metrics(const char *path)
{
    zet_metric_group_handle_t group = group_sampled_by(ZET_METRIC_GROUP_SAMPLING_TYPE_FLAG_EVENT_BASED);
    OK(zetContextActivateMetricGroups(context, device, 1, &group));
    zet_metric_query_pool_desc_t desc = {ZET_STRUCTURE_TYPE_METRIC_QUERY_POOL_DESC};
    desc.type = ZET_METRIC_QUERY_POOL_TYPE_PERFORMANCE;
    zet_metric_query_pool_handle_t pool;
    EXPECT(ZE_RESULT_ERROR_INVALID_SIZE, zetMetricQueryPoolCreate(context, device, group, &desc, &pool));
    desc.count = 2;
    OK(zetMetricQueryPoolCreate(context, device, group, &desc, &pool));
    zet_metric_query_handle_t query;
    OK(zetMetricQueryCreate(pool, 1, &query));
    ze_module_handle_t module = load(path);
    ze_kernel_desc_t kernel_desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, 0, 0, "nothing"};
    ze_kernel_handle_t kernel;
    OK(zeKernelCreate(module, &kernel_desc, &kernel));
    OK(zeKernelSetGroupSize(kernel, 16, 1, 1));
    ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    ze_group_count_t groups = {8, 1, 1};
    OK(zetCommandListAppendMetricQueryBegin(list, query));
    OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, 0, 0, 0));
    OK(zetCommandListAppendMetricQueryEnd(list, query, 0, 0, 0));
    OK(zetCommandListAppendMetricMemoryBarrier(list));
    size_t size = 0;
    OK(zetMetricQueryGetData(query, &size, 0));
    CHECK(size);
    uint8_t *data = malloc(size);
    OK(zetMetricQueryGetData(query, &size, data));

    uint32_t metric_count = 0, value_count = 0;
    OK(zetMetricGet(group, &metric_count, 0));
    zet_metric_handle_t *all = calloc(metric_count, sizeof *all);
    OK(zetMetricGet(group, &metric_count, all));
    uint32_t sets = 0, total = 0;
    zet_metric_group_calculation_type_t kind = ZET_METRIC_GROUP_CALCULATION_TYPE_METRIC_VALUES;
    OK(zetMetricGroupCalculateMultipleMetricValuesExp(group, kind, size, data, &sets, &total, 0, 0));
    CHECK(sets == 2 && total == sets * metric_count);  // a set for each tile
    uint32_t *counts = calloc(sets, sizeof *counts);
    zet_typed_value_t *values = calloc(total + 1, sizeof *values);
    OK(zetMetricGroupCalculateMultipleMetricValuesExp(group, kind, size, data, &sets, &total, counts, values));
    CHECK(counts[0] == metric_count && counts[1] == metric_count && !values[total].value.ui64);
    for (uint32_t index = 0; index < metric_count; index++) {
        zet_metric_properties_t properties = {ZET_STRUCTURE_TYPE_METRIC_PROPERTIES};
        OK(zetMetricGetProperties(all[index], &properties));
        CHECK(properties.resultType == values[index].type);
        if (properties.resultType == ZET_VALUE_TYPE_UINT64)
            printf("%s %lu\n", properties.name, values[index].value.ui64 + values[metric_count + index].value.ui64);
    }
    // Several sets are no data for one, and half a report is none.
    EXPECT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zetMetricGroupCalculateMetricValues(group, kind, size, data, &value_count, 0));
    EXPECT(ZE_RESULT_ERROR_INVALID_ARGUMENT,
        zetMetricGroupCalculateMetricValues(group, kind, size / 2 - 1, data, &value_count, 0));
    OK(zetMetricGroupCalculateMetricValues(group, kind, size / 2, data, &value_count, 0));
    CHECK(value_count == metric_count);
    OK(zetMetricQueryReset(query));
    EXPECT(ZE_RESULT_NOT_READY, zetMetricQueryGetData(query, &size, data));
    OK(zetMetricQueryDestroy(query));
    OK(zetMetricQueryPoolDestroy(pool));
    OK(zetContextActivateMetricGroups(context, device, 0, 0));
}

// A stream of samples: how many bytes there are is asked for first, and what was read is gone.
static void stream(void)
{
    zet_metric_group_handle_t group = group_sampled_by(ZET_METRIC_GROUP_SAMPLING_TYPE_FLAG_TIME_BASED);
    OK(zetContextActivateMetricGroups(context, device, 1, &group));
    zet_metric_streamer_desc_t desc = {ZET_STRUCTURE_TYPE_METRIC_STREAMER_DESC, 0, 10, 100001};
    zet_metric_streamer_handle_t streamer;
    OK(zetMetricStreamerOpen(context, device, group, &desc, 0, &streamer));
    CHECK(desc.stype == ZET_STRUCTURE_TYPE_METRIC_STREAMER_DESC && desc.samplingPeriod != 100001);  // whole ticks
    size_t size = 0;
    while (!size)
        OK(zetMetricStreamerReadData(streamer, 4, &size, 0));
    uint8_t *data = malloc(size + 1);
    data[size] = 99;
    size_t room = size;
    OK(zetMetricStreamerReadData(streamer, UINT32_MAX, &room, data));
    CHECK(room == size && data[size] == 99);
    EXPECT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zetMetricStreamerReadData((void *)group, 1, &room, 0));
    OK(zetMetricStreamerClose(streamer));
    OK(zetContextActivateMetricGroups(context, device, 0, 0));
    free(data);
}

static void debug(void)
{
    zet_device_debug_properties_t properties = {ZET_STRUCTURE_TYPE_DEVICE_DEBUG_PROPERTIES};
    OK(zetDeviceGetDebugProperties(device, &properties));
    CHECK(properties.flags & ZET_DEVICE_DEBUG_PROPERTY_FLAG_ATTACH);
    uint32_t count = 0;
    OK(zetDebugGetRegisterSetProperties(device, &count, 0));
    CHECK(count > 1 && count < 32);
    zet_debug_regset_properties_t sets[32] = {{0}};
    OK(zetDebugGetRegisterSetProperties(device, &count, sets));
    CHECK(sets[0].type == 1 && sets[0].count && sets[0].byteSize * 8 == sets[0].bitSize);
    zet_debug_session_handle_t session;
    zet_debug_config_t none = {0x7ffffff0};
    EXPECT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zetDebugAttach(device, &none, &session));
    ze_device_thread_t thread = {0, 0, 0, 0};
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zetDebugInterrupt(0, thread));
}

// Debug information by size first, as much of it as there is room for, and the flags of a profile.
static void instrumentation(void)
{
    const char *text = "gpu.module @m {\n  gpu.func @k() kernel {\n    gpu.return\n  }\n}\n";
    ze_module_desc_t desc = {ZE_STRUCTURE_TYPE_MODULE_DESC, 0, (ze_module_format_t)0x7fff0001, strlen(text),
        (const uint8_t *)text, "-zet-profile-flags 0x3", 0};
    ze_module_handle_t module;
    OK(zeModuleCreate(context, device, &desc, &module, 0));
    const zet_module_debug_info_format_t format = ZET_MODULE_DEBUG_INFO_FORMAT_ELF_DWARF;
    EXPECT(ZE_RESULT_ERROR_INVALID_ENUMERATION, zetModuleGetDebugInfo(module, format + 1, &(size_t){0}, 0));
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zetModuleGetDebugInfo(module, format, 0, 0));
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zetModuleGetDebugInfo(0, format, &(size_t){0}, 0));
    size_t size = 0, few = 4;
    OK(zetModuleGetDebugInfo(module, format, &size, 0));
    CHECK(size > 64);
    uint8_t *data = calloc(size, 1);
    OK(zetModuleGetDebugInfo(module, format, &few, data));
    CHECK(!memcmp(data, "\177ELF", 4) && !data[4]);
    OK(zetModuleGetDebugInfo(module, format, &size, data));
    CHECK(data[16] == 2);  // an executable file
    free(data);

    ze_kernel_desc_t kernel_desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, 0, 0, "k"};
    ze_kernel_handle_t kernel;
    OK(zeKernelCreate(module, &kernel_desc, &kernel));
    zet_profile_properties_t properties[2] = {{ZET_STRUCTURE_TYPE_PROFILE_PROPERTIES, 0, 9, 9}, {7, 0, 7, 7}};
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zetKernelGetProfileInfo(kernel, 0));
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zetKernelGetProfileInfo(0, properties));
    OK(zetKernelGetProfileInfo(kernel, properties));
    CHECK(properties[0].stype == ZET_STRUCTURE_TYPE_PROFILE_PROPERTIES && properties[0].flags == 3);
    CHECK(!properties[0].numTokens && properties[1].stype == 7);  // nothing behind the structure
    OK(zeKernelDestroy(kernel));
    OK(zeModuleDestroy(module));
}

int main(int count, char **arguments)
{
    CHECK(count == 2);
    begin();
    metrics(arguments[1]);
    stream();
    debug();
    instrumentation();
    puts("done");
    return 0;
}
