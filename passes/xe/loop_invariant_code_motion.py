"""`xe-loop-invariant-code-motion`: what a loop computes anew each time although nothing changes goes in front of it."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.traits import IsTerminator, is_side_effect_free

from passes.support.loops.kernel_loops import KernelLoop, loops
from xegpu.dialects.xe import AluOp, GRFType, KernelOp, kernel_target


@dataclass(frozen=True)
class XeLoopInvariantCodeMotionPass(ModulePass):
    """Moves instructions whose operands come from outside a loop to the block in front of it.

    These are address arithmetic and the parts of payloads that do not change. Values larger than a register stay, and
    so do flags and constants: keeping them costs more than making them.
    """

    name = "xe-loop-invariant-code-motion"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in [o for o in op.walk() if isinstance(o, KernelOp)]:
            grf_bytes = kernel_target(kernel).grf_bytes
            for loop in loops(kernel.body):
                _hoist(loop, list(kernel.body.blocks), grf_bytes)


def _hoist(loop: KernelLoop, order: list[Block], grf_bytes: int) -> None:
    end = loop.preheader.last_op
    assert end is not None
    for block in order:
        if block in loop.blocks:
            for op in list(block.ops):
                if _invariant(op, loop) and _worth_keeping(op, grf_bytes):
                    block.detach_op(op)
                    loop.preheader.insert_op_before(op, end)


def _invariant(op: Operation, loop: KernelLoop) -> bool:
    """Whether an operation does the same in front of the loop; the execution mask may be another one there."""
    if op.has_trait(IsTerminator) or not is_side_effect_free(op) or (isinstance(op, AluOp) and op.no_mask is None):
        return False
    owners = [operand.owner for operand in op.operands]
    return not any((o if isinstance(o, Block) else o.parent_block()) in loop.blocks for o in owners)


def _worth_keeping(op: Operation, grf_bytes: int) -> bool:
    if isinstance(op, AluOp) and not op.inputs and op.into is None:
        return False
    return all(isinstance(r.type, GRFType) and r.type.size.data <= grf_bytes for r in op.results)
