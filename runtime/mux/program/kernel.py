"""A kernel whose compilation waits for its launches (specification: chapter Kernel)."""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

import zebin
from passes.frontends.ir import LaunchConstants, depends_on_grid, specialise
from passes.frontends.llvm import KernelDetails, Requirements
from runtime.mux.compilation.kernels import KernelOptions, compile_ir
from runtime.mux.options.parsing import Options, Size
from runtime.mux.program.ndrange import NDRangeOptions
from runtime.mux.results import MuxError, Result
from xegpu import targets
from xegpu.isa.model import KernelFacts

if TYPE_CHECKING:
    from runtime.mux.program.module import Module

_PREFERRED_ITEMS = 256
"""The work-items of a work-group where a kernel does not say: enough to fill the threads of a core, several times."""
_DIMENSIONS = "xyz"


def kernel_options(options: Options) -> KernelOptions:
    """Returns the choices about code that the options of a module make."""
    default = KernelOptions()
    return KernelOptions(
        int(options.device.get("--subgroup-size", default.subgroup_size)),
        int(options.device.get("--grf-count", default.grf_count)),
        "--no-debug-info" not in options.device,
    )


class Kernel:
    """A kernel of a finalised module, compiled when a launch is known (specification: `compiler::BaseKernel`).

    It keeps the program that it was made from, also when its module becomes another one.

    Attributes:
        name: Its name.
        details: What its source says about it.
        module: The module that it was made from.

    """

    def __init__(self, module: Module, details: KernelDetails) -> None:
        self.name = details.name
        self.details = details
        self.module = module
        self._text = module.finalized_llvm_module or ""
        self._options = kernel_options(module.options)
        self._gpu = targets.get(module.target.gpu)
        self._cached: dict[Size, tuple[str, bytes]] = {}

    def __repr__(self) -> str:
        return f"<ComputeMux kernel '{self.name}' for {self._gpu.name}>"

    # Facts of the kernel as it is compiled for any launch

    @cached_property
    def facts(self) -> KernelFacts:
        """The facts that `.ze_info` states about the kernel for any launch.

        Raises:
            MuxError: `FINALIZE_PROGRAM_FAILURE` if it cannot be compiled; the module's log says why.
        """
        with self.module.step(Result.FINALIZE_PROGRAM_FAILURE):
            binary = compile_ir(self._text, self._gpu.name, self.module.filename, self._options, [self.name])
            return zebin.read_facts(zebin.read(binary).kernels[self.name], self._gpu)

    @property
    def preferred_local_size(self) -> Size:
        """The size of work-groups that the kernel requires or asks for, or one that fills the device."""
        asked = self.details.required_work_group_size or self.details.work_group_size_hint
        return asked or (min(_PREFERRED_ITEMS, self.facts.max_group_size(self._gpu)), 1, 1)

    @property
    def preferred_local_size_x(self) -> int:
        """The preferred size of work-groups in x."""
        return self.preferred_local_size[0]

    @property
    def preferred_local_size_y(self) -> int:
        """The preferred size of work-groups in y."""
        return self.preferred_local_size[1]

    @property
    def preferred_local_size_z(self) -> int:
        """The preferred size of work-groups in z."""
        return self.preferred_local_size[2]

    @property
    def local_memory_size(self) -> int:
        """The bytes of memory that a work-group shares, beside those that arguments take."""
        return self.facts.slm_size

    @property
    def private_memory_size(self) -> int:
        """The bytes of memory of a hardware thread, in which its work-items keep arrays; equal ones are kept once."""
        return self.facts.private_size

    @property
    def spill_memory_size(self) -> int:
        """The bytes of memory of a hardware thread that hold what its registers cannot."""
        return self.facts.spill_size

    # Questions about work-groups

    def takes_local_size(self, size: Size) -> bool:
        """Says whether the kernel can be launched in work-groups of a size."""
        required = self.details.required_work_group_size
        return required in (None, size) and 0 < prod(size) <= self.facts.max_group_size(self._gpu)

    def get_dynamic_work_width(self, x: int, y: int, z: int) -> int:
        """Returns the work-items of a work-group that execute together (specification: `getDynamicWorkWidth`).

        Raises:
            MuxError: `INVALID_VALUE` for a size of 0, or one that the kernel cannot be launched with.
        """
        return min(self.get_sub_group_size(), self._items(x, y, z))

    def get_sub_group_size(self) -> int:
        """Returns the work-items of a whole subgroup (specification: `getSubGroupSize`)."""
        return self.facts.simd_size

    def query_sub_group_size_for_local_size(self, x: int, y: int, z: int) -> int:
        """Returns the size of the largest subgroup in work-groups (specification: `querySubGroupSizeForLocalSize`).

        The last subgroup of a work-group is smaller if the others leave less.

        Raises:
            MuxError: `INVALID_VALUE` for a size of 0, or one that the kernel cannot be launched with;
                `FEATURE_UNSUPPORTED` if the device has no subgroups.
        """
        self._needs_subgroups()
        return min(self.get_sub_group_size(), self._items(x, y, z))

    def query_local_size_for_sub_group_count(self, sub_group_count: int) -> Size:
        """Returns the size of work-groups of some whole subgroups (specification: `queryLocalSizeForSubGroupCount`).

        Zeros are returned if there is none.

        Raises:
            MuxError: `FEATURE_UNSUPPORTED` if the device has no subgroups.
        """
        self._needs_subgroups()
        size = (sub_group_count * self.get_sub_group_size(), 1, 1)
        return size if sub_group_count > 0 and self.takes_local_size(size) else (0, 0, 0)

    def query_max_sub_group_count(self) -> int:
        """Returns the most subgroups that a work-group can have (specification: `queryMaxSubGroupCount`).

        Raises:
            MuxError: `FEATURE_UNSUPPORTED` if the device has no subgroups.
        """
        self._needs_subgroups()
        required = self.details.required_work_group_size
        items = self.facts.max_group_size(self._gpu) if required is None else prod(required)
        return -(-items // self.get_sub_group_size())

    def _needs_subgroups(self) -> None:
        if not self.module.target.compiler_info.device_info.max_sub_group_count:
            raise MuxError(Result.FEATURE_UNSUPPORTED, "the device has no subgroups")

    def _items(self, x: int, y: int, z: int) -> int:
        """Returns the work-items of a work-group that the kernel can be launched with."""
        for axis, extent in zip(_DIMENSIONS, (x, y, z), strict=True):
            if extent < 1:
                raise MuxError(Result.INVALID_VALUE, f"local size {extent} in {axis}: expected at least 1")
        required = self.details.required_work_group_size
        if not self.takes_local_size((x, y, z)):
            most = self.facts.max_group_size(self._gpu)
            why = f"at most {most} work-items fit" if required is None else f"the kernel requires {required}"
            raise MuxError(Result.INVALID_VALUE, f"local size {(x, y, z)}: {why}")
        return x * y * z

    # Code for one launch

    def precache_local_size(self, x: int, y: int, z: int) -> None:
        """Compiles the kernel for work-groups of a size (specification: `precacheLocalSize`).

        Launches that fix nothing else need no compilation then.

        Raises:
            MuxError: `INVALID_VALUE` for a size of 0, or one that the kernel cannot be launched with;
                `FINALIZE_PROGRAM_FAILURE` if it cannot be compiled; `OUT_OF_MEMORY`.
        """
        with self.module.step(Result.FINALIZE_PROGRAM_FAILURE):
            self._items(x, y, z)
            self._for_local_size((x, y, z))

    def create_specialized_kernel(self, options: NDRangeOptions) -> bytes:
        """Returns a ZEBIN with the kernel made for one launch (specification: `createSpecializedKernel`).

        Sizes, offsets, values and null pointers are constants in its code. It takes the same arguments as the kernel
        for any launch, and work-groups of the one size only.

        Raises:
            MuxError: `INVALID_VALUE` for a launch that breaks a rule; `FINALIZE_PROGRAM_FAILURE` if the kernel cannot
                be compiled; `OUT_OF_MEMORY`.
        """
        with self.module.step(Result.FINALIZE_PROGRAM_FAILURE):
            local, whole, offset = options.check(self.module.target.compiler_info.device_info)
            self._items(*local)
            arguments = options.constants(self.facts)
            if local in self._cached and not arguments and not any(offset):
                text, binary = self._cached[local]
                if not depends_on_grid(text):
                    return binary
            launch = LaunchConstants(local, offset, whole, options.dimensions)
            return self._compiled(specialise(self._text, self.name, launch, arguments), local)

    def _for_local_size(self, size: Size) -> None:
        if size not in self._cached:
            text = specialise(self._text, self.name, LaunchConstants(size), {})
            self._cached[size] = text, self._compiled(text, size)

    def _compiled(self, text: str, size: Size) -> bytes:
        requirements = {self.name: Requirements(size, self.details.required_subgroup_size)}
        filename = self.module.filename
        return compile_ir(text, self._gpu.name, filename, self._options, [self.name], requirements)
