"""Uniformity of control flow: whether all subgroups of a work-group execute an operation together."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.scf import ConditionOp
from xdsl.ir import Block, Operation, Region, SSAValue

from xegpu.diagnostics import CompileError, note
from xegpu.dialects.upstream.gpu import FuncOp, GlobalIdOp, LaneIdOp, SubgroupIdOp, ThreadIdOp
from xegpu.dialects.upstream.scf import ForOp, IfOp, IndexSwitchOp, WhileOp

DIFFERENT_IDS: frozenset[type[Operation]] = frozenset({ThreadIdOp, GlobalIdOp, LaneIdOp, SubgroupIdOp})
"""Operations whose results differ between the threads of a work-group."""


def runs_again(op: Operation) -> bool:
    """Returns whether an operation may execute several times in one launch."""
    around = op.parent_op()
    while around is not None:
        if isinstance(around, ForOp | WhileOp):
            return True
        region = op.parent_region()
        if region is not None and op.parent is not region.first_block:
            return True  # blocks of `cf` may be a loop
        if isinstance(around, FuncOp):
            return False
        op, around = around, around.parent_op()
    return False


def verify_uniform(op: Operation) -> None:
    """Raises `CompileError` if some subgroups may not execute `op`, which moves data between them."""
    inner = op
    while (around := inner.parent_op()) is not None:
        for decision in _decisions(around, inner.parent_region()):
            if (reason := _difference(decision)) is not None:
                raise CompileError(
                    op,
                    "cannot move data between subgroups: some of them may not execute this operation",
                    [note(around, "control flow depends on the subgroup"), note(reason, "through this value")],
                )
        if isinstance(around, FuncOp):
            return
        inner = around


def _decisions(around: Operation, region: Region | None) -> Iterator[SSAValue]:
    """Yields the values that decide which operations of a region execute."""
    match around:
        case ForOp():
            yield from (around.lb, around.ub, around.step)
        case IfOp():
            yield around.cond
        case IndexSwitchOp():
            yield around.arg
        case WhileOp():
            condition = around.before_region.blocks[0].last_op
            assert isinstance(condition, ConditionOp)
            yield condition.condition
        case _:
            pass
    for block in region.blocks if region is not None else ():
        if block.last_op is not None and block.last_op.name == "cf.cond_br":
            yield block.last_op.operands[0]


def _difference(value: SSAValue) -> Operation | None:
    """Returns the operation through which a value may differ between subgroups; None if there is none."""
    pending, seen = [value], {value}
    while pending:
        for op in _sources(pending.pop()):
            if type(op) in DIFFERENT_IDS:
                return op
            new = [operand for operand in op.operands if operand not in seen]
            seen.update(new)
            pending.extend(new)
    return None


def _sources(value: SSAValue) -> Iterator[Operation]:
    """Yields operations on whose operands the value depends."""
    owner = value.owner
    if isinstance(owner, Block):
        for block in owner.parent.blocks if owner.parent is not None else ():
            if block.last_op is not None:
                yield block.last_op
        around = owner.parent_op()
        if around is None or isinstance(around, FuncOp):
            return
        owner = around
    yield owner
    for region in owner.regions:
        for block in region.blocks:
            if block.last_op is not None:
                yield block.last_op
