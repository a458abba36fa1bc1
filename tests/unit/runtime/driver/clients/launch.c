// Launches a kernel without arguments, by its name, twice; with a third argument, streams are not flushed at the end.
#include "client.h"
#include <unistd.h>

int main(int count, char **arguments)
{
    CHECK(count >= 3);
    begin();
    ze_module_handle_t module = load(arguments[1]);
    ze_kernel_desc_t desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, 0, 0, arguments[2]};
    ze_kernel_handle_t kernel;
    OK(zeKernelCreate(module, &desc, &kernel));
    ze_command_list_handle_t list = immediate_list(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    ze_group_count_t groups = {1, 1, 1};
    puts("before");
    OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, 0, 0, 0));
    puts("between");
    OK(zeCommandListAppendLaunchKernel(list, kernel, &groups, 0, 0, 0));
    puts("after");
    if (count > 3)
        _exit(0);
    return 0;
}
