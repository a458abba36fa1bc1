// Asks what public suites for drivers ask: orders of calls and corner cases that every driver takes.
#define _GNU_SOURCE
#include "client.h"
#include <pthread.h>
#include <time.h>
#include <unistd.h>

#define STRUCT(type, STYPE, name) type name = {ZE_STRUCTURE_TYPE_##STYPE}

enum { BYTES = 4096 };

static ze_event_pool_handle_t pool;

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static ze_event_handle_t event(void)
{
    static uint32_t used;
    STRUCT(ze_event_desc_t, EVENT_DESC, desc);
    desc.index = used++;
    desc.signal = desc.wait = ZE_EVENT_SCOPE_FLAG_HOST;
    ze_event_handle_t found;
    OK(zeEventCreate(pool, &desc, &found));
    EXPECT(ZE_RESULT_NOT_READY, zeEventQueryStatus(found));
    return found;
}

static void *allocated(int kind, size_t size, size_t alignment)
{
    STRUCT(ze_device_mem_alloc_desc_t, DEVICE_MEM_ALLOC_DESC, of_device);
    STRUCT(ze_host_mem_alloc_desc_t, HOST_MEM_ALLOC_DESC, of_host);
    void *found = 0;
    if (kind == 0)
        OK(zeMemAllocHost(context, &of_host, size, alignment, &found));
    if (kind == 1)
        OK(zeMemAllocDevice(context, &of_device, size, alignment, device, &found));
    if (kind == 2)
        OK(zeMemAllocShared(context, &of_device, &of_host, size, alignment, device, &found));
    if (kind == 3)
        OK(zeMemAllocShared(context, &of_device, &of_host, size, alignment, 0, &found));
    CHECK(found && (!alignment || (uintptr_t)found % alignment == 0));
    return found;
}

static ze_command_list_handle_t list_with(ze_command_list_flags_t flags)
{
    STRUCT(ze_command_list_desc_t, COMMAND_LIST_DESC, desc);
    desc.flags = flags;
    ze_command_list_handle_t found;
    OK(zeCommandListCreate(context, device, &desc, &found));
    return found;
}

static ze_command_queue_handle_t queue_with(ze_command_queue_mode_t mode, ze_command_queue_priority_t priority)
{
    STRUCT(ze_command_queue_desc_t, COMMAND_QUEUE_DESC, desc);
    desc.mode = mode;
    desc.priority = priority;
    ze_command_queue_handle_t found;
    OK(zeCommandQueueCreate(context, device, &desc, &found));
    return found;
}

static void execute(ze_command_queue_handle_t queue, ze_command_list_handle_t list)
{
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, 0));
    OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
}

// Sizes, alignments and kinds of memory; properties at the first and the last byte.
static void allocations(void)
{
    ze_memory_type_t types[] = {ZE_MEMORY_TYPE_HOST, ZE_MEMORY_TYPE_DEVICE, ZE_MEMORY_TYPE_SHARED,
        ZE_MEMORY_TYPE_SHARED};
    size_t sizes[] = {1, 7, 4096, 4097, 1 << 20}, alignments[] = {0, 1, 8, 64, 4096, 1 << 16};
    for (int kind = 0; kind < 4; kind++)
        for (int size = 0; size < 5; size++)
            for (int alignment = 0; alignment < 6; alignment++) {
                char *memory = allocated(kind, sizes[size], alignments[alignment]);
                for (int last = 0; last < 2; last++) {
                    STRUCT(ze_memory_allocation_properties_t, MEMORY_ALLOCATION_PROPERTIES, properties);
                    ze_device_handle_t owner = (ze_device_handle_t)(void *)&properties;
                    char *place = memory + (last ? sizes[size] - 1 : 0);
                    OK(zeMemGetAllocProperties(context, place, &properties, &owner));
                    CHECK(properties.type == types[kind] && properties.id);
                    CHECK(owner == (kind == 1 || kind == 2 ? device : 0));
                    void *base = 0;
                    size_t length = 0;
                    OK(zeMemGetAddressRange(context, place, &base, &length));
                    CHECK(base == memory && length >= sizes[size]);
                    OK(zeMemGetAddressRange(context, place, &base, 0));
                    OK(zeMemGetAddressRange(context, place, 0, &length));
                    OK(zeMemGetAddressRange(context, place, 0, 0));
                }
                OK(zeMemFree(context, memory));
            }
}

