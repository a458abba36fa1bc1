"""The forms of values: how those of a type pass from block to block, and from the payload into the kernel.

Values of a type that a kernel can take have an `ArgumentForm`, those of a type that blocks can take a `BlockForm`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, MemRefType, UnrankedMemRefType
from xdsl.dialects.llvm import LLVMArrayType, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.hints import isa

from passes.convert_xegpu_to_xe.lowering.conversions import LaneConversions
from passes.convert_xegpu_to_xe.lowering.emitter import XeEmitter
from passes.convert_xegpu_to_xe.lowering.payload import ThreadPayload
from passes.convert_xegpu_to_xe.lowering.values import (
    BlockDescriptor1D,
    BlockDescriptor2D,
    Elements,
    LaneDescriptor,
    LineBounds,
    MemRef,
    Number,
    Structure,
    UniformConstant,
    UnrankedMemRef,
    Value,
)
from passes.kernel.memories import SHARED, MessageMemory, memory_space, space_number
from passes.kernel.register_types import BOOLEAN, element_count, element_type, memory_type
from passes.kernel.signature import ArgumentSlots
from xegpu.dialects.upstream.llvm import field_offsets
from xegpu.dialects.upstream.memref import memref_strides
from xegpu.dialects.xe import GRFType
from xegpu.dialects.xegpu import MemorySpace, TensorDescType
from xegpu.isa.model import DataType


class BlockForm(ABC):
    """The form of values that arguments of blocks have."""

    @abstractmethod
    def register_types(self, emit: XeEmitter) -> list[GRFType]:
        """Returns the types of the register blocks that hold a value."""

    @abstractmethod
    def from_registers(self, registers: Sequence[SSAValue]) -> Value:
        """Returns the value that register blocks hold."""

    @abstractmethod
    def to_registers(self, value: Value, conversions: LaneConversions) -> list[SSAValue] | None:
        """Returns the register blocks that hold a value; None for a value that has another form."""


class ArgumentForm(ABC):
    """The form of values that arguments of kernels have."""

    @abstractmethod
    def from_payload(self, payload: ThreadPayload, slots: ArgumentSlots) -> Value:
        """Returns the value that the payload holds."""


# Numbers -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NumberForm(BlockForm, ArgumentForm):
    """A scalar, a vector or a pointer: its elements, once or for each of the lanes."""

    type: Attribute
    data_type: DataType
    lanes: int = 1

    @property
    def count(self) -> int:
        """Returns the number of elements in registers."""
        return element_count(self.type) * self.lanes

    def register_types(self, emit: XeEmitter) -> list[GRFType]:
        return [emit.register_type(self.count * self.data_type.size)]

    def from_registers(self, registers: Sequence[SSAValue]) -> Elements:
        return Elements(registers[0], self.data_type, self.count, 0, self.lanes)

    def to_registers(self, value: Value, conversions: LaneConversions) -> list[SSAValue]:
        assert isinstance(value, UniformConstant | Elements)
        value = conversions.by_channel(value, self.type, self.lanes)
        return [conversions.emit.whole(value, self.count, *self.register_types(conversions.emit))]

    def from_payload(self, payload: ThreadPayload, slots: ArgumentSlots) -> Elements:
        return payload.elements(slots.first, self.data_type, self.count)


class BooleanForm(NumberForm):
    """An i1: a byte of the payload, 0 or 1."""

    def from_payload(self, payload: ThreadPayload, slots: ArgumentSlots) -> Elements:
        byte = payload.scalar(slots.first, DataType.UB)
        return payload.emit.alu("mov", BOOLEAN, [byte], 1, negate=[True])


class SharedPointerForm(NumberForm):
    """A pointer to shared memory that callers size: it lies behind the kernel's own."""

    def from_payload(self, payload: ThreadPayload, slots: ArgumentSlots) -> Elements:
        start = super().from_payload(payload, slots)
        if not payload.own_shared_bytes:
            return start
        own = UniformConstant(self.data_type, payload.own_shared_bytes)
        return payload.emit.alu("add", self.data_type, [start, own], 1)


