// Asks the driver by name for the functions of metrics that the header of the system does not have, and calls each.
#include "client.h"
#include <level_zero/zet_api.h>

typedef void *handle;

static void *find(const char *name)
{
    void *found;
    OK(zeDriverGetExtensionFunctionAddress(driver, name, &found));
    return found;
}

#define CALL(name, types, ...) ((ze_result_t(*) types)find(#name))(__VA_ARGS__)

static zet_metric_group_handle_t group_of(const char *name, zet_metric_group_sampling_type_flags_t sampling)
{
    uint32_t count = 64;
    zet_metric_group_handle_t groups[64];
    OK(zetMetricGroupGet(device, &count, groups));
    for (uint32_t index = 0; index < count; index++) {
        zet_metric_group_properties_t properties = {ZET_STRUCTURE_TYPE_METRIC_GROUP_PROPERTIES};
        OK(zetMetricGroupGetProperties(groups[index], &properties));
        if (!strcmp(properties.name, name) && properties.samplingType & sampling)
            return groups[index];
    }
    CHECK(!"the group");
    return 0;
}

enum { EVENTS = ZET_METRIC_GROUP_SAMPLING_TYPE_FLAG_EVENT_BASED, TIME = ZET_METRIC_GROUP_SAMPLING_TYPE_FLAG_TIME_BASED };

static void enabling(void)
{
    uint32_t count = 0;
    OK(CALL(zetDeviceEnableMetricsExp, (handle), device));
    OK(zetMetricGroupGet(device, &count, 0));
    CHECK(count);
    OK(CALL(zetDeviceDisableMetricsExp, (handle), device));
    count = 0;
    OK(zetMetricGroupGet(device, &count, 0));
    CHECK(!count);
    OK(CALL(zetDeviceEnableMetricsExp, (handle), device));
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, CALL(zetDeviceEnableMetricsExp, (handle), 0));
}

// Groups of one domain need a pass each; the array comes back in the order of the passes.
static void passes(void)
{
    handle first = group_of("ComputeBasic", EVENTS), second = group_of("InstructionMix", EVENTS);
    handle memory = group_of("MemoryProfile", EVENTS), groups[] = {first, second, memory};
    uint32_t count = 0, sizes[3] = {9, 9, 9};
    OK(CALL(zetDeviceGetConcurrentMetricGroupsExp, (handle, uint32_t, handle *, uint32_t *, uint32_t *), device, 3,
        groups, 0, &count));
    CHECK(count == 2 && groups[1] == second);
    OK(CALL(zetDeviceGetConcurrentMetricGroupsExp, (handle, uint32_t, handle *, uint32_t *, uint32_t *), device, 3,
        groups, sizes, &count));
    CHECK(count == 2 && sizes[0] == 2 && sizes[1] == 1 && sizes[2] == 9);
    CHECK(groups[0] == first && groups[1] == memory && groups[2] == second);
}

static void timestamps(void)
{
    uint64_t device_time = 0, metric_time = 0, later = 0;
    handle group = group_of("ComputeBasic", TIME);
    OK(CALL(zetMetricGroupGetGlobalTimestampsExp, (handle, ze_bool_t, uint64_t *, uint64_t *), group, 0, &device_time,
        &metric_time));
    OK(CALL(zetMetricGroupGetGlobalTimestampsExp, (handle, ze_bool_t, uint64_t *, uint64_t *), group, 1, &device_time,
        &later));
    CHECK(device_time && metric_time && later >= metric_time);
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER,
        CALL(zetMetricGroupGetGlobalTimestampsExp, (handle, ze_bool_t, uint64_t *, uint64_t *), group, 0, &later, 0));
}

struct calculation {
    unsigned stype;
    const void *pNext;
    uint32_t skip;
};

