// Many threads that call everything that threads share, with forks in between. Prints the growth of memory in KiB.
#include "client.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 16 };

static long calls_each;

static long resident(void)
{
    long pages = 0, ignored;
    FILE *file = fopen("/proc/self/statm", "r");
    CHECK(file && fscanf(file, "%ld %ld", &ignored, &pages) == 2);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE) / 1024;
}

static void *storm(void *unused)
{
    ze_event_pool_desc_t pool_desc = {ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, 0, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1};
    ze_event_desc_t event_desc = {ZE_STRUCTURE_TYPE_EVENT_DESC};
    for (long call = 0; call < calls_each; call += 20) {
        ze_event_pool_handle_t pool;
        ze_event_handle_t event;
        ze_memory_allocation_properties_t properties = {ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
        ze_device_properties_t of_device = {ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
        OK(zeEventPoolCreate(context, &pool_desc, 0, 0, &pool));
        OK(zeEventCreate(pool, &event_desc, &event));
        for (int round = 0; round < 4; round++) {
            OK(zeEventHostSignal(event));
            OK(zeEventQueryStatus(event));
            OK(zeEventHostReset(event));
        }
        char *memory = shared(256);
        OK(zeMemGetAllocProperties(context, memory, &properties, 0));
        OK(zeMemFree(context, memory));
        OK(zeDeviceGetProperties(device, &of_device));
        OK(zeEventDestroy(event));
        OK(zeEventPoolDestroy(pool));
    }
    return unused;
}

static void run(void)
{
    pthread_t thread[THREADS];
    for (int index = 0; index < THREADS; index++)
        CHECK(!pthread_create(&thread[index], 0, storm, 0));
    for (int index = 0; index < THREADS; index++) {
        if (index == THREADS / 2) {
            pid_t child = fork();
            if (!child) {
                begin();
                calls_each = 20;
                storm(0);
                _exit(3);
            }
            int status;
            CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 3);
        }
        pthread_join(thread[index], 0);
    }
}

int main(int count, char **arguments)
{
    CHECK(count == 2);
    begin();
    calls_each = 200;
    run();
    long before = resident();
    calls_each = atol(arguments[1]) / THREADS;
    run();
    printf("%ld\n", resident() - before);
    return 0;
}
