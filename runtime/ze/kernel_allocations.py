"""What memory a kernel uses (extension: kernel allocation properties)."""

from __future__ import annotations

from collections.abc import Iterator

from runtime.ze.enums import ze_memory_type_t
from runtime.ze.handle import live
from runtime.ze.kernel import Kernel
from runtime.ze.structs import NO_ARGUMENT, ze_kernel_allocation_exp_properties_t

_UNKNOWN = ze_memory_type_t.ZE_MEMORY_TYPE_UNKNOWN


def zeKernelGetAllocationPropertiesExp(hKernel: Kernel) -> list[ze_kernel_allocation_exp_properties_t]:
    """The memory that a kernel will use as it is set up now.

    First that of arguments, in their order: the whole allocation that a pointer points into, and the storage of an
    image. Then the module's constants and variables. Null pointers, memory that is not the context's, values and
    local memory are not listed.
    """
    kernel = live(hKernel, Kernel)
    return [*sorted(_of_arguments(kernel), key=lambda entry: entry.argIndex), *_of_module(kernel)]


def _of_arguments(kernel: Kernel) -> Iterator[ze_kernel_allocation_exp_properties_t]:
    for index, address in kernel.arguments.pointers.items():
        usm = kernel.module.context.usm(address)
        if usm is not None:
            yield ze_kernel_allocation_exp_properties_t(usm.allocation.address, usm.size, usm.type, index)
    for index, image in kernel.arguments.images.items():
        if image.alive:
            storage = image.storage
            yield ze_kernel_allocation_exp_properties_t(storage.address, storage.size, _UNKNOWN, index)


def _of_module(kernel: Kernel) -> Iterator[ze_kernel_allocation_exp_properties_t]:
    for usm in kernel.module.memory:
        yield ze_kernel_allocation_exp_properties_t(usm.allocation.address, usm.size, _UNKNOWN, NO_ARGUMENT)
