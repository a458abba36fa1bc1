"""Lowers loads and stores at pointers, of scalars and vectors, with the alignment that they state.

A message moves units of 1, 2, 4 or 8 bytes: elements, parts of elements that are less aligned, or dwords of narrow
elements. In registers, unit u of lane l stands at position u * lanes + l, and so do elements. Where lanes access a row
of neighbours, a block message moves it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import i1
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Operation, SSAValue

from passes.analysis.pointer_spaces import TAG_SHIFT, TAGS, Spaces
from passes.convert_xegpu_to_xe.lowering.emitter import XeEmitter
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.convert_xegpu_to_xe.math.elementwise import truth_of
from passes.convert_xegpu_to_xe.memory.lane_access import LaneMessage, load_steps, store_steps
from passes.convert_xegpu_to_xe.memory.lane_messages import lane_message
from passes.convert_xegpu_to_xe.pointers.addresses import address_of
from passes.kernel.memories import MessageMemory, memory_of
from passes.kernel.register_types import BOOLEAN, element_count, element_type, memory_type
from xegpu.dialects.upstream.llvm import LoadOp, StoreOp, alignment_of
from xegpu.isa.model import VECTOR_SIZES, Condition, DataType, integer

_VECTORS = (8, 4, 3, 2, 1)
"""The units that a message moves for each lane, if they are dwords or quadwords."""
_DWORD = 4
_STEPS = (1, 2, 4)
"""Steps between elements that regions of sources and destinations have."""
_WITH_BLOCKS: Spaces = frozenset({MessageMemory.GLOBAL, MessageMemory.SHARED})


@dataclass(frozen=True)
class Place:
    """Memory `distance` bytes behind a pointer, once or for each of `lanes` lanes.

    `spaces` are the memories where it may be. In a `row`, the memory of each lane follows that of the one before, and
    the pointer is the first lane's.
    """

    pointer: Number
    spaces: Spaces
    lanes: int
    distance: int
    row: bool = False

    @property
    def addresses(self) -> int:
        """The number of addresses that messages take."""
        return 1 if self.row else self.lanes


def place_of(
    lowering: KernelLowering, pointer: SSAValue, access: Operation, *, divergent: bool, units: Units | None = None
) -> Place:
    """Returns the place behind a pointer, of a value that is moved as `units` (None: one that takes no block)."""
    memory = memory_of(pointer.type)
    spaces = lowering.spaces.get(pointer, lowering.unknown_spaces) if memory is None else frozenset({memory})
    lanes = lowering.lanes if divergent or pointer in lowering.divergent else 1
    has_blocks = len(spaces) == 1 and spaces <= _WITH_BLOCKS
    row = has_blocks and units is not None and units.is_row(lowering.strides.get(access))
    address = address_of(lowering, pointer, access, first=row)
    return Place(address.number, spaces, lanes, address.distance, row)


def alternatives(lowering: KernelLowering, place: Place) -> Iterator[tuple[MessageMemory, SSAValue, Elements | None]]:
    """Yields each memory where a place may be: addresses there, and for which lanes it is the one (None: for all)."""
    emit, lanes = lowering.emit, place.lanes
    spaces = sorted(place.spaces, key=lambda space: space.name)
    tag: Elements | None = None
    if len(spaces) > 1:
        shift = UniformConstant(DataType.UQ, TAG_SHIFT)
        tag = emit.alu("shr", DataType.UQ, [emit.scalar(place.pointer), shift], lanes)
    for space in spaces:
        condition = None if tag is None else _is_in(emit, tag, space, lanes)
        yield space, _addresses(lowering, place, space), condition


def _is_in(emit: XeEmitter, tag: Elements, space: MessageMemory, lanes: int) -> Elements:
    """Returns for which lanes a tag means a memory: the global one unless it means another."""

    def equals(number: int, condition: Condition) -> Elements:
        return emit.alu("cmp", BOOLEAN, [tag, UniformConstant(DataType.UQ, number)], lanes, condition=condition)

    if space in TAGS:
        return equals(TAGS[space], Condition.EQ)
    first, second = (equals(number, Condition.NE) for number in TAGS.values())
    return emit.alu("and", BOOLEAN, [first, second], lanes)


def _addresses(lowering: KernelLowering, place: Place, space: MessageMemory) -> SSAValue:
    """Returns the address payload; the low half of a pointer is what private and shared memory need."""
    emit, pointer, type = lowering.emit, place.pointer, space.address_type
    if isinstance(pointer, UniformConstant):
        pointer = UniformConstant(type, int(pointer.value) & (1 << type.bits) - 1)
    elif (
        type.bits == pointer.type.bits
        and pointer.count == place.addresses
        and not pointer.offset
        and emit.starts_register(pointer)
    ):
        return pointer.register
    return emit.alu("mov", type, [pointer], place.addresses, alignment=lowering.target.platform.grf_bytes).register


@dataclass(frozen=True)
class Units:
    """Tells how a value of `count` elements of a type is moved: as `number` units of `size` bytes for each lane."""

    type: DataType
    count: int
    size: int

    @property
    def number(self) -> int:
        return self.count * self.type.size // self.size

    @property
    def unit(self) -> DataType:
        """The type of a unit in registers: that of the elements, if they have its size."""
        return self.type if self.size == self.type.size else integer(8 * self.size, signed=False)

    def is_row(self, stride: int | None) -> bool:
        """Returns whether lanes that are `stride` bytes apart access a block whose units regions can take apart."""
        return self.size >= _DWORD and self.number in _STEPS and self.number * self.size == stride


def _units(type: DataType, count: int, alignment: int) -> Units:
    """Returns the widest units that the alignment allows."""
    whole = type.size * count
    if type.size < _DWORD and not whole % _DWORD and not alignment % _DWORD:
        return Units(type, count, _DWORD)
    return Units(type, count, min(type.size, alignment & -alignment))


def _steps(
    lowering: KernelLowering,
    units: Units,
    place: Place,
    space: MessageMemory,
    addresses: SSAValue,
    condition: Elements | None,
) -> Iterator[LaneMessage]:
    """Yields the messages that move all units."""
    lanes, distance = place.lanes, place.distance
    if place.row:
        yield from _blocks(lowering, units, place, space, addresses)
        return
    start = 0
    while start < units.number:
        vector = 1
        if units.size >= _DWORD:
            room = lowering.target.platform.max_message_bytes // (
                units.size * max(lanes, lowering.target.platform.physical_simd_width)
            )
            vector = next(v for v in _VECTORS if v == 1 or v <= min(units.number - start, room))
        message = replace(lane_message(units.size, offset=distance + start * units.size, space=space), vector=vector)
        places = [(start + v) * lanes + lane for v in range(vector) for lane in range(lanes)]
        yield LaneMessage(message, addresses, places, condition, masked=lanes > 1)
        start += vector


def _blocks(
    lowering: KernelLowering, units: Units, place: Place, space: MessageMemory, address: SSAValue
) -> Iterator[LaneMessage]:
    """Yields block messages that move the units of a row, which stand in memory lane by lane."""
    lanes, start, total = place.lanes, 0, units.number * place.lanes
    while start < total:
        room = min(total - start, lowering.target.platform.max_message_bytes // units.size)
        vector = max(v for v in VECTOR_SIZES if v <= room)
        message = lane_message(units.size, offset=place.distance + start * units.size, space=space)
        places = [unit % units.number * lanes + unit // units.number for unit in range(start, start + vector)]
        yield LaneMessage(replace(message, vector=vector, transposed=True), address, places, None, masked=False)
        start += vector


def _relaid(emit: XeEmitter, value: Elements, lanes: int, origin: DataType, target: DataType) -> Elements:
    """Returns the bytes of each lane, which stand in units of one type, in units of another."""
    size = value.count * value.type.size // lanes
    step = min(origin.size, target.size)
    bits = integer(8 * step, signed=False)

    def position(type: DataType, granule: int, lane: int) -> int:
        each = type.size // step
        return (granule // each * lanes + lane) * each + granule % each

    pairs = [(g, lane) for g in range(size // step) for lane in range(lanes)]
    moves = [(position(target, g, lane), position(origin, g, lane)) for g, lane in pairs]
    register = emit.undefined(size * lanes, emit.target.platform.grf_bytes)
    source = Elements(value.register, bits, size * lanes // step, value.offset)
    register = emit.copy(register, source, moves, bits)
    return Elements(register, target, size * lanes // target.size, 0, lanes)


def read(lowering: KernelLowering, place: Place, units: Units) -> Elements:
    """Loads the value at an address."""
    emit, lanes = lowering.emit, place.lanes
    found: Number = UniformConstant(units.unit, 0)
    for space, addresses, condition in alternatives(lowering, place):
        steps = _steps(lowering, units, place, space, addresses, condition)
        register = load_steps(emit, steps, units.unit, units.number * lanes, found)
        found = Elements(register, units.unit, units.number * lanes, 0, lanes)
    assert isinstance(found, Elements)
    return found if units.unit is units.type else _relaid(emit, found, lanes, units.unit, units.type)


def write(lowering: KernelLowering, place: Place, units: Units, value: Number) -> None:
    """Stores a value, in registers for each of the place's lanes, or a constant."""
    emit, lanes = lowering.emit, place.lanes
    if isinstance(value, Elements) and units.unit is not units.type:
        value = _relaid(emit, value, lanes, units.type, units.unit)
    elif isinstance(value, UniformConstant) and units.unit is not units.type:
        whole = emit.alu("mov", units.type, [value], units.count * lanes)
        value = _relaid(emit, whole, lanes, units.type, units.unit)
    for space, addresses, condition in alternatives(lowering, place):
        steps = _steps(lowering, units, place, space, addresses, condition)
        store_steps(emit, steps, value)


