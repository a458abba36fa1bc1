"""The lanes of a subgroup: their numbers, and the values that others have."""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType, i1, i64
from xdsl.ir import SSAValue

from passes.frontends.llvm.functions.work_items import INDEX
from passes.frontends.llvm.importer.builder import i32
from passes.frontends.llvm.importer.calls import Call
from xegpu.dialects.upstream.arith import ExtUIOp, TruncIOp
from xegpu.dialects.upstream.gpu import LaneIdOp, ShuffleMode, ShuffleModeAttr, ShuffleOp
from xegpu.dialects.upstream.vector import ExtractOp, FromElementsOp


def lane_number(call: Call) -> SSAValue:
    """Returns the number of the lane."""
    lane = call.builder.add(LaneIdOp.create(result_types=[INDEX], properties={}))
    return call.builder.from_index(lane, i32)


def shuffled(call: Call, value: SSAValue, offset: SSAValue, mode: ShuffleMode = ShuffleMode.IDX) -> SSAValue:
    """Returns the value of another lane, which for a vector is that of each component."""
    if value.type == i1:
        wide = shuffled(call, call.builder.add(ExtUIOp(value, i32)), offset, mode)
        return call.builder.add(TruncIOp(wide, i1))
    if isinstance(value.type, VectorType):
        count = value.type.element_count()
        parts = [shuffled(call, call.builder.add(ExtractOp(value, [i])), offset, mode) for i in range(count)]
        return call.builder.add(FromElementsOp(parts, value.type))
    if offset.type != i32:
        offset = call.builder.add(TruncIOp(offset, i32) if offset.type == i64 else ExtUIOp(offset, i32))
    width = call.builder.i32(call.importer.lanes)
    op = ShuffleOp(
        operands=[value, offset, width], result_types=[value.type, i1], properties={"mode": ShuffleModeAttr(mode)}
    )
    return call.builder.add(op)
