"""Rules of the `gpu` dialect: ids, and values of other lanes."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation
from xdsl.utils.hints import isa

from passes.analysis.integers.fact import IntegerFact, between, constant, fact, zeros
from passes.analysis.integers.table import LaunchShape, rule, source
from passes.kernel.dimensions import dimension_index
from xegpu.dialects.upstream.gpu import (
    BlockDimOp,
    BlockIdOp,
    GlobalIdOp,
    GridDimOp,
    LaneIdOp,
    NumSubgroupsOp,
    SubgroupBroadcastOp,
    SubgroupIdOp,
    SubgroupSizeOp,
    ThreadIdOp,
)

_WORD = 64
_DWORDS = (1 << 32) - 1
"""The largest number of work-groups along a dimension, and the largest offset of global ids."""
_SUBGROUPS = (1 << 8) - 1
"""The largest number of subgroups of a work-group."""
_LARGEST_SUBGROUP = 32


def _group_size(op: Operation, launch: LaunchShape) -> int:
    """Returns the largest size of a work-group along the operation's dimension."""
    return launch.group_items if launch.block_size is None else launch.block_size[dimension_index(op)]


def _bounded(op: Operation, found: IntegerFact) -> IntegerFact:
    """Returns the fact of an id below the bound that the operation states."""
    bound = op.properties.get("upper_bound")
    return found.within(high=bound.value.data - 1) if isa(bound, IntegerAttr) else found


def _id(op: Operation, launch: LaunchShape, highest: int, start: int) -> IntegerFact:
    """Returns the fact of an id of work-items; along x, those of a full subgroup begin at a multiple of `start`."""
    if launch.lanes == 1 or not launch.fills_subgroups:
        return fact(_WORD, launch.lanes, high=highest)
    if dimension_index(op):
        return between(0, highest, _WORD, launch.lanes)
    return fact(_WORD, launch.lanes, zeros(start), 0, _WORD, 1, high=highest)


@source(ThreadIdOp)
def _thread_id(op: Operation, launch: LaunchShape) -> IntegerFact:
    return _bounded(op, _id(op, launch, _group_size(op, launch) - 1, launch.lanes))


@source(GlobalIdOp)
def _global_id(op: Operation, launch: LaunchShape) -> IntegerFact:
    last = (_DWORDS + 1) * _group_size(op, launch) - 1
    return _id(op, launch, last + _DWORDS, 1) if launch.offset else _id(op, launch, last, launch.lanes)


@source(BlockIdOp)
def _block_id(op: Operation, launch: LaunchShape) -> IntegerFact:
    return _bounded(op, between(0, _DWORDS, _WORD, launch.lanes))


@source(BlockDimOp)
def _block_dim(op: Operation, launch: LaunchShape) -> IntegerFact:
    size = _group_size(op, launch)
    return between(1 if launch.block_size is None else size, size, _WORD, launch.lanes)


@source(GridDimOp)
def _grid_dim(op: Operation, launch: LaunchShape) -> IntegerFact:
    return between(0, _DWORDS, _WORD, launch.lanes)


@source(LaneIdOp)
def _lane_id(op: Operation, launch: LaunchShape) -> IntegerFact:
    if launch.lanes == 1:
        return between(0, _LARGEST_SUBGROUP - 1, _WORD, 1)
    return fact(_WORD, launch.lanes, _WORD, 0, _WORD, 1)


@source(SubgroupIdOp)
def _subgroup_id(op: Operation, launch: LaunchShape) -> IntegerFact:
    return _bounded(op, between(0, _SUBGROUPS - 1, _WORD, launch.lanes))


@source(NumSubgroupsOp)
def _subgroup_count(op: Operation, launch: LaunchShape) -> IntegerFact:
    return between(1, _SUBGROUPS, _WORD, launch.lanes)


@source(SubgroupSizeOp)
def _subgroup_size(op: Operation, launch: LaunchShape) -> IntegerFact:
    if launch.lanes == 1:
        return between(1, _LARGEST_SUBGROUP, _WORD, 1)
    return constant(launch.lanes, _WORD, launch.lanes)


@rule(SubgroupBroadcastOp)
def _broadcast(op: SubgroupBroadcastOp, a: IntegerFact, lane: IntegerFact | None = None) -> IntegerFact:
    number = None if lane is None else lane.constant
    if number is None:
        return a.apart().uniform()
    return a._replace(residue=a.of_lane(number % a.lanes), step=0, alike=a.bits)
