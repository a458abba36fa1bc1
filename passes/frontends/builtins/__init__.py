"""Builtin functions of kernels in LLVM IR: their names, what they mean, and bodies of those that LLVM can express."""

from __future__ import annotations

from passes.frontends.builtins.mangling import Named, Pointer, ScalableVector, Scalar, Type, Vector, demangle, mangle
from passes.frontends.builtins.table import (
    BUILTINS,
    DATA_LAYOUT,
    DIMENSIONAL,
    TRIPLE,
    Builtin,
    Callee,
    Effect,
    Lowering,
    resolve,
)

__all__ = [
    "BUILTINS",
    "DATA_LAYOUT",
    "DIMENSIONAL",
    "TRIPLE",
    "Builtin",
    "Callee",
    "Effect",
    "Lowering",
    "Named",
    "Pointer",
    "ScalableVector",
    "Scalar",
    "Type",
    "Vector",
    "demangle",
    "mangle",
    "resolve",
]
