// A program of some kind, by its first argument: the driver must be a good guest in each.
#include "client.h"
#include <dlfcn.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 256, THREADS = 8, ROUNDS = 20 };

static const char *path;

static void add_vectors(void)
{
    ze_module_handle_t module = load(path);
    ze_kernel_desc_t desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, 0, 0, "vadd"};
    ze_kernel_handle_t kernel;
    OK(zeKernelCreate(module, &desc, &kernel));
    float *arrays[3];
    for (int index = 0; index < 3; index++) {
        arrays[index] = shared(sizeof(float[SIZE]));
        OK(zeKernelSetArgumentValue(kernel, (uint32_t)index, sizeof(void *), &arrays[index]));
    }
    for (int index = 0; index < SIZE; index++)
        arrays[0][index] = arrays[1][index] = (float)index;
    OK(zeKernelSetGroupSize(kernel, 64, 1, 1));
    ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    ze_group_count_t groups = {SIZE / 64, 1, 1};
    OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, 0, 0, 0));
    for (int index = 0; index < SIZE; index++)
        CHECK(arrays[2][index] == 2 * (float)index);
    OK(zeCommandListDestroy(list));
    OK(zeKernelDestroy(kernel));
    OK(zeModuleDestroy(module));
    for (int index = 0; index < 3; index++)
        OK(zeMemFree(context, arrays[index]));
}

static void *one_thread(void *unused)
{
    for (int round = 0; round < ROUNDS; round++) {
        ze_event_pool_desc_t pool_desc = {ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, 0, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1};
        ze_event_desc_t event_desc = {ZE_STRUCTURE_TYPE_EVENT_DESC};
        ze_event_pool_handle_t pool;
        ze_event_handle_t event;
        OK(zeEventPoolCreate(context, &pool_desc, 0, 0, &pool));
        OK(zeEventCreate(pool, &event_desc, &event));
        ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
        int *memory = shared(64);
        OK(zeCommandListAppendMemoryFill(list, memory, &round, sizeof round, 64, event, 0, 0));
        OK(zeEventHostSynchronize(event, UINT64_MAX));
        CHECK(memory[15] == round);
        EXPECT(ZE_RESULT_ERROR_INVALID_ARGUMENT, zeEventQueryStatus((ze_event_handle_t)pool));
        OK(zeCommandListDestroy(list));
        OK(zeEventDestroy(event));
        OK(zeEventPoolDestroy(pool));
        OK(zeMemFree(context, memory));
    }
    return unused;
}

static void threads(void)
{
    pthread_t thread[THREADS];
    for (int index = 0; index < THREADS; index++)
        CHECK(!pthread_create(&thread[index], 0, one_thread, 0));
    for (int index = 0; index < THREADS; index++)
        pthread_join(thread[index], 0);
}

static void forks(void)
{
    pid_t child = fork();
    if (!child) {
        ze_device_properties_t properties = {ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
        EXPECT(ZE_RESULT_ERROR_UNINITIALIZED, zeDeviceGetProperties(device, &properties));
        begin();
        add_vectors();
        exit(7);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    add_vectors();
}

static void signals(void)
{
    struct sigaction action;
    for (int number = 1; number < 32; number++)
        if (number != SIGKILL && number != SIGSTOP) {
            CHECK(!sigaction(number, 0, &action));
            CHECK(action.sa_handler == SIG_DFL);
        }
    CHECK(!strcmp(setlocale(LC_ALL, 0), "C"));
    pid_t child = fork();
    if (!child) {
        pause();
        exit(0);
    }
    kill(child, SIGINT);
    int status;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

static int is_late;

static void late(void)
{
    if (is_late) {
        ze_device_properties_t properties = {ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
        unsigned result = zeDeviceGetProperties(device, &properties);
        printf("late: %#x\n", result);
    }
}

__attribute__((destructor)) static void very_late(void) { late(); }

static void *ends_late(void *unused)
{
    for (;;)
        zeDeviceGetStatus(device);
    return unused;
}

static void reopens(void)
{
    void *library = dlopen(getenv("ZE_ENABLE_ALT_DRIVERS"), RTLD_NOW);
    CHECK(library);
    dlclose(library);
    add_vectors();
}

int main(int count, char **arguments)
{
    CHECK(count == 3);
    path = arguments[2];
    if (!strcmp(arguments[1], "late"))
        atexit(late);
    signal(SIGINT, SIG_DFL);  // a shell that starts tests in the background has it ignored
    begin();
    add_vectors();
    if (!strcmp(arguments[1], "threads"))
        threads();
    else if (!strcmp(arguments[1], "fork"))
        forks();
    else if (!strcmp(arguments[1], "signals"))
        signals();
    else if (!strcmp(arguments[1], "late")) {
        is_late = 1;
        pthread_t thread;
        CHECK(!pthread_create(&thread, 0, ends_late, 0));
        pthread_detach(thread);
    } else
        reopens();
    puts("done");
    return 0;
}
