"""Compiles MLIR, LLVM IR, OpenCL C and SPIR-V to ZEBINs."""

from __future__ import annotations

from runtime.mux.compiler import COMPILE_FAILURES, CompileOptions, assembly, compile_module, has_kernels
from runtime.mux.languages import compile_source
from runtime.mux.spirv import SpirvLinkage, SpirvProgram, compile_spirv, spirv_linkage

__all__ = [
    "COMPILE_FAILURES",
    "CompileOptions",
    "SpirvLinkage",
    "SpirvProgram",
    "assembly",
    "compile_module",
    "compile_source",
    "compile_spirv",
    "has_kernels",
    "spirv_linkage",
]
