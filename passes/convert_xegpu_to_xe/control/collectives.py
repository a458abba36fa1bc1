"""Lowers operations that the work-items of a subgroup or work-group perform together: shuffles and reductions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from operator import add, xor

from xdsl.ir import Block, Operation, SSAValue

from passes.convert_xegpu_to_xe.control.barriers import group_barrier
from passes.convert_xegpu_to_xe.lowering.conversions import inner_elements
from passes.convert_xegpu_to_xe.lowering.gpu_ids import counting, subgroup_count, subgroup_number
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.convert_xegpu_to_xe.math.combining import check_kind, combine, identity, reduce_rows
from passes.convert_xegpu_to_xe.memory.lane_messages import lane_message, received, sent
from passes.kernel.memories import MessageMemory
from passes.kernel.register_types import BOOLEAN
from xegpu.dialects.upstream.gpu import (
    AllReduceOp,
    RotateOp,
    ShuffleMode,
    ShuffleOp,
    SubgroupBroadcastOp,
    SubgroupReduceOp,
)
from xegpu.dialects.xe import BranchOp, CondBranchOp, Write, alu_op, register_type
from xegpu.isa.model import Condition, DataType, integer

Source = Callable[[int], int]
"""Maps a lane to the lane whose value it gets; a number outside of the subgroup means none."""


def _divergent(lowering: KernelLowering, op: Operation, value: SSAValue) -> Elements:
    """Returns a divergent value."""
    if lowering.lanes == 1:
        lowering.refuse(op, "has no meaning in a kernel that works on whole subgroups")
    return lowering.operand(op, value, lowering.lanes)


def _shuffled(lowering: KernelLowering, value: Elements, source: Source) -> Elements:
    """Returns for each lane the elements of another lane; lanes without an origin keep their own."""
    lanes, bits = lowering.lanes, integer(value.type.bits, signed=False)
    origins = [source(lane) if 0 <= source(lane) < lanes else lane for lane in range(lanes)]
    # Elements of a vector stand lane by lane, one after the other.
    moves = [(row + lane, row + origin) for row in range(0, value.count, lanes) for lane, origin in enumerate(origins)]
    moves.sort(key=lambda move: (move[0] - move[1], move[0]))  # lanes that go equally far make longer runs
    register = lowering.emit.copy(lowering.emit.undefined(value.size), value.as_type(bits), moves, bits)
    return Elements(register, value.type, value.count, 0, lanes)


def _validity(lowering: KernelLowering, flags: Sequence[bool]) -> Number:
    """Returns a boolean for each lane, known at compile time."""
    if len(set(flags)) == 1:
        return UniformConstant(BOOLEAN, -1 if flags[0] else 0)
    emit = lowering.emit
    register = emit.alu("mov", BOOLEAN, [UniformConstant(BOOLEAN, 0)], len(flags)).register
    for lane, flag in enumerate(flags):
        if flag:
            register = emit.write(register, lane * BOOLEAN.size, BOOLEAN, UniformConstant(BOOLEAN, -1))
    return Elements(register, BOOLEAN, len(flags), 0, len(flags))


_SOURCES: dict[ShuffleMode, Callable[[int, int], int]] = {
    ShuffleMode.XOR: lambda lane, offset: lane ^ offset,
    ShuffleMode.UP: lambda lane, offset: lane - offset,
    ShuffleMode.DOWN: lambda lane, offset: lane + offset,
    ShuffleMode.IDX: lambda lane, offset: offset,
}


@lowers(ShuffleOp)
def shuffle(lowering: KernelLowering, op: ShuffleOp) -> None:
    """With a constant origin, lanes are copied; otherwise they are read by indirect addressing."""
    value = _divergent(lowering, op, op.value)
    offset, width = lowering.number(op.offset), lowering.number(op.width)
    if not isinstance(offset, UniformConstant) or not isinstance(width, UniformConstant):
        lowering.values[op.shuffle_result], lowering.values[op.valid] = _by_address(lowering, op, value, offset, width)
        return
    rule, distance, limit = _SOURCES[op.mode.data], int(offset.value), int(width.value)

    def source(lane: int) -> int:
        return rule(lane, distance)

    lowering.values[op.shuffle_result] = _shuffled(lowering, value, source)
    valid = [0 <= source(lane) < limit for lane in range(lowering.lanes)]
    lowering.values[op.valid] = _validity(lowering, valid)


def _by_address(
    lowering: KernelLowering, op: ShuffleOp, value: Elements, offset: Number, width: Number
) -> tuple[Number, Number]:
    emit, lanes, dword = lowering.emit, lowering.lanes, DataType.D
    own = counting(lowering, lanes, dword)
    match op.mode.data:
        case ShuffleMode.XOR:
            source = emit.alu("xor", dword, [own, _signed(offset)], lanes)
        case ShuffleMode.UP:
            source = emit.alu("add", dword, [own, _signed(offset)], lanes, negate=(False, True))
        case ShuffleMode.DOWN:
            source = emit.alu("add", dword, [own, _signed(offset)], lanes)
        case ShuffleMode.IDX:
            source = emit.alu("mov", dword, [_signed(offset)], lanes)
    unsigned = source.as_type(DataType.UD)
    exists = emit.alu("cmp", BOOLEAN, [unsigned, UniformConstant(DataType.UD, lanes)], lanes, condition=Condition.LT)
    origin = emit.alu("sel", dword, [source, own], lanes, predicate=exists)
    inside = emit.alu("cmp", BOOLEAN, [source, _signed(width)], lanes, condition=Condition.LT)
    positive = emit.alu("cmp", BOOLEAN, [source, UniformConstant(dword, 0)], lanes, condition=Condition.GE)
    valid = emit.alu("and", BOOLEAN, [inside, positive], lanes)
    return _looked_up(lowering, value, origin), Elements(valid.register, BOOLEAN, lanes, 0, lanes)


def _looked_up(lowering: KernelLowering, value: Elements, origin: Elements) -> Elements:
    """Returns for each row of lanes the element of the lane that `origin` names."""
    emit, lanes = lowering.emit, lowering.lanes
    if value.count == lanes:
        found = emit.lookup(value, origin)
        return Elements(found.register, value.type, lanes, 0, lanes)
    bits = integer(value.type.bits, signed=False)
    register = emit.undefined(value.size)
    for start in range(0, value.count, lanes):
        found = emit.lookup(value.part(start, lanes), origin)
        moves = [(start + lane, lane) for lane in range(lanes)]
        register = emit.copy(register, found.as_type(bits), moves, bits)
    return Elements(register, value.type, value.count, 0, lanes)


def _signed(number: Number) -> Number:
    return (
        UniformConstant(DataType.D, number.value) if isinstance(number, UniformConstant) else number.as_type(DataType.D)
    )


@lowers(RotateOp)
def rotate(lowering: KernelLowering, op: RotateOp) -> None:
    distance, width = op.offset.value.data, op.width.value.data
    if width > lowering.lanes > 1:
        lowering.refuse(op, f"has a width of {width} in a kernel with subgroups of {lowering.lanes}")
    value = _divergent(lowering, op, op.value)
    shuffled = _shuffled(lowering, value, lambda lane: (lane + distance) % width if lane < width else lane)
    lowering.values[op.rotate_result] = shuffled
    lowering.values[op.valid] = _validity(lowering, [lane < width for lane in range(lowering.lanes)])


@lowers(SubgroupBroadcastOp)
def subgroup_broadcast(lowering: KernelLowering, op: SubgroupBroadcastOp) -> None:
    """The elements of one lane, as a uniform value."""
    value, emit, lanes = _divergent(lowering, op, op.source), lowering.emit, lowering.lanes
    lane = _first_lane(lowering) if op.lane is None else lowering.uniform(op, op.lane)
    count, inner = value.count // lanes, inner_elements(op.source.type)
    starts = [element // inner * lanes * inner + element % inner for element in range(count)]
    bits = integer(value.type.bits, signed=False)
    source, register = value.as_type(bits), emit.undefined(count * value.type.size)
    if isinstance(lane, UniformConstant):
        moves = [(to, start + int(lane.value) % lanes * inner) for to, start in enumerate(starts)]
        register = emit.copy(register, source, moves, bits)
    else:
        inside = emit.alu("and", DataType.UW, [lane, UniformConstant(lane.type, lanes - 1)], 1)
        first = emit.alu("mul", DataType.UW, [inside, UniformConstant(DataType.UW, inner)], 1)
        for to, start in enumerate(starts):
            found = emit.lookup(source, emit.alu("add", DataType.UW, [first, UniformConstant(DataType.UW, start)], 1))
            register = emit.copy(register, replace(found, lanes=1), [(to, 0)], bits)
    lowering.values[op.result] = Elements(register, value.type, count)


def _first_lane(lowering: KernelLowering) -> Elements:
    """Returns the number of the first active lane."""
    numbers = counting(lowering, lowering.lanes, DataType.UD)
    kind = "minui"
    return _over_lanes(lowering, kind, _of_lanes_that_are_on(lowering, kind, numbers))


# Reductions ----------------------------------------------------------------------------------------------------------


def _of_lanes_that_are_on(lowering: KernelLowering, kind: str, value: Elements) -> Elements:
    """Returns the value, with neutral elements in inactive lanes."""
    emit, lanes = lowering.emit, lowering.lanes
    register = emit.alu("mov", value.type, [identity(kind, value.type)], value.count).register
    bits = integer(value.type.bits, signed=False)
    for start in range(0, value.count, lanes):
        for first, size in emit.chunks(lanes, bits.size):
            part = value.as_type(bits).part(start + first, size)
            operation = alu_op("mov")(
                size,
                [emit.read(part)],
                Write(bits, (start + first) * bits.size),
                register_type(register),
                into=register,
                no_mask=False,
                channel_offset=first,
            )
            emit.add(operation)
            register = operation.results[0]
    return Elements(register, value.type, value.count, 0, lanes)


@lowers(SubgroupReduceOp)
def subgroup_reduce(lowering: KernelLowering, op: SubgroupReduceOp) -> None:
    """Whole subgroups are reduced by halves: the lower lanes with the upper ones.

    In clusters, each lane is combined with the lane whose number differs in one bit.
    """
    kind, lanes = str(op.op.data), lowering.lanes
    value = _divergent(lowering, op, op.value)
    check_kind(lowering, op, kind, value.type)
    value = _of_lanes_that_are_on(lowering, kind, value)
    if op.cluster_size is None:
        lowering.values[op.result] = _over_lanes(lowering, kind, value)
        return
    size, stride = op.cluster_size.value.data, op.cluster_stride.value.data
    if size * stride > lanes:
        lowering.refuse(op, f"has clusters of {size} lanes, {stride} apart, in a kernel with subgroups of {lanes}")
    distance = stride
    while distance < size * stride:
        other = _shuffled(lowering, value, partial(xor, distance))
        value = combine(lowering.emit, kind, value.type, value, other, value.count)
        distance *= 2
    lowering.values[op.result] = value


def _over_lanes(lowering: KernelLowering, kind: str, value: Elements) -> Elements:
    """Returns the elements of all lanes combined, a uniform value."""
    emit, lanes, count = lowering.emit, lowering.lanes, value.count // lowering.lanes
    uniform = Elements(value.register, value.type, value.count, value.offset)
    if count == 1:
        return reduce_rows(emit, kind, uniform, 1)
    moves = [(lane * count + row, row * lanes + lane) for lane in range(lanes) for row in range(count)]
    bits = integer(value.type.bits, signed=False)
    register = emit.copy(emit.undefined(value.size), uniform.as_type(bits), moves, bits)
    return reduce_rows(emit, kind, Elements(register, value.type, value.count), count)


@lowers(AllReduceOp)
def all_reduce(lowering: KernelLowering, op: AllReduceOp) -> None:
    """Each thread stores its result to shared memory, and combines the results of all threads."""
    emit, number = lowering.emit, lowering.number(op.value)
    kind = None if op.op is None else str(op.op.data)
    if kind is not None:
        check_kind(lowering, op, kind, number.type)
    if lowering.lanes == 1:
        own = emit.scalar(number)
    elif kind is not None:
        own = _over_lanes(lowering, kind, _of_lanes_that_are_on(lowering, kind, _divergent(lowering, op, op.value)))
    else:
        own = _over_lanes_by_region(lowering, op, _divergent(lowering, op, op.value))
    start = lowering.resources.places[op.result].offset
    type, size = own.type, own.type.size
    message = lane_message(size, space=MessageMemory.SHARED)
    address = emit.alu("mul", DataType.UD, [subgroup_number(lowering), UniformConstant(DataType.UD, size)], 1)
    address = emit.alu(
        "add", DataType.UD, [address, UniformConstant(DataType.UD, start)], 1, alignment=emit.target.platform.grf_bytes
    )
    group_barrier(lowering)  # nobody still reads what is overwritten here
    emit.send("store", message, address.register, sent(emit, message, [own], 1))
    group_barrier(lowering)
    if kind is not None:
        lowering.values[op.result] = _over_threads(lowering, kind, type, start)
    else:
        lowering.values[op.result] = _over_threads_by_region(lowering, op, type, start)


def _combined_by_region(lowering: KernelLowering, op: AllReduceOp, a: Elements, b: Elements) -> Elements:
    """Returns two values of the same number of lanes, combined by the operations in the region of a reduction."""
    block = op.body.block
    lowering.values[block.args[0]], lowering.values[block.args[1]] = a, b
    lowering.lower_nested(block)
    assert block.last_op is not None
    result = lowering.number(block.last_op.operands[0])
    if isinstance(result, UniformConstant) or result.lanes != a.lanes:
        result = lowering.conversions.in_registers(result, op.value.type, a.lanes)
    return result


def _over_lanes_by_region(lowering: KernelLowering, op: AllReduceOp, value: Elements) -> Elements:
    """Combines the lower lanes with the upper ones, by halves.

    The work-items of a thread are its first lanes, so that an upper lane with a work-item has a lower one that has one.
    """
    emit, lanes = lowering.emit, lowering.lanes
    there = _of_lanes_that_are_on(lowering, "or", _all_true(lowering))
    distance = lanes // 2
    while distance:
        upper, exists = (_shuffled(lowering, v, partial(add, distance)) for v in (value, there))
        both = _combined_by_region(lowering, op, value, upper)
        chosen = emit.alu("sel", value.type, [both, value], lanes, predicate=exists)
        value = Elements(chosen.register, value.type, lanes, 0, lanes)
        distance //= 2
    return Elements(value.register, value.type, 1, value.offset)


def _all_true(lowering: KernelLowering) -> Elements:
    register = lowering.emit.alu("mov", BOOLEAN, [UniformConstant(BOOLEAN, -1)], lowering.lanes).register
    return Elements(register, BOOLEAN, lowering.lanes, 0, lowering.lanes)


def _over_threads_by_region(lowering: KernelLowering, op: AllReduceOp, type: DataType, start: int) -> Elements:
    """Returns the partial results of all threads, combined one after the other."""
    emit, grf, dword = lowering.emit, lowering.target.platform.grf_bytes, DataType.UD
    message = lane_message(type.size, space=MessageMemory.SHARED)

    def result_of(number: Number) -> Elements:
        step = emit.alu("mul", dword, [number, UniformConstant(dword, type.size)], 1)
        address = emit.alu("add", dword, [step, UniformConstant(dword, start)], 1, alignment=grf)
        return received(emit, message, emit.load("load", message, address.register), type, 1)

    count = emit.unary("mov", dword, subgroup_count(lowering), 1)
    first = emit.unary("mov", type, result_of(emit.unary("mov", dword, UniformConstant(dword, 0), 1)), 1).register
    begin = emit.alu("mov", dword, [UniformConstant(dword, 1)], 1).register
    test = Block(arg_types=[register_type(first), register_type(begin)])
    body, done = Block(), Block()
    emit.add(BranchOp(test, [first, begin]))
    lowering.blocks.open(test)
    so_far, at = Elements(test.args[0], type, 1), Elements(test.args[1], dword, 1)
    more = emit.alu("cmp", BOOLEAN, [at, count], 1, condition=Condition.LT)
    emit.add(CondBranchOp(emit.flag(more, 0, 1), body, done))
    lowering.blocks.open(body)
    total = _combined_by_region(lowering, op, so_far, result_of(at))
    following = emit.alu("add", dword, [at, UniformConstant(dword, 1)], 1)
    emit.add(BranchOp(test, [emit.unary("mov", type, total, 1).register, following.register]))
    lowering.blocks.open(done)
    return so_far


def _over_threads(lowering: KernelLowering, kind: str, type: DataType, start: int) -> Elements:
    """Returns the partial results of all threads, as many at a time as there are lanes."""
    emit, grf, dword = lowering.emit, lowering.target.platform.grf_bytes, DataType.UD
    lanes = lowering.lanes if lowering.lanes > 1 else lowering.target.platform.gather_lanes
    message = lane_message(type.size, space=MessageMemory.SHARED)
    neutral = identity(kind, type)
    numbers = counting(lowering, lanes, dword)
    count = emit.unary("mov", dword, subgroup_count(lowering), 1)
    first = emit.alu("mov", type, [neutral], lanes).register
    begin = emit.alu("mov", dword, [UniformConstant(dword, 0)], 1).register
    body, done = Block(arg_types=[register_type(first), register_type(begin)]), Block()
    emit.add(BranchOp(body, [first, begin]))
    lowering.blocks.open(body)
    so_far, at = Elements(body.args[0], type, lanes), Elements(body.args[1], dword, 1)
    number = emit.alu("add", dword, [numbers, at], lanes)
    present = emit.alu("cmp", BOOLEAN, [number, count], lanes, condition=Condition.LT)
    step = emit.alu("mul", dword, [number, UniformConstant(dword, type.size)], lanes)
    addresses = emit.alu("add", dword, [step, UniformConstant(dword, start)], lanes, alignment=grf)
    nothing = sent(emit, message, [neutral], lanes)
    loaded = emit.load(
        "load",
        message,
        addresses.register,
        exec_size=lanes,
        into=nothing.register,
        flag=emit.flag(present, 0, lanes),
    )
    part = received(emit, message, loaded, type, lanes)
    so_far = combine(emit, kind, type, so_far, Elements(part.register, type, lanes), lanes)
    at = emit.alu("add", dword, [at, UniformConstant(dword, lanes)], 1)
    more = emit.alu("cmp", BOOLEAN, [at, count], 1, condition=Condition.LT)
    again = Block()
    emit.add(CondBranchOp(emit.flag(more, 0, 1), again, done))
    lowering.blocks.open(again)
    emit.add(BranchOp(body, [so_far.register, at.register]))
    lowering.blocks.open(done)
    return reduce_rows(emit, kind, so_far, 1)
