"""Regions of registers at offsets that are computed at run time: elements are looked up, or replaced one by one."""

from __future__ import annotations

from passes.convert_xegpu_to_xe.lowering.gpu_ids import counting
from passes.convert_xegpu_to_xe.lowering.intrinsics import IntrinsicCall, lowers_intrinsic
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.kernel.register_types import BOOLEAN
from xegpu.isa.model import Condition, DataType, integer

_WORD = DataType.UW


def _places(call: IntrinsicCall, first: int, vector: Elements, count: int) -> Elements:
    """Returns the numbers of a region's elements, which have to be in the vector."""
    emit = call.emit
    vstride, width, stride = (call.constant(first + i) for i in range(3))
    offset = call.elements(first + 3)
    rows = -(-count // max(width, 1))
    if not width or offset.count not in (1, rows):
        call.refuse(f"has {offset.count} offsets for {rows} rows of {width} elements")
    offsets = emit.alu("shr", _WORD, [offset, UniformConstant(_WORD, vector.type.size.bit_length() - 1)], offset.count)
    if offset.count > 1 and width > 1:
        moves = [(i, i // width) for i in range(count)]
        offsets = Elements(emit.copy(emit.undefined(count * _WORD.size), offsets, moves, _WORD), _WORD, count)
    steps: Number = UniformConstant(_WORD, 0)
    if width > 1 or (offset.count == 1 and rows > 1):
        steps = counting(call.lowering, count, _WORD)
        if offset.count == 1 and rows > 1:
            row = emit.alu("div", _WORD, [steps, UniformConstant(_WORD, width)], count)
            column = emit.alu("mod", _WORD, [steps, UniformConstant(_WORD, width)], count)
            start = emit.alu("mul", _WORD, [row, UniformConstant(_WORD, vstride)], count)
            column = emit.alu("mul", _WORD, [column, UniformConstant(_WORD, stride)], count)
            steps = emit.alu("add", _WORD, [start, column], count)
        else:
            steps = emit.alu("mod", _WORD, [steps, UniformConstant(_WORD, width)], count) if rows > 1 else steps
            steps = emit.alu("mul", _WORD, [steps, UniformConstant(_WORD, stride)], count)
    places = emit.alu("add", _WORD, [offsets, steps], count)
    last = UniformConstant(_WORD, vector.count - 1)
    return emit.alu("sel", _WORD, [places, last], count, condition=Condition.LT)


@lowers_intrinsic("llvm.genx.rdregioni", "llvm.genx.rdregionf")
def read(call: IntrinsicCall) -> Elements:
    vector = call.elements(0)
    if call.result_element is not vector.type:
        call.refuse(f"has a result of type {call.result_type} for elements of {vector.type.text}")
    return call.emit.lookup(vector, _places(call, 1, vector, call.result_count))


@lowers_intrinsic("llvm.genx.wrregioni", "llvm.genx.wrregionf")
def write(call: IntrinsicCall) -> Elements:
    """Replaces the elements of a region for which the mask holds."""
    old, new, mask = call.elements(0), call.elements(1), call.number(7)
    if isinstance(mask, UniformConstant) and not mask.bits:
        return old
    bits = integer(old.type.bits, signed=False)
    replaced = _chosen if _is_grid(call, new.count) and new.count > 1 else _one_by_one
    return replaced(call, old.as_type(bits), new.as_type(bits)).as_type(old.type)


def _is_grid(call: IntrinsicCall, count: int) -> bool:
    """Returns whether a region with one offset has rows one behind the other, so that no element is there twice."""
    vstride, width, stride = (call.constant(2 + i) for i in range(3))
    return call.elements(5).count == 1 and stride > 0 and (width >= count or vstride > (width - 1) * stride)


def _chosen(call: IntrinsicCall, old: Elements, new: Elements) -> Elements:
    """Chooses, for each element of the vector, between it and the one that the region has there."""
    emit, mask = call.emit, call.number(7)
    vstride, width, stride = (call.constant(2 + i) for i in range(3))
    width = min(width, new.count)

    def computed(mnemonic: str, number: Elements, constant: int) -> Elements:
        return emit.alu(mnemonic, _WORD, [number, UniformConstant(_WORD, constant)], old.count)

    def smaller(number: Elements, limit: int) -> Elements:
        operands: list[Number] = [number, UniformConstant(_WORD, limit)]
        return emit.alu("cmp", BOOLEAN, operands, old.count, condition=Condition.LT)

    start = emit.alu("shr", _WORD, [call.elements(5), UniformConstant(_WORD, old.type.size.bit_length() - 1)], 1)
    column = emit.alu("add", _WORD, [counting(call.lowering, old.count, _WORD), start], old.count, negate=[False, True])
    rows = new.count // width
    row: Elements | None = None
    conditions: list[Elements] = []
    if rows > 1:
        row, column = computed("div", column, vstride), computed("mod", column, vstride)
        conditions.append(smaller(row, rows))
    if stride > 1:
        conditions.append(smaller(computed("mod", column, stride), 1))
        column = computed("div", column, stride)
    conditions.append(smaller(column, width))
    if row is not None:
        column = emit.alu("add", _WORD, [computed("mul", row, width), column], old.count)
    last = UniformConstant(_WORD, new.count - 1)
    places = emit.alu("sel", _WORD, [column, last], old.count, condition=Condition.LT)
    if isinstance(mask, Elements):
        conditions.append(emit.lookup(mask, places) if mask.count > 1 else mask)
    there = conditions[0]
    for condition in conditions[1:]:
        there = emit.alu("and", BOOLEAN, [there, condition], old.count)
    return emit.alu("sel", old.type, [emit.lookup(new, places), old], old.count, predicate=there)


def _one_by_one(call: IntrinsicCall, old: Elements, new: Elements) -> Elements:
    """Replaces one element of the region after the other, wherever they are."""
    emit, mask = call.emit, call.number(7)
    places = _places(call, 2, old, new.count)
    numbers = counting(call.lowering, old.count, _WORD)
    result = old
    for index in range(new.count):
        there = emit.alu("cmp", BOOLEAN, [numbers, places.part(index, 1)], old.count, condition=Condition.EQ)
        if isinstance(mask, Elements):
            there = emit.alu("and", BOOLEAN, [there, mask.part(index if mask.count > 1 else 0, 1)], old.count)
        result = emit.alu("sel", old.type, [new.part(index, 1), result], old.count, predicate=there)
    return result
