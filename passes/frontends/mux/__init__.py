"""The intermediate representation of the ComputeMux compiler: LLVM IR with builtins `__mux_*` and marked kernels."""

from __future__ import annotations

from passes.frontends.mux.definitions import builtins_module
from passes.frontends.mux.errors import MuxIrError
from passes.frontends.mux.passes import PASSES, define_builtins, uses_builtins
from passes.frontends.mux.table import BUILTINS, BuiltinKind, MuxBuiltin

__all__ = [
    "BUILTINS",
    "PASSES",
    "BuiltinKind",
    "MuxBuiltin",
    "MuxIrError",
    "builtins_module",
    "define_builtins",
    "uses_builtins",
]