// A stream that a marker goes into and that signals an event; its data are exported and calculated again.
static void stream(void)
{
    handle group = group_of("ComputeBasic", TIME);
    OK(zetContextActivateMetricGroups(context, device, 1, (void *)&group));
    ze_event_pool_desc_t pool_desc = {ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, 0, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1};
    ze_event_pool_handle_t pool;
    OK(zeEventPoolCreate(context, &pool_desc, 1, &device, &pool));
    ze_event_desc_t event_desc = {ZE_STRUCTURE_TYPE_EVENT_DESC, 0, 0, ZE_EVENT_SCOPE_FLAG_HOST, ZE_EVENT_SCOPE_FLAG_HOST};
    ze_event_handle_t event;
    OK(zeEventCreate(pool, &event_desc, &event));
    zet_metric_streamer_desc_t desc = {ZET_STRUCTURE_TYPE_METRIC_STREAMER_DESC, 0, 2, 100000};
    zet_metric_streamer_handle_t streamer;
    OK(zetMetricStreamerOpen(context, device, group, &desc, event, &streamer));
    EXPECT(ZE_RESULT_ERROR_NOT_AVAILABLE, zetMetricStreamerOpen(context, device, group, &desc, 0, &streamer));
    ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    OK(zetCommandListAppendMetricStreamerMarker(list, streamer, 1));
    OK(CALL(zetCommandListAppendMarkerExp, (handle, handle, uint32_t), list, group, 77));
    OK(zeEventHostSynchronize(event, UINT64_MAX));
    size_t size = 0;
    while (!size)
        OK(zetMetricStreamerReadData(streamer, 2, &size, 0));
    uint8_t *data = malloc(size);
    OK(zetMetricStreamerReadData(streamer, 2, &size, data));

    size_t exported_size = 0;
    OK(CALL(zetMetricGroupGetExportDataExp, (handle, const uint8_t *, size_t, size_t *, uint8_t *), group, data, size,
        &exported_size, 0));
    CHECK(exported_size > size);
    uint8_t *exported = malloc(exported_size + 1);
    exported[exported_size] = 99;
    OK(CALL(zetMetricGroupGetExportDataExp, (handle, const uint8_t *, size_t, size_t *, uint8_t *), group, data, size,
        &exported_size, exported));
    CHECK(exported[exported_size] == 99);
    struct calculation how = {0x00010005, 0, 0};
    uint32_t sets = 0, total = 0, again_sets = 0, again_total = 0, counts[2], again_counts[2];
    zet_metric_group_calculation_type_t kind = ZET_METRIC_GROUP_CALCULATION_TYPE_METRIC_VALUES;
    OK(zetMetricGroupCalculateMultipleMetricValuesExp(group, kind, size, data, &sets, &total, 0, 0));
    OK(CALL(zetMetricGroupCalculateMetricExportDataExp,
        (handle, unsigned, size_t, const uint8_t *, struct calculation *, uint32_t *, uint32_t *, uint32_t *,
            zet_typed_value_t *),
        driver, kind, exported_size, exported, &how, &again_sets, &again_total, 0, 0));
    CHECK(sets == 2 && total && again_sets == sets && again_total == total);
    zet_typed_value_t *values = calloc(total, sizeof *values), *again = calloc(total, sizeof *again);
    OK(zetMetricGroupCalculateMultipleMetricValuesExp(group, kind, size, data, &sets, &total, counts, values));
    OK(CALL(zetMetricGroupCalculateMetricExportDataExp,
        (handle, unsigned, size_t, const uint8_t *, struct calculation *, uint32_t *, uint32_t *, uint32_t *,
            zet_typed_value_t *),
        driver, kind, exported_size, exported, &how, &again_sets, &again_total, again_counts, again));
    CHECK(!memcmp(counts, again_counts, sizeof counts) && !memcmp(values, again, total * sizeof *values));
    // An array that is too small gets the first values, and nothing behind them.
    uint32_t few = 3;
    memset(again, 99, total * sizeof *again);
    OK(zetMetricGroupCalculateMultipleMetricValuesExp(group, kind, size, data, &sets, &few, counts, again));
    CHECK(few == 3 && again[2].type == values[2].type && ((uint8_t *)(again + 3))[0] == 99);

    OK(zetMetricStreamerClose(streamer));
    OK(zetContextActivateMetricGroups(context, device, 0, 0));
    OK(zeEventDestroy(event));
    OK(zeEventPoolDestroy(pool));
    OK(zeCommandListDestroy(list));
}

