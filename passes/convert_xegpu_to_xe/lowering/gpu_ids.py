"""Lowers the `gpu` operations that return a work-item's place in the grid."""

from __future__ import annotations

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.kernel.dimensions import dimension_index
from xegpu.dialects.upstream.gpu import (
    BlockDimOp,
    BlockIdOp,
    DimensionIdOp,
    GlobalIdOp,
    GridDimOp,
    IdOp,
    LaneIdOp,
    NumSubgroupsOp,
    SubgroupIdOp,
    SubgroupSizeOp,
    ThreadIdOp,
)
from xegpu.isa.model import DataType
from xegpu.targets import local_id_row_bytes

_GROUP_ID_BYTES = (4, 24, 28)
"""Bytes of r0 that hold the group id x, y, z."""
_THREAD_BYTE, _THREAD_COUNT_BYTE = 8, 11
_NIBBLES = UniformConstant(DataType.UV, 0x76543210)


def _index(lowering: KernelLowering, value: Number, count: int = 1) -> Elements:
    """The value widened to an index."""
    return lowering.emit.alu("mov", DataType.UQ, [value], count)


def group_id(lowering: KernelLowering, dimension: int) -> Elements:
    """Group id along a dimension, as it stands in r0."""
    return Elements(lowering.payload.header, DataType.UD, 1, _GROUP_ID_BYTES[dimension])


def local_id(lowering: KernelLowering, dimension: int) -> Elements:
    """Position of the thread (subgroup mode) or of each lane in its group, as an index."""
    assert lowering.payload.local_ids is not None
    if lowering.lanes == 1:
        return _index(lowering, Elements(lowering.payload.local_ids, DataType.UW, 1, dimension * 2))
    row = local_id_row_bytes(lowering.lanes, lowering.target.platform.grf_bytes)
    ids = Elements(lowering.payload.local_ids, DataType.UW, lowering.lanes, dimension * row, lowering.lanes)
    return _index(lowering, ids, lowering.lanes)


def group_size(lowering: KernelLowering, dimension: int) -> Number:
    """Work-items (subgroups in subgroup mode) of a group along a dimension."""
    known = lowering.signature.facts.required_work_group_size
    if known is not None:
        return UniformConstant(DataType.UQ, known[dimension])
    offset = lowering.signature.implicit_offset("enqueued_local_size") + 4 * dimension
    return _index(lowering, lowering.payload.scalar(offset, DataType.UD))


@lowers(BlockIdOp)
def block_id(lowering: KernelLowering, op: DimensionIdOp) -> None:
    lowering.values[op.results[0]] = _index(lowering, group_id(lowering, dimension_index(op)))


@lowers(ThreadIdOp)
def thread_id(lowering: KernelLowering, op: DimensionIdOp) -> None:
    lowering.values[op.results[0]] = local_id(lowering, dimension_index(op))


@lowers(BlockDimOp)
def block_dim(lowering: KernelLowering, op: DimensionIdOp) -> None:
    lowering.values[op.results[0]] = group_size(lowering, dimension_index(op))


@lowers(GridDimOp)
def grid_dim(lowering: KernelLowering, op: DimensionIdOp) -> None:
    offset = lowering.signature.implicit_offset("group_count") + 4 * dimension_index(op)
    lowering.values[op.results[0]] = _index(lowering, lowering.payload.scalar(offset, DataType.UD))


@lowers(GlobalIdOp)
def global_id(lowering: KernelLowering, op: DimensionIdOp) -> None:
    dimension = dimension_index(op)
    group = _index(lowering, group_id(lowering, dimension))
    offset = lowering.signature.implicit_offset("global_id_offset") + 4 * dimension
    start = lowering.emit.alu(
        "add",
        DataType.UQ,
        [lowering.index.multiply(group, group_size(lowering, dimension)), lowering.payload.scalar(offset, DataType.UD)],
        1,
    )
    local = local_id(lowering, dimension)
    lowering.values[op.results[0]] = lowering.emit.alu("add", DataType.UQ, [local, start], local.count)


@lowers(LaneIdOp)
def lane_id(lowering: KernelLowering, op: IdOp) -> None:
    if lowering.lanes == 1:
        lowering.refuse(op, "has no meaning in a kernel that works on whole subgroups")
    lowering.values[op.results[0]] = lane_numbers(lowering)


def lane_numbers(lowering: KernelLowering) -> Elements:
    """0, 1, 2, ... across the lanes, as indexes."""
    lanes = lowering.lanes
    numbers = counting(lowering, lanes, DataType.UQ)
    return Elements(numbers.register, numbers.type, lanes, 0, lanes)


def counting(lowering: KernelLowering, count: int, type: DataType) -> Elements:
    """0, 1, 2, ... `count` - 1 as words widened to a type."""
    emit = lowering.emit
    # One instruction: each reads the nibbles from the first one on.
    words = emit.unary("mov", DataType.UW, _NIBBLES, 8)
    register = emit.undefined(count * type.size)
    for start in range(0, count, 8):
        size = min(8, count - start)
        part = words if start == 0 else emit.alu("add", DataType.UW, [words, UniformConstant(DataType.UW, start)], size)
        register = emit.convert_into(register, start * type.size, part, type, size)
    return Elements(register, type, count)


def subgroup_number(lowering: KernelLowering) -> Elements:
    """Number of the subgroup in its group, as it stands in r0."""
    return Elements(lowering.payload.header, DataType.UB, 1, _THREAD_BYTE)


def subgroup_count(lowering: KernelLowering) -> Elements:
    """Subgroups of the group, as it stands in r0."""
    return Elements(lowering.payload.header, DataType.UB, 1, _THREAD_COUNT_BYTE)


@lowers(SubgroupIdOp)
def subgroup_id(lowering: KernelLowering, op: IdOp) -> None:
    lowering.values[op.results[0]] = _index(lowering, subgroup_number(lowering))


@lowers(NumSubgroupsOp)
def num_subgroups(lowering: KernelLowering, op: IdOp) -> None:
    lowering.values[op.results[0]] = _index(lowering, subgroup_count(lowering))


@lowers(SubgroupSizeOp)
def subgroup_size(lowering: KernelLowering, op: IdOp) -> None:
    size = lowering.lanes if lowering.lanes > 1 else lowering.target.platform.subgroup_size
    lowering.values[op.results[0]] = UniformConstant(DataType.UQ, size)
