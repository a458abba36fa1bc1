"""Functions of program instrumentation (specification: Program Instrumentation)."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.ze.declaration import api
from runtime.ze.driver import Kernel, Module, OpenContents, enumerator, live
from runtime.zet.chapters import ToolsChapter
from runtime.zet.instrumentation.registers import free_registers
from runtime.zet.instrumentation.spec import (
    zet_module_debug_info_format_t,
    zet_profile_flags_t,
    zet_profile_token_type_t,
)
from runtime.zet.instrumentation.tokens import (
    zet_profile_free_register_token_t,
    zet_profile_info_t,
    zet_profile_register_sequence_t,
)

_TOKEN_BYTES, _SEQUENCE_BYTES = 12, 8
"""The sizes of the structures in C."""


@api(
    ToolsChapter.INSTRUMENTATION,
    "INVALID_ENUMERATION MODULE_BUILD_FAILURE INVALID_MODULE_UNLINKED",
    inexpressible="INVALID_NULL_POINTER: the size is that of the bytes",
)
def zetModuleGetDebugInfo(hModule: Module, format: int) -> bytes:
    """Returns an ELF file with the code of a module, its symbols and its debug information (DWARF), in which kernels
    have addresses; empty for a module that was built without debug information.

    Raises:
        ModuleBuildError: `MODULE_BUILD_FAILURE` for a module with many kernels of which one does not compile.
        ZeError: `INVALID_ENUMERATION` for another format; `INVALID_MODULE_UNLINKED` for a module in SPIR-V whose
            imports are not resolved.
    """
    module = live(hModule, Module)
    enumerator(format, zet_module_debug_info_format_t)
    if isinstance(module.loaded, OpenContents):
        module.require_linked()
    return module.debug_image()


@api(ToolsChapter.INSTRUMENTATION, inexpressible="INVALID_NULL_POINTER: the properties are the result")
def zetKernelGetProfileInfo(hKernel: Kernel, pNext: Sequence[type] = ()) -> zet_profile_info_t:
    """Returns the profile flags that a kernel's module was built with, and the tokens that they ask for.

    With `ZET_PROFILE_FLAG_FREE_REGISTER_INFO` a token has the registers that the kernel leaves free: neither its code
    nor its payload uses them. The compiler always takes as few registers as it can, so
    `ZET_PROFILE_FLAG_REGISTER_REALLOCATION` changes nothing; native modules do not have it. No extension is known.
    """
    kernel = live(hKernel, Kernel)
    flags = zet_profile_flags_t(kernel.module.profile_flags)
    if not flags & zet_profile_flags_t.ZET_PROFILE_FLAG_FREE_REGISTER_INFO:
        return zet_profile_info_t(flags, 0)
    sequences = tuple(zet_profile_register_sequence_t(*found) for found in free_registers(kernel.executable))
    token = zet_profile_free_register_token_t(
        zet_profile_token_type_t.ZET_PROFILE_TOKEN_TYPE_FREE_REGISTER,
        _TOKEN_BYTES + _SEQUENCE_BYTES * len(sequences),
        len(sequences),
        sequences,
    )
    return zet_profile_info_t(flags, 1, tokens=(token,))
