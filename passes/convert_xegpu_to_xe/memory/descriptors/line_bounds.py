"""Checks of 1-D blocks against the line of memory that they lie in."""

from __future__ import annotations

from xdsl.ir import SSAValue

from passes.convert_xegpu_to_xe.lowering.alternatives import Precondition, all_of
from passes.convert_xegpu_to_xe.lowering.emitter import XeEmitter
from passes.convert_xegpu_to_xe.lowering.gpu_ids import counting
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering
from passes.convert_xegpu_to_xe.lowering.values import Elements, LineBounds, Number, UniformConstant
from passes.kernel.register_types import BOOLEAN
from xegpu.isa.model import Condition, DataType


def block_inside(lowering: KernelLowering, bounds: LineBounds | None, total: int) -> Precondition:
    """Returns whether the `total` bytes of a block are inside."""
    if bounds is None:
        return True
    emit, start, size = lowering.emit, bounds.start, bounds.size
    if isinstance(size, UniformConstant):
        last = int(size.value) - total
        if last < 0 or isinstance(start, UniformConstant):
            return isinstance(start, UniformConstant) and 0 <= start.value <= last
        return _compare(emit, start, Condition.LE, UniformConstant(DataType.UQ, last))
    end = emit.alu("add", DataType.UQ, [emit.scalar(start), UniformConstant(DataType.UQ, total)], 1)
    return all_of(emit, [_compare(emit, number, Condition.LE, size) for number in (start, end)])


def lanes_inside(
    lowering: KernelLowering, bounds: LineBounds | None, first: int, lanes: int, size: int
) -> SSAValue | None:
    """Returns the flag of lanes whose elements, from element `first` of a block on, are inside; None for all lanes."""
    if bounds is None:
        return None
    emit, type = lowering.emit, DataType.UQ
    start = lowering.index.add(bounds.start, UniformConstant(type, first * size))
    steps = emit.alu("mul", type, [counting(lowering, lanes, type), UniformConstant(type, size)], lanes)
    places = emit.alu("add", type, [steps, start], lanes)
    return emit.flag(_compare(emit, places, Condition.LT, bounds.size, lanes), 0, lanes)


def _compare(emit: XeEmitter, number: Number, condition: Condition, limit: Number, lanes: int = 1) -> Elements:
    """Compares places in a line; those in front of it are huge numbers."""
    operands = [emit.scalar(number).as_type(DataType.UQ), limit]
    return emit.alu("cmp", BOOLEAN, operands, lanes, condition=condition)