# Memrefs -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MemRefForm(BlockForm, ArgumentForm):
    """A buffer of known rank: its address and what its type leaves open, in elements; None stands for that.

    An offset that the type leaves open is part of the address, and 0 otherwise.
    """

    shape: tuple[int | None, ...]
    strides: tuple[int | None, ...]
    element: DataType
    space: MessageMemory
    offset: int = 0

    @staticmethod
    def of(type: MemRefType[Attribute], space: MessageMemory | None = None) -> MemRefForm | None:
        """Returns the form of a type, in its space or in another one; None if its layout is no strides."""
        layout, element, space = memref_strides(type), memory_type(type.element_type), space or memory_space(type)
        if layout is None:
            return None
        assert element is not None and space is not None
        shape = tuple(None if size == DYNAMIC_INDEX else size for size in type.get_shape())
        return MemRefForm(shape, tuple(layout[0]), element, space, layout[1] or 0)

    def at(self, base: Elements, parts: Sequence[Number] = ()) -> MemRef:
        """Returns the buffer at an address; the parts are the sizes and strides that the type leaves open."""
        known = iter(parts)
        sizes, strides = (
            tuple(next(known) if number is None else _index(number) for number in numbers)
            for numbers in (self.shape, self.strides)
        )
        return MemRef(base, sizes, strides, self.element, self.space, _index(self.offset))

    def _open(self) -> int:
        return (*self.shape, *self.strides).count(None)

    def register_types(self, emit: XeEmitter) -> list[GRFType]:
        return [emit.register_type(size) for size in (self.space.address_size.size, *[8] * self._open())]

    def from_registers(self, registers: Sequence[SSAValue]) -> MemRef:
        base, *parts = registers
        return self.at(Elements(base, self.space.address_type, 1), [Elements(part, DataType.UQ, 1) for part in parts])

    def to_registers(self, value: Value, conversions: LaneConversions) -> list[SSAValue] | None:
        assert isinstance(value, MemRef)
        if value.space is not self.space:
            return None
        known = zip((*self.shape, *self.strides), (*value.sizes, *value.strides), strict=True)
        parts = [value.base, *(number for static, number in known if static is None)]
        emit = conversions.emit
        return [emit.whole(part, 1, type) for part, type in zip(parts, self.register_types(emit), strict=True)]

    def from_payload(self, payload: ThreadPayload, slots: ArgumentSlots) -> MemRef:
        def part(name: str, static: int | None = None) -> Number:
            return payload.scalar(slots.parts[name], DataType.UQ) if static is None else _index(static)

        index = payload.index
        sizes = [part(f"size{i}", size) for i, size in enumerate(self.shape)]
        strides: list[Number] = []
        for position in reversed(range(len(sizes))):
            stride, name = self.strides[position], f"stride{position}"
            if stride is not None or name in slots.parts:
                strides.insert(0, part(name, stride))
            else:
                strides.insert(0, index.multiply(strides[0], sizes[position + 1]))
        address = self.space.address_type
        base = payload.scalar(slots.first, address)
        if self.space is MessageMemory.SHARED:
            # What callers size lies behind the kernel's own.
            base = payload.emit.scalar(index.add(base, UniformConstant(address, payload.own_shared_bytes)))
        offset: Number = _index(self.offset)
        if "offset" in slots.parts:
            offset = part("offset")
            base = payload.emit.alu("add", address, [base, index.multiply(offset, _index(self.element.size))], 1)
        return MemRef(base, tuple(sizes), tuple(strides), self.element, self.space, offset)


def _index(number: int) -> UniformConstant:
    return UniformConstant(DataType.UQ, number)


@dataclass(frozen=True)
class UnrankedForm(ArgumentForm):
    """A buffer of any rank. Without a rank in the payload, it has as many dimensions as there are sizes."""

    element: DataType

    def from_payload(self, payload: ThreadPayload, slots: ArgumentSlots) -> UnrankedMemRef:
        numbers = {name: payload.scalar(place, DataType.UQ) for name, place in slots.parts.items()}
        sizes, strides = (tuple(n for name, n in numbers.items() if name.startswith(k)) for k in ("size", "stride"))
        rank = numbers.get("rank", UniformConstant(DataType.UQ, len(sizes)))
        base = payload.scalar(slots.first, MessageMemory.GLOBAL.address_type)
        return UnrankedMemRef(base, rank, sizes, strides, self.element)


# Descriptors ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BlockDescriptor1DForm(BlockForm):
    """A 1-D block descriptor: an address, and its place in a line of memory if accesses may have to be checked."""

    space: MessageMemory
    unbounded: bool

    def register_types(self, emit: XeEmitter) -> list[GRFType]:
        bounds = () if self.unbounded else (8, 8)
        return [emit.register_type(size) for size in (self.space.address_size.size, *bounds)]

    def from_registers(self, registers: Sequence[SSAValue]) -> BlockDescriptor1D:
        address, *bounds = registers
        line = None if self.unbounded else LineBounds(*(Elements(number, DataType.UQ, 1) for number in bounds))
        return BlockDescriptor1D(Elements(address, self.space.address_type, 1), self.space, line)

    def to_registers(self, value: Value, conversions: LaneConversions) -> list[SSAValue]:
        assert isinstance(value, BlockDescriptor1D)
        line = value.bounds or _EVERYWHERE
        parts = [value.address, *(() if self.unbounded else (line.start, line.size))]
        emit = conversions.emit
        return [emit.whole(part, 1, type) for part, type in zip(parts, self.register_types(emit), strict=True)]


