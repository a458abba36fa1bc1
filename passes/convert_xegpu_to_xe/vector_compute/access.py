"""Accesses of a memory at one address for each lane, or of a block at one address, as vectors hold what they move.

A vector has the first elements of all lanes, then the second ones, and so on. Elements below a dword take a dword each
where the vector has the room.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from xdsl.ir import SSAValue

from passes.convert_xegpu_to_xe.lowering.intrinsics import IntrinsicCall
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.convert_xegpu_to_xe.memory.atomics import AtomicTarget, send_atomic
from passes.convert_xegpu_to_xe.memory.lane_access import LaneMessage, load_steps, store_steps
from passes.convert_xegpu_to_xe.memory.lane_messages import lane_message, received
from passes.kernel.memories import MessageMemory
from passes.kernel.register_types import element_count
from xegpu.isa.formats import GATHER_VECTORS, atomic_type
from xegpu.isa.model import (
    CACHE_CONTROLS,
    VECTOR_SIZES,
    CacheControl,
    DataType,
    Message,
    OpSpec,
    integer,
)

_MOST_LANES = 32


@dataclass(frozen=True)
class LaneAccess:
    """An access of `vector` elements of `size` bytes by each of `lanes` lanes; those without the condition are off.

    A block is that of one lane, whose elements are adjacent. Addresses count units of `unit` bytes from argument `base`
    on, if there is one; `offset` is added to each address.
    """

    call: IntrinsicCall
    addresses: int
    space: MessageMemory
    size: int
    vector: int = 1
    block: bool = False
    mask: int | None = None
    cache: CacheControl = CacheControl.DEFAULT
    offset: int = 0
    stated_lanes: int = 0
    base: int | None = None
    unit: int = 1

    @property
    def lanes(self) -> int:
        """The number of addresses: as many as their vector has elements, unless it is stated."""
        lanes = self.stated_lanes or element_count(self.call.argument(self.addresses).type)
        if self.block and lanes > 1:
            self.call.refuse(f"has {lanes} addresses for a block, which no message takes")
        return lanes

    def groups(self) -> Iterator[tuple[int, int]]:
        """Yields the first lane and the number of lanes of the messages, which have powers of two."""
        start = 0
        while start < self.lanes:
            size = min(_MOST_LANES, 1 << (self.lanes - start).bit_length() - 1)
            yield start, size
            start += size

    @property
    def memory_type(self) -> DataType:
        """The bits of an element in memory."""
        return integer(8 * self.size, signed=False)

    def message(self, access: str) -> Message:
        """Returns the message of an access, with all of its elements."""
        known = self.space is MessageMemory.GLOBAL and self.cache in CACHE_CONTROLS[access]
        message = lane_message(self.size, self.cache if known else CacheControl.DEFAULT, self.offset, self.space)
        if self.block and self.size < DataType.UD.size:
            self.call.refuse(f"moves a block of elements of {self.size} bytes: blocks have dwords or quadwords")
        return replace(message, vector=self.vector, transposed=self.block)

    def address_register(self, number: Number, start: int, lanes: int) -> SSAValue:
        """Returns the addresses of some lanes from the start of a register on."""
        emit, type = self.call.emit, self.space.address_type
        if isinstance(number, UniformConstant):
            number = UniformConstant(type, number.bits & (1 << type.bits) - 1)
        elif number.count > 1:
            number = number.part(start, lanes)
            if number.type.bits == type.bits and not number.offset and emit.starts_register(number):
                return number.register
        return emit.alu("mov", type, [number], lanes, alignment=emit.target.platform.grf_bytes).register

    def place(self) -> Number:
        """Returns the addresses in bytes, wherever they are."""
        emit, type, lanes = self.call.emit, self.space.address_type, self.lanes
        number = self.call.number(self.addresses)
        if self.stated_lanes and isinstance(number, Elements):
            number = Elements(number.register, type, lanes, number.offset)
        if self.unit > 1:
            number = emit.alu("shl", type, [number, UniformConstant(type, self.unit.bit_length() - 1)], lanes)
        if self.base is None:
            return number
        return emit.alu("add", type, [number, self.call.number(self.base)], lanes)

    def condition(self) -> Elements | None:
        """Returns for which lanes the access is made; None for all."""
        if self.mask is None:
            return None
        number = self.call.number(self.mask)
        if isinstance(number, UniformConstant):
            return None if number.value else self.call.emit.alu("mov", number.type, [number], self.lanes)
        if number.count not in (1, self.lanes):
            self.call.refuse(f"has {number.count} conditions for {self.lanes} addresses")
        return number if number.count == self.lanes else self.call.emit.alu("mov", number.type, [number], self.lanes)

    def steps(self, access: str) -> Iterator[LaneMessage]:
        """Yields the messages that move all elements."""
        whole, place, condition = self.message(access), self.place(), self.condition()
        platform = self.call.emit.target.platform
        sizes = VECTOR_SIZES if self.block else sorted(GATHER_VECTORS[whole.data_size])
        for first, lanes in self.groups():
            addresses = self.address_register(place, first, lanes)
            active = None if condition is None else condition.part(first, lanes)
            width = 1 if self.block else max(lanes, platform.physical_simd_width)
            room = platform.max_message_bytes // (whole.data_size.register_bytes * width)
            start = 0
            while start < self.vector:
                count = max(size for size in sizes if size == 1 or size <= min(self.vector - start, room))
                message = replace(whole, vector=count, offset=whole.offset + start * self.size)
                places = [(start + each) * self.lanes + first + n for each in range(count) for n in range(lanes)]
                yield LaneMessage(message, addresses, places, active, masked=False)
                start += count


def load(access: LaneAccess, old: int | None = None) -> Number:
    """Returns what is loaded; lanes that are off have the elements of argument `old`."""
    call, count = access.call, access.lanes * access.vector
    before = UniformConstant(access.memory_type, 0) if old is None else _in_memory(access, old)
    register = load_steps(call.emit, access.steps("load"), access.memory_type, count, before)
    return _as_result(access, Elements(register, access.memory_type, count))


def store(access: LaneAccess, value: int) -> None:
    """Stores the elements of argument `value`."""
    store_steps(access.call.emit, access.steps("store"), _in_memory(access, value))


def prefetch(access: LaneAccess) -> None:
    """Fetches into caches."""
    for step in access.steps("prefetch"):
        emit = access.call.emit
        emit.send("prefetch", step.message, step.addresses, exec_size=step.lanes, flag=step.flag(emit))


def update(access: LaneAccess, spec: OpSpec, operands: list[int], old: int | None = None) -> Number | None:
    """Updates an element for each lane, and returns the old ones; lanes that are off have those of argument `old`."""
    call, lanes = access.call, access.lanes
    message = access.message("atomic")
    computed = atomic_type(spec, message.unit, message.data_size)
    if access.vector > 1 or access.block or computed is None:
        call.refuse(f"makes updates that no message makes: {spec.mnemonic} of {access.vector} x {access.size} bytes")
    place, condition, type = access.place(), access.condition(), access.memory_type
    values = [_in_memory(access, each) for each in operands]
    wanted = call.op.ress is not None and bool(call.op.ress.uses)
    found: list[Elements] = []
    for start, count in access.groups():
        flag = None if condition is None else call.emit.flag(condition, start, count)
        target = AtomicTarget(message, access.address_register(place, start, count), type, count, True, flag)
        parts = [each.part(start, count) if isinstance(each, Elements) else each for each in values]
        register = send_atomic(call.lowering, target, spec.mnemonic, parts, wanted)
        if register is not None:
            found.append(received(call.emit, message, register, type, count))
    if not found:
        return UniformConstant(type, 0) if call.op.ress is not None else None
    result = found[0]
    if len(found) > 1:
        register = call.emit.undefined(lanes * type.size)
        for (start, count), part in zip(access.groups(), found, strict=True):
            register = call.emit.convert_into(register, start * type.size, part, type, count)
        result = Elements(register, type, lanes)
    if condition is not None and old is not None:
        result = call.emit.alu("sel", type, [result, _in_memory(access, old)], lanes, predicate=condition)
    return _as_result(access, result)


def _in_memory(access: LaneAccess, argument: int) -> Number:
    """Returns the elements of an argument as memory has them."""
    call, count, bits = access.call, access.lanes * access.vector, access.memory_type
    value = call.number(argument)
    if isinstance(value, UniformConstant):
        return UniformConstant(bits, value.bits & (1 << bits.bits) - 1)
    if value.size == count * bits.size:
        return Elements(value.register, bits, count, value.offset)
    if value.size != count * DataType.UD.size or bits.size > DataType.UD.size:
        call.refuse(f"moves {count} elements of {bits.size} bytes, and has a vector of {value.size} bytes")
    words = Elements(value.register, DataType.UD, count, value.offset)
    return call.emit.alu("mov", bits, [words], count)


def _as_result(access: LaneAccess, value: Elements) -> Elements:
    """Returns elements of memory as the result of the call, which may have a dword for each."""
    call, element, count = access.call, access.call.result_element, access.call.result_count
    if count * element.size != value.size:
        if count * element.size != value.count * DataType.UD.size or value.type.size > DataType.UD.size:
            call.refuse(
                f"moves {value.count} elements of {value.type.size} bytes, and has a result of type {call.result_type}"
            )
        value = call.emit.alu("mov", DataType.UD, [value], value.count)
    return Elements(value.register, element, count, value.offset)
