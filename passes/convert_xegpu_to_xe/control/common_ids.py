"""Computes once what the lanes of a subgroup have in common: `gpu.thread_id x` divided by 16, and the like.

Along x, lane l of a full subgroup has a multiple of the subgroup's size, plus l, as its id. Integers that are made of
ids may be uniform, which are computed from the first lane's operands.

A launch may have an offset of global ids (Level Zero, zeKernelSetGlobalOffsetExp), which is seldom used and need not be
a multiple of the subgroup's size. So results that are uniform without one are computed for each lane, and where an
operation needs an operand that all lanes share, it is the first lane's.
"""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i32
from xdsl.ir import BlockArgument, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from passes.analysis.divergence import divergent_values
from passes.analysis.integers import SOURCES, IntegerFacts, LaunchShape
from passes.analysis.integers.control import branch_conditions
from passes.kernel.dimensions import dimension_index
from passes.kernel.resources import find_resources
from passes.support.control_flow import operations_in
from xegpu.dialects.upstream.gpu import FuncOp, GlobalIdOp, LaneIdOp, SubgroupBroadcastOp, ThreadIdOp
from xegpu.targets import Target

_TAKES_UNIFORM = frozenset(
    {"gpu.subgroup_broadcast", *(f"memref.{name}" for name in ("dim", "reinterpret_cast", "subview", "view"))}
)
"""Operations besides those of XeGPU that refuse operands, the first one aside, which differ between lanes."""
_BY_LANE = frozenset(
    f"xegpu.{name}" for name in ("create_tdesc", "update_offset", "load", "store", "prefetch", "atomic_rmw")
)
"""Operations of XeGPU whose operands may differ between lanes."""
_QUOTIENTS = frozenset(
    f"arith.{name}" for name in ("divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi")
)
"""Operations that lanes which are left out do not perform, unless they divide by powers of two."""


def share_common_ids(function: FuncOp, launch: LaunchShape, target: Target) -> None:
    """Computes integers that lanes have in common once, from the first lane's.

    Ids along x differ by one where `known_block_size` fills subgroups; then ids along y and z are uniform.
    """
    body, lanes = function.body, launch.lanes
    if lanes == 1:
        return
    operations = operations_in(body)
    if not launch.fills_subgroups and not any(op.name == LaneIdOp.name for op in operations):
        return
    for op in operations:
        if isinstance(op, ThreadIdOp | GlobalIdOp) and launch.fills_subgroups and dimension_index(op) > 0:
            _replace_by_first(op.result)
    private = find_resources(function, lanes, target).private
    _CommonIds(launch, divergent_values(body, lanes, private)).visit(body)


class _CommonIds:
    """Replaces operands by those of the first lane; `divergent` are the values that are not computed once yet.

    Those `everywhere` are known in lanes, too, that a choice leaves out: these take part in arithmetic. They lack what
    control flow and memory give the others.
    """

    def __init__(self, launch: LaunchShape, divergent: set[SSAValue]):
        self.divergent = divergent
        self.facts = IntegerFacts(launch, frozenset(divergent))
        self.without_offset = IntegerFacts(replace(launch, offset=False), frozenset(divergent))
        self.everywhere: set[SSAValue] = set()
        self.first: dict[SSAValue, SSAValue] = {}

    def visit(self, body: Region) -> None:
        """Visits a region, but for blocks behind branches that lanes may take differently, which have no order yet."""
        for block in body.blocks:
            if block is not body.first_block and not self.divergent.isdisjoint(branch_conditions(body)):
                return
            for op in block.ops:
                self._visit_operation(op)
                for region in op.regions:
                    self.visit(region)

    def _visit_operation(self, op: Operation) -> None:
        if op.name in SOURCES:
            self.everywhere.update(op.results)
        elif op.name.startswith("arith."):
            self._visit_arithmetic(op)
        elif op.name in _TAKES_UNIFORM:
            self._visit_operands(op, 1)
        elif op.name.startswith("xegpu.") and op.name not in _BY_LANE:
            self._visit_operands(op, 0)

    def _visit_operands(self, op: Operation, start: int) -> None:
        for index, operand in enumerate(op.operands[start:], start):
            if operand in self.divergent and _is_number(operand) and self.without_offset.of(operand).is_uniform:
                self._take_first(op, index)

    def _visit_arithmetic(self, op: Operation) -> None:
        operands = self.divergent.intersection(op.operands)
        if not operands <= self.everywhere:
            return
        if not all(value in self.divergent and self._is_uniform(value) for value in op.results):
            if op.name not in _QUOTIENTS or _is_power_of_two(self.facts.of(op.operands[1]).constant):
                self.everywhere.update(op.results)
        elif all(map(_is_number, operands)):
            self.divergent.difference_update(op.results)
            for index, operand in enumerate(op.operands):
                if operand in operands:
                    self._take_first(op, index)

    def _take_first(self, op: Operation, index: int) -> None:
        """Replaces an operand by the value of the first lane."""
        value = op.operands[index]
        if value not in self.first:
            self.first[value] = _first_of(value)
        op.operands[index] = self.first[value]

    def _is_uniform(self, value: SSAValue) -> bool:
        return isinstance(value.type, IntegerType | IndexType) and self.facts.of(value).is_uniform


def _replace_by_first(value: SSAValue) -> None:
    first = _first_of(value)
    value.replace_uses_with_if(first, lambda use: use.operation is not first.owner)


def _first_of(value: SSAValue) -> SSAValue:
    """Returns a new value: that of the first lane."""
    zero = ConstantOp(IntegerAttr(0, i32))
    first = SubgroupBroadcastOp(value, zero)
    if isinstance(value, BlockArgument):
        location, place = value.location, InsertPoint.at_start(value.block)
    else:
        owner = value.owner
        assert isinstance(owner, Operation)
        location, place = owner.location, InsertPoint.after(owner)
    zero.location = first.location = location
    Rewriter.insert_op([zero, first], place)
    return first.result


def _is_number(value: SSAValue) -> bool:
    """Returns whether a value is an integer that registers hold."""
    return isinstance(value.type, IndexType) or (isinstance(value.type, IntegerType) and value.type.width.data > 1)


def _is_power_of_two(number: int | None) -> bool:
    return number is not None and number.bit_count() == 1
