"""Kernels in OpenCL C, which clang translates to LLVM IR."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

from passes.frontends import llvm
from passes.frontends.opencl.compilers import Compiler as Compiler, find_compiler as find_compiler
from passes.frontends.opencl.features import EXTENSIONS as EXTENSIONS, FEATURES as FEATURES, REFUSED as REFUSED
from passes.frontends.opencl.translation import (
    compile_opencl as compile_opencl,
    own_headers_only as own_headers_only,
)
from passes.frontends.stages import show


def import_kernels(text: str, filename: str = "<string>", options: Sequence[str] = ()) -> ModuleOp:
    """Returns the kernels in OpenCL C as MLIR; options are those of `compile_opencl`. Raises `CompileError`."""
    translated = compile_opencl(text, filename, options)
    show("LLVM IR", lambda: translated)
    return llvm.import_kernels(translated, filename)


def tools(text: str) -> str | None:
    """Returns the compiler with its version; None if there is none, or if the text includes files."""
    compiler = None if "include" in text.replace("\\\n", "") else find_compiler()
    return None if compiler is None else compiler.identity()
