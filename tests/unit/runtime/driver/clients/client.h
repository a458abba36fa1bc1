// What the programs share.
#pragma once
#include <level_zero/ze_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OK(call) EXPECT(ZE_RESULT_SUCCESS, call)
#define EXPECT(expected, call) \
    do { \
        unsigned result_ = (unsigned)(call); \
        if (result_ != (unsigned)(expected)) { \
            printf("%s:%d: %s is %#x, expected %#x\n", __FILE__, __LINE__, #call, result_, (unsigned)(expected)); \
            exit(1); \
        } \
    } while (0)
#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            printf("%s:%d: not %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)

// What the driver takes and the parameter validation of the loader, if it is on, refuses.
#define TAKES(refusal, call) EXPECT(getenv("ZE_ENABLE_PARAMETER_VALIDATION") ? (refusal) : ZE_RESULT_SUCCESS, call)

static ze_driver_handle_t driver;
static ze_device_handle_t device;
static ze_context_handle_t context;

__attribute__((unused)) static void begin(void)
{
    OK(zeInit(0));
    uint32_t count = 0;
    OK(zeDriverGet(&count, 0));
    CHECK(count == 1);
    OK(zeDriverGet(&count, &driver));
    count = 1;
    OK(zeDeviceGet(driver, &count, &device));
    ze_context_desc_t desc = {ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    OK(zeContextCreate(driver, &desc, &context));
}

__attribute__((unused)) static ze_module_handle_t load(const char *path)
{
    FILE *file = fopen(path, "rb");
    CHECK(file);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    uint8_t *data = malloc(size);
    CHECK(fread(data, 1, size, file) == size);
    fclose(file);
    ze_module_desc_t desc = {ZE_STRUCTURE_TYPE_MODULE_DESC, 0, ZE_MODULE_FORMAT_NATIVE, size, data, 0, 0};
    ze_module_handle_t module;
    OK(zeModuleCreate(context, device, &desc, &module, 0));
    free(data);
    return module;
}

__attribute__((unused)) static void *shared(size_t size)
{
    ze_device_mem_alloc_desc_t of_device = {ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    ze_host_mem_alloc_desc_t of_host = {ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *found;
    OK(zeMemAllocShared(context, &of_device, &of_host, size, 64, device, &found));
    return found;
}

__attribute__((unused)) static ze_command_list_handle_t immediate_list(ze_command_queue_mode_t mode)
{
    ze_command_queue_desc_t desc = {ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
    desc.mode = mode;
    ze_command_list_handle_t list;
    OK(zeCommandListCreateImmediate(context, device, &desc, &list));
    return list;
}
