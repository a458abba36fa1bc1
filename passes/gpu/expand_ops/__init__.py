"""`gpu-expand-ops`: rewrites operations that other ones in a kernel can do as well, so that later passes know fewer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from passes.gpu.expand_ops import buffers, loops, switches
from xegpu.dialects.upstream.gpu import FuncOp

_EXPANSIONS: Mapping[str, Callable[[Operation], None]] = {
    "cf.switch": switches.switch_to_branches,
    "memref.alloca_scope": buffers.inline_scope,
    "memref.copy": buffers.copy_to_loops,
    "memref.reshape": buffers.reshape_to_cast,
    "scf.parallel": loops.parallel_to_for,
}


@dataclass(frozen=True)
class GpuExpandOpsPass(ModulePass):
    """Expands, in kernels: `scf.parallel` (a work-item takes its turns in order), `memref.copy`, `memref.reshape`,
    `memref.alloca_scope` and `cf.switch`.

    Raises `CompileError` for forms of them that have no expansion.
    """

    name = "gpu-expand-ops"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in [o for o in op.walk() if isinstance(o, FuncOp) and o.kernel is not None]:
            # Inner operations first: outer ones move them.
            for inner in reversed([o for o in function.body.walk() if o.name in _EXPANSIONS]):
                _EXPANSIONS[inner.name](inner)
