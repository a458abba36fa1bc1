"""The intermediate representation of the ComputeMux compiler: LLVM IR with builtins `__mux_*` and marked kernels."""

from passes.frontends.mux.definitions import builtins_module as builtins_module
from passes.frontends.mux.errors import MuxIrError as MuxIrError
from passes.frontends.mux.passes import (
    PASSES as PASSES,
    define_builtins as define_builtins,
    uses_builtins as uses_builtins,
)
from passes.frontends.mux.table import BUILTINS as BUILTINS, BuiltinKind as BuiltinKind, MuxBuiltin as MuxBuiltin
