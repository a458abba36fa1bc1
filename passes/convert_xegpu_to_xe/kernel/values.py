"""Lowered values: constants, elements in registers, descriptors and memrefs."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from enum import Enum

from xdsl.dialects.builtin import IntAttr, IntegerType, VectorType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, SSAValue

from xegpu.dialects.image import ImageSamplerType, ImageSurfaceType
from xegpu.isa import ELEMENT_TYPES
from xegpu.isa.model import AddressModel, AddressSize, DataType, Immediate, Unit, integer

BOOLEAN = DataType.W
"""i1 lives as a word per element: 0 or all ones, as `cmp` writes it."""


def element_type(type: Attribute) -> DataType | None:
    """Returns the register type of a scalar MLIR type or of a vector's elements; None when registers do not hold it.

    Integers are stored unsigned, and each operation reads them with its own signedness. Elements of type tf32 are
    f32 values to every instruction but dpas. Pointers are addresses in their memory; generic ones have 64 bits,
    as have images and samplers: the addresses of their states.
    """
    kind = type.__class__  # comparing classes takes a fraction of the time that asking for instances takes
    if kind is VectorType:
        assert isinstance(type, VectorType)
        if type.get_num_scalable_dims() or not type.element_count():
            return None
        type = type.get_element_type()
        kind = type.__class__
    if kind is LLVMPointerType:
        memory = memory_of(type)
        return DataType.UQ if memory is None else memory.address_type
    if kind is ImageSurfaceType or kind is ImageSamplerType:
        return DataType.UQ
    element = ELEMENT_TYPES.get(f"i{type.width.data}" if isinstance(type, IntegerType) else type.name)
    if element is None:
        return None
    return DataType.F if element.data_type is DataType.TF32 else element.data_type


def memory_type(element: Attribute) -> DataType | None:
    """Returns the type of an element of a buffer; None when memory does not hold it.

    An i1 is a byte, 0 or 1, and a pointer a number of 64 bits.
    """
    if isinstance(element, LLVMPointerType):
        return DataType.UQ
    type = element_type(element)
    return DataType.UB if type is BOOLEAN and element == IntegerType(1) else type


def element_count(type: Attribute) -> int:
    """Number of elements of a scalar (1) or of a vector."""
    return type.element_count() if type.__class__ is VectorType and isinstance(type, VectorType) else 1


@dataclass(frozen=True)
class UniformConstant:
    """The same number in every element."""

    type: DataType
    value: int | float

    @property
    def bits(self) -> int:
        """Returns the bits of an element in a register, which tell 0.0 from -0.0."""
        return Immediate.of(self.value, self.type).bits


@dataclass(frozen=True)
class Elements:
    """`count` elements of `type`, dense from byte `offset` of a register block.

    `lanes` is 1 for a uniform value. A divergent value holds `count` elements in all, those of a fragment `[F][E]` as
    `[F][lanes][E]`.
    """

    register: SSAValue
    type: DataType
    count: int
    offset: int = 0
    lanes: int = 1

    def as_type(self, type: DataType) -> Elements:
        """The same bytes read as another type of the same width."""
        return Elements(self.register, type, self.count, self.offset, self.lanes)

    def part(self, start: int, count: int) -> Elements:
        """`count` elements from element `start` on."""
        return Elements(self.register, self.type, count, self.offset + start * self.type.size, self.lanes)

    @property
    def size(self) -> int:
        """Bytes that the elements take."""
        return self.count * self.type.size


Number = UniformConstant | Elements
"""A scalar or a vector."""


class MessageMemory(Enum):
    """Memory that messages reach: the unit, the width of addresses, and what they are relative to."""

    GLOBAL = (Unit.UGM, AddressSize.A64, AddressModel.FLAT)
    SHARED = (Unit.SLM, AddressSize.A32, AddressModel.FLAT)
    PRIVATE = (Unit.UGM, AddressSize.A32, AddressModel.SCRATCH)
    """The thread's scratch space. In work-item mode neighbouring elements are those of neighbouring lanes."""

    def __init__(self, unit: Unit, address_size: AddressSize, model: AddressModel):
        self.unit = unit
        self.address_size = address_size
        self.model = model

    @property
    def address_type(self) -> DataType:
        """The type of an address in a register."""
        return integer(8 * self.address_size.size, signed=False)


