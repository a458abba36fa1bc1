"""`scf-loop-unroll`: several turns of a loop in one."""

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

    The turns that are left over when `unroll-factor` does not divide their number are done behind the loop: by a loop,
    or one by one where their number is known. Loops that run less than twice as often as the factor become straight
    code. Loops with the attribute `no_unroll` stay.
    """

    name = "scf-loop-unroll"

    unroll_factor: int = 4
    """Turns to do in one."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        if self.unroll_factor < 1:
            raise CompileError(op, f"unroll-factor is at least 1, got {self.unroll_factor}")
        for function in [o for o in op.walk() if isinstance(o, FuncOp)]:
            for loop in innermost_loops(function):
                if NO_UNROLL not in loop.attributes:
                    unroll(loop, self.unroll_factor)
