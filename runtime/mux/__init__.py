"""Compiles MLIR text to ZEBINs."""

from __future__ import annotations

from runtime.mux.compiler import compile_module

__all__ = ["compile_module"]
