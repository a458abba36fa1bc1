"""Lowers reads and replacements of a part of a vector at a position, which may be computed at run time.

A constant position needs no computation. Otherwise elements are looked up by index; to replace a part, every part that
the position may mean is selected or kept. A position out of bounds means any part.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, Operation, SSAValue

from passes.convert_xegpu_to_xe.lowering.conversions import inner_elements
from passes.convert_xegpu_to_xe.lowering.gpu_ids import counting
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.convert_xegpu_to_xe.vector.shapes import arranged, elements_from, image_index, rearrange
from passes.kernel.register_types import BOOLEAN, element_count, element_type
from passes.support.normal_forms import inserted, integers, ravel, shape_of
from xegpu.dialects.upstream.vector import ExtractElementOp, ExtractOp, InsertElementOp, InsertOp
from xegpu.isa.model import Condition, DataType, integer

_WORD = DataType.UW
"""Holds the number of any element of the register file, or of a vector in which elements are replaced."""
_NUMBERS = 1 << _WORD.bits


@lowers(ExtractOp)
def extract(lowering: KernelLowering, op: ExtractOp) -> None:
    _extract(lowering, op, op.operands[0], _mixed(lowering, op, op.operands[1:]))


@lowers(ExtractElementOp)
def extract_element(lowering: KernelLowering, op: ExtractElementOp) -> None:
    _extract(lowering, op, op.operands[0], [lowering.number(p) for p in op.operands[1:]])


@lowers(InsertOp)
def insert(lowering: KernelLowering, op: InsertOp) -> None:
    _insert(lowering, op, _mixed(lowering, op, op.operands[2:]))


@lowers(InsertElementOp)
def insert_element(lowering: KernelLowering, op: InsertElementOp) -> None:
    _insert(lowering, op, [lowering.number(p) for p in op.operands[2:]])


def _mixed(lowering: KernelLowering, op: Operation, dynamic: Sequence[SSAValue]) -> list[Number]:
    """Returns the position along each of the outer dimensions."""
    rest = iter(dynamic)
    return [
        lowering.number(next(rest)) if entry == DYNAMIC_INDEX else UniformConstant(DataType.UQ, entry)
        for entry in integers(op, "static_position")
    ]


def _start(lowering: KernelLowering, op: Operation, type: Attribute, position: Sequence[Number]) -> int | None:
    """Returns the row-major number of the first element at a position; None unless the position is constant."""
    known = [int(p.value) for p in position if isinstance(p, UniformConstant)]
    shape = shape_of(type)
    if len(known) < len(position):
        return None
    if any(not 0 <= p < size for p, size in zip(known, shape, strict=False)):
        lowering.refuse(op, f"names position {known} of a vector of shape {list(shape)}")
    return ravel([*known, *[0] * (len(shape) - len(known))], shape)


def _extract(lowering: KernelLowering, op: Operation, vector: SSAValue, position: Sequence[Number]) -> None:
    start, source = _start(lowering, op, vector.type, position), lowering.number(vector)
    if start is not None:
        rearrange(lowering, op, [vector], elements_from(start))
    elif isinstance(source, UniformConstant):
        lowering.values[op.results[0]] = source
    else:
        lowering.values[op.results[0]] = _looked_up(lowering, source, vector.type, position, op.results[0].type)


def _looked_up(
    lowering: KernelLowering, source: Elements, vector: Attribute, position: Sequence[Number], type: Attribute
) -> Elements:
    """Returns the part of a vector at a position, as a value of a type."""
    emit, element = lowering.emit, element_type(type)
    assert element is not None
    offset = _offset(lowering, source, shape_of(vector), position)
    count, lanes = element_count(type), max(source.lanes, offset.lanes)
    if lanes == 1:
        indexes = offset if count == 1 else emit.alu("add", _WORD, [counting(lowering, count, _WORD), offset], count)
        return emit.lookup(source, indexes)
    register = emit.undefined(count * lanes * element.size)
    bits = integer(element.bits, signed=False)
    steps: Number = UniformConstant(_WORD, 0)
    if source.lanes > 1:
        own = UniformConstant(_WORD, inner_elements(vector))
        steps = emit.alu("mul", _WORD, [counting(lowering, lanes, _WORD), own], lanes)
    starts = emit.alu("add", _WORD, [offset, steps], lanes)
    for index in range(count):
        origin = image_index(shape_of(vector), index, 0, source.lanes)
        found = emit.lookup(source, emit.alu("add", _WORD, [starts, UniformConstant(_WORD, origin)], lanes))
        moves = [(image_index(shape_of(type), index, lane, lanes), lane) for lane in range(lanes)]
        register = emit.copy(register, found.as_type(bits), moves, bits)
    return Elements(register, element, count * lanes, 0, lanes)


def _offset(lowering: KernelLowering, source: Elements, shape: Sequence[int], position: Sequence[Number]) -> Elements:
    """Returns the distance of the first element at a position from the vector's first one, in its register layout."""
    emit, offset = lowering.emit, None
    for dimension, place in enumerate(position):
        in_box = len(shape) > 1 and dimension == len(shape) - 1
        stride = prod(shape[dimension + 1 :]) * (1 if in_box else source.lanes)
        scaled = _words(lowering, place, shape[dimension])
        if stride > 1:
            scaled = emit.alu("mul", _WORD, [scaled, UniformConstant(_WORD, stride)], scaled.count)
        count = scaled.count if offset is None else max(scaled.count, offset.count)
        offset = scaled if offset is None else emit.alu("add", _WORD, [offset, scaled], count)
    assert offset is not None
    return offset