// Commands without bytes succeed, signal, and let others go on.
static void nothing_to_do(void)
{
    char *memory[4];
    for (int kind = 0; kind < 4; kind++)
        memory[kind] = allocated(kind, BYTES, 0);
    ze_command_queue_handle_t queue = queue_with(0, 0);
    for (int immediate = 0; immediate < 2; immediate++) {
        ze_command_list_handle_t list = immediate ? immediate_list(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS) : list_with(0);
        ze_event_handle_t done[4] = {event(), event(), event(), event()};
        char pattern = 3;
        ze_copy_region_t region = {0, 0, 0, 0, 0, 0};
        OK(zeCommandListAppendMemoryCopy(list, memory[1], memory[0], 0, done[0], 0, 0));
        OK(zeCommandListAppendMemoryFill(list, memory[1], &pattern, 1, 0, done[1], 1, &done[0]));
        OK(zeCommandListAppendMemoryCopyRegion(list, memory[1], &region, 0, 0, memory[2], &region, 0, 0, done[2], 1,
            &done[1]));
        OK(zeCommandListAppendMemoryFill(list, memory[0], &pattern, 1, BYTES, done[3], 1, &done[2]));
        OK(zeCommandListClose(list));  // succeeds for an immediate list, too
        if (!immediate)
            execute(queue, list);
        for (int index = 0; index < 4; index++)
            OK(zeEventHostSynchronize(done[index], UINT64_MAX));
        CHECK(memory[0][0] == 3 && memory[0][BYTES - 1] == 3);
        OK(zeCommandListReset(list));
        OK(zeCommandListAppendBarrier(list, 0, 0, 0));
        OK(zeCommandListDestroy(list));
        for (int index = 0; index < 4; index++)
            OK(zeEventDestroy(done[index]));
    }
    // No lists, and a list without commands.
    ze_command_list_handle_t empty = list_with(0);
    OK(zeCommandListClose(empty));
    STRUCT(ze_fence_desc_t, FENCE_DESC, fence_desc);
    ze_fence_handle_t fence;
    OK(zeFenceCreate(queue, &fence_desc, &fence));
    EXPECT(ZE_RESULT_NOT_READY, zeFenceQueryStatus(fence));
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &empty, fence));
    OK(zeFenceHostSynchronize(fence, UINT64_MAX));
    OK(zeFenceQueryStatus(fence));
    OK(zeFenceReset(fence));
    EXPECT(ZE_RESULT_NOT_READY, zeFenceQueryStatus(fence));
    EXPECT(ZE_RESULT_NOT_READY, zeFenceHostSynchronize(fence, 1000));
    OK(zeFenceDestroy(fence));
    OK(zeCommandListReset(empty));
    OK(zeCommandListClose(empty));
    execute(queue, empty);
    OK(zeCommandListDestroy(empty));
    OK(zeCommandQueueDestroy(queue));
    for (int kind = 0; kind < 4; kind++)
        OK(zeMemFree(context, memory[kind]));
}

