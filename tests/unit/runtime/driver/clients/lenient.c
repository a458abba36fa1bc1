// Does what Intel's driver accepts though the specification does not promise it.
#include "client.h"

enum { BYTES = 4096 };

#define STRUCT(type, STYPE, name) type name = {ZE_STRUCTURE_TYPE_##STYPE}

static ze_event_pool_handle_t pool;

static ze_event_handle_t event(uint32_t index)
{
    STRUCT(ze_event_desc_t, EVENT_DESC, desc);
    desc.index = index;
    ze_event_handle_t found;
    OK(zeEventCreate(pool, &desc, &found));
    return found;
}

int main(int count, char **arguments)
{
    CHECK(count == 2);
    // Flags of newer versions.
    OK(zeInit(1u << 20));
    begin();
    STRUCT(ze_event_pool_desc_t, EVENT_POOL_DESC, pool_desc);
    pool_desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
    pool_desc.count = 8;
    OK(zeEventPoolCreate(context, &pool_desc, 0, 0, &pool));
    STRUCT(ze_command_list_desc_t, COMMAND_LIST_DESC, list_desc);
    list_desc.flags = 1u << 20;
    ze_command_list_handle_t list;
    OK(zeCommandListCreate(context, device, &list_desc, &list));
    STRUCT(ze_command_queue_desc_t, COMMAND_QUEUE_DESC, queue_desc);
    ze_command_queue_handle_t queue;
    OK(zeCommandQueueCreate(context, device, &queue_desc, &queue));
    // A descriptor without its type.
    ze_host_mem_alloc_desc_t untyped = {0};
    char *memory;
    OK(zeMemAllocHost(context, &untyped, BYTES, 3000, (void **)&memory));
    CHECK((uintptr_t)memory % 4096 == 0);
    STRUCT(ze_device_mem_alloc_desc_t, DEVICE_MEM_ALLOC_DESC, of_device);
    of_device.ordinal = 5;
    void *on_device;
    OK(zeMemAllocDevice(context, &of_device, BYTES, 0, device, &on_device));

    // A list is submitted again while it executes, and destroyed with its event and its queue while commands wait.
    ze_event_handle_t go = event(0), done = event(1);
    OK(zeCommandListAppendWaitOnEvents(list, 1, &go));
    int number = 5;
    OK(zeCommandListAppendMemoryFill(list, memory, &number, sizeof number, BYTES, done, 0, 0));
    OK(zeCommandListClose(list));
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, 0));
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, 0));
    EXPECT(ZE_RESULT_NOT_READY, zeEventQueryStatus(done));
    OK(zeEventHostSignal(go));
    OK(zeEventDestroy(go));
    OK(zeCommandListDestroy(list));
    OK(zeCommandQueueDestroy(queue));
    OK(zeEventHostSynchronize(done, UINT64_MAX));
    CHECK(((int *)memory)[7] == number);

    // What never ends does not hold up its destruction.
    ze_command_list_handle_t waiting = immediate_list(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    ze_event_handle_t never = event(2);
    OK(zeCommandListAppendWaitOnEvents(waiting, 1, &never));
    OK(zeCommandListDestroy(waiting));
    EXPECT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeCommandListClose(waiting));
    OK(zeEventHostSignal(never));

    // Objects and memory of another context.
    ze_context_desc_t desc = {ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_context_handle_t other;
    OK(zeContextCreate(driver, &desc, &other));
    STRUCT(ze_host_mem_alloc_desc_t, HOST_MEM_ALLOC_DESC, of_host);
    char *foreign;
    OK(zeMemAllocHost(other, &of_host, BYTES, 0, (void **)&foreign));
    ze_command_list_handle_t immediate = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS), of_other;
    OK(zeCommandListCreateImmediate(other, device, &queue_desc, &of_other));
    OK(zeEventHostReset(done));
    OK(zeCommandListAppendMemoryCopy(of_other, foreign, memory, BYTES, done, 0, 0));
    OK(zeEventHostSynchronize(done, UINT64_MAX));
    CHECK(((int *)foreign)[3] == number);

    // The host's own memory as operands.
    int on_stack[16] = {1, 2, 3}, back[16] = {0};
    OK(zeCommandListAppendMemoryCopy(immediate, on_device, on_stack, sizeof on_stack, 0, 0, 0));
    OK(zeCommandListAppendMemoryCopy(immediate, back, on_device, sizeof back, 0, 0, 0));
    CHECK(back[2] == 3);
    OK(zeCommandListAppendMemoryFill(immediate, back, &number, sizeof number, sizeof back, 0, 0, 0));
    CHECK(back[15] == number);
    EXPECT(ZE_RESULT_ERROR_INVALID_ARGUMENT,
           zeCommandListAppendMemoryCopy(immediate, (char *)on_device + BYTES - 4, on_stack, 64, 0, 0, 0));

    // Parents before their children, which may be destroyed once more; a context with all that is left.
    ze_module_handle_t module = load(arguments[1]);
    ze_kernel_desc_t kernel_desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, 0, 0, "nothing"};
    ze_kernel_handle_t kernel;
    OK(zeKernelCreate(module, &kernel_desc, &kernel));
    OK(zeModuleDestroy(module));
    OK(zeKernelDestroy(kernel));
    OK(zeEventPoolDestroy(pool));
    OK(zeEventDestroy(done));
    OK(zeContextDestroy(other));
    OK(zeContextDestroy(context));
    EXPECT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeContextGetStatus(context));

    // Null and nonsense are results, too.
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, zeContextGetStatus(0));
    EXPECT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeContextGetStatus((ze_context_handle_t)(uintptr_t)0x1234));
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeDriverGet(0, 0));
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeDeviceGetProperties(device, 0));
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeContextCreate(driver, 0, &context));
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, zeContextCreate(driver, &desc, 0));
    puts("done");
    return 0;
}
