"""Code generation for the CPU with LLVM: IR as text, conversions between number formats, and machine code."""

from __future__ import annotations

from runtime.llvm.compilation import LOOP_LEVEL, MachineCode, compiler_identity, linked, machine_code, object_code
from runtime.llvm.conversions import carrier, decode, encode, flushed, single_to_odd, widen
from runtime.llvm.cpu import Cpu, this_cpu
from runtime.llvm.function_body import IRBlock
from runtime.llvm.module import IRFunction, IRModule
from runtime.llvm.values import (
    Value,
    constant,
    count_of,
    element_of,
    float_splat,
    integer,
    lanes,
    literals,
    mangled,
    splat,
    vector,
    zero,
)

__all__ = [
    "LOOP_LEVEL",
    "Cpu",
    "IRBlock",
    "IRFunction",
    "IRModule",
    "MachineCode",
    "Value",
    "carrier",
    "compiler_identity",
    "constant",
    "count_of",
    "decode",
    "element_of",
    "encode",
    "float_splat",
    "flushed",
    "integer",
    "lanes",
    "linked",
    "literals",
    "machine_code",
    "mangled",
    "object_code",
    "single_to_odd",
    "splat",
    "this_cpu",
    "vector",
    "widen",
    "zero",
]
