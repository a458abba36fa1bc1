"""What passes ask of branches."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.scf import ConditionOp, ExecuteRegionOp, IfOp, WhileOp, YieldOp
from xdsl.ir import BlockArgument, Operation, SSAValue


def branch_operands(op: Operation) -> Iterator[tuple[BlockArgument, SSAValue]]:
    """The pairs (argument of a successor, value that a `cf` terminator passes for it)."""
    if op.name == "cf.br":
        yield from zip(op.successors[0].args, op.operands, strict=True)
    elif op.name == "cf.cond_br":
        then_block, else_block = op.successors
        split = 1 + len(then_block.args)
        yield from zip(then_block.args, op.operands[1:split], strict=True)
        yield from zip(else_block.args, op.operands[split:], strict=True)


def region_operands(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """The pairs (result or region argument, value that it gets) of `scf` operations other than `scf.for`."""
    match op:
        case WhileOp():
            yield from zip(op.before_region.blocks[0].args, op.arguments, strict=True)
        case ConditionOp() if isinstance(loop := op.parent_op(), WhileOp):
            yield from zip(loop.after_region.blocks[0].args, op.args, strict=True)
            yield from zip(loop.results, op.args, strict=True)
        case YieldOp():
            around = op.parent_op()
            if isinstance(around, WhileOp):
                yield from zip(around.before_region.blocks[0].args, op.operands, strict=True)
            elif isinstance(around, IfOp | ExecuteRegionOp):
                yield from zip(around.results, op.operands, strict=True)
        case _:
            pass
