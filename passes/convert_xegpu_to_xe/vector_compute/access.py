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

    A block is that of one lane, whose elements are adjacent. `offset` is added to each address.
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

    @property
    def lanes(self) -> int:
        """The number of addresses: as many as their vector has elements, unless it is stated."""
        lanes = self.stated_lanes or element_count(self.call.argument(self.addresses).type)
        if lanes > _MOST_LANES or lanes & lanes - 1 or (self.block and lanes > 1):
            self.call.refuse(f"has {lanes} addresses{' for a block' if self.block else ''}, which no message takes")
        return lanes

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

    def address_register(self) -> SSAValue:
        """Returns the addresses from the start of a register on."""
        emit, type = self.call.emit, self.space.address_type
        number = self.call.number(self.addresses)
        if (
            isinstance(number, Elements)
            and number.type.bits == type.bits
            and not number.offset
            and emit.starts_register(number)
        ):
            return number.register
        if isinstance(number, UniformConstant):
            number = UniformConstant(type, number.bits & (1 << type.bits) - 1)
        elif self.stated_lanes:
            number = Elements(number.register, type, self.lanes, number.offset)
        grf = emit.target.platform.grf_bytes
        return emit.alu("mov", type, [number], self.lanes, alignment=grf).register

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
        whole, addresses, condition = self.message(access), self.address_register(), self.condition()
        platform, lanes = self.call.emit.target.platform, self.lanes
        sizes = VECTOR_SIZES if self.block else sorted(GATHER_VECTORS[whole.data_size])
        width = 1 if self.block else max(lanes, platform.physical_simd_width)
        room = platform.max_message_bytes // (whole.data_size.register_bytes * width)
        start = 0
        while start < self.vector:
            count = max(size for size in sizes if size == 1 or size <= min(self.vector - start, room))
            offset = whole.offset + start * self.size
            message = replace(whole, vector=count, offset=offset)
            places = [(start + each) * lanes + lane for each in range(count) for lane in range(lanes)]
            yield LaneMessage(message, addresses, places, condition, masked=False)
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


def update(access: LaneAccess, spec: OpSpec, operands: list[int]) -> Number | None:
    """Updates an element for each lane, and returns the old ones."""
    call, lanes = access.call, access.lanes
    message = access.message("atomic")
    computed = atomic_type(spec, message.unit, message.data_size)
    if access.vector > 1 or access.block or computed is None:
        call.refuse(f"makes updates that no message makes: {spec.mnemonic} of {access.vector} x {access.size} bytes")
    condition = access.condition()
    flag = None if condition is None else call.emit.flag(condition, 0, lanes)
    place = AtomicTarget(message, access.address_register(), access.memory_type, lanes, True, flag)
    wanted = call.op.ress is not None and bool(call.op.ress.uses)
    old = send_atomic(call.lowering, place, spec.mnemonic, [_in_memory(access, each) for each in operands], wanted)
    if old is None:
        return UniformConstant(access.memory_type, 0) if call.op.ress is not None else None
    return _as_result(access, received(call.emit, message, old, access.memory_type, lanes))


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
