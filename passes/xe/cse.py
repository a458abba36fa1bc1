"""`xe-cse`: instructions of a block that compute what an earlier one has computed are dropped."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.transforms.common_subexpression_elimination import cse

from xegpu.dialects.xe import KernelOp


@dataclass(frozen=True)
class XeCsePass(ModulePass):
    """Common subexpressions of each block of a kernel: `cse` leaves regions of several blocks as they are.

    Payloads of messages to one surface share the steps that they begin with; register allocation copies the block
    where they part.
    """

    name = "xe-cse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in [o for o in op.walk() if isinstance(o, KernelOp)]:
            for block in kernel.body.blocks:
                cse(block)
