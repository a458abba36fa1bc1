"""Lowered values: constants, elements in registers, descriptors and memrefs."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from xdsl.ir import SSAValue

from passes.kernel.memories import MessageMemory
from passes.kernel.register_types import element_count
from xegpu.isa.model import DataType, Immediate


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


def near(distance: int) -> int:
    """Returns a number clamped to 32 bits, as `mov` with saturation to a signed dword does."""
    return max(-(1 << 31), min(distance, (1 << 31) - 1))


@dataclass(frozen=True)
class MemRef:
    """A buffer: address of its first element (a scalar), sizes and strides in elements, outermost first.

    `offset` counts the elements in front of the first one: what `memref.extract_strided_metadata` tells, and what the
    aligned pointer leaves out.
    """

    base: Elements
    sizes: tuple[Number, ...]
    strides: tuple[Number, ...]
    element: DataType
    space: MessageMemory = MessageMemory.GLOBAL
    offset: Number = UniformConstant(DataType.UQ, 0)


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
class LineBounds:
    """Memory of `size` bytes in a line, all rows of it, and the byte at which a block begins, which may be outside."""

    start: Number
    size: Number


@dataclass(frozen=True)
class BlockDescriptor1D:
    """A 1-D descriptor: the address of its first element, a scalar, and the line that accesses must not leave."""

    address: Elements
    space: MessageMemory = MessageMemory.GLOBAL
    bounds: LineBounds | None = None


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
    operation that needs another form asks `LaneConversions` for it.
    """

    def __init__(self, lanes: int, divergent: Set[SSAValue]):
        super().__init__()
        self._lanes, self._divergent = lanes, divergent

    def lanes_of(self, value: SSAValue) -> int:
        """Returns the number of lanes for which a value may have elements of their own."""
        return self._lanes if value in self._divergent else 1

    def __setitem__(self, value: SSAValue, lowered: Value) -> None:
        if isinstance(lowered, Elements):
            assert lowered.lanes in (1, self.lanes_of(value)), (
                f"a value that is the same in all lanes gets the form for {lowered.lanes} lanes"
            )
            count = element_count(value.type) * lowered.lanes
            assert lowered.count == count, f"{value.type} gets {lowered.count} elements, expected {count}"
        super().__setitem__(value, lowered)
