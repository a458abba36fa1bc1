"""Calls the compiler, which is imported when something must be compiled: a binary on disk needs none."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

COMPILER = "runtime.mux.compilation.compiler"


def compile_text(text: str, target: str, filename: str) -> bytes:
    """Compiles MLIR text to one ZEBIN. Raises `CompileError`."""
    compile: Callable[[str, str, str], bytes] = import_module(COMPILER).compile_module
    return compile(text, target, filename)


def compile_kernels(module: ModuleOp, target: str, filename: str) -> bytes:
    """Compiles kernels that a front end has made to one ZEBIN. Raises `CompileError`."""
    compile: Callable[[ModuleOp, str, str], bytes] = import_module(COMPILER).compile_kernels
    return compile(module, target, filename)