PRIVATE, GLOBAL, CONSTANT, SHARED, GENERIC = range(5)
"""The numbers of address spaces in LLVM IR for SPIR."""
_MEMORIES = {
    PRIVATE: MessageMemory.PRIVATE,
    GLOBAL: MessageMemory.GLOBAL,
    CONSTANT: MessageMemory.GLOBAL,
    SHARED: MessageMemory.SHARED,
}


def space_number(type: Attribute) -> int:
    """Returns the number of the address space of a pointer type."""
    return type.addr_space.data if isinstance(type, LLVMPointerType) and isinstance(type.addr_space, IntAttr) else 0


def memory_of(type: Attribute) -> MessageMemory | None:
    """Returns the memory that a pointer type names; None for generic pointers and unknown spaces."""
    return _MEMORIES.get(space_number(type))


def near(distance: int) -> int:
    """Returns a number clamped to 32 bits, as `mov` with saturation to a signed dword does."""
    return max(-(1 << 31), min(distance, (1 << 31) - 1))


@dataclass(frozen=True)
class MemRef:
    """A buffer: address of its first element (a scalar), sizes and strides in elements, outermost first."""

    base: Elements
    sizes: tuple[Number, ...]
    strides: tuple[Number, ...]
    element: DataType
    space: MessageMemory = MessageMemory.GLOBAL


@dataclass(frozen=True)
class UnrankedMemRef:
    """A buffer whose rank only a running kernel knows; sizes and strides are those of the dimensions that it reads."""

    base: Elements
    rank: Number
    sizes: tuple[Number, ...]
    strides: tuple[Number, ...]
    element: DataType
    space: MessageMemory = MessageMemory.GLOBAL


@dataclass(frozen=True)
class BlockDescriptor2D:
    """A 2-D descriptor: the block-2D payload, and whether the surface keeps the rules of block-2D messages.

    `legal` is True or False when known at compile time, else a word scalar (all ones: legal).
    """

    payload: SSAValue
    legal: bool | Elements


@dataclass(frozen=True)
class BlockDescriptor1D:
    """A 1-D descriptor: the address of its first element, a scalar."""

    address: Elements
    space: MessageMemory = MessageMemory.GLOBAL


@dataclass(frozen=True)
class LaneDescriptor:
    """A descriptor of one address a lane: the addresses, from the start of a register on."""

    addresses: Elements
    space: MessageMemory


@dataclass(frozen=True)
class Structure:
    """A structure: its fields, which stand wherever they come from."""

    fields: tuple[Value, ...]


Value = (
    Structure
    | UniformConstant
    | Elements
    | MemRef
    | UnrankedMemRef
    | BlockDescriptor2D
    | BlockDescriptor1D
    | LaneDescriptor
)


class LoweredValues(dict[SSAValue, Value]):
    """The lowered form of each MLIR value.

    A scalar or vector has one of three forms: a `UniformConstant`; `Elements` with one lane, which are those of the
    type, once; or, only if the value is `divergent`, `Elements` with the kernel's `lanes`, as many for each lane. An
    operation that needs another form asks `KernelLowering.in_lanes` or `in_registers` for it.
    """

    def __init__(self, lanes: int, divergent: Set[SSAValue]):
        super().__init__()
        self._lanes, self._divergent = lanes, divergent

    def __setitem__(self, value: SSAValue, lowered: Value) -> None:
        if isinstance(lowered, Elements):
            assert lowered.lanes == 1 or (lowered.lanes == self._lanes and value in self._divergent), (
                f"a value that is the same in all lanes gets the form for {lowered.lanes} lanes"
            )
            count = element_count(value.type) * lowered.lanes
            assert lowered.count == count, f"{value.type} gets {lowered.count} elements, expected {count}"
        super().__setitem__(value, lowered)
