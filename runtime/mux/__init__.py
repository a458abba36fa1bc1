"""The ComputeMux compiler: kernels in OpenCL C, SPIR-V, LLVM IR and MLIR become ZEBINs.

`docs/computemux.md` has the chapters of its specification; `runtime.mux.compilation` has the functions below it, which
the other interfaces share. Names are imported when they are used, since loading a binary needs none.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from runtime.mux.compilation.languages import compile_source
from runtime.mux.compilation.spirv import SpirvLinkage, SpirvProgram, compile_spirv, spirv_linkage
from xegpu.diagnostics import CompileError

if TYPE_CHECKING:
    from runtime.mux.compilation.compiler import CompileOptions, assembly, compile_module, has_kernels
    from runtime.mux.context import ConstantKind, Context, SpecializableConstant
    from runtime.mux.device_info import DeviceInfo
    from runtime.mux.info import BuiltinCapabilities, Info, get_compilers, get_info, infos
    from runtime.mux.option_syntax import CompilationOption, parse_compilation_options
    from runtime.mux.results import MuxError, Result

COMPILE_FAILURES = (CompileError,)
"""The exceptions for what is wrong or cannot be compiled."""

_HOMES = {
    "compilation.compiler": ("CompileOptions", "assembly", "compile_module", "has_kernels"),
    "context": ("ConstantKind", "Context", "SpecializableConstant"),
    "device_info": ("DeviceInfo",),
    "info": ("BuiltinCapabilities", "Info", "get_compilers", "get_info", "infos"),
    "option_syntax": ("CompilationOption", "parse_compilation_options"),
    "results": ("MuxError", "Result"),
}
"""The names that are imported when they are used, by their modules."""


def __getattr__(name: str) -> object:
    """Returns a name of a module that is imported now."""
    for home, names in _HOMES.items():
        if name in names:
            found: object = getattr(import_module(f"{__name__}.{home}"), name)
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "COMPILE_FAILURES",
    "BuiltinCapabilities",
    "CompilationOption",
    "CompileOptions",
    "ConstantKind",
    "Context",
    "DeviceInfo",
    "Info",
    "MuxError",
    "Result",
    "SpecializableConstant",
    "SpirvLinkage",
    "SpirvProgram",
    "assembly",
    "compile_module",
    "compile_source",
    "compile_spirv",
    "get_compilers",
    "get_info",
    "has_kernels",
    "infos",
    "parse_compilation_options",
    "spirv_linkage",
]
