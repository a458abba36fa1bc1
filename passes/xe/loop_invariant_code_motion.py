"""`xe-loop-invariant-code-motion`: moves instructions with invariant operands out of loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.traits import IsTerminator, is_side_effect_free

from passes.support.loops.kernel_loops import KernelLoop, loops
from xegpu.dialects.xe import AluOp, GRFType, kernel_target, kernels_of


@dataclass(frozen=True)
class XeLoopInvariantCodeMotionPass(ModulePass):
    """Moves instructions whose operands are defined outside of a loop to the block in front of it.

    These are mostly address arithmetic and the invariant parts of payloads. Values larger than one register, flags and
    constants stay: it costs more to keep them in registers than to compute them again. xDSL's pass works on structured
    loops only, whereas the loops here are cycles of blocks.
    """

    name = "xe-loop-invariant-code-motion"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in kernels_of(op):
            grf_bytes = kernel_target(kernel).platform.grf_bytes
            order = {block: index for index, block in enumerate(kernel.body.blocks)}
            for loop in loops(kernel.body):
                _hoist(loop, sorted(loop.blocks, key=order.__getitem__), grf_bytes)


def _hoist(loop: KernelLoop, blocks: Sequence[Block], grf_bytes: int) -> None:
    end = loop.preheader.last_op
    assert end is not None
    for block in blocks:
        for op in list(block.ops):
            if _is_invariant(op, loop) and _is_worth_hoisting(op, grf_bytes):
                block.detach_op(op)
                loop.preheader.insert_op_before(op, end)


def _is_invariant(op: Operation, loop: KernelLoop) -> bool:
    """Returns whether an operation computes the same in front of the loop, where the execution mask may differ."""
    if op.has_trait(IsTerminator) or not is_side_effect_free(op) or (isinstance(op, AluOp) and op.no_mask is None):
        return False
    owners = [operand.owner for operand in op.operands]
    return not any((o if isinstance(o, Block) else o.parent_block()) in loop.blocks for o in owners)


def _is_worth_hoisting(op: Operation, grf_bytes: int) -> bool:
    if isinstance(op, AluOp) and not op.inputs and op.into is None:
        return False
    return all(isinstance(r.type, GRFType) and r.type.size.data <= grf_bytes for r in op.results)
