"""Facts about branches and structured control flow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from xdsl.dialects.cf import BranchOp, ConditionalBranchOp
from xdsl.dialects.scf import ConditionOp, YieldOp
from xdsl.ir import Block, BlockArgument, Operation, Region, SSAValue

from xegpu import graphs
from xegpu.dialects.upstream.scf import ExecuteRegionOp, ForOp, IfOp, IndexSwitchOp, WhileOp

OperationT = TypeVar("OperationT", bound=Operation)

CARRIERS: frozenset[type[Operation]] = frozenset(
    {
        *(ForOp, WhileOp, ConditionOp, IfOp, IndexSwitchOp, ExecuteRegionOp, YieldOp),
        *(BranchOp, ConditionalBranchOp),
    }
)
"""The operations that forward values of any type to results or block arguments."""


def branch_operands(op: Operation) -> Iterator[tuple[BlockArgument, SSAValue]]:
    """Yields (successor argument, passed value) for each value that a `cf` terminator passes."""
    if op.name == "cf.br":
        yield from zip(op.successors[0].args, op.operands, strict=True)
    elif op.name == "cf.cond_br":
        then_block, else_block = op.successors
        split = 1 + len(then_block.args)
        yield from zip(then_block.args, op.operands[1:split], strict=True)
        yield from zip(else_block.args, op.operands[split:], strict=True)


def region_operands(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Yields (result or region argument, value it receives) for `scf` operations other than `scf.for`."""
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
            elif isinstance(around, IfOp | IndexSwitchOp | ExecuteRegionOp):
                yield from zip(around.results, op.operands, strict=True)
        case _:
            pass


def loop_operands(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Yields (result or region argument, value it receives) for `scf.for`, its loop-carried values included."""
    if isinstance(op, ForOp):
        yield from zip(op.body.block.args[1:], op.iter_args, strict=True)
        yield from zip(op.results, op.iter_args, strict=True)
    elif isinstance(op, YieldOp) and isinstance(loop := op.parent_op(), ForOp):
        yield from zip(loop.body.block.args[1:], op.operands, strict=True)
        yield from zip(loop.results, op.operands, strict=True)


def passed(op: Operation) -> Iterator[tuple[SSAValue, SSAValue]]:
    """Yields (block argument or result, value that it receives) for control flow."""
    yield from branch_operands(op)
    yield from region_operands(op)
    yield from loop_operands(op)


def values_in(body: Region) -> Iterator[SSAValue]:
    """Yields the values that a region and those in it define, in program order."""
    for block in body.blocks:
        yield from block.args
        for op in block.ops:
            yield from op.results
            for region in op.regions:
                yield from values_in(region)


def operations_in(root: Operation | Region) -> list[Operation]:
    """Returns the operations of a region or an operation, itself included, in program order.

    It is `walk` for callers that look at all of them: a list takes an eighth of the time of nested iterators.
    """
    found: list[Operation] = []
    if isinstance(root, Region):
        _collect(root, found)
        return found
    found.append(root)
    for region in root.regions:
        _collect(region, found)
    return found


def operations_of(root: Operation | Region, *kinds: type[OperationT]) -> list[OperationT]:
    """Returns the operations of some kinds in a region or an operation, itself included, in program order.

    Names decide first: `isinstance` of abstract classes, which those of operations are, takes several times as long.
    """
    names = {kind.name for kind in kinds}
    return [op for op in operations_in(root) if op.name in names and isinstance(op, kinds)]


def _collect(region: Region, found: list[Operation]) -> None:
    block = region.first_block
    while block is not None:
        op = block.first_op
        while op is not None:
            found.append(op)
            for inner in op.regions:
                _collect(inner, found)
            op = op.next_op
        block = block.next_block


def reverse_post_order(body: Region) -> list[Block]:
    """Returns the reachable blocks, each after one of its predecessors and, loops aside, after all of them."""
    return graphs.reverse_post_order(body.blocks[0], _successors)


def erase_unreachable(body: Region) -> None:
    """Erases the blocks that no way leads to: values that are live in them would be live nowhere before."""
    reachable = set(reverse_post_order(body))
    for block in [block for block in body.blocks if block not in reachable]:
        body.erase_block(block, safe_erase=False)


def _successors(block: Block) -> list[Block]:
    return list(block.last_op.successors) if block.last_op is not None else []
