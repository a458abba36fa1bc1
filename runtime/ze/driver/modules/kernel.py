"""Kernels with the settings of their next launch."""

from __future__ import annotations

from typing import ClassVar

from runtime.simulator import Dispatch
from runtime.simulator.machine import residency
from runtime.ze.driver.handle import Handle, integer
from runtime.ze.driver.modules.arguments import KernelArguments
from runtime.ze.driver.modules.loading import LoadedKernel, Size3
from runtime.ze.driver.modules.module import Module
from runtime.ze.spec.enums import ze_kernel_indirect_access_flags_t
from runtime.ze.spec.results import ZeError, ze_result_t

_MANY = 1 << 31

IndirectAccess = ze_kernel_indirect_access_flags_t


class Kernel(Handle):
    """A kernel of a module, with the settings of its next launch."""

    noun: ClassVar[str] = "kernel"

    def __init__(self, module: Module, loaded: LoadedKernel) -> None:
        super().__init__(module)
        self.module = module
        self.loaded = loaded
        self.arguments = KernelArguments(loaded)
        self.group_size: Size3 = loaded.required_size or (1, 1, 1)
        self.global_offset: Size3 = (0, 0, 0)
        self.indirect_access = IndirectAccess(0)

    def __repr__(self) -> str:
        return f"<kernel '{self.loaded.name}' #{self.id}{'' if self.alive else ', destroyed'}>"

    @property
    def max_cooperative_groups(self) -> int:
        """The work-groups that the device holds at the same time, with the group size and arguments that are set."""
        description = self.loaded.executable.description
        dispatch = Dispatch((_MANY, 1, 1), self.group_size, b"", self.arguments.local_bytes)
        return residency(description, dispatch).resident_groups

    def require_group_size(self, size: Size3) -> None:
        """Raises `INVALID_GROUP_SIZE_DIMENSION` for a size that the kernel cannot be launched with."""
        loaded = self.loaded
        x, y, z = (integer(extent, "group size") for extent in size)
        limits = self.module.device.compute
        widest = (limits.maxGroupSizeX, limits.maxGroupSizeY, limits.maxGroupSizeZ)
        total = x * y * z
        if loaded.required_size is not None and size != loaded.required_size:
            why = f"the kernel requires {loaded.required_size}"
        elif not (1 <= x <= widest[0] and 1 <= y <= widest[1] and 1 <= z <= widest[2]):
            why = f"each dimension is 1 to at most {widest}"
        elif total > loaded.max_group_size:
            why = f"{total} in total, at most {loaded.max_group_size} fit"
        else:
            return
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION,
            f"kernel '{loaded.name}', group size {size}: {why}",
        )
