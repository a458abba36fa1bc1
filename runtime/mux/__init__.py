"""Compiles MLIR text to ZEBINs."""

from __future__ import annotations

from runtime.mux.compiler import COMPILE_FAILURES, compile_module

__all__ = ["COMPILE_FAILURES", "compile_module"]
