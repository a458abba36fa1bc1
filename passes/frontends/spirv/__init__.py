"""SPIR-V: from binary modules of kernels to LLVM IR.

`translate` gives LLVM IR and what the module says about its kernels; `passes.frontends.optimisation` simplifies
the text.
"""

from __future__ import annotations

from passes.frontends.spirv.assembly import AssemblyError, assemble
from passes.frontends.spirv.disassembly import disassemble
from passes.frontends.spirv.errors import SpirvError
from passes.frontends.spirv.information import (
    Argument,
    ArgumentKind,
    KernelInformation,
    ModuleInformation,
    Specialization,
)
from passes.frontends.spirv.translation import Translation, translate
from passes.frontends.spirv.translation.module import specializations

__all__ = [
    "Argument",
    "ArgumentKind",
    "AssemblyError",
    "KernelInformation",
    "ModuleInformation",
    "Specialization",
    "SpirvError",
    "Translation",
    "assemble",
    "disassemble",
    "specializations",
    "translate",
]
