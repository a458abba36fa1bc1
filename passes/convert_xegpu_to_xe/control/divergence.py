"""Lowers divergent control flow: the execution mask says which work-items are active."""

from __future__ import annotations

from xdsl.ir import Attribute, SSAValue

from passes.convert_xegpu_to_xe.lowering.conversions import inner_elements
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.kernel import simt
from passes.kernel.register_types import BOOLEAN, element_count, element_type
from xegpu.dialects.xe import CondGotoOp, GotoOp, JoinOp, Read, Write, alu_op, register_type
from xegpu.isa.model import SCALAR, DataType, Immediate, integer, strided

_STEPS = (1, 2, 4)
"""Strides between elements that destination regions have."""
_FEWEST = 4
"""Channels of the smallest instruction that can start behind other channels of the execution mask."""


@lowers(simt.UndefinedOp)
def undefined(lowering: KernelLowering, op: simt.UndefinedOp) -> None:
    type = op.results[0].type
    data_type = element_type(type)
    assert data_type is not None
    count = element_count(type) * lowering.lanes
    register = lowering.emit.undefined(count * data_type.size)
    lowering.values[op.results[0]] = Elements(register, data_type, count, 0, lowering.lanes)


@lowers(simt.SpreadOp)
def spread(lowering: KernelLowering, op: simt.SpreadOp) -> None:
    number = lowering.operand(op, op.operands[0], lowering.lanes)
    register = lowering.emit.whole(number, number.count, lowering.emit.register_type(number.size))
    lowering.values[op.results[0]] = Elements(register, number.type, number.count, 0, lowering.lanes)


@lowers(simt.MergeOp)
def merge(lowering: KernelLowering, op: simt.MergeOp) -> None:
    old, new, type = lowering.number(op.operands[0]), lowering.number(op.operands[1]), op.results[0].type
    assert isinstance(old, Elements)
    count, inner = element_count(type), inner_elements(type)
    if isinstance(new, Elements) or inner == 1:
        new = lowering.conversions.by_channel(new, type, lowering.lanes)
    else:
        new = lowering.conversions.in_registers(new, type, lowering.lanes)
    box = inner * old.type.size
    unit = next(size for size in (8, 4, 2, 1) if box % size == 0) if inner > 1 else box
    fits = box // unit in _STEPS and _FEWEST * box <= 2 * lowering.target.platform.grf_bytes
    if fits and not (isinstance(new, Elements) and new.offset % unit):
        register = _moved(lowering, old.register, new, count // inner, box // unit, unit)
    else:
        register = _chosen(lowering, old, new, type)
    lowering.values[op.results[0]] = Elements(register, old.type, old.count, 0, old.lanes)


def _moved(lowering: KernelLowering, register: SSAValue, new: Number, fragments: int, step: int, unit: int) -> SSAValue:
    """Returns `register` with `step` units of each fragment moved in the active lanes."""
    emit, lanes = lowering.emit, lowering.lanes
    type = new.type if isinstance(new, UniformConstant) else integer(unit * 8, signed=False)
    for fragment in range(fragments):
        for element in range(step):
            for start, size in emit.chunks(lanes, unit * step):
                at = ((fragment * lanes + start) * step + element) * unit
                operation = alu_op("mov")(
                    size,
                    [_source(new, type, at, step)],
                    Write(type, at, step),
                    register_type(register),
                    into=register,
                    no_mask=False,
                    channel_offset=start,
                )
                emit.add(operation)
                register = operation.results[0]
    return register


def _source(value: Number, type: DataType, at: int, step: int) -> tuple[SSAValue, Read] | Immediate:
    if isinstance(value, UniformConstant):
        return Immediate.of(value.value, type)
    if value.count == 1:
        return value.register, Read(type, value.offset, SCALAR)
    return value.register, Read(type, value.offset + at, strided(step))


def _chosen(lowering: KernelLowering, old: Elements, new: Number, type: Attribute) -> SSAValue:
    """Returns `new` where the lane of an element is active, for boxes that no destination region reaches."""
    emit, lanes = lowering.emit, lowering.lanes
    nobody = emit.alu("mov", BOOLEAN, [UniformConstant(BOOLEAN, 0)], lanes).register
    on = _moved(lowering, nobody, UniformConstant(BOOLEAN, -1), 1, 1, BOOLEAN.size)
    predicate = lowering.conversions.repeat(Elements(on, BOOLEAN, lanes, 0, lanes), type)
    return emit.alu("sel", old.type, [new, old], old.count, predicate=predicate).register


@lowers(simt.SimtGotoOp)
def goto(lowering: KernelLowering, op: simt.SimtGotoOp) -> None:
    empty, registers = lowering.blocks.edge(op.empty, op.values)
    lowering.emit.add(GotoOp(lowering.blocks.target_of(op.join), empty, registers))


@lowers(simt.WhereOp)
def where(lowering: KernelLowering, op: simt.WhereOp) -> None:
    condition = lowering.operand(op, op.condition, lowering.lanes)
    join, registers = lowering.blocks.edge(op.join, op.values)
    flag = lowering.emit.flag(condition, 0, lowering.lanes)
    lowering.emit.add(CondGotoOp(flag, join, lowering.blocks.target_of(op.following), registers, inverted=True))


@lowers(simt.SimtJoinOp)
def join(lowering: KernelLowering, op: simt.SimtJoinOp) -> None:
    following = lowering.blocks.target_of(op.following)
    if op.empty is None:
        lowering.emit.add(JoinOp(following))
        return
    empty, registers = lowering.blocks.edge(op.empty, op.values)
    lowering.emit.add(JoinOp(following, empty, registers))
