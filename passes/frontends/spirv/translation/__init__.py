"""The translation of SPIR-V's instructions to LLVM IR."""

from passes.frontends.spirv.translation import (
    arithmetic as arithmetic,
    atomics as atomics,
    bits as bits,
    calls as calls,
    composites as composites,
    conversions as conversions,
    matrices as matrices,
    matrix_memory as matrix_memory,
    memory as memory,
    opencl as opencl,
)
from passes.frontends.spirv.translation.functions import write_function as write_function
from passes.frontends.spirv.translation.module import Translation as Translation, translate as translate
