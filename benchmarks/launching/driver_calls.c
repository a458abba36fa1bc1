// Times calls of Level Zero, and prints each with its microseconds. The argument is a ZEBIN with a kernel `empty`.

#include <level_zero/ze_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e6 + time.tv_nsec / 1e3;
}

static void check(ze_result_t result, const char *call)
{
    if (result != ZE_RESULT_SUCCESS) {
        fprintf(stderr, "%s: %#x\n", call, result);
        exit(1);
    }
}

#define CHECK(call) check(call, #call)

// The best of many batches of a call.
#define TIME(name, call) \
    do { \
        double best = 1e30; \
        CHECK(call); \
        for (int batch = 0; batch < 60; batch++) { \
            double start = now(); \
            for (int count = 0; count < 100; count++) \
                CHECK(call); \
            double taken = (now() - start) / 100; \
            best = taken < best ? taken : best; \
        } \
        printf(name " %f\n", best); \
    } while (0)

static ze_result_t launch_and_wait(ze_command_list_handle_t list, ze_kernel_handle_t kernel, ze_event_handle_t event)
{
    ze_group_count_t groups = {1, 1, 1};
    ze_result_t result = zeCommandListAppendLaunchKernel(list, kernel, &groups, event, 0, NULL);
    if (result == ZE_RESULT_SUCCESS)
        result = zeEventHostSynchronize(event, UINT64_MAX);
    return result == ZE_RESULT_SUCCESS ? zeEventHostReset(event) : result;
}

static ze_result_t execute_and_wait(ze_command_queue_handle_t queue, ze_command_list_handle_t list)
{
    ze_result_t result = zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL);
    return result == ZE_RESULT_SUCCESS ? zeCommandQueueSynchronize(queue, UINT64_MAX) : result;
}

int main(int count, char **arguments)
{
    double start = now();
    CHECK(zeInit(0));
    printf("zeInit %f\n", now() - start);
    start = now();
    uint32_t one = 1;
    ze_driver_handle_t driver;
    ze_device_handle_t device;
    CHECK(zeDriverGet(&one, &driver));
    CHECK(zeDeviceGet(driver, &one, &device));
    ze_context_desc_t context_desc = {ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_context_handle_t context;
    CHECK(zeContextCreate(driver, &context_desc, &context));
    printf("first driver, device and context %f\n", now() - start);

    ze_api_version_t version;
    TIME("zeDriverGetApiVersion", zeDriverGetApiVersion(driver, &version));
    ze_device_properties_t properties = {ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    TIME("zeDeviceGetProperties", zeDeviceGetProperties(device, &properties));
    ze_memory_allocation_properties_t memory = {ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
    TIME("zeMemGetAllocProperties", zeMemGetAllocProperties(context, &one, &memory, NULL));

    FILE *file = fopen(arguments[count - 1], "rb");
    static uint8_t binary[1 << 20];
    size_t size = fread(binary, 1, sizeof binary, file);
    fclose(file);
    start = now();
    ze_module_desc_t module_desc = {ZE_STRUCTURE_TYPE_MODULE_DESC, NULL, ZE_MODULE_FORMAT_NATIVE, size, binary};
    ze_module_handle_t module;
    CHECK(zeModuleCreate(context, device, &module_desc, &module, NULL));
    ze_kernel_desc_t kernel_desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, NULL, 0, "empty"};
    ze_kernel_handle_t kernel;
    CHECK(zeKernelCreate(module, &kernel_desc, &kernel));
    ze_command_queue_desc_t queue_desc = {ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
    queue_desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
    ze_command_list_handle_t synchronous, asynchronous, list;
    CHECK(zeCommandListCreateImmediate(context, device, &queue_desc, &synchronous));
    ze_group_count_t groups = {1, 1, 1};
    CHECK(zeCommandListAppendLaunchKernel(synchronous, kernel, &groups, NULL, 0, NULL));
    printf("first module, kernel, list and launch %f\n", now() - start);
    TIME("zeKernelSetGroupSize", zeKernelSetGroupSize(kernel, 1, 1, 1));
    TIME("synchronous launch",
         zeCommandListAppendLaunchKernel(synchronous, kernel, &groups, NULL, 0, NULL));

    ze_event_pool_desc_t pool_desc = {ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, NULL, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1};
    ze_event_pool_handle_t pool;
    CHECK(zeEventPoolCreate(context, &pool_desc, 0, NULL, &pool));
    ze_event_desc_t event_desc = {ZE_STRUCTURE_TYPE_EVENT_DESC};
    ze_event_handle_t event;
    CHECK(zeEventCreate(pool, &event_desc, &event));
    TIME("zeEventHostSignal", zeEventHostSignal(event));
    TIME("zeEventQueryStatus", zeEventQueryStatus(event));
    CHECK(zeEventHostReset(event));
    queue_desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
    CHECK(zeCommandListCreateImmediate(context, device, &queue_desc, &asynchronous));
    TIME("asynchronous launch, event, reset", launch_and_wait(asynchronous, kernel, event));

    ze_command_queue_handle_t queue;
    CHECK(zeCommandQueueCreate(context, device, &queue_desc, &queue));
    ze_command_list_desc_t list_desc = {ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
    CHECK(zeCommandListCreate(context, device, &list_desc, &list));
    CHECK(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    CHECK(zeCommandListClose(list));
    TIME("queue with a list of one launch, synchronize", execute_and_wait(queue, list));
    return 0;
}
