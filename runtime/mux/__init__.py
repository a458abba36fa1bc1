"""Compiles MLIR, LLVM IR and OpenCL C to ZEBINs."""

from __future__ import annotations

from runtime.mux.compiler import COMPILE_FAILURES, CompileOptions, assembly, compile_module, has_kernels
from runtime.mux.languages import LANGUAGES, compile_source, language_of

__all__ = [
    "COMPILE_FAILURES",
    "LANGUAGES",
    "CompileOptions",
    "assembly",
    "compile_module",
    "compile_source",
    "has_kernels",
    "language_of",
]
