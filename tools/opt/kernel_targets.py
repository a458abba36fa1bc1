"""Assembly and binaries of compiled kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

import zebin
from tools.opt.binary_target import BinaryTarget
from xegpu import targets
from xegpu.diagnostics import CompileError
from xegpu.dialects.xe import KernelOp, compiled_kernels
from xegpu.isa import CompiledKernel, disassemble


def _compiled(module: ModuleOp) -> list[CompiledKernel]:
    """The compiled kernels of a module. Raises `CompileError` if it has none."""
    if not (kernels := compiled_kernels(module)):
        raise CompileError(module, "holds no compiled kernel: add -p 'xe-pipeline{target=pvc}'")
    return kernels


@dataclass(frozen=True)
class XeAsmTarget(Target):
    """`-t xe-asm`: the code of every kernel, as `xe-asm` reads it."""

    name = "xe-asm"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write("\n".join(f"// kernel {kernel.name}\n{disassemble(kernel.code)}" for kernel in _compiled(module)))


@dataclass(frozen=True)
class ZebinTarget(BinaryTarget):
    """`-t zebin`: one ZEBIN with all kernels of all `gpu.module`s."""

    name = "zebin"

    def encode(self, module: ModuleOp) -> bytes:
        kernels = _compiled(module)
        names = {op.target.data for op in module.walk() if isinstance(op, KernelOp)}
        if len(names) > 1:
            raise CompileError(module, f"holds kernels for different GPUs: {', '.join(sorted(names))}")
        try:
            return zebin.build(targets.get(names.pop()), kernels)
        except zebin.ZebinError as error:
            raise CompileError(module, f"cannot become a ZEBIN: {error}") from error
