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
    from runtime.mux.options.parsing import Options, OptionsMode
    from runtime.mux.options.syntax import CompilationOption, parse_compilation_options
    from runtime.mux.program.kernel import Kernel
    from runtime.mux.program.log import BuildLog
    from runtime.mux.program.module import InputHeader, Module, ProgramInfo
    from runtime.mux.program.ndrange import ArgumentDescriptor, DescriptorKind, NDRangeOptions
    from runtime.mux.program.pass_machinery import PassMachinery
    from runtime.mux.program.spirv_device import SpirvDeviceInfo, SpirvModuleInfo
    from runtime.mux.program.states import ModuleState
    from runtime.mux.results import MuxError, Result
    from runtime.mux.target import Target

COMPILE_FAILURES = (CompileError,)
"""The exceptions for what is wrong or cannot be compiled."""

_HOMES = {
    "compilation.igc": ("compile_with_igc_log",),
    "compilation.compiler": (
        "CompileOptions",
        "assembly",
        "compile_module",
        "has_kernels",
    ),
    "context": (
        "ConstantKind",
        "Context",
        "SpecializableConstant",
    ),
    "device_info": ("DeviceInfo",),
    "info": (
        "BuiltinCapabilities",
        "Info",
        "get_compilers",
        "get_info",
        "infos",
    ),
    "options.parsing": (
        "Options",
        "OptionsMode",
    ),
    "options.syntax": (
        "CompilationOption",
        "parse_compilation_options",
    ),
    "program.kernel": ("Kernel",),
    "program.log": ("BuildLog",),
    "program.module": (
        "InputHeader",
        "Module",
        "ProgramInfo",
    ),
    "program.ndrange": (
        "ArgumentDescriptor",
        "DescriptorKind",
        "NDRangeOptions",
    ),
    "program.pass_machinery": ("PassMachinery",),
    "program.spirv_device": (
        "SpirvDeviceInfo",
        "SpirvModuleInfo",
    ),
    "program.states": ("ModuleState",),
    "results": (
        "MuxError",
        "Result",
    ),
    "target": ("Target",),
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
    "ArgumentDescriptor",
    "BuildLog",
    "BuiltinCapabilities",
    "CompilationOption",
    "CompileOptions",
    "ConstantKind",
    "Context",
    "DescriptorKind",
    "DeviceInfo",
    "Info",
    "InputHeader",
    "Kernel",
    "Module",
    "ModuleState",
    "MuxError",
    "NDRangeOptions",
    "Options",
    "OptionsMode",
    "PassMachinery",
    "ProgramInfo",
    "Result",
    "SpecializableConstant",
    "SpirvDeviceInfo",
    "SpirvLinkage",
    "SpirvModuleInfo",
    "SpirvProgram",
    "Target",
    "assembly",
    "compile_module",
    "compile_source",
    "compile_spirv",
    "compile_with_igc_log",
    "get_compilers",
    "get_info",
    "has_kernels",
    "infos",
    "parse_compilation_options",
    "spirv_linkage",
]
