"""Kernels: creation, arguments, group size, properties (specification: Kernel). Launches are in `launch`."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import ClassVar

from runtime.simulator import Dispatch
from runtime.simulator.machine.residency import residency
from runtime.ze.arguments import ArgumentValue, KernelArguments
from runtime.ze.enums import (
    ze_cache_config_flags_t,
    ze_kernel_flags_t,
    ze_kernel_indirect_access_flags_t,
    ze_scheduling_hint_exp_flags_t,
)
from runtime.ze.extension_structs import (
    ze_kernel_max_group_size_properties_ext_t,
    ze_kernel_preferred_group_size_properties_t,
)
from runtime.ze.handle import Handle, flag_set, integer, items, live, required, unsigned
from runtime.ze.kernel_image import KernelImage, Size3
from runtime.ze.module import Module
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.structs import (
    UUID_BYTES,
    ze_kernel_desc_t,
    ze_kernel_properties_t,
    ze_kernel_uuid_t,
    ze_scheduling_hint_exp_desc_t,
)

_SUGGESTED_ITEMS = 256
_MANY = 1 << 31
_Indirect = ze_kernel_indirect_access_flags_t


class Kernel(Handle):
    """A kernel of a module with what was set for its next launch."""

    noun: ClassVar[str] = "kernel"

    def __init__(self, module: Module, image: KernelImage) -> None:
        super().__init__(module)
        self.module = module
        self.image = image
        self.arguments = KernelArguments(image)
        self.group_size: Size3 = image.required_size or (1, 1, 1)
        self.global_offset: Size3 = (0, 0, 0)
        self.indirect_access = _Indirect(0)

    def __repr__(self) -> str:
        return f"<kernel '{self.image.name}' #{self.id}{'' if self.alive else ', destroyed'}>"

    @property
    def max_cooperative_groups(self) -> int:
        """Work-groups that are on the device at the same time, with the group size and arguments that are set."""
        description = self.image.executable.description
        dispatch = Dispatch((_MANY, 1, 1), self.group_size, b"", self.arguments.local_bytes)
        return residency(description, dispatch).resident_groups

    def require_group_size(self, size: Size3) -> None:
        """Raise invalid group size dimension for a size that the kernel can't be launched with."""
        image = self.image
        x, y, z = (integer(extent, "group size") for extent in size)
        limits = self.module.device.compute
        widest = (limits.maxGroupSizeX, limits.maxGroupSizeY, limits.maxGroupSizeZ)
        total = x * y * z
        if image.required_size is not None and size != image.required_size:
            why = f"the kernel requires {image.required_size}"
        elif not (1 <= x <= widest[0] and 1 <= y <= widest[1] and 1 <= z <= widest[2]):
            why = f"each dimension is 1 to at most {widest}"
        elif total > image.max_group_size:
            why = f"{total} in total, at most {image.max_group_size} fit"
        else:
            return
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION, f"kernel '{image.name}', group size {size}: {why}"
        )


def zeKernelCreate(hModule: Module, desc: ze_kernel_desc_t) -> Kernel:
    """A kernel by name, with nothing set. Raises invalid kernel name, and invalid module unlinked before linking."""
    module = live(hModule, Module)
    module.device.processor.require_available()
    required(desc, "desc", ze_kernel_desc_t)
    flag_set(desc.flags, ze_kernel_flags_t)
    required(desc.pKernelName, "desc.pKernelName")
    module.require_linked()
    image = module.image.kernels.get(str(desc.pKernelName))
    if image is None:
        names = ", ".join(f"'{name}'" for name in module.image.kernel_names) or "no kernels"
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_KERNEL_NAME, f"no kernel '{desc.pKernelName}', the module has {names}"
        )
    return Kernel(module, image)


def zeKernelDestroy(hKernel: Kernel) -> None:
    """Destroy a kernel. Launches that were already appended keep what they need."""
    live(hKernel, Kernel).retire()


def zeKernelSetArgumentValue(hKernel: Kernel, argIndex: int, argSize: int, pArgValue: ArgumentValue) -> None:
    """Set an argument: `argSize` bytes of value, an address for a pointer, or a size without value for local memory.

    Raises invalid kernel argument index and invalid kernel argument size.
    """
    live(hKernel, Kernel).arguments.set(argIndex, argSize, pArgValue)


def zeKernelSetGroupSize(hKernel: Kernel, groupSizeX: int, groupSizeY: int, groupSizeZ: int) -> None:
    """Set the size of the work-groups of later launches. Raises invalid group size dimension."""
    kernel = live(hKernel, Kernel)
    size = (groupSizeX, groupSizeY, groupSizeZ)
    kernel.require_group_size(size)
    kernel.group_size = size


def zeKernelSetGlobalOffsetExp(hKernel: Kernel, offsetX: int, offsetY: int, offsetZ: int) -> None:
    """Set what is added to the global ids of later launches."""
    kernel = live(hKernel, Kernel)
    kernel.global_offset = (unsigned(offsetX, "offsetX"), unsigned(offsetY, "offsetY"), unsigned(offsetZ, "offsetZ"))


