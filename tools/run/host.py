"""Host code in MLIR files."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from xegpu.diagnostics import CompileError

ENTRY = "main"
"""The function that a whole program starts with."""


def refuse_host_program(module: ModuleOp) -> None:
    """Raises `CompileError` at the function that a whole program starts with: only kernels can be run so far."""
    for op in module.ops:
        if isinstance(op, FuncOp) and op.sym_name.data == ENTRY and op.body.blocks:
            raise CompileError(
                op, f"is host code: whole programs with a function '{ENTRY}' are not run yet; name one kernel with -k"
            )
