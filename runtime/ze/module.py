"""Modules and their build logs (specification: Module)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from runtime.ze.context import Context, Usm
from runtime.ze.device import Device
from runtime.ze.enums import ze_module_format_t, ze_module_property_flags_t
from runtime.ze.handle import Handle, enumerator, live, required
from runtime.ze.kernel_image import ImageError, ModuleImage, load_image
from runtime.ze.memory import adopt_memory
from runtime.ze.module_build import ModuleBuildError, ModuleBuildLog, check_build_flags, compile_text
from runtime.ze.results import ZeError, ze_result_t
from runtime.ze.structs import ze_module_constants_t, ze_module_desc_t, ze_module_properties_t

_SPIRV_MAGICS = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")


class Module(Handle):
    """A loaded ZEBIN: its kernels, variables and functions. `was_linked` is set by `zeModuleDynamicLink`."""

    noun: ClassVar[str] = "module"

    def __init__(self, context: Context, device: Device, binary: bytes, image: ModuleImage) -> None:
        super().__init__(context)
        self.context = context
        self.device = device
        self.binary = binary
        self.image = image
        self.was_linked = False
        self._memory = [adopt_memory(context, device, allocation) for allocation in image.linked.memory]

    def require_linked(self) -> None:
        """Raise invalid module unlinked while the addresses of imports are missing."""
        if not self.image.is_linked:
            raise ZeError(
                ze_result_t.ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED,
                f"{self!r} has to be linked with modules that have {', '.join(self.image.linked.imports)}",
            )

    @property
    def memory(self) -> Sequence[Usm]:
        """The memory of the module's constants and variables."""
        return self._memory

    def free(self) -> None:
        """Give the memory of the variables back."""
        for usm in self._memory:
            self.context.release(usm)


def zeModuleCreate(hContext: Context, hDevice: Device, desc: ze_module_desc_t) -> tuple[Module, ModuleBuildLog]:
    """A module from a ZEBIN, or from MLIR text, and the log of its making.

    Build flags are for MLIR; a native module is built already. Raises `ModuleBuildError`, which carries the log:
    invalid native binary for one that is broken or not for this device, dependency unavailable for SPIR-V, as there is
    no compiler for it, and module build failure for what is called SPIR-V and is none, for MLIR that does not compile,
    and for unknown flags or constants.
    """
    context = live(hContext, Context)
    device = context.device(hDevice)
    required(desc, "desc", ze_module_desc_t)
    required(desc.pInputModule, "desc.pInputModule")
    data = bytes(desc.pInputModule or b"")
    module_format = enumerator(desc.format, ze_module_format_t)
    if not data:
        raise ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_SIZE, "the input module is empty")
    if module_format == ze_module_format_t.ZE_MODULE_FORMAT_IL_SPIRV:
        raise _no_compiler(data)
    if desc.pConstants is not None and desc.pConstants.pConstantIds:
        raise _no_constants(module_format, desc.pConstants)
    warnings: list[str] = []
    if module_format == ze_module_format_t.ZE_MODULE_FORMAT_MLIR_EXP:
        warnings = check_build_flags(desc.pBuildFlags or "")
        data = compile_text(data, device.target)
    try:
        image = load_image(data, device.simulator)
    except ImageError as error:
        raise ModuleBuildError(ze_result_t.ZE_RESULT_ERROR_INVALID_NATIVE_BINARY, str(error)) from error
    except MemoryError as error:
        raise ModuleBuildError(ze_result_t.ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, str(error)) from error
    return Module(context, device, data, image), ModuleBuildLog("\n".join((*warnings, *image.warnings)))


def _no_compiler(data: bytes) -> ModuleBuildError:
    if data.startswith(_SPIRV_MAGICS):
        return ModuleBuildError(
            ze_result_t.ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE, "there is no compiler for SPIR-V; give a native module"
        )
    return ModuleBuildError(ze_result_t.ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, "the input module is not SPIR-V")


def _no_constants(module_format: ze_module_format_t, constants: ze_module_constants_t) -> ZeError:
    if module_format == ze_module_format_t.ZE_MODULE_FORMAT_NATIVE:
        text = "a native module takes no specialization constants"
        return ZeError(ze_result_t.ZE_RESULT_ERROR_INVALID_ARGUMENT, text)
    ids = ", ".join(map(str, constants.pConstantIds))
    text = f"the module has no specialization constants, {ids} cannot be set"
    return ModuleBuildError(ze_result_t.ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, text)


def zeModuleDestroy(hModule: Module) -> None:
    """Destroy a module, and its variables; raises object in use while it has kernels."""
    module = live(hModule, Module)
    module.retire()
    module.free()


def zeModuleBuildLogGetString(hModuleBuildLog: ModuleBuildLog) -> str:
    """The text of a build log, empty if there was nothing to say."""
    return live(hModuleBuildLog, ModuleBuildLog).text


def zeModuleBuildLogDestroy(hModuleBuildLog: ModuleBuildLog) -> None:
    """Destroy a build log."""
    live(hModuleBuildLog, ModuleBuildLog).retire()


def zeModuleGetNativeBinary(hModule: Module) -> bytes:
    """Bytes from which the same module can be made again."""
    return live(hModule, Module).binary


def zeModuleGetKernelNames(hModule: Module) -> list[str]:
    """The names of the kernels, in the order of the binary."""
    return list(live(hModule, Module).image.kernel_names)


def zeModuleGetGlobalPointer(hModule: Module, pGlobalName: str) -> tuple[int, int]:
    """Size in bytes and address of a variable of the module.

    Raises invalid global name for a name that no variable has, a kernel's included.
    """
    module = live(hModule, Module)
    required(pGlobalName, "pGlobalName", str)
    linked = module.image.linked
    variable = linked.variables.get(pGlobalName)
    if variable is None:
        if pGlobalName in linked.imports:
            module.require_linked()
        known = ", ".join(f"'{name}'" for name in linked.variables) or "it has none"
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_GLOBAL_NAME, f"no variable is called {pGlobalName!r}, expected {known}"
        )
    return variable.size, variable.address


def zeModuleGetFunctionPointer(hModule: Module, pFunctionName: str) -> int:
    """Where a function begins, as the instruction `calla` takes it: the byte in the code of the kernel that has it.

    Only this kernel can call it. Raises invalid function name, and invalid module unlinked before linking.
    """
    module = live(hModule, Module)
    required(pFunctionName, "pFunctionName", str)
    module.require_linked()
    place = module.image.linked.functions.get(pFunctionName)
    if place is None:
        known = ", ".join(f"'{name}'" for name in module.image.linked.functions) or "it has none"
        raise ZeError(
            ze_result_t.ZE_RESULT_ERROR_INVALID_FUNCTION_NAME,
            f"no function is called {pFunctionName!r}, expected {known}",
        )
    return place


def zeModuleGetProperties(hModule: Module) -> ze_module_properties_t:
    """Whether a module refers to variables of other modules."""
    imports = live(hModule, Module).image.linked.imports
    return ze_module_properties_t(ze_module_property_flags_t(1 if imports else 0))
