"""`scf-loop-unroll`: unrolls loops."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from passes.support.loops.counted import innermost_loops
from passes.support.loops.unrolling import NO_UNROLL, unroll
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp


@dataclass(frozen=True)
class ScfLoopUnrollPass(ModulePass):
    """Unrolls the innermost `scf.for` loops of kernels whose step is a constant.

    If `unroll-factor` does not divide the trip count, the remaining iterations follow the loop: in a second loop, or as
    straight-line code if the trip count is known. Loops of fewer than twice as many iterations as the factor become
    straight-line code. Loops with the attribute `no_unroll` stay unchanged.
    """

    name = "scf-loop-unroll"

    unroll_factor: int = 4
    """The number of iterations to merge into one."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.unroll_factor < 1:
            raise CompileError(op, f"expected an unroll-factor of at least 1, got {self.unroll_factor}")
        for function in [o for o in op.walk() if isinstance(o, FuncOp)]:
            for loop in innermost_loops(function):
                if NO_UNROLL not in loop.attributes:
                    unroll(loop, self.unroll_factor)
