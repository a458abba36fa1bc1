"""SPIR-V: from binary modules of kernels to LLVM IR.

`translate` gives LLVM IR and what the module says about its kernels; `passes.frontends.optimisation` simplifies
the text.
"""

from passes.frontends.spirv.assembly import AssemblyError as AssemblyError, assemble as assemble
from passes.frontends.spirv.disassembly import disassemble as disassemble
from passes.frontends.spirv.errors import SpirvError as SpirvError
from passes.frontends.spirv.information import (
    Argument as Argument,
    ArgumentKind as ArgumentKind,
    KernelInformation as KernelInformation,
    ModuleInformation as ModuleInformation,
    Specialization as Specialization,
)
from passes.frontends.spirv.translation import Translation as Translation, translate as translate
from passes.frontends.spirv.translation.module import specializations as specializations
