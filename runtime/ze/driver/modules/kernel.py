"""Kernels with the settings of their next launch."""

from __future__ import annotations

from typing import ClassVar

from runtime.simulator import Dispatch, Executable
from runtime.simulator.machine import residency
from runtime.ze.driver.handle import Handle
from runtime.ze.driver.modules.arguments import KernelArguments
from runtime.ze.driver.modules.module import Module
from runtime.ze.spec.enums import ze_kernel_indirect_access_flags_t
from runtime.ze.spec.results import ZeError, ze_result_t
from xegpu.isa.model import Dim3

_MANY = 1 << 31

IndirectAccess = ze_kernel_indirect_access_flags_t


class Kernel(Handle):
    """A kernel of a module, with the settings of its next launch."""

    noun: ClassVar[str] = "kernel"

    def __init__(self, module: Module, executable: Executable) -> None:
        super().__init__(module)
        self.module = module
        self.executable = executable
        self.description = executable.description
        self.facts = self.description.facts
        self.arguments = KernelArguments(self.description)
        self.group_size: Dim3 = self.facts.required_work_group_size or (1, 1, 1)
        self.global_offset: Dim3 = (0, 0, 0)
        self.indirect_access = IndirectAccess(0)

    def __repr__(self) -> str:
        return f"<kernel '{self.description.name}' #{self.id}{'' if self.alive else ', destroyed'}>"

    @property
    def max_cooperative_groups(self) -> int:
        """The work-groups that the device holds at the same time, with the group size and arguments that are set."""
        dispatch = Dispatch((_MANY, 1, 1), self.group_size, b"", self.arguments.local_bytes)
        return residency(self.description, dispatch).resident_groups

    def require_group_size(self, size: Dim3) -> None:
        """Raises `INVALID_GROUP_SIZE_DIMENSION` for a size that the kernel cannot be launched with."""
        description, required_size = self.description, self.facts.required_work_group_size
        x, y, z = size
        limits = self.module.device.compute
        widest = (limits.maxGroupSizeX, limits.maxGroupSizeY, limits.maxGroupSizeZ)
        total = x * y * z
        if required_size is not None and size != required_size:
            why = f"the kernel requires {required_size}"
        elif not (1 <= x <= widest[0] and 1 <= y <= widest[1] and 1 <= z <= widest[2]):
            why = f"each dimension is 1 to at most {widest}"
        elif total > description.max_group_size:
            why = f"{total} in total, at most {description.max_group_size} fit"
        else:
            return
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION,
            f"kernel '{description.name}', group size {size}: {why}",
        )
