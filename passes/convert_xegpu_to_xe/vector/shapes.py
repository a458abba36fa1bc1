"""Lowers `vector` operations that move elements: each element of a result is picked from an operand."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from xdsl.ir import Attribute, Operation, SSAValue

from passes.convert_xegpu_to_xe.lowering.emitter import runs
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.kernel.register_types import BOOLEAN, element_count, element_type
from passes.support.normal_forms import ELEMENT_MOVES, Origins, Shape, origins, shape_of
from xegpu.dialects.upstream.vector import BitcastOp, BroadcastOp, InsertStridedSliceOp
from xegpu.isa.model import DataType, integer


def image_index(shape: Shape, index: int, lane: int, lanes: int) -> int:
    """Returns the position of element `index` of a lane's value in the register layout `[F, lanes, E]`."""
    if lanes == 1:
        return index
    inner = shape[-1] if len(shape) > 1 else 1
    return (index // inner * lanes + lane) * inner + index % inner


def rearrange(
    lowering: KernelLowering, op: Operation, sources: Sequence[SSAValue], picks: Origins, number: int = 0
) -> None:
    """Binds a result of `op` whose element i is `picks(i)`. Emits nothing where the bytes are in order already."""
    result = op.results[number]
    if element_type(result.type) is None:
        lowering.refuse(op, f"has a result of type {result.type}, which registers do not hold")
    numbers = [(lowering.number(s), s.type) for s in sources]
    lowering.values[result] = arranged(lowering, numbers, result.type, picks)


def arranged(
    lowering: KernelLowering, numbers: Sequence[tuple[Number, Attribute]], type: Attribute, picks: Origins
) -> Number:
    """Returns a value of a type whose element i is `picks(i)` of the numbers, each of which has a type of its own."""
    element = element_type(type)
    assert element is not None
    chosen = [picks(i) for i in range(element_count(type))]
    used = {number for number, _ in chosen}
    constants = [n for i in sorted(used) if isinstance(n := numbers[i][0], UniformConstant)]
    if len(constants) == len(used) and len({c.bits for c in constants}) == 1:
        return constants[0]
    lanes = max((n.lanes for n, _ in numbers if isinstance(n, Elements)), default=1)
    forms = [
        lowering.conversions.in_registers(n, source, lanes) if i in used else None
        for i, (n, source) in enumerate(numbers)
    ]
    if lanes == 1:
        return _gather(lowering, forms, [(i, number, index) for i, (number, index) in enumerate(chosen)], element, 1)
    shape, shapes = shape_of(type), [shape_of(source) for _, source in numbers]
    moves = [
        (image_index(shape, i, lane, lanes), number, image_index(shapes[number], index, lane, lanes))
        for i, (number, index) in enumerate(chosen)
        for lane in range(lanes)
    ]
    return _gather(lowering, forms, sorted(moves), element, lanes)


def _gather(
    lowering: KernelLowering,
    forms: Sequence[Elements | None],
    moves: Sequence[tuple[int, int, int]],
    type: DataType,
    lanes: int,
) -> Elements:
    _, number, first = moves[0]
    source = forms[number]
    assert source is not None
    if all(n == number and origin == first + to for to, n, origin in moves):
        part = source.part(first, len(moves))
        return Elements(part.register, type, part.count, part.offset, lanes)
    bits = integer(type.bits, signed=False)
    register = lowering.emit.undefined(len(moves) * type.size)
    for index, form in enumerate(forms):
        if form is not None:
            own = [(to, origin) for to, n, origin in moves if n == index]
            register = lowering.emit.copy(register, form.as_type(bits), own, bits)
    return Elements(register, type, len(moves), 0, lanes)


def elements_from(first: int) -> Origins:
    """Returns the origins of consecutive elements of the only source."""
    return lambda i: (0, first + i)


@lowers(*ELEMENT_MOVES.rules)
def move_elements(lowering: KernelLowering, op: Operation) -> None:
    if isinstance(op, BroadcastOp) and _broadcast_scalar(lowering, op):
        return
    if isinstance(op, InsertStridedSliceOp) and _overwrite(lowering, op):
        return
    for number in range(len(op.results)):
        rearrange(lowering, op, op.operands, origins(op, number), number)


def _broadcast_scalar(lowering: KernelLowering, op: Operation) -> bool:
    """Moves a uniform scalar to all elements at once; returns False for other operands."""
    value = lowering.number(op.operands[0])
    if not isinstance(value, Elements) or value.lanes > 1 or shape_of(op.operands[0].type):
        return False
    lowering.values[op.results[0]] = lowering.emit.alu("mov", value.type, [value], element_count(op.results[0].type))
    return True


def _overwrite(lowering: KernelLowering, op: Operation) -> bool:
    """Copies the elements of a slice over the vector that it is inserted into.

    A value that is put together piece by piece is then moved once; other users of the vector get a copy. Returns False
    for divergent values and for constants, which are rearranged.
    """
    emit, numbers = lowering.emit, [lowering.number(operand) for operand in op.operands]
    if any(isinstance(n, Elements) and n.lanes > 1 for n in numbers) or isinstance(numbers[0], UniformConstant):
        return False
    part, whole = numbers
    assert isinstance(part, Elements)
    count = element_count(op.results[0].type)
    if isinstance(whole, UniformConstant) or whole.offset or whole.register.type != emit.register_type(whole.size):
        whole = emit.alu("mov", whole.type, [whole], count)
    bits = integer(part.type.bits, signed=False)
    origin = origins(op)
    moves = [(i, origin(i)[1]) for i in range(count) if origin(i)[0] == 0]
    register = emit.copy(whole.register, part.as_type(bits), moves, bits)
    lowering.values[op.results[0]] = Elements(register, part.type, count)
    return True


@lowers(BitcastOp)
def bitcast(lowering: KernelLowering, op: BitcastOp) -> None:
    """Bytes stay where they are, unless lanes' elements of another size interleave in another way."""
    result = op.results[0]
    type, value = element_type(result.type), lowering.number(op.operands[0])
    if type is None or (type is BOOLEAN) != (value.type is BOOLEAN):
        lowering.refuse(op, f"from {op.operands[0].type} to {result.type} is not supported")
    if isinstance(value, UniformConstant):
        value = lowering.emit.alu("mov", value.type, [value], element_count(op.operands[0].type))
    count, lanes = value.size // type.size, value.lanes
    register, offset = value.register, value.offset
    if lanes > 1 and type.bits != value.type.bits:
        unit = integer(min(type.bits, value.type.bits), signed=False)
        to = _units(shape_of(result.type), type.bits // unit.bits, lanes)
        places = _units(shape_of(op.operands[0].type), value.type.bits // unit.bits, lanes)
        if to != places:
            moves = list(zip(to, places, strict=True))
            # Parts of wider elements lie side by side in one order, and those of a narrow one's lanes in the other.
            orders = (sorted(moves), sorted(moves, key=lambda move: move[1]))
            shortest = min(orders, key=lambda order: len(list(runs(order, lanes))))
            register = lowering.emit.copy(lowering.emit.undefined(value.size), value.as_type(unit), shortest, unit)
            offset = 0
    lowering.values[result] = Elements(register, type, count, offset, lanes)


def _units(shape: Shape, each: int, lanes: int) -> list[int]:
    """Returns the positions of the units of each lane's elements, `each` per element, in registers."""
    return [
        image_index(shape, index, lane, lanes) * each + unit
        for lane in range(lanes)
        for index in range(prod(shape))
        for unit in range(each)
    ]
