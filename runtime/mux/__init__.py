"""Compiles MLIR, LLVM IR, OpenCL C and SPIR-V to ZEBINs."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from runtime.mux.deferred import COMPILER
from runtime.mux.languages import compile_source
from runtime.mux.spirv import SpirvLinkage, SpirvProgram, compile_spirv, spirv_linkage
from xegpu.diagnostics import CompileError

if TYPE_CHECKING:
    from runtime.mux.compiler import CompileOptions, assembly, compile_module, has_kernels

COMPILE_FAILURES = (CompileError,)
"""The exceptions for what is wrong or cannot be compiled."""

_OF_COMPILER = frozenset({"CompileOptions", "assembly", "compile_module", "has_kernels"})


def __getattr__(name: str) -> object:
    """Returns a name of the compiler, which is imported then."""
    if name not in _OF_COMPILER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(COMPILER), name)
    return found


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
