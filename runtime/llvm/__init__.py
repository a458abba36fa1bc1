"""Code generation for the CPU with LLVM: IR as text, conversions between number formats, and machine code."""

from runtime.llvm.compilation import (
    LOOP_LEVEL as LOOP_LEVEL,
    MachineCode as MachineCode,
    compiler_identity as compiler_identity,
    linked as linked,
    machine_code as machine_code,
    object_code as object_code,
)
from runtime.llvm.conversions import (
    carrier as carrier,
    decode as decode,
    encode as encode,
    flushed as flushed,
    single_to_odd as single_to_odd,
    widen as widen,
)
from runtime.llvm.cpu import Cpu as Cpu, this_cpu as this_cpu
from runtime.llvm.function_body import IRBlock as IRBlock
from runtime.llvm.module import IRFunction as IRFunction, IRModule as IRModule
from runtime.llvm.values import (
    Value as Value,
    constant as constant,
    count_of as count_of,
    element_of as element_of,
    float_splat as float_splat,
    integer as integer,
    lanes as lanes,
    literals as literals,
    mangled as mangled,
    splat as splat,
    symbol_of as symbol_of,
    vector as vector,
    zero as zero,
)
