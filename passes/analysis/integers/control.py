"""Finds where values come from that control flow chooses: branches, choices and loops."""

from __future__ import annotations

from math import gcd
from typing import NamedTuple

from xdsl.dialects.cf import ConditionalBranchOp
from xdsl.dialects.scf import ConditionOp, YieldOp
from xdsl.ir import BlockArgument, Operation, OpResult, Region, SSAValue

from passes.analysis.integers.arithmetic import product_of, sum_of
from passes.analysis.integers.comparisons import MIRRORED, PREDICATES
from passes.analysis.integers.fact import IntegerFact, anything, fact, join
from passes.analysis.integers.table import rule
from passes.kernel.simt import AdvanceOp, MergeOp, SpreadOp, UndefinedOp, passed_values
from passes.support.control_flow import branch_operands
from xegpu.dialects.upstream.arith import CmpiOp
from xegpu.dialects.upstream.scf import ExecuteRegionOp, ForOp, IfOp, IndexSwitchOp, WhileOp


class Phi(NamedTuple):
    """The origin of a value that is one of `options`: all lanes take the same one, if they agree in the `deciders`.

    Of a value that a comparison lets pass, `relation` is the predicate that holds between it and another value.
    """

    options: tuple[SSAValue, ...]
    deciders: tuple[SSAValue, ...] = ()
    relation: tuple[str, SSAValue] | None = None


def phi_of(value: SSAValue) -> Phi | None:
    """Returns the origin of a value in control flow; None for one that has another origin."""
    match value:
        case OpResult():
            return _phi_of_result(value.op, value.index)
        case BlockArgument() if (region := value.block.parent) is not None:
            if region.first_block is value.block:
                return _phi_of_argument(region, value.index)
            return _phi_of_branches(value)
        case _:
            return None


def _phi_of_result(op: Operation, index: int) -> Phi | None:
    match op:
        case IfOp():
            return Phi(_yielded(op, index), (op.cond,))
        case IndexSwitchOp():
            return Phi(_yielded(op, index), (op.arg,))
        case ExecuteRegionOp():
            return Phi(_yielded(op, index), branch_conditions(op.region))
        case ForOp():
            return Phi((op.iter_args[index], *_yielded(op, index)), (op.lb, op.ub, op.step))
        case WhileOp():
            condition = _condition(op)
            return Phi((condition.args[index],), (condition.condition,))
        case _:
            return None


def _phi_of_argument(region: Region, index: int) -> Phi | None:
    match region.parent:
        case ForOp() as loop if index:
            return Phi((loop.iter_args[index - 1], *_yielded(loop, index - 1)))
        case WhileOp() as loop if region is loop.before_region:
            return Phi((loop.arguments[index], *_yielded(loop, index)))
        case WhileOp() as loop:
            condition = _condition(loop)
            passed = condition.args[index]
            return Phi((passed,), (), _relation(condition.condition, passed))
        case _:
            return None


def _phi_of_branches(value: BlockArgument) -> Phi | None:
    """Returns the values that branches pass for a block argument; None if one of them does not tell."""
    options: list[SSAValue] = []
    for block in value.block.predecessors():
        if (branch := block.last_op) is None:
            return None
        passed = [
            operand
            for pairs in (branch_operands, passed_values)
            for argument, operand in pairs(branch)
            if argument is value
        ]
        if not passed:
            return None
        options += passed
    return Phi(tuple(dict.fromkeys(options)))


def branch_conditions(region: Region) -> tuple[SSAValue, ...]:
    """Returns the conditions of the branches between the blocks of a region."""
    ends = (block.last_op for block in region.blocks)
    return tuple(end.cond for end in ends if isinstance(end, ConditionalBranchOp))


def _yielded(op: Operation, index: int) -> tuple[SSAValue, ...]:
    ends = (block.last_op for region in op.regions for block in region.blocks)
    return tuple(end.operands[index] for end in ends if isinstance(end, YieldOp))


def _condition(loop: WhileOp) -> ConditionOp:
    end = loop.before_region.blocks[-1].last_op
    assert isinstance(end, ConditionOp)
    return end


def _relation(condition: SSAValue, value: SSAValue) -> tuple[str, SSAValue] | None:
    """Returns the predicate and the other operand of a comparison of a value that is the condition."""
    if not isinstance(compare := condition.owner, CmpiOp):
        return None
    predicate = PREDICATES[compare.predicate.value.data]
    if compare.lhs is value:
        return predicate, compare.rhs
    return (MIRRORED[predicate], compare.lhs) if compare.rhs is value else None


# Counters ------------------------------------------------------------------------------------------------------------


def counted_loop(value: SSAValue) -> ForOp | None:
    """Returns the loop that a value is the counter of."""
    if not isinstance(value, BlockArgument) or value.index:
        return None
    loop = value.block.parent_op()
    return loop if isinstance(loop, ForOp) else None


def counter_fact(loop: ForOp, first: IntegerFact, end: IntegerFact, step: IntegerFact) -> IntegerFact:
    """Returns the fact of the numbers that the body of a loop sees, which do not wrap around."""
    turns = anything(first.bits, first.lanes, uniform=True)
    number = sum_of(first, product_of(turns, step))
    if loop.is_unsigned:
        return number.within(first.low, end.high - 1)
    return _counted(number, first, step, end.most - 1)


def _counted(number: IntegerFact, first: IntegerFact, step: IntegerFact, most: int) -> IntegerFact:
    """Returns the fact of a signed number that a counter reaches in steps of at least one."""
    return number._replace(odd=gcd(first.odd, step.odd)).within(least=first.least, most=most)


@rule(AdvanceOp)
def _advance(op: AdvanceOp, number: IntegerFact, step: IntegerFact, limit: IntegerFact) -> IntegerFact:
    """Of the last number, which only ends the loop, nothing is said but its bounds."""
    exact = sum_of(number, step)
    return _counted(fact(*exact[:6]), number, step, limit.most)


# Lanes apart ---------------------------------------------------------------------------------------------------------


@rule(SpreadOp)
def _spread(op: SpreadOp, value: IntegerFact) -> IntegerFact:
    return value


@rule(MergeOp)
def _merge(op: MergeOp, old: IntegerFact, new: IntegerFact) -> IntegerFact:
    return new if isinstance(op.old.owner, UndefinedOp) else join(old, new, apart=True)
