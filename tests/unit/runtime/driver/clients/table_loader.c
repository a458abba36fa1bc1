// Does what loaders of any version do, without one: opens the driver, has it fill tables of that version, and calls
// through them. The arguments are the path of the driver and the version.
#define _GNU_SOURCE
#include "client.h"
#include <dlfcn.h>

enum { SLOTS = 64 };

typedef ze_result_t (*filler)(uint32_t, void **);
typedef ze_result_t (*function)();

static void *library;
static uint32_t version;

static void **table(const char *export)
{
    void **found = malloc(SLOTS * sizeof *found);
    for (int slot = 0; slot < SLOTS; slot++)
        found[slot] = (void *)0x5a5a;
    filler fill = (filler)dlsym(library, export);
    CHECK(fill);
    OK(fill(version, found));
    OK(fill(version, found));  // loaders ask twice for some
    EXPECT(ZE_RESULT_ERROR_INVALID_NULL_POINTER, fill(version, 0));
    EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_VERSION, fill(0x20000, found));
    EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_VERSION, fill(0x5b, found));
    return found;
}

// What a handle begins with: for each API the tables of its functions, in the order of the headers.
struct tables {
    ze_api_version_t version;
    uint8_t is_valid;
    void **of[];
};

struct head {
    struct tables *core, *tools, *sysman, *runtime;
};

enum { DRIVER = 5, DEVICE = 7, CONTEXT = 9, EVENT_POOL = 18, GRAPH = 30 };  // tables of the core API
enum { METRIC_GROUP = 12, DEBUG = 18, OF_SYSMAN_DEVICE = 1, POWER = 8 };    // of the tools, and of system management

// Does what a loader does that serves several drivers: all calls go through the handles.
static void through_handles(ze_driver_handle_t driver)
{
    struct head *head = (struct head *)driver;
    CHECK(head->core->version >= 0x10011 && head->core->is_valid && head->runtime->is_valid);
    CHECK(head->tools->version == head->core->version && head->sysman->is_valid);
    uint32_t one = 1;
    ze_device_handle_t device;
    OK(((function)head->core->of[DEVICE][0])(driver, &one, &device));
    CHECK(!memcmp(device, driver, sizeof *head));  // the same tables
    struct head *of_device = (struct head *)device;
    ze_device_properties_t properties = {ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    OK(((function)of_device->core->of[DEVICE][2])(device, &properties));
    CHECK(strstr(properties.name, "Intel"));
    ze_context_desc_t desc = {ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ze_context_handle_t context;
    OK(((function)head->core->of[CONTEXT][0])(driver, &desc, &context));
    ze_event_pool_desc_t pool_desc = {ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, 0, 0, 1};
    ze_event_pool_handle_t pool;
    struct head *of_context = (struct head *)context;
    OK(((function)of_context->core->of[EVENT_POOL][0])(context, &pool_desc, 0, 0, &pool));
    OK(((function)((struct head *)pool)->core->of[EVENT_POOL][1])(pool));
    EXPECT(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, ((function)of_context->core->of[GRAPH][0])(context, 0, &pool));
    uint32_t groups = 0;
    OK(((function)of_device->tools->of[METRIC_GROUP][0])(device, &groups, 0));
    CHECK(of_device->tools->of[DEBUG][0]);
    CHECK(of_device->sysman->of[OF_SYSMAN_DEVICE][0] && of_device->sysman->of[POWER][0]);
    CHECK(((uint32_t(*)(ze_device_handle_t))of_device->runtime->of[0][1])(device) == 0);
    OK(((function)of_context->core->of[CONTEXT][1])(context));
    CHECK(!memcmp(context, driver, sizeof *head));  // a handle that is not valid any more leads to the driver, too
    EXPECT(ZE_RESULT_ERROR_INVALID_ARGUMENT, ((function)of_context->core->of[CONTEXT][2])(context));
}

int main(int count, char **arguments)
{
    CHECK(count == 3);
    library = dlopen(arguments[1], RTLD_LAZY | RTLD_LOCAL);
    CHECK(library);
    version = (uint32_t)strtoul(arguments[2], 0, 16);
    void **global = table("zeGetGlobalProcAddrTable"), **of_driver = table("zeGetDriverProcAddrTable");
    void **of_device = table("zeGetDeviceProcAddrTable");
    CHECK((version >= 0x1000a) == (global[1] != (void *)0x5a5a) && global[2] == (void *)0x5a5a);
    CHECK((version >= 0x10006) == (of_driver[6] != (void *)0x5a5a));
    uint32_t one = 1;
    ze_driver_handle_t handle = 0;
    EXPECT(ZE_RESULT_ERROR_UNINITIALIZED, ((function)of_driver[0])(&one, &handle));
    OK(((function)global[0])(0));
    OK(((function)of_driver[0])(&one, &handle));
    ze_api_version_t implemented;
    OK(((function)of_driver[1])(handle, &implemented));
    CHECK(implemented >= ZE_API_VERSION_1_4);
    uint64_t unknown[4] = {0x2ffff, 0, 0x1234, 0x5678}, extension[4] = {0x20027, (uint64_t)unknown, 0, 0x5678};
    ze_driver_properties_t properties = {ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES, extension};
    OK(((function)of_driver[2])(handle, &properties));
    CHECK(unknown[2] == 0x1234 && unknown[3] == 0x5678 && properties.pNext == extension);
    CHECK(extension[2] == 1 && extension[3] == 0x5678);
    uint32_t devices = 0;
    OK(((function)of_device[0])(handle, &devices, 0));
    CHECK(devices == 2);
    through_handles(handle);
    // Those that some versions have in another order are empty in these; all others never are.
    void **of_card = table("zesGetDeviceProcAddrTable");
    int is_known = version == 0x10004 || (version >= 0x10007 && version <= 0x10009) || version >= 0x1000c;
    CHECK((of_card[0] != (void *)0x5a5a) == is_known);
    CHECK(table("zesGetPowerProcAddrTable")[0] != (void *)0x5a5a);
    dlclose(library);
    puts("done");
    return 0;
}
