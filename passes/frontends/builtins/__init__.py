"""Builtin functions of kernels in LLVM IR: their names, what they mean, and bodies of those that LLVM can express."""

from passes.frontends.builtins.mangling import (
    Named as Named,
    Pointer as Pointer,
    ScalableVector as ScalableVector,
    Scalar as Scalar,
    Type as Type,
    Vector as Vector,
    demangle as demangle,
    mangle as mangle,
)
from passes.frontends.builtins.table import (
    BUILTINS as BUILTINS,
    DATA_LAYOUT as DATA_LAYOUT,
    DIMENSIONAL as DIMENSIONAL,
    TRIPLE as TRIPLE,
    Builtin as Builtin,
    Callee as Callee,
    Effect as Effect,
    Lowering as Lowering,
    resolve as resolve,
)