_EVERYWHERE = LineBounds(UniformConstant(DataType.UQ, 1 << 62), UniformConstant(DataType.UQ, (1 << 63) - 1))
"""The bounds of memory that has none: a block in its middle stays inside, however it moves."""


@dataclass(frozen=True)
class BlockDescriptor2DForm(BlockForm):
    """A 2-D block descriptor: a payload of messages, and a word that tells whether it is legal if nothing else does."""

    legal: bool | None

    def register_types(self, emit: XeEmitter) -> list[GRFType]:
        payload = emit.register_type(emit.target.platform.grf_bytes)
        return [payload] if self.legal is not None else [payload, emit.register_type(BOOLEAN.size)]

    def from_registers(self, registers: Sequence[SSAValue]) -> BlockDescriptor2D:
        payload, *flag = registers
        return BlockDescriptor2D(payload, Elements(flag[0], BOOLEAN, 1) if self.legal is None else self.legal)

    def to_registers(self, value: Value, conversions: LaneConversions) -> list[SSAValue]:
        assert isinstance(value, BlockDescriptor2D)
        if self.legal is not None:
            return [value.payload]
        legal = value.legal
        flag: Number = legal if isinstance(legal, Elements) else UniformConstant(BOOLEAN, -1 if legal else 0)
        _, type = self.register_types(conversions.emit)
        return [value.payload, conversions.emit.whole(flag, 1, type)]


@dataclass(frozen=True)
class LaneDescriptorForm(BlockForm):
    """A descriptor of an address for each lane."""

    space: MessageMemory
    lanes: int

    def register_types(self, emit: XeEmitter) -> list[GRFType]:
        return [emit.register_type(self.lanes * self.space.address_size.size, emit.target.platform.grf_bytes)]

    def from_registers(self, registers: Sequence[SSAValue]) -> LaneDescriptor:
        return LaneDescriptor(Elements(registers[0], self.space.address_type, self.lanes), self.space)

    def to_registers(self, value: Value, conversions: LaneConversions) -> list[SSAValue]:
        assert isinstance(value, LaneDescriptor)
        return [conversions.emit.whole(value.addresses, self.lanes, *self.register_types(conversions.emit))]


# Structures ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StructureForm(ArgumentForm):
    """A structure or array that is passed by value: the forms of its fields, with their offsets in bytes."""

    fields: tuple[tuple[ArgumentForm, int], ...]

    def from_payload(self, payload: ThreadPayload, slots: ArgumentSlots) -> Structure:
        return Structure(
            tuple(form.from_payload(payload, replace(slots, first=slots.first + at)) for form, at in self.fields)
        )


# The form of a type --------------------------------------------------------------------------------------------------


def argument_form(type: Attribute) -> ArgumentForm:
    """Returns the form of the arguments of a kernel that have a type."""
    if isinstance(type, UnrankedMemRefType):
        element = element_type(type.element_type)
        assert element is not None
        return UnrankedForm(element)
    if isinstance(type, LLVMStructType | LLVMArrayType):
        types = list(type.types) if isinstance(type, LLVMStructType) else [type.type] * type.size.data
        layout = field_offsets(types)
        assert layout is not None
        return StructureForm(tuple((argument_form(field), at) for field, at in zip(types, layout[0], strict=True)))
    if isa(type, MemRefType):
        memref = MemRefForm.of(type)
        assert memref is not None
        return memref
    data_type = element_type(type)
    assert data_type is not None
    if data_type is BOOLEAN:
        return BooleanForm(type, data_type)
    if isinstance(type, LLVMPointerType) and space_number(type) == SHARED:
        return SharedPointerForm(type, data_type)
    return NumberForm(type, data_type)


def block_form(argument: SSAValue, lanes: int, legality: Callable[[SSAValue], bool | None]) -> BlockForm | None:
    """Returns the form of an argument of a block; None for types that blocks do not take.

    Args:
        argument: The argument.
        lanes: The number of lanes for which a number has elements.
        legality: Returns whether block messages may serve all accesses; None if only a running kernel knows.

    """
    type = argument.type
    if isinstance(type, TensorDescType):
        space = MessageMemory.GLOBAL if type.memory_space is MemorySpace.GLOBAL else MessageMemory.SHARED
        if type.is_scattered:
            return LaneDescriptorForm(space, type.get_shape()[0])
        legal = legality(argument)
        return BlockDescriptor1DForm(space, legal is True) if type.get_num_dims() == 1 else BlockDescriptor2DForm(legal)
    if isa(type, MemRefType):
        return MemRefForm.of(type)
    data_type = element_type(type)
    return None if data_type is None else NumberForm(type, data_type, lanes)
