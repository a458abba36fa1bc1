"""Kernels in LLVM IR as kernels in MLIR: arithmetic in `arith` and `math`, memory behind pointers of `llvm`."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from passes.frontends.llvm.importer.module import import_kernels
from passes.frontends.llvm.reader import read_module


def import_llvm(text: str, filename: str = "<string>") -> ModuleOp:
    """Returns the kernels in LLVM IR, as LLVM prints it after all calls of other functions have been inlined.

    Raises `CompileError`, with locations in the kernels' sources or in the text, for what kernels cannot do.
    """
    return import_kernels(read_module(text, filename))


__all__ = ["import_llvm"]
