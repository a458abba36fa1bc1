// Adds two vectors with the kernel of a ZEBIN, and prints the sum of the results.
#include "client.h"

enum { SIZE = 1024, GROUP = 64 };

int main(int count, char **arguments)
{
    CHECK(count == 2);
    begin();
    ze_device_properties_t properties = {ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    OK(zeDeviceGetProperties(device, &properties));
    ze_module_handle_t module = load(arguments[1]);
    ze_kernel_desc_t desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, 0, 0, "vadd"};
    ze_kernel_handle_t kernel;
    OK(zeKernelCreate(module, &desc, &kernel));
    float *a = shared(sizeof(float[SIZE])), *b = shared(sizeof(float[SIZE])), *c = shared(sizeof(float[SIZE]));
    for (int index = 0; index < SIZE; index++) {
        a[index] = (float)index;
        b[index] = 0.5f;
    }
    OK(zeKernelSetGroupSize(kernel, GROUP, 1, 1));
    OK(zeKernelSetArgumentValue(kernel, 0, sizeof a, &a));
    OK(zeKernelSetArgumentValue(kernel, 1, sizeof b, &b));
    OK(zeKernelSetArgumentValue(kernel, 2, sizeof c, &c));
    ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    ze_group_count_t groups = {SIZE / GROUP, 1, 1};
    OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, 0, 0, 0));
    double sum = 0;
    for (int index = 0; index < SIZE; index++)
        sum += c[index];
    printf("%s: %.1f\n", properties.name, sum);
    OK(zeCommandListDestroy(list));
    OK(zeKernelDestroy(kernel));
    OK(zeModuleDestroy(module));
    OK(zeMemFree(context, a));
    OK(zeMemFree(context, b));
    OK(zeMemFree(context, c));
    OK(zeContextDestroy(context));
    return 0;
}