def _words(lowering: KernelLowering, position: Number, size: int) -> Elements:
    """Returns a position along a dimension as words that are less than its size."""
    emit, last = lowering.emit, size - 1
    if isinstance(position, UniformConstant):
        return emit.scalar(UniformConstant(_WORD, max(0, min(int(position.value), last))))
    position = _number(lowering, position)
    inside = emit.alu(
        "sel", position.type, [position, UniformConstant(position.type, last)], position.count, condition=Condition.LT
    )
    return emit.unary("mov", _WORD, inside, inside.count)


def _number(lowering: KernelLowering, position: Elements) -> Elements:
    """Returns a position as an unsigned number: true is 1."""
    if position.type is not BOOLEAN:
        return position
    return lowering.emit.alu("and", _WORD, [position.as_type(_WORD), UniformConstant(_WORD, 1)], position.count)


def _insert(lowering: KernelLowering, op: Operation, position: Sequence[Number]) -> None:
    part, vector = op.operands[:2]
    shape, count = shape_of(vector.type), element_count(part.type)
    start = _start(lowering, op, vector.type, position)
    if start is not None:
        rearrange(lowering, op, [part, vector], inserted(start, count))
        return
    if element_count(vector.type) > _NUMBERS:
        lowering.refuse(
            op, f"replaces an element of {vector.type} at a position computed at run time: it has more than {_NUMBERS}"
        )
    position = [p if isinstance(p, UniformConstant) else _number(lowering, p) for p in position]
    if count == len(position) == 1 and not any(n.lanes > 1 for n in _in_registers(lowering, part, vector, position)):
        lowering.values[op.results[0]] = _replaced(lowering, part, vector, position[0])
        return
    choices = [range(s) if isinstance(p, Elements) else [int(p.value)] for p, s in zip(position, shape, strict=False)]
    parts: list[tuple[Number, Attribute]] = [(lowering.number(vector), vector.type)]
    places: dict[int, tuple[int, int]] = {}
    for place in product(*choices):
        first = ravel([*place, *[0] * (len(shape) - len(place))], shape)
        places |= {first + i: (len(parts), i) for i in range(count)}
        old = arranged(lowering, parts[:1], part.type, elements_from(first))
        parts.append((_chosen(lowering, part, old, position, place), part.type))
    lowering.values[op.results[0]] = arranged(lowering, parts, vector.type, lambda i: places.get(i, (0, i)))


def _in_registers(
    lowering: KernelLowering, part: SSAValue, vector: SSAValue, position: Sequence[Number]
) -> list[Elements]:
    numbers = [lowering.number(part), lowering.number(vector), *position]
    return [n for n in numbers if isinstance(n, Elements)]


def _replaced(lowering: KernelLowering, part: SSAValue, vector: SSAValue, position: Number) -> Elements:
    """Returns a one-dimensional vector with one element replaced."""
    emit, count = lowering.emit, element_count(vector.type)
    element = element_type(vector.type)
    assert element is not None
    numbers = counting(lowering, count, _WORD)
    words = _words(lowering, position, count)
    there = emit.alu("cmp", BOOLEAN, [numbers, words], count, condition=Condition.EQ)
    return emit.alu("sel", element, [lowering.number(part), lowering.number(vector)], count, predicate=there)


def _chosen(
    lowering: KernelLowering, part: SSAValue, old: Number, position: Sequence[Number], place: Sequence[int]
) -> Elements:
    """Returns `part` where the position is `place`, else the old value."""
    emit, type = lowering.emit, part.type
    element = element_type(type)
    assert element is not None
    there: Elements | None = None
    for number, value in zip(position, place, strict=True):
        if isinstance(number, UniformConstant):
            continue
        same = emit.alu(
            "cmp", BOOLEAN, [number, UniformConstant(number.type, value)], number.count, condition=Condition.EQ
        )
        both = same.count if there is None else max(same.count, there.count)
        there = same if there is None else emit.alu("and", BOOLEAN, [there, same], both)
    assert there is not None
    new = lowering.number(part)
    lanes = max(n.lanes for n in (new, old, there) if isinstance(n, Elements))
    count = element_count(type) * lanes
    if lanes > 1:
        new, old = (lowering.conversions.by_channel(n, type, lanes) for n in (new, old))
        there = lowering.conversions.repeat(there, type) if there.lanes > 1 and there.count < count else there
    return emit.alu("sel", element, [new, old], count, predicate=there)
