"""Kernels: creation, arguments, group size and properties (specification: Kernel)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from runtime import simulator
from runtime.ze.declaration import Chapter, api, flags_of, seed_form
from runtime.ze.driver.handle import enumerator, items, known_flags, live, required, unsigned
from runtime.ze.driver.linux import mapping
from runtime.ze.driver.modules.arguments import ArgumentValue
from runtime.ze.driver.modules.kernel import IndirectAccess, Kernel
from runtime.ze.driver.modules.module import Module
from runtime.ze.driver.system.ending import destroy
from runtime.ze.spec.enums import (
    ze_cache_config_flags_t,
    ze_cache_config_t,
    ze_kernel_attribute_t,
    ze_kernel_indirect_access_flags_t,
    ze_memory_type_t,
)
from runtime.ze.spec.extensions import (
    ze_kernel_max_group_size_properties_ext_t,
    ze_kernel_preferred_group_size_properties_t,
)
from runtime.ze.spec.results import ZeError, ze_result_t
from runtime.ze.spec.structs import (
    NO_ARGUMENT,
    UUID_BYTES,
    ze_kernel_allocation_exp_properties_t,
    ze_kernel_desc_t,
    ze_kernel_properties_t,
    ze_kernel_uuid_t,
    ze_scheduling_hint_exp_desc_t,
)
from xegpu.isa.model import Dim3

_SUGGESTED_ITEMS = 256

_UNKNOWN = ze_memory_type_t.ZE_MEMORY_TYPE_UNKNOWN

_INDIRECT_ATTRIBUTES = {
    ze_kernel_attribute_t.ZE_KERNEL_ATTR_INDIRECT_HOST_ACCESS: (
        ze_kernel_indirect_access_flags_t.ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST
    ),
    ze_kernel_attribute_t.ZE_KERNEL_ATTR_INDIRECT_DEVICE_ACCESS: (
        ze_kernel_indirect_access_flags_t.ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE
    ),
    ze_kernel_attribute_t.ZE_KERNEL_ATTR_INDIRECT_SHARED_ACCESS: (
        ze_kernel_indirect_access_flags_t.ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED
    ),
}


@api(
    Chapter.KERNEL,
    "DEVICE_LOST INVALID_KERNEL_NAME INVALID_MODULE_UNLINKED MODULE_BUILD_FAILURE OUT_OF_DEVICE_MEMORY",
    pointers="desc",
    validated="INVALID_ENUMERATION",
)
def zeKernelCreate(hModule: Module, desc: ze_kernel_desc_t) -> Kernel:
    """Creates a kernel by its name, with no arguments set.

    Raises:
        ZeError: `INVALID_KERNEL_NAME`; `INVALID_MODULE_UNLINKED` for a module whose imports are not resolved;
            `OUT_OF_DEVICE_MEMORY` if there is no room for the samplers that the kernel brings along.
        ModuleBuildError: `MODULE_BUILD_FAILURE` for a kernel of many in SPIR-V that does not compile, and for one in
            native code that is not executed.
    """
    module = live(hModule, Module)
    module.device.processor.require_available()
    required(desc, "desc")
    required(desc.pKernelName, "desc.pKernelName")
    module.require_linked()
    executable = module.loaded.kernels.get(str(desc.pKernelName))
    if executable is None:
        names = ", ".join(f"'{name}'" for name in module.loaded.kernel_names) or "no kernels"
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_KERNEL_NAME, f"no kernel '{desc.pKernelName}', the module has {names}"
        )
    return Kernel(module, executable)


@api(Chapter.KERNEL)
def zeKernelDestroy(hKernel: Kernel) -> None:
    """Destroys a kernel. Launches that were already appended keep what they need."""
    destroy(hKernel, Kernel)


@api(Chapter.KERNEL, "INVALID_KERNEL_ARGUMENT_INDEX INVALID_KERNEL_ARGUMENT_SIZE")
def zeKernelSetArgumentValue(hKernel: Kernel, argIndex: int, argSize: int, pArgValue: ArgumentValue) -> None:
    """Sets an argument for later launches.

    Args:
        hKernel: The kernel.
        argIndex: The index of the argument.
        argSize: The size of the value in bytes, of which those are set that the argument has; for local memory, the
            bytes to allocate.
        pArgValue: The bytes of the value, a number, an address for a pointer, or an image or sampler; None for
            local memory.

    Raises:
        ZeError: `INVALID_KERNEL_ARGUMENT_INDEX` and `INVALID_KERNEL_ARGUMENT_SIZE`.
    """
    live(hKernel, Kernel).arguments.set(argIndex, argSize, pArgValue)


@api(Chapter.KERNEL, "INVALID_GROUP_SIZE_DIMENSION")
def zeKernelSetGroupSize(hKernel: Kernel, groupSizeX: int, groupSizeY: int, groupSizeZ: int) -> None:
    """Sets the size of the work-groups of later launches.

    Raises:
        ZeError: `INVALID_GROUP_SIZE_DIMENSION` for a size that the kernel cannot be launched with.
    """
    kernel = live(hKernel, Kernel)
    size = (groupSizeX, groupSizeY, groupSizeZ)
    kernel.require_group_size(size)
    kernel.group_size = size


@api(Chapter.KERNEL, "INVALID_GLOBAL_WIDTH_DIMENSION")
def zeKernelSuggestGroupSize(hKernel: Kernel, globalSizeX: int, globalSizeY: int, globalSizeZ: int) -> Dim3:
    """Returns a group size that suits a global size, which it divides where possible.

    Raises:
        ZeError: `INVALID_GLOBAL_WIDTH_DIMENSION` for a global size of zero.
    """
    kernel = live(hKernel, Kernel)
    sizes = (globalSizeX, globalSizeY, globalSizeZ)
    for extent in sizes:
        if unsigned(extent, "global size") == 0:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION, f"global size {sizes} has a zero")
    certain = kernel.facts.required_work_group_size or kernel.facts.work_group_size_hint
    if certain is not None:
        return certain
    room = min(kernel.description.max_group_size, _SUGGESTED_ITEMS)
    x = _suggest(globalSizeX, room, kernel.facts.simd_size)
    y = _suggest(globalSizeY, room // x)
    return x, y, _suggest(globalSizeZ, room // (x * y))


def _suggest(extent: int, room: int, multiple: int = 1) -> int:
    """Returns the largest divisor of `extent` up to `room`, preferably a multiple of `multiple`.

    For a large extent that has no divisor it returns `room`: the last work-group is then partly idle.
    """
    divisors = [size for size in range(min(extent, room), 0, -1) if extent % size == 0]
    best = next((size for size in divisors if size % multiple == 0), divisors[0])
    return room if best == 1 and extent > room else best


@api(Chapter.KERNEL)
def zeKernelSuggestMaxCooperativeGroupCount(hKernel: Kernel) -> int:
    """Returns how many work-groups the device holds at the same time.

    The number depends on the kernel's registers, and on the group size and local memory that are set.
    """
    return live(hKernel, Kernel).max_cooperative_groups


@api(Chapter.KERNEL, seed=None, rules={"flags": flags_of(IndirectAccess)}, validated="INVALID_ENUMERATION")
def zeKernelSetIndirectAccess(hKernel: Kernel, flags: int) -> None:
    """Declares the kinds of memory that a kernel accesses through pointers in memory. They are always accessible."""
    kernel = live(hKernel, Kernel)
    kernel.indirect_access |= known_flags(flags, IndirectAccess)


@api(Chapter.KERNEL, seed=None)
def zeKernelGetIndirectAccess(hKernel: Kernel) -> ze_kernel_indirect_access_flags_t:
    """Returns the kinds of memory that `zeKernelSetIndirectAccess` declared."""
    return live(hKernel, Kernel).indirect_access


@api(
    Chapter.KERNEL, "INVALID_SIZE INVALID_ENUMERATION INVALID_KERNEL_ATTRIBUTE_VALUE", pointers="pValue", since=(0, 91)
)
def zeKernelSetAttribute(hKernel: Kernel, attr: int, size: int, pValue: int) -> None:
    """Sets one of the attributes for indirect access to true or false.

    Raises:
        ZeError: `INVALID_ENUMERATION` for another attribute, `INVALID_SIZE` for a size other than one byte, and
            `INVALID_KERNEL_ATTRIBUTE_VALUE` for a value that is neither 0 nor 1.
    """
    kernel = live(hKernel, Kernel)
    required(pValue, "pValue")
    kind = enumerator(attr, ze_kernel_attribute_t)
    if kind not in _INDIRECT_ATTRIBUTES:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ENUMERATION, f"{kind.name} can be read only")
    if size != 1:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, f"{size} bytes for a truth value, expected 1")
    if pValue not in (0, 1):
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE,
            f"{kind.name} is set to {pValue!r}, expected 0 or 1",
        )
    flag = _INDIRECT_ATTRIBUTES[kind]
    kernel.indirect_access = kernel.indirect_access | flag if pValue else kernel.indirect_access & ~flag


@api(Chapter.KERNEL, "INVALID_ENUMERATION", since=(0, 91), inexpressible="INVALID_SIZE: values carry their own size")
def zeKernelGetAttribute(hKernel: Kernel, attr: int) -> bool | str:
    """Returns the value of an attribute: a Boolean, or a string for the source attributes."""
    kernel = live(hKernel, Kernel)
    kind = enumerator(attr, ze_kernel_attribute_t)
    return (
        bool(kernel.indirect_access & _INDIRECT_ATTRIBUTES[kind])
        if kind in _INDIRECT_ATTRIBUTES
        else kernel.description.source_attributes
    )


@api(Chapter.KERNEL, seed=None)
def zeKernelGetSourceAttributes(hKernel: Kernel) -> str:
    """Returns the attributes of a kernel in its source, separated by blanks; empty if there are none."""
    return live(hKernel, Kernel).description.source_attributes


@api(
    Chapter.KERNEL,
    seed="zeKernelSetIntermediateCacheConfig",
    rules={"flags": flags_of(ze_cache_config_flags_t)},
    validated="INVALID_ENUMERATION",
)
def zeKernelSetCacheConfig(hKernel: Kernel, flags: int) -> None:
    """Sets a preference for shared local memory or cache, which has no effect."""
    live(hKernel, Kernel)


@seed_form(zeKernelSetCacheConfig)
def zeKernelSetIntermediateCacheConfig(hKernel: Kernel, CacheConfig: int) -> None:
    """Sets a preference for local memory or cache as a `ze_cache_config_t`, which has no effect."""
    live(hKernel, Kernel)
    enumerator(CacheConfig, ze_cache_config_t)


@api(Chapter.KERNEL)
def zeKernelGetProperties(hKernel: Kernel, pNext: Sequence[type] = ()) -> ze_kernel_properties_t:
    """Returns the properties of a kernel that its binary states."""
    kernel = live(hKernel, Kernel)
    facts, max_group_size = kernel.facts, kernel.description.max_group_size
    extensions = {
        ze_kernel_preferred_group_size_properties_t: ze_kernel_preferred_group_size_properties_t(facts.simd_size),
        ze_kernel_max_group_size_properties_ext_t: ze_kernel_max_group_size_properties_ext_t(max_group_size),
    }
    required_size = facts.required_work_group_size or (0, 0, 0)
    return ze_kernel_properties_t(
        numKernelArgs=len(facts.arguments),
        requiredGroupSizeX=required_size[0],
        requiredGroupSizeY=required_size[1],
        requiredGroupSizeZ=required_size[2],
        requiredNumSubGroups=0,
        requiredSubgroupSize=facts.required_subgroup_size,
        maxSubgroupSize=facts.simd_size,
        maxNumSubgroups=-(-max_group_size // facts.simd_size),
        localMemSize=facts.slm_size,
        privateMemSize=kernel.description.private_size,
        spillMemSize=kernel.description.spill_size,
        uuid=ze_kernel_uuid_t(kid=_uuid(kernel.description.name.encode()), mid=_uuid(kernel.module.identity)),
        name=kernel.description.name,
        pNext=tuple(extensions[kind] for kind in items(pNext, "pNext") if kind in extensions),
    )


def _uuid(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:UUID_BYTES]


@api(Chapter.KERNEL, seed=None)
def zeKernelGetName(hKernel: Kernel) -> str:
    """Returns the name of a kernel in its module."""
    return live(hKernel, Kernel).description.name


@api(Chapter.KERNEL, since=(1, 1))
def zeKernelSetGlobalOffsetExp(hKernel: Kernel, offsetX: int, offsetY: int, offsetZ: int) -> None:
    """Sets the offsets that are added to the global ids of later launches."""
    kernel = live(hKernel, Kernel)
    kernel.global_offset = (unsigned(offsetX, "offsetX"), unsigned(offsetY, "offsetY"), unsigned(offsetZ, "offsetZ"))


@api(Chapter.KERNEL, pointers="pHint", since=(1, 2), note="Hints have no effect.", validated="INVALID_ENUMERATION")
def zeKernelSchedulingHintExp(hKernel: Kernel, pHint: ze_scheduling_hint_exp_desc_t) -> None:
    """Sets a preference for the scheduling of threads, which has no effect."""
    live(hKernel, Kernel)
    required(pHint, "pHint")


@api(Chapter.KERNEL, since=(1, 11))
def zeKernelGetBinaryExp(hKernel: Kernel) -> bytes:
    """Returns the code of a kernel: the contents of its text section."""
    return live(hKernel, Kernel).description.code


@api(
    Chapter.KERNEL,
    "OUT_OF_DEVICE_MEMORY",
    since=(1, 14),
    inexpressible="UNSUPPORTED_FEATURE: the extension is there",
)
def zeKernelGetAllocationPropertiesExp(hKernel: Kernel) -> list[ze_kernel_allocation_exp_properties_t]:
    """Returns the memory that a kernel with its current settings will use.

    The list begins with the memory of arguments, in their order: the whole allocation that a pointer points into, or
    the process's pages around what no allocation has, and the storage of an image. What follows is no argument's:
    private memory, scratch space, the buffer for what the kernel prints, and the constants and variables that it uses.
    Private memory and the buffer are those of later launches from now on; scratch space has addresses only. Null
    pointers, values and local memory are not listed.

    Raises:
        ZeError: `OUT_OF_DEVICE_MEMORY` if there is no room for private memory, scratch space or the buffer.
    """
    kernel = live(hKernel, Kernel)
    variables = kernel.module.memory_of(kernel.description.name)
    try:
        own = [*kernel.reserve_surfaces(), *(usm.allocation for usm in variables)]
    except (MemoryError, simulator.LaunchRefused) as error:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, f"{kernel!r}: {error}") from error
    implicit = (
        ze_kernel_allocation_exp_properties_t(memory.address, memory.size, _UNKNOWN, NO_ARGUMENT) for memory in own
    )
    return [*sorted(_of_arguments(kernel), key=lambda entry: entry.argIndex), *implicit]


def _of_arguments(kernel: Kernel) -> Iterator[ze_kernel_allocation_exp_properties_t]:
    context = kernel.module.context
    for index, address in kernel.arguments.pointers.items():
        usm, allocation = context.usm(address), context.machine.memory.find(address)
        if usm is not None:
            yield ze_kernel_allocation_exp_properties_t(usm.allocation.address, usm.size, usm.type, index)
        elif allocation is not None:
            yield ze_kernel_allocation_exp_properties_t(allocation.address, allocation.size, _UNKNOWN, index)
        elif (pages := mapping.readable_pages(address)) is not None:
            yield ze_kernel_allocation_exp_properties_t(pages.start, len(pages), _UNKNOWN, index)
    for index, image in kernel.arguments.images.items():
        if image.alive:
            storage = image.storage
            yield ze_kernel_allocation_exp_properties_t(storage.address, storage.size, _UNKNOWN, index)