// What was appended before a reset never happens; a list can be executed again and again.
static void resets(void)
{
    char *memory = allocated(2, BYTES, 0);
    memset(memory, 0, BYTES);
    ze_command_queue_handle_t queue = queue_with(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
    ze_event_handle_t done = event();
    for (int flags = 0; flags < 8; flags++) {
        ze_command_list_handle_t list = list_with((ze_command_list_flags_t)flags);
        char one = 1, two = 2;
        OK(zeCommandListAppendMemoryFill(list, memory, &one, 1, BYTES, 0, 0, 0));
        OK(zeCommandListAppendSignalEvent(list, done));
        OK(zeCommandListReset(list));
        OK(zeCommandListAppendMemoryFill(list, memory + 1, &two, 1, 16, 0, 0, 0));
        OK(zeCommandListClose(list));
        execute(queue, list);
        EXPECT(ZE_RESULT_NOT_READY, zeEventQueryStatus(done));
        CHECK(memory[0] == 0 && memory[1] == 2 && memory[17] == 0);
        memset(memory, 0, BYTES);
        execute(queue, list);
        CHECK(memory[1] == 2);
        OK(zeCommandListDestroy(list));
        memset(memory, 0, BYTES);
    }
    OK(zeEventDestroy(done));
    OK(zeCommandQueueDestroy(queue));
    OK(zeMemFree(context, memory));
}

struct submission {
    ze_command_queue_handle_t queue;
    ze_command_list_handle_t list;
    volatile uint64_t returned;
};

static void *submit(void *argument)
{
    struct submission *submission = argument;
    OK(zeCommandQueueExecuteCommandLists(submission->queue, 1, &submission->list, 0));
    submission->returned = now();
    return 0;
}

// The part of a list before a wait is executed and seen, with no synchronization of the queue in between.
static void modes(void)
{
    ze_command_queue_mode_t kinds[] = {ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
    for (int kind = 0; kind < 2; kind++) {
        ze_event_handle_t reached = event(), go = event();
        struct submission submission = {queue_with(kinds[kind], 0), list_with(0), 0};
        char *memory = allocated(2, 64, 0);
        char pattern = 9;
        OK(zeCommandListAppendMemoryFill(submission.list, memory, &pattern, 1, 64, 0, 0, 0));
        OK(zeCommandListAppendBarrier(submission.list, reached, 0, 0));
        OK(zeCommandListAppendWaitOnEvents(submission.list, 1, &go));
        OK(zeCommandListClose(submission.list));
        pthread_t thread;
        CHECK(!pthread_create(&thread, 0, submit, &submission));
        OK(zeEventHostSynchronize(reached, UINT64_MAX));
        CHECK(memory[63] == 9);
        usleep(50000);
        CHECK(!submission.returned == (kinds[kind] == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS));
        EXPECT(ZE_RESULT_NOT_READY, zeCommandQueueSynchronize(submission.queue, 0));
        OK(zeEventHostSignal(go));
        CHECK(!pthread_join(thread, 0));
        OK(zeCommandQueueSynchronize(submission.queue, UINT64_MAX));
        OK(zeCommandListDestroy(submission.list));
        OK(zeCommandQueueDestroy(submission.queue));
        OK(zeEventDestroy(reached));
        OK(zeEventDestroy(go));
        OK(zeMemFree(context, memory));
    }
}

// Waits end after the time that was asked for.
static void timeouts(void)
{
    ze_event_handle_t never = event();
    ze_command_queue_handle_t queue = queue_with(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
    ze_command_list_handle_t list = list_with(0);
    OK(zeCommandListAppendWaitOnEvents(list, 1, &never));
    OK(zeCommandListClose(list));
    OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, 0));
    uint64_t wanted = 20000000, begin = now();
    EXPECT(ZE_RESULT_NOT_READY, zeCommandQueueSynchronize(queue, wanted));
    CHECK(now() - begin >= wanted);
    begin = now();
    EXPECT(ZE_RESULT_NOT_READY, zeEventHostSynchronize(never, wanted));
    CHECK(now() - begin >= wanted);
    EXPECT(ZE_RESULT_NOT_READY, zeEventHostSynchronize(never, 0));
    OK(zeEventHostSignal(never));
    OK(zeEventHostSynchronize(never, UINT64_MAX - 1));
    OK(zeCommandQueueSynchronize(queue, UINT64_MAX - 1));
    OK(zeCommandListDestroy(list));
    OK(zeCommandQueueDestroy(queue));
    OK(zeEventHostReset(never));
    EXPECT(ZE_RESULT_NOT_READY, zeEventQueryStatus(never));  // its state outlives list and queue
    OK(zeEventDestroy(never));
}

// Of queues that wait for one event, that of high priority begins first.
static void priorities(void)
{
    enum { LOW = 6 };
    ze_event_pool_handle_t timed;
    STRUCT(ze_event_pool_desc_t, EVENT_POOL_DESC, desc);
    desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
    desc.count = LOW + 1;
    OK(zeEventPoolCreate(context, &desc, 1, &device, &timed));
    ze_event_handle_t go = event(), done[LOW + 1];
    ze_command_queue_handle_t queues[LOW + 1];
    ze_command_list_handle_t lists[LOW + 1];
    char *memory = allocated(1, 1 << 20, 0), zero = 0;
    for (uint32_t index = 0; index <= LOW; index++) {
        STRUCT(ze_event_desc_t, EVENT_DESC, of_event);
        of_event.index = index;
        OK(zeEventCreate(timed, &of_event, &done[index]));
        queues[index] = queue_with(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
            index < LOW ? ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW : ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH);
        lists[index] = list_with(0);
        OK(zeCommandListAppendMemoryFill(lists[index], memory, &zero, 1, 1 << 20, done[index], 1, &go));
        OK(zeCommandListClose(lists[index]));
        OK(zeCommandQueueExecuteCommandLists(queues[index], 1, &lists[index], 0));
    }
    OK(zeEventHostSignal(go));
    uint64_t start[LOW + 1];
    for (uint32_t index = 0; index <= LOW; index++) {
        OK(zeCommandQueueSynchronize(queues[index], UINT64_MAX));
        ze_kernel_timestamp_result_t times;
        OK(zeEventQueryKernelTimestamp(done[index], &times));
        CHECK(times.global.kernelStart && times.global.kernelEnd && times.context.kernelStart);
        CHECK(times.global.kernelEnd >= times.global.kernelStart);
        start[index] = times.global.kernelStart;
    }
    for (uint32_t index = 0; index < LOW; index++)
        CHECK((int32_t)(uint32_t)(start[index] - start[LOW]) > 0); // they count 32 bits
    for (uint32_t index = 0; index <= LOW; index++) {
        OK(zeEventHostReset(done[index]));
        ze_kernel_timestamp_result_t times;
        EXPECT(ZE_RESULT_NOT_READY, zeEventQueryKernelTimestamp(done[index], &times));
        OK(zeEventDestroy(done[index]));
        OK(zeCommandListDestroy(lists[index]));
        OK(zeCommandQueueDestroy(queues[index]));
    }
    OK(zeEventPoolDestroy(timed));
    OK(zeEventDestroy(go));
    OK(zeMemFree(context, memory));
}

// Blocks with pitches between all kinds of memory, and memory of the host.
static void regions(void)
{
    enum { WIDTH = 32, HEIGHT = 8, DEPTH = 4, ALL = WIDTH * HEIGHT * DEPTH };
    ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    unsigned char from[ALL], to[ALL];
    for (int index = 0; index < ALL; index++)
        from[index] = (unsigned char)(index * 7);
    for (int kind = 0; kind < 5; kind++) {
        unsigned char *block = kind < 4 ? allocated(kind, ALL, 0) : malloc(ALL);
        ze_copy_region_t source = {3, 2, 1, 5, 4, 2}, target = {9, 1, 2, 5, 4, 2};
        memset(to, 0, ALL);
        OK(zeCommandListAppendMemoryCopy(list, block, from, ALL, 0, 0, 0));
        OK(zeCommandListAppendMemoryCopyRegion(list, to, &target, WIDTH, WIDTH * HEIGHT, block, &source, WIDTH,
            WIDTH * HEIGHT, 0, 0, 0));
        for (uint32_t z = 0; z < DEPTH; z++)
            for (uint32_t y = 0; y < HEIGHT; y++)
                for (uint32_t x = 0; x < WIDTH; x++) {
                    int is_in = x >= 9 && x < 14 && y >= 1 && y < 5 && z >= 2;
                    uint32_t place = (z * HEIGHT + y) * WIDTH + x;
                    uint32_t origin = ((z - 1) * HEIGHT + y + 1) * WIDTH + x - 6;
                    CHECK(to[place] == (is_in ? from[origin] : 0));
                }
        if (kind < 4)
            OK(zeMemFree(context, block));
        else
            free(block);
    }
    unsigned char *block = allocated(1, BYTES, 0), *back = allocated(0, BYTES, 0);
    for (size_t size = 1; size <= 128; size *= 2) {  // patterns of all sizes that the device takes
        OK(zeCommandListAppendMemoryFill(list, block, from, size, BYTES, 0, 0, 0));
        OK(zeCommandListAppendMemoryCopy(list, back, block, BYTES, 0, 0, 0));
        for (int index = 0; index < BYTES; index++)
            CHECK(back[index] == from[(size_t)index % size]);
    }
    OK(zeMemFree(context, block));
    OK(zeMemFree(context, back));
    OK(zeCommandListDestroy(list));
}

// Suggested sizes of groups are within the limits, for all sizes from all to one.
static void sizes(ze_kernel_handle_t kernel)
{
    STRUCT(ze_device_compute_properties_t, DEVICE_COMPUTE_PROPERTIES, limits);
    OK(zeDeviceGetComputeProperties(device, &limits));
    for (uint32_t size = UINT32_MAX; size; size /= 2)
        for (int dimensions = 1; dimensions < 8; dimensions++) {
            uint32_t x, y, z;
            OK(zeKernelSuggestGroupSize(kernel, dimensions & 1 ? size : 1, dimensions & 2 ? size : 1,
                dimensions & 4 ? size : 1, &x, &y, &z));
            CHECK(x && y && z && x <= limits.maxGroupSizeX && y <= limits.maxGroupSizeY && z <= limits.maxGroupSizeZ);
            CHECK((uint64_t)x * y * z <= limits.maxTotalGroupSize);
        }
    for (uint32_t size = 1; size < limits.maxGroupSizeX; size += 37)
        OK(zeKernelSetGroupSize(kernel, size, 1, 1));
    for (uint32_t size = 1; size * size * size <= limits.maxTotalGroupSize; size++)
        OK(zeKernelSetGroupSize(kernel, size, size, size));
    EXPECT(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION, zeKernelSetGroupSize(kernel, 0, 1, 1));
    EXPECT(ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION,
        zeKernelSetGroupSize(kernel, limits.maxTotalGroupSize + 1, 1, 1));
}

// Reservations of every size: below the space of addresses they succeed, and beyond it memory is what is missing.
static void reservations(void)
{
    for (int bits = 30; bits < 57; bits++) {
        size_t page, size = 1ull << bits;
        OK(zeVirtualMemQueryPageSize(context, device, size, &page));
        void *start = 0;
        ze_result_t result = zeVirtualMemReserve(context, (void *)(1ull << 33), size, &start);
        if (bits < 46)
            CHECK(result == ZE_RESULT_SUCCESS);
        CHECK(result == ZE_RESULT_SUCCESS || result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY ||
              result == ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
        if (result == ZE_RESULT_SUCCESS)
            OK(zeVirtualMemFree(context, start, size));
    }
}

static void *everything(void *argument)
{
    ze_kernel_handle_t kernel;
    ze_kernel_desc_t desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, 0, 0, "nothing"};
    for (int round = 0; round < 4; round++) {
        OK(zeKernelCreate(argument, &desc, &kernel));
        ze_command_queue_handle_t queue = queue_with(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
        ze_command_list_handle_t list = list_with(0);
        char *memory = allocated(round % 4, BYTES, 0), pattern = 5;
        ze_group_count_t groups = {1, 1, 1};
        OK(zeKernelSetGroupSize(kernel, 1, 1, 1));
        OK(zeCommandListAppendMemoryFill(list, memory, &pattern, 1, BYTES, 0, 0, 0));
        OK(zeCommandListAppendBarrier(list, 0, 0, 0));
        OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, 0, 0, 0));
        OK(zeCommandListClose(list));
        execute(queue, list);
        CHECK(memory[BYTES - 1] == 5);
        OK(zeMemFree(context, memory));
        OK(zeCommandListDestroy(list));
        OK(zeCommandQueueDestroy(queue));
        OK(zeKernelDestroy(kernel));
    }
    return 0;
}

