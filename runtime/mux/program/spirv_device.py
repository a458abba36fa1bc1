"""The part of SPIR-V that a device takes, and what a module in SPIR-V says (specification: `spirv::DeviceInfo`)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from passes.frontends.spirv import ModuleInformation
from runtime.mux.results import MuxError, Result


@dataclass(frozen=True)
class SpirvDeviceInfo:
    """The part of SPIR-V that a module may use: None stands for everything that the compiler knows.

    Attributes:
        capabilities: Names such as `Kernel`, without which a module is refused.
        extensions: Names such as `SPV_KHR_expect_assume`.
        addressing_model: The only addressing model that the compiler has.
        memory_model: The only memory model that the compiler has.
        address_bits: The width of addresses.

    """

    capabilities: Collection[str] | None = None
    extensions: Collection[str] | None = None
    addressing_model: str = "Physical64"
    memory_model: str = "OpenCL"
    address_bits: int = 64

    def check(self) -> None:
        """Checks that the compiler has the models.

        Raises:
            MuxError: `INVALID_VALUE` for a device with other ones.
        """
        own = SpirvDeviceInfo()
        for what, asked, has in (
            ("addressing model", self.addressing_model, own.addressing_model),
            ("memory model", self.memory_model, own.memory_model),
            ("width of addresses", self.address_bits, own.address_bits),
        ):
            if asked != has:
                raise MuxError(Result.INVALID_VALUE, f"{what} {asked} is not supported: expected {has}")

    def missing(self, module: ModuleInformation) -> str | None:
        """Returns why a module cannot be compiled for the device; None if it can."""
        for what, used, known in (
            ("capability", module.capabilities, self.capabilities),
            ("extension", module.extensions, self.extensions),
        ):
            unknown = [] if known is None else [name for name in used if name not in known]
            if unknown:
                return f"the device does not have {what} {unknown[0]}"
        return None


@dataclass(frozen=True)
class SpirvModuleInfo:
    """Facts of a module in SPIR-V: the size of work-groups that it requires (specification: `spirv::ModuleInfo`).

    `work_group_sizes` has those of each kernel that requires one; `work_group_size` the one that all of these have in
    common, or zeros.
    """

    work_group_size: tuple[int, int, int]
    work_group_sizes: dict[str, tuple[int, int, int]]


def module_info(module: ModuleInformation) -> SpirvModuleInfo:
    """Returns the facts of a module."""
    sizes = {kernel.name: kernel.local_size for kernel in module.kernels if kernel.local_size is not None}
    common = set(sizes.values())
    return SpirvModuleInfo(common.pop() if len(common) == 1 else (0, 0, 0), sizes)