// What no PVC has is refused, also for handles of null.
static void refusals(void)
{
    handle group = group_of("ComputeBasic", EVENTS), metric, found;
    uint32_t count = 1;
    size_t size = 0;
    OK(zetMetricGet(group, &count, (void *)&metric));
    CHECK(count == 1);
    const ze_result_t no = ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, null = ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    EXPECT(no, CALL(zetMetricProgrammableGetExp, (handle, uint32_t *, handle *), device, &count, 0));
    EXPECT(null, CALL(zetMetricProgrammableGetPropertiesExp, (handle, void *), 0, &count));
    EXPECT(null, CALL(zetMetricProgrammableGetParamInfoExp, (handle, uint32_t *, void *), 0, &count, 0));
    EXPECT(null, CALL(zetMetricProgrammableGetParamValueInfoExp, (handle, uint32_t, uint32_t *, void *), 0, 0, &count, 0));
    EXPECT(null, CALL(zetMetricCreateFromProgrammableExp,
        (handle, void *, uint32_t, const char *, const char *, uint32_t *, handle *), 0, &size, 1, "a", "b", &count, &found));
    EXPECT(null, CALL(zetMetricCreateFromProgrammableExp2,
        (handle, uint32_t, void *, const char *, const char *, uint32_t *, handle *), 0, 1, &size, "a", "b", &count, &found));
    EXPECT(no, CALL(zetMetricDestroyExp, (handle), metric));
    EXPECT(no, CALL(zetMetricGroupCreateExp, (handle, const char *, const char *, uint32_t, handle *), device, "a", "b",
        TIME, &found));
    EXPECT(no, CALL(zetMetricGroupAddMetricExp, (handle, handle, size_t *, char *), group, metric, &size, 0));
    EXPECT(no, CALL(zetMetricGroupRemoveMetricExp, (handle, handle), group, metric));
    EXPECT(no, CALL(zetMetricGroupCloseExp, (handle), group));
    EXPECT(no, CALL(zetMetricGroupDestroyExp, (handle), group));
    EXPECT(no, CALL(zetDeviceCreateMetricGroupsFromMetricsExp,
        (handle, uint32_t, handle *, const char *, const char *, uint32_t *, handle *), device, 1, &metric, "a", "b",
        &count, 0));
    struct calculation desc = {0x00010008, 0, 1};
    EXPECT(no, CALL(zetMetricTracerCreateExp, (handle, handle, uint32_t, handle *, void *, handle, handle *), context,
        device, 1, &group, &desc, 0, &found));
    EXPECT(null, CALL(zetMetricTracerDestroyExp, (handle), 0));
    EXPECT(null, CALL(zetMetricTracerEnableExp, (handle, ze_bool_t), 0, 1));
    EXPECT(null, CALL(zetMetricTracerDisableExp, (handle, ze_bool_t), 0, 1));
    EXPECT(null, CALL(zetMetricTracerReadDataExp, (handle, size_t *, uint8_t *), 0, &size, 0));
    EXPECT(null, CALL(zetMetricTracerDecodeExp,
        (handle, size_t *, uint8_t *, uint32_t, handle *, uint32_t *, uint32_t *, uint32_t *, void *), 0, &size,
        (uint8_t *)&size, 1, &metric, &count, 0, &count, 0));
    EXPECT(null, CALL(zetMetricDecoderCreateExp, (handle, handle *), 0, &found));
    EXPECT(null, CALL(zetMetricDecoderDestroyExp, (handle), 0));
    EXPECT(null, CALL(zetMetricDecoderGetDecodableMetricsExp, (handle, uint32_t *, handle *), 0, &count, 0));
}

int main(void)
{
    begin();
    enabling();
    passes();
    timestamps();
    stream();
    refusals();
    puts("done");
    return 0;
}
