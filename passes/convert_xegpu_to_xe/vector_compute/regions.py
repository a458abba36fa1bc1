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
    emit, old, new = call.emit, call.elements(0), call.elements(1)
    places = _places(call, 2, old, new.count)
    mask = call.number(7)
    numbers = counting(call.lowering, old.count, _WORD)
    bits = integer(old.type.bits, signed=False)
    result = old.as_type(bits)
    for index in range(new.count):
        there = emit.alu("cmp", BOOLEAN, [numbers, places.part(index, 1)], old.count, condition=Condition.EQ)
        if isinstance(mask, Elements):
            there = emit.alu("and", BOOLEAN, [there, mask.part(index if mask.count > 1 else 0, 1)], old.count)
        result = emit.alu("sel", bits, [new.as_type(bits).part(index, 1), result], old.count, predicate=there)
    return result.as_type(old.type)
