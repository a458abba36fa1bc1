"""Assembly and binaries of compiled kernels as outputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from runtime.mux import CompileOptions, assembly, compile_module, has_kernels
from tools.opt.binary_target import BinaryOptions, BinaryTarget
from xegpu.diagnostics import CompileError
from zebin import DebugOptions


def _require_kernels(module: ModuleOp) -> None:
    """Raises `CompileError` for a module without lowered kernels."""
    if not has_kernels(module):
        raise CompileError(module, "contains no compiled kernel: add --target pvc")


@dataclass(frozen=True)
class XeAsmTarget(Target):
    """`-t xe-asm`: the code of every kernel, as `xe-asm` reads it."""

    name = "xe-asm"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        _require_kernels(module)
        output.write(assembly(module))


@dataclass(frozen=True)
class ZebinTarget(BinaryTarget):
    """`-t zebin`: one ZEBIN with all kernels of all `gpu.module`s."""

    name = "zebin"

    def encode(self, module: ModuleOp, options: BinaryOptions) -> bytes:
        _require_kernels(module)
        debug = DebugOptions(options.debug_info, options.prefix_map)
        return compile_module(module, None, options=CompileOptions(debug=debug))