def _accessed(lowering: KernelLowering, op: LoadOp | StoreOp, value: SSAValue) -> Units:
    """Returns how a value is moved; refuses types that memory does not hold."""
    type = memory_type(value.type)
    if type is None:
        lowering.refuse(op, f"of type {value.type} is not supported in a kernel")
    alignment = op.alignment.value.data if op.alignment is not None else alignment_of(value.type)
    if alignment < 1 or alignment & alignment - 1:
        lowering.refuse(op, f"has alignment {alignment}: expected a power of 2")
    return _units(type, element_count(value.type), alignment)


@lowers(LoadOp)
def load(lowering: KernelLowering, op: LoadOp) -> None:
    units = _accessed(lowering, op, op.dereferenced_value)
    place = place_of(lowering, op.ptr, op, divergent=False, units=units)
    value = read(lowering, place, units)
    if _is_boolean(op.dereferenced_value):
        value = truth_of(lowering.emit, value)
    elif isinstance(op.dereferenced_value.type, LLVMPointerType):
        value = _converted(lowering, value, element_type(op.dereferenced_value.type))
    lowering.values[op.dereferenced_value] = value


@lowers(StoreOp)
def store(lowering: KernelLowering, op: StoreOp) -> None:
    units = _accessed(lowering, op, op.value)
    place = place_of(lowering, op.ptr, op, divergent=op.value in lowering.divergent, units=units)
    value = lowering.conversions.in_lanes(lowering.number(op.value), op.value.type, place.lanes)
    if _is_boolean(op.value):
        # True is -1 in a register, and 1 in memory.
        count = value.count if isinstance(value, Elements) else 1
        value = lowering.emit.alu("mov", units.type, [value], count, negate=[True])
        value = lowering.conversions.in_lanes(value, op.value.type, place.lanes)
    elif isinstance(op.value.type, LLVMPointerType) and isinstance(value, Elements):
        value = _converted(lowering, value, units.type)
    write(lowering, place, units, value)


def _converted(lowering: KernelLowering, pointer: Elements, type: DataType | None) -> Elements:
    """Returns a pointer as a number of another size: in memory, all of them have 64 bits."""
    assert type is not None
    return pointer if pointer.type is type else lowering.emit.unary("mov", type, pointer, pointer.count)


def _is_boolean(value: SSAValue) -> bool:
    """Returns whether a value is an i1, which takes a byte in memory."""
    return value.type == i1
