"""`xe-cse`: eliminates common subexpressions in `xe` kernels."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.common_subexpression_elimination import cse

from xegpu.dialects.xe import kernels_of


@dataclass(frozen=True)
class XeCsePass(ModulePass):
    """Eliminates common subexpressions in each block of a kernel.

    xDSL's `cse` skips regions of several blocks, so this pass runs it block by block. Payloads of messages to one
    surface share the instructions that they begin with; register allocation copies the register block where they
    diverge.
    """

    name = "xe-cse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in kernels_of(op):
            for block in kernel.body.blocks:
                cse(block)
