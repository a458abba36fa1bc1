"""Compiles MLIR to ZEBINs."""

from __future__ import annotations

from runtime.mux.compiler import COMPILE_FAILURES, CompileOptions, assembly, compile_module, has_kernels

__all__ = ["COMPILE_FAILURES", "CompileOptions", "assembly", "compile_module", "has_kernels"]
