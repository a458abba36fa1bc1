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
    CHECK(implemented >= ZE_API_VERSION_1_4 && implemented < 0x10011);  // from 1.17 on, handles would be read by the loader
    uint64_t extension[4] = {0x20027, 0, 0x1234, 0x5678};
    ze_driver_properties_t properties = {ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES, extension};
    OK(((function)of_driver[2])(handle, &properties));
    CHECK(extension[2] == 0x1234 && extension[3] == 0x5678 && properties.pNext == extension);
    uint64_t words[4];
    memcpy(words, handle, sizeof words);  // room for the tables of version 1.17, which are not there
    CHECK(!words[0] && !words[1] && !words[2] && !words[3]);
    uint32_t devices = 0;
    OK(((function)of_device[0])(handle, &devices, 0));
    CHECK(devices == 2);
    // Those that some versions have in another order are empty in these; all others never are.
    void **of_card = table("zesGetDeviceProcAddrTable");
    int is_known = version == 0x10004 || version >= 0x1000c;
    CHECK((of_card[0] != (void *)0x5a5a) == is_known);
    CHECK(table("zesGetPowerProcAddrTable")[0] != (void *)0x5a5a);
    dlclose(library);
    puts("done");
    return 0;
}
