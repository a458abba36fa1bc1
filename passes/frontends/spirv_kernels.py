"""Kernels in SPIR-V as kernels in MLIR."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import ModuleOp

from passes.frontends.llvm import Requirements, import_kernels
from passes.frontends.llvm.reader import place
from passes.frontends.spirv import SpirvError, translate
from xegpu.diagnostics import CompileError


def import_spirv(data: bytes, filename: str = "<module>", constants: Mapping[int, bytes] | None = None) -> ModuleOp:
    """Returns the kernels of a SPIR-V module; `constants` are the bytes of specialization constants by their ids.

    Raises `CompileError` for a module that is wrong, and for what kernels cannot do.
    """
    try:
        translation = translate(data, constants)
    except SpirvError as error:
        raise CompileError(place(filename, 1), str(error)) from error
    kernels = translation.information.kernels
    requirements = {kernel.name: Requirements(kernel.local_size, kernel.subgroup_size) for kernel in kernels}
    return import_kernels(translation.text, filename, requirements=requirements)
