"""Lowers `vector` operations that move elements without computing: each result element is picked from a source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from passes.convert_xegpu_to_xe.kernel.lowering import KernelLowering, lowers
from passes.convert_xegpu_to_xe.kernel.values import (
    BOOLEAN,
    Elements,
    Number,
    UniformConstant,
    element_count,
    element_type,
)
from xegpu.isa.model import DataType, integer

Shape = tuple[int, ...]
Pick = tuple[int, int]
"""Which operand an element comes from, and its row-major index there."""


def shape_of(type: Attribute) -> Shape:
    """Sizes of a vector; none of a scalar."""
    return tuple(type.get_shape()) if isinstance(type, VectorType) else ()


def image_index(shape: Shape, index: int, lane: int, lanes: int) -> int:
    """Where element `index` of a lane's value stands in the register image `[F][lanes][E]`."""
    if lanes == 1:
        return index
    inner = shape[-1] if len(shape) > 1 else 1
    return (index // inner * lanes + lane) * inner + index % inner


def rearrange(
    lowering: KernelLowering, op: Operation, sources: Sequence[SSAValue], picks: Callable[[int], Pick], number: int = 0
) -> None:
    """Binds a result of `op`: element i is what `picks(i)` names. Emits nothing where bytes already stand right."""
    result = op.results[number]
    if element_type(result.type) is None:
        lowering.refuse(op, f"has a result of type {result.type}, which registers do not hold")
    numbers = [(lowering.number(s), s.type) for s in sources]
    lowering.values[result] = arranged(lowering, numbers, result.type, picks)


def arranged(
    lowering: KernelLowering, numbers: Sequence[tuple[Number, Attribute]], type: Attribute, picks: Callable[[int], Pick]
) -> Number:
    """A value of a type: element i is what `picks(i)` names of the numbers, which have types of their own."""
    element = element_type(type)
    assert element is not None
    chosen = [picks(i) for i in range(element_count(type))]
    used = {number for number, _ in chosen}
    constants = [n for i in sorted(used) if isinstance(n := numbers[i][0], UniformConstant)]
    if len(constants) == len(used) and len({c.bits for c in constants}) == 1:
        return constants[0]
    lanes = max((n.lanes for n, _ in numbers if isinstance(n, Elements)), default=1)
    forms = [_image(lowering, n, source, lanes, i in used) for i, (n, source) in enumerate(numbers)]
    moves: list[tuple[int, int, int]] = []
    for i, (number, index) in enumerate(chosen):
        for lane in range(lanes):
            to = image_index(shape_of(type), i, lane, lanes)
            moves.append((to, number, image_index(shape_of(numbers[number][1]), index, lane, lanes)))
    return _gather(lowering, forms, sorted(moves), element, lanes)


def _image(lowering: KernelLowering, number: Number, type: Attribute, lanes: int, used: bool) -> Elements | None:
    """A source in registers, in the form (uniform or divergent) of the result."""
    if not used:
        return None
    if isinstance(number, Elements) and number.lanes == lanes:
        return number
    if lanes > 1:
        return lowering.spread(number, type)
    return lowering.emit.alu("mov", number.type, [number], element_count(type))


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


def elements_from(first: int) -> Callable[[int], Pick]:
    """Consecutive elements of the only source."""
    return lambda i: (0, first + i)


def integers(op: Operation, name: str) -> list[int]:
    """A list of numbers among the attributes of an operation; empty where there is none."""
    attribute = op.properties.get(name) or op.attributes.get(name)
    if isinstance(attribute, DenseArrayBase):
        return [int(v) for v in attribute.get_values()]
    if isinstance(attribute, ArrayAttr):
        return [a.value.data for a in attribute if isinstance(a, IntegerAttr)]
    return []


def ravel(index: Sequence[int], shape: Shape) -> int:
    """Row-major number of a place."""
    flat = 0
    for i, size in zip(index, shape, strict=True):
        flat = flat * size + i
    return flat


def unravel(flat: int, shape: Shape) -> list[int]:
    """The place that a row-major number names."""
    index: list[int] = []
    for size in reversed(shape):
        flat, i = divmod(flat, size)
        index.insert(0, i)
    return index


@lowers("vector.shape_cast")
def shape_cast(lowering: KernelLowering, op: Operation) -> None:
    rearrange(lowering, op, op.operands, lambda i: (0, i))


@lowers("vector.broadcast")
def broadcast(lowering: KernelLowering, op: Operation) -> None:
    source, result = shape_of(op.operands[0].type), shape_of(op.results[0].type)
    value = lowering.number(op.operands[0])
    if isinstance(value, Elements) and value.lanes == 1 and not source:
        lowering.values[op.results[0]] = lowering.emit.alu("mov", value.type, [value], prod(result))
        return

    def pick(i: int) -> Pick:
        index = unravel(i, result)[len(result) - len(source) :]
        return 0, ravel([0 if size == 1 else j for j, size in zip(index, source, strict=True)], source)

    rearrange(lowering, op, op.operands, pick)


@lowers("vector.transpose")
def transpose(lowering: KernelLowering, op: Operation) -> None:
    permutation = integers(op, "permutation")
    source, result = shape_of(op.operands[0].type), shape_of(op.results[0].type)

    def pick(i: int) -> Pick:
        index = [0] * len(source)
        for place, dimension in zip(unravel(i, result), permutation, strict=True):
            index[dimension] = place
        return 0, ravel(index, source)

    rearrange(lowering, op, op.operands, pick)


@lowers("vector.extract_strided_slice")
def extract_strided_slice(lowering: KernelLowering, op: Operation) -> None:
    source, result = shape_of(op.operands[0].type), shape_of(op.results[0].type)
    offsets, strides = integers(op, "offsets"), integers(op, "strides")
    offsets += [0] * (len(source) - len(offsets))
    strides += [1] * (len(source) - len(strides))

    def pick(i: int) -> Pick:
        index = [o + j * s for o, j, s in zip(offsets, unravel(i, result), strides, strict=True)]
        return 0, ravel(index, source)

    rearrange(lowering, op, op.operands, pick)


@lowers("vector.insert_strided_slice")
def insert_strided_slice(lowering: KernelLowering, op: Operation) -> None:
    part, whole = shape_of(op.operands[0].type), shape_of(op.results[0].type)
    offsets, strides = integers(op, "offsets"), integers(op, "strides")
    outer = len(whole) - len(part)
    strides = [1] * outer + (strides or [1] * len(part))
    places = {
        ravel([o + j * s for o, j, s in zip(offsets, [0] * outer + list(index), strides, strict=True)], whole): ravel(
            index, part
        )
        for index in product(*(range(size) for size in part))
    }
    if not _overwrite(lowering, op, places):
        rearrange(lowering, op, op.operands, lambda i: (0, places[i]) if i in places else (1, i))


def _overwrite(lowering: KernelLowering, op: Operation, places: Mapping[int, int]) -> bool:
    """Copies elements of the first operand, by their places in the result, over the second one.

    A value that is put together piece by piece is then moved once; whoever needs what is overwritten gets a copy. False
    for values of work-items and for constants, which are rearranged.
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
    register = emit.copy(whole.register, part.as_type(bits), sorted(places.items()), bits)
    lowering.values[op.results[0]] = Elements(register, part.type, count)
    return True


@lowers("vector.shuffle")
def shuffle(lowering: KernelLowering, op: Operation) -> None:
    first, second = (shape_of(o.type) for o in op.operands)
    result = shape_of(op.results[0].type)
    row = prod(result[1:])
    mask = integers(op, "mask")
    split = first[0] if first else 1

    def pick(i: int) -> Pick:
        entry = max(mask[i // row], 0)
        return (0, entry * row + i % row) if entry < split else (1, (entry - split) * row + i % row)

    if len(mask) != (result[0] if result else 1) or (second and row != prod(second[1:])):
        lowering.refuse(op, "has a mask that does not fit its result")
    rearrange(lowering, op, op.operands, pick)


@lowers("vector.from_elements")
def from_elements(lowering: KernelLowering, op: Operation) -> None:
    rearrange(lowering, op, op.operands, lambda i: (i, 0))


@lowers("vector.to_elements")
def to_elements(lowering: KernelLowering, op: Operation) -> None:
    for number in range(len(op.results)):
        rearrange(lowering, op, op.operands, elements_from(number), number)


@lowers("vector.interleave")
def interleave(lowering: KernelLowering, op: Operation) -> None:
    rearrange(lowering, op, op.operands, lambda i: (i % 2, i // 2))


@lowers("vector.deinterleave")
def deinterleave(lowering: KernelLowering, op: Operation) -> None:
    rearrange(lowering, op, op.operands, lambda i: (0, 2 * i), 0)
    rearrange(lowering, op, op.operands, lambda i: (0, 2 * i + 1), 1)


@lowers("vector.bitcast")
def bitcast(lowering: KernelLowering, op: Operation) -> None:
    """Bytes stay where they are: in work-item mode only when the innermost dimension is a lane's own box."""
    result = op.results[0]
    type, value = element_type(result.type), lowering.number(op.operands[0])
    if type is None or (type is BOOLEAN) != (value.type is BOOLEAN):
        lowering.refuse(op, f"from {op.operands[0].type} to {result.type} is not supported")
    if isinstance(value, UniformConstant):
        value = lowering.emit.alu("mov", value.type, [value], element_count(op.operands[0].type))
    if value.lanes > 1 and type.bits != value.type.bits and len(shape_of(result.type)) < 2:
        lowering.refuse(op, "would move bytes between work-items: a fragment needs its box as innermost dimension")
    count = value.size // type.size
    lowering.values[result] = Elements(value.register, type, count, value.offset, value.lanes)
