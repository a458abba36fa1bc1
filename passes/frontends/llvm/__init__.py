"""Kernels in LLVM IR as kernels in MLIR: arithmetic in `arith` and `math`, memory behind pointers of `llvm`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

from passes.frontends.llvm.importer.module import import_module
from passes.frontends.llvm.optimisation import optimise
from passes.frontends.llvm.reader import read_module


def import_kernels(text: str, filename: str = "<string>", options: Sequence[str] = ()) -> ModuleOp:
    """Returns the kernels in LLVM IR, whose calls are inlined first. There are no options.

    Raises `CompileError`, with locations in the kernels' sources or in the optimised text, for what kernels cannot do.
    """
    return import_module(read_module(optimise(text, filename), filename))


__all__ = ["import_kernels", "optimise"]
