// Shares memory and events with another process, in both directions. The descriptor at the begin of a handle goes to the
// other process by a socket, which gives it another number there.
#define _GNU_SOURCE
#include "client.h"
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define STRUCT(type, STYPE, name) type name = {ZE_STRUCTURE_TYPE_##STYPE}

enum { BYTES = 8192, ROUNDS = 2 };

static void send_handle(int socket, const void *handle)
{
    char control[CMSG_SPACE(sizeof(int))] = {0};
    struct iovec data = {(void *)handle, 64};
    struct msghdr message = {0, 0, &data, 1, control, sizeof control, 0};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    *header = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(header), handle, sizeof(int));
    CHECK(sendmsg(socket, &message, 0) == 64);
}

static void receive_handle(int socket, void *handle)
{
    char control[CMSG_SPACE(sizeof(int))];
    struct iovec data = {handle, 64};
    struct msghdr message = {0, 0, &data, 1, control, sizeof control, 0};
    CHECK(recvmsg(socket, &message, 0) == 64);
    memcpy(handle, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(int));
}

static void *memory_of(int kind)
{
    STRUCT(ze_device_mem_alloc_desc_t, DEVICE_MEM_ALLOC_DESC, of_device);
    STRUCT(ze_host_mem_alloc_desc_t, HOST_MEM_ALLOC_DESC, of_host);
    void *found;
    if (kind == 0)
        OK(zeMemAllocDevice(context, &of_device, BYTES, 0, device, &found));
    else if (kind == 1)
        OK(zeMemAllocHost(context, &of_host, BYTES, 0, &found));
    else
        OK(zeMemAllocShared(context, &of_device, &of_host, BYTES, 0, device, &found));
    return found;
}

// Gives memory away, waits for the other process, and sees what that has written.
static void export_memory(int socket)
{
    ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    for (int round = 0; round < ROUNDS; round++) {
        char *memory = memory_of(round), pattern = (char)(round + 1), reply, back[BYTES];
        OK(zeCommandListAppendMemoryFill(list, memory, &pattern, 1, BYTES, 0, 0, 0));
        ze_ipc_mem_handle_t handle, again;
        OK(zeMemGetIpcHandle(context, memory, &handle));
        OK(zeMemGetIpcHandle(context, memory, &again));
        send_handle(socket, &handle);
        CHECK(read(socket, &reply, 1) == 1 && reply == pattern);
        OK(zeCommandListAppendMemoryCopy(list, back, memory, BYTES, 0, 0, 0));
        CHECK(back[0] == pattern && back[1] == 77 && back[BYTES - 1] == 77);
        OK(zeMemFree(context, memory));
    }
    OK(zeCommandListDestroy(list));
}

static void import_memory(int socket)
{
    ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    for (int round = 0; round < ROUNDS; round++) {
        ze_ipc_mem_handle_t handle;
        receive_handle(socket, &handle);
        char *memory, *other, value = 77, first;
        OK(zeMemOpenIpcHandle(context, device, handle, 0, (void **)&memory));
        OK(zeMemOpenIpcHandle(context, device, handle, ZE_IPC_MEMORY_FLAG_BIAS_CACHED, (void **)&other));
        OK(zeCommandListAppendMemoryFill(list, memory + 1, &value, 1, BYTES - 1, 0, 0, 0));
        OK(zeCommandListAppendMemoryCopy(list, &first, memory, 1, 0, 0, 0));
        CHECK(other[BYTES - 1] == 77);
        STRUCT(ze_memory_allocation_properties_t, MEMORY_ALLOCATION_PROPERTIES, properties);
        OK(zeMemGetAllocProperties(context, memory, &properties, 0));
        CHECK(properties.type != ZE_MEMORY_TYPE_UNKNOWN && (round || properties.type == ZE_MEMORY_TYPE_DEVICE));
        OK(zeMemCloseIpcHandle(context, other));
        OK(zeMemCloseIpcHandle(context, memory));
        CHECK(write(socket, &first, 1) == 1);
    }
    OK(zeCommandListDestroy(list));
}

static ze_event_handle_t event_of(ze_event_pool_handle_t pool, uint32_t index)
{
    STRUCT(ze_event_desc_t, EVENT_DESC, desc);
    desc.index = index;
    ze_event_handle_t found;
    OK(zeEventCreate(pool, &desc, &found));
    return found;
}

// Event 0 is signaled by the host here, event 1 by a device there, event 2 by a device here.
static void export_events(int socket)
{
    STRUCT(ze_event_pool_desc_t, EVENT_POOL_DESC, desc);
    desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_IPC | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
    desc.count = 3;
    ze_event_pool_handle_t pool;
    OK(zeEventPoolCreate(context, &desc, 1, &device, &pool));
    ze_event_handle_t events[3] = {event_of(pool, 0), event_of(pool, 1), event_of(pool, 2)};
    ze_ipc_event_pool_handle_t handle;
    OK(zeEventPoolGetIpcHandle(pool, &handle));
    send_handle(socket, &handle);
    OK(zeEventHostSignal(events[0]));
    OK(zeEventHostSynchronize(events[1], UINT64_MAX));
    ze_kernel_timestamp_result_t times;
    OK(zeEventQueryKernelTimestamp(events[1], &times));
    CHECK(times.global.kernelEnd > 0);
    ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    OK(zeCommandListAppendBarrier(list, events[2], 1, &events[1]));
    char reply;
    CHECK(read(socket, &reply, 1) == 1);
    EXPECT(ZE_RESULT_NOT_READY, zeEventQueryStatus(events[0]));  // that process has reset it
    OK(zeCommandListDestroy(list));
    for (int index = 0; index < 3; index++)
        OK(zeEventDestroy(events[index]));
    OK(zeEventPoolDestroy(pool));
}

static void import_events(int socket)
{
    ze_ipc_event_pool_handle_t handle;
    receive_handle(socket, &handle);
    ze_event_pool_handle_t pool;
    OK(zeEventPoolOpenIpcHandle(context, handle, &pool));
    ze_event_handle_t events[3] = {event_of(pool, 0), event_of(pool, 1), event_of(pool, 2)};
    ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    char *memory = memory_of(2), value = 1;
    OK(zeCommandListAppendMemoryFill(list, memory, &value, 1, BYTES, events[1], 1, &events[0]));
    OK(zeEventHostSynchronize(events[2], UINT64_MAX));
    CHECK(memory[BYTES - 1] == 1);
    OK(zeEventHostReset(events[0]));
    OK(zeCommandListDestroy(list));
    for (int index = 0; index < 3; index++)
        OK(zeEventDestroy(events[index]));
    OK(zeEventPoolCloseIpcHandle(pool));
    OK(zeMemFree(context, memory));
    CHECK(write(socket, &value, 1) == 1);
}

int main(void)
{
    int sockets[2];
    CHECK(!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets));
    pid_t child = fork();
    int is_child = !child, socket = sockets[is_child];
    close(sockets[!is_child]);
    begin();
    for (int turn = 0; turn < 2; turn++) {
        (turn == is_child ? export_memory : import_memory)(socket);
        (turn == is_child ? export_events : import_events)(socket);
    }
    OK(zeContextDestroy(context));
    if (is_child)
        return 0;
    int status;
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    puts("done");
    return 0;
}