def zeKernelSuggestGroupSize(hKernel: Kernel, globalSizeX: int, globalSizeY: int, globalSizeZ: int) -> Size3:
    """A group size that suits a global size: it divides it where it can. Raises invalid global width dimension."""
    kernel = live(hKernel, Kernel)
    sizes = (globalSizeX, globalSizeY, globalSizeZ)
    for extent in sizes:
        if unsigned(extent, "global size") == 0:
            raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION, f"global size {sizes} has a zero")
    certain = kernel.image.required_size or kernel.image.size_hint
    if certain is not None:
        return certain
    room = min(kernel.image.max_group_size, _SUGGESTED_ITEMS)
    x = _suggest(globalSizeX, room, kernel.image.simd_size)
    y = _suggest(globalSizeY, room // x)
    return x, y, _suggest(globalSizeZ, room // (x * y))


def _suggest(extent: int, room: int, multiple: int = 1) -> int:
    """The largest divisor of `extent` up to `room`, of those that are multiples of `multiple` if there are any.

    A large extent that has no divisor gets all the room instead: its last group will be partly idle.
    """
    divisors = [size for size in range(min(extent, room), 0, -1) if extent % size == 0]
    best = next((size for size in divisors if size % multiple == 0), divisors[0])
    return room if best == 1 and extent > room else best


def zeKernelSuggestMaxCooperativeGroupCount(hKernel: Kernel) -> int:
    """How many work-groups of the kernel's size, registers and local memory the device holds at the same time."""
    return live(hKernel, Kernel).max_cooperative_groups


def zeKernelSetIndirectAccess(hKernel: Kernel, flags: int) -> None:
    """Declare what the kernel reaches through pointers that are no arguments; simulated memory is always reachable."""
    kernel = live(hKernel, Kernel)
    kernel.indirect_access |= flag_set(flags, _Indirect)


def zeKernelGetIndirectAccess(hKernel: Kernel) -> ze_kernel_indirect_access_flags_t:
    """The kinds of memory that `zeKernelSetIndirectAccess` declared."""
    return live(hKernel, Kernel).indirect_access


def zeKernelSetCacheConfig(hKernel: Kernel, flags: int) -> None:
    """Prefer shared local memory or cache; without effect."""
    live(hKernel, Kernel)
    flag_set(flags, ze_cache_config_flags_t)


def zeKernelGetSourceAttributes(hKernel: Kernel) -> str:
    """The attributes of the kernel in its source, with blanks between; empty if there are none."""
    return live(hKernel, Kernel).image.source_attributes


def zeKernelSchedulingHintExp(hKernel: Kernel, pHint: ze_scheduling_hint_exp_desc_t) -> None:
    """Say how threads should be scheduled; without effect."""
    live(hKernel, Kernel)
    required(pHint, "pHint", ze_scheduling_hint_exp_desc_t)
    flag_set(pHint.flags, ze_scheduling_hint_exp_flags_t)


def zeKernelGetBinaryExp(hKernel: Kernel) -> bytes:
    """The code of a kernel, from the header word of its text section on."""
    return live(hKernel, Kernel).image.executable.description.code


def zeKernelGetProperties(hKernel: Kernel, pNext: Sequence[type] = ()) -> ze_kernel_properties_t:
    """What the binary says about a kernel; `pNext` as for `zeDeviceGetProperties`."""
    kernel = live(hKernel, Kernel)
    image = kernel.image
    extensions = {
        ze_kernel_preferred_group_size_properties_t: ze_kernel_preferred_group_size_properties_t(image.simd_size),
        ze_kernel_max_group_size_properties_ext_t: ze_kernel_max_group_size_properties_ext_t(image.max_group_size),
    }
    required_size = image.required_size or (0, 0, 0)
    return ze_kernel_properties_t(
        numKernelArgs=len(image.layout.arguments),
        requiredGroupSizeX=required_size[0],
        requiredGroupSizeY=required_size[1],
        requiredGroupSizeZ=required_size[2],
        requiredNumSubGroups=0,
        requiredSubgroupSize=image.required_subgroup,
        maxSubgroupSize=image.simd_size,
        maxNumSubgroups=-(-image.max_group_size // image.simd_size),
        localMemSize=image.slm_size,
        privateMemSize=image.private_size,
        spillMemSize=image.spill_size,
        uuid=ze_kernel_uuid_t(kid=_uuid(image.name.encode()), mid=_uuid(kernel.module.binary)),
        pNext=tuple(extensions[kind] for kind in items(pNext, "pNext") if kind in extensions),
    )


def _uuid(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()[:UUID_BYTES]


def zeKernelGetName(hKernel: Kernel) -> str:
    """The name of a kernel in its module."""
    return live(hKernel, Kernel).image.name