static void concurrency(ze_module_handle_t module)
{
    enum { THREADS = 6 };
    pthread_t threads[THREADS];
    for (int index = 0; index < THREADS; index++)
        CHECK(!pthread_create(&threads[index], 0, everything, module));
    for (int index = 0; index < THREADS; index++)
        CHECK(!pthread_join(threads[index], 0));
}

// Times of the device move on, and copies of timestamps are those of the events.
static void timestamps(ze_kernel_handle_t kernel)
{
    uint64_t host[2], of_device[2];
    OK(zeDeviceGetGlobalTimestamps(device, &host[0], &of_device[0]));
    STRUCT(ze_event_pool_desc_t, EVENT_POOL_DESC, desc);
    desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
    desc.count = 2;
    ze_event_pool_handle_t timed;
    OK(zeEventPoolCreate(context, &desc, 0, 0, &timed));
    ze_event_handle_t done[2];
    for (uint32_t index = 0; index < 2; index++) {
        STRUCT(ze_event_desc_t, EVENT_DESC, of_event);
        of_event.index = index;
        OK(zeEventCreate(timed, &of_event, &done[index]));
    }
    ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    ze_group_count_t groups = {1, 1, 1}, none = {0, 1, 1};
    OK(zeKernelSetGroupSize(kernel, 1, 1, 1));
    OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, done[0], 0, 0));
    OK(zeCommandListAppendLaunchKernel(list, kernel, &none, done[1], 1, &done[0]));
    ze_kernel_timestamp_result_t times[4] = {{{0}}}, direct;
    size_t offsets[2] = {64, 0};
    OK(zeCommandListAppendQueryKernelTimestamps(list, 2, done, times, 0, 0, 0, 0));
    OK(zeEventQueryKernelTimestamp(done[0], &direct));
    CHECK(!memcmp(&direct, &times[0], sizeof direct) && direct.global.kernelEnd);
    OK(zeCommandListAppendQueryKernelTimestamps(list, 2, done, times, offsets, 0, 0, 0));
    CHECK(!memcmp(&direct, &times[2], sizeof direct));
    uint64_t *written = allocated(0, 64, 0);
    OK(zeCommandListAppendWriteGlobalTimestamp(list, written, 0, 0, 0));
    CHECK(*written);
    OK(zeDeviceGetGlobalTimestamps(device, &host[1], &of_device[1]));
    CHECK(host[1] > host[0] && of_device[1] > of_device[0]);
    OK(zeCommandListDestroy(list));
    for (int index = 0; index < 2; index++)
        OK(zeEventDestroy(done[index]));
    OK(zeEventPoolDestroy(timed));
    OK(zeMemFree(context, written));
}

int main(int count, char **arguments)
{
    CHECK(count == 2);
    begin();
    STRUCT(ze_event_pool_desc_t, EVENT_POOL_DESC, desc);
    desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
    desc.count = 64;
    OK(zeEventPoolCreate(context, &desc, 1, &device, &pool));
    ze_module_handle_t module = load(arguments[1]);
    ze_kernel_desc_t kernel_desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, 0, 0, "nothing"};
    ze_kernel_handle_t kernel;
    OK(zeKernelCreate(module, &kernel_desc, &kernel));
    allocations();
    nothing_to_do();
    resets();
    modes();
    timeouts();
    priorities();
    regions();
    sizes(kernel);
    reservations();
    concurrency(module);
    timestamps(kernel);
    OK(zeKernelDestroy(kernel));
    OK(zeModuleDestroy(module));
    OK(zeEventPoolDestroy(pool));
    OK(zeContextDestroy(context));
    puts("done");
    return 0;
}
