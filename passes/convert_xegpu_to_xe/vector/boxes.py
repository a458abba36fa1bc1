"""Boxes of elements in buffers, which vectors are loaded from and stored to.

A box that a thread accesses as a whole is accessed row by row: with block messages where rows are contiguous and
complete, else with one element per lane. Where work-items access different boxes, a message carries one element of
each.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import prod

from xdsl.dialects.builtin import MemRefType, VectorType, i1
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa

from passes.analysis.integers.memref import moved
from passes.convert_xegpu_to_xe.lowering.alternatives import Precondition, choose
from passes.convert_xegpu_to_xe.lowering.gpu_ids import counting
from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering
from passes.convert_xegpu_to_xe.lowering.values import BlockDescriptor1D, Elements, MemRef, Number, UniformConstant
from passes.convert_xegpu_to_xe.memory.descriptors import block_1d
from passes.convert_xegpu_to_xe.memory.lane_access import LaneMessage, load_steps, store_steps
from passes.convert_xegpu_to_xe.memory.lane_messages import lane_message
from passes.convert_xegpu_to_xe.memory.memref_access import accessed_memref, element_addresses
from passes.convert_xegpu_to_xe.vector.masks import FALSE, TRUE
from passes.convert_xegpu_to_xe.vector.shapes import image_index
from passes.kernel.memories import MessageMemory
from passes.support.normal_forms import shape_of
from passes.support.vectors.lane_stretches import stretches
from xegpu.dialects.upstream.vector import with_element
from xegpu.isa.formats import GATHER_VECTORS
from xegpu.isa.model import DataSize, DataType, data_bytes, integer

_VECTORS = GATHER_VECTORS[DataSize.D32]
_FARTHEST = 1 << 19
"""Largest immediate offset of a message, in bytes."""


@dataclass(frozen=True)
class Box:
    """Elements of a buffer from `indices` on: as many as `type` has, along its last dimensions.

    `inside` holds i1 conditions: the elements that are accessed. `lanes` is 1 if a thread accesses the box once, else
    each work-item has its own. `steps` are the bytes from an element to the next one along each dimension.
    """

    lowering: KernelLowering
    source: SSAValue
    memref: MemRef
    indices: Sequence[SSAValue]
    type: VectorType[Attribute]
    steps: tuple[Number, ...]
    inside: Number
    lanes: int
    start: Elements
    """Address of the first element, for each lane."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the box."""
        return shape_of(self.type)

    @property
    def count(self) -> int:
        """The number of elements in registers."""
        return prod(self.shape) * self.lanes

    @cached_property
    def outer(self) -> int:
        """The number of dimensions around rows; a row consists of the innermost dimensions without gaps."""
        outer = max(0, len(self.shape) - 1)
        while outer and (inner := self.steps[outer]) and isinstance(inner, UniformConstant):
            if self.steps[outer - 1] != UniformConstant(inner.type, inner.value * self.shape[outer]):
                break
            outer -= 1
        return outer

    @property
    def row(self) -> int:
        """The number of elements of a row."""
        return prod(self.shape[self.outer :])

    @property
    def row_step(self) -> Number:
        """The bytes from an element of a row to the next one."""
        return self.steps[-1] if self.steps else UniformConstant(DataType.UQ, self.memref.element.size)

    def rows(self) -> Iterator[tuple[int, Elements]]:
        """Yields the number of the first element of each row, and its address in each lane."""
        for number, place in enumerate(product(*(range(size) for size in self.shape[: self.outer]))):
            distance: Number = UniformConstant(DataType.UQ, 0)
            for step, index in zip(self.steps, place, strict=False):
                distance = self.lowering.index.add(
                    distance, self.lowering.index.multiply(step, UniformConstant(DataType.UQ, index))
                )
            yield number * self.row, self._moved(self.start, distance)

    def _moved(self, addresses: Elements, distance: Number) -> Elements:
        """Returns addresses moved by a number of bytes, from the start of a register on."""
        if isinstance(distance, UniformConstant):
            if not distance.value:
                return addresses
            distance = UniformConstant(addresses.type, distance.value)
        grf = self.lowering.target.platform.grf_bytes
        return self.lowering.emit.alu("add", addresses.type, [addresses, distance], addresses.count, alignment=grf)

    # Elements one by one ---------------------------------------------------------------------------------------------

    def _messages(self) -> Iterator[LaneMessage]:
        """Yields messages of one element per lane, for the lanes of a thread or for its work-items."""
        for first, addresses in self.rows():
            if self.lanes > 1:
                yield from self._by_work_item(first, addresses)
                continue
            spread = self._spread(addresses)
            for start, lanes in stretches(self.row, self.lowering.target.platform.gather_lanes):
                yield self._message(spread, start, range(first + start, first + start + lanes))

    def _by_work_item(self, first: int, addresses: Elements) -> Iterator[LaneMessage]:
        """Yields messages for the elements of a row in each work-item, with as many elements as a message can carry."""
        lanes, index = range(self.lanes), 0
        while index < self.row:
            vector = next(v for v in self._vectors if v <= self.row - index)
            elements = range(first + index, first + index + vector)
            places = [image_index(self.shape, element, lane, self.lanes) for element in elements for lane in lanes]
            yield self._message(addresses, index, places, vector)
            index += vector

    @cached_property
    def _vectors(self) -> list[int]:
        """Returns the numbers of elements of a row that each lane can access in one message, largest first."""
        size, space, target = self.memref.element.size, self.memref.space, self.lowering.target
        if size < block_1d.WORD or self.inside != TRUE or self.row_step != UniformConstant(DataType.UQ, size):
            return [1]
        messages = [
            replace(lane_message(size, space=space), vector=vector) for vector in sorted(_VECTORS, reverse=True)
        ]
        widths = target.platform.grf_bytes, target.platform.physical_simd_width
        return [m.vector for m in messages if data_bytes(m, self.lanes, *widths) <= target.platform.max_message_bytes]

    def _spread(self, address: Elements) -> Elements:
        """Returns addresses of the first elements of a row, one per lane."""
        emit, type, platform = self.lowering.emit, address.type, self.lowering.target.platform
        lanes = min(platform.gather_lanes, 1 << (self.row - 1).bit_length())
        numbers = counting(self.lowering, lanes, type)
        distances = emit.alu("mul", type, [numbers, self.row_step], lanes)
        return emit.alu("add", type, [distances, address], lanes, alignment=platform.grf_bytes)

    def _message(self, addresses: Elements, index: int, places: Sequence[int], vector: int = 1) -> LaneMessage:
        """Returns a message for element `index` of a row (the first one, for several lanes of a thread)."""
        distance = self.lowering.index.multiply(self.row_step, UniformConstant(DataType.UQ, index))
        offset = 0
        if isinstance(distance, UniformConstant) and abs(distance.value) < _FARTHEST:
            offset = int(distance.value)
        else:
            addresses = self._moved(addresses, distance)
        message = replace(lane_message(self.memref.element.size, offset=offset, space=self.memref.space), vector=vector)
        condition = elements_at(self.lowering, self.inside, places)
        return LaneMessage(message, addresses.register, places, condition, self.lanes > 1)

    # Accesses --------------------------------------------------------------------------------------------------------

    @property
    def _block_messages(self) -> Precondition:
        """Returns whether block messages can serve all rows."""
        lowering, size = self.lowering, self.memref.element.size
        if self.lanes > 1 or self.inside != TRUE or self.row_step != UniformConstant(DataType.UQ, size):
            return False
        if size >= block_1d.WORD:
            return True
        if not all(
            isinstance(step, UniformConstant) and step.value % block_1d.WORD == 0 for step in self.steps[: self.outer]
        ):
            return False
        facts = lowering.facts
        start = moved(facts.of(self.source), self.source.type, [facts.of(index) for index in self.indices])
        if start.power >= block_1d.WORD:
            return True
        return block_1d.is_aligned(lowering, BlockDescriptor1D(self.start, self.memref.space))

    def load(self, other: Number | None = None) -> Number:
        """Returns the elements as a value of the box's type; elements that are not accessed come from `other`."""
        lowering, type = self.lowering, self.memref.element
        if other is not None:
            other = lowering.conversions.in_lanes(other, self.type, self.lanes)
            if self.inside == FALSE:
                return other

        def by_block() -> SSAValue:
            register = lowering.emit.undefined(self.count * type.size, lowering.target.platform.grf_bytes)
            for first, address in self.rows():
                line, at = BlockDescriptor1D(address, self.memref.space), first * type.size
                register = block_1d.load_blocks(lowering, line, register, self.row * type.size, type.size, at=at)
            return register

        def by_element() -> SSAValue:
            return load_steps(lowering.emit, self._messages(), type, self.count, other)

        register = choose(lowering, self._block_messages, by_block, by_element)
        assert register is not None
        return Elements(register, type, self.count, 0, self.lanes)

    def store(self, value: Number) -> None:
        """Writes the elements of a value of the box's type."""
        lowering = self.lowering
        if self.inside == FALSE:
            return
        image = lowering.conversions.in_registers(value, self.type, self.lanes)

        def by_block() -> None:
            for first, address in self.rows():
                part = lowering.emit.aligned(image.part(first, self.row), block_1d.WORD)
                block_1d.store_blocks(lowering, BlockDescriptor1D(address, self.memref.space), part, value.type.size)

        def by_element() -> None:
            store_steps(lowering.emit, self._messages(), image)

        choose(lowering, self._block_messages, by_block, by_element)


def elements_at(lowering: KernelLowering, value: Number, places: Sequence[int]) -> Elements | None:
    """Returns elements of a register layout by their positions; None for a constant."""
    if isinstance(value, UniformConstant):
        return None
    if list(places) == [*range(places[0], places[0] + len(places))]:
        return value.part(places[0], len(places))
    bits = integer(value.type.bits, signed=False)
    moves = list(enumerate(places))
    register = lowering.emit.copy(lowering.emit.undefined(len(places) * bits.size), value.as_type(bits), moves, bits)
    return Elements(register, value.type, len(places))


def vector_memref(lowering: KernelLowering, op: Operation, source: SSAValue, type: Attribute) -> MemRef:
    """Returns the buffer that an operation accesses elements of as a vector of a type."""
    if not isa(source.type, MemRefType):
        lowering.refuse(op, f"of {source.type} is not supported in a kernel: only buffers are")
    assert isa(type, VectorType)
    if type.element_type != source.type.element_type:
        lowering.refuse(op, f"of {type} in {source.type} is not supported: their elements differ")
    return accessed_memref(lowering, op, source)


def access_lanes(lowering: KernelLowering, op: Operation, memref: MemRef) -> int:
    """Returns 1 if all work-items of a thread access the same elements, else their number."""
    divergent = memref.space is MessageMemory.PRIVATE or any(value in lowering.divergent for value in op.operands)
    return lowering.lanes if divergent else 1


def box_of(
    lowering: KernelLowering,
    op: Operation,
    source: SSAValue,
    indices: Sequence[SSAValue],
    type: Attribute,
    dimensions: Sequence[int] | None = None,
    inside: Number = TRUE,
) -> Box:
    """Returns the elements of a buffer that an operation accesses along some dimensions, by default the last ones."""
    memref = vector_memref(lowering, op, source, type)
    assert isa(type, VectorType)
    if dimensions is None:
        rank = len(type.get_shape())
        dimensions = range(len(memref.sizes) - rank, len(memref.sizes))
    size = UniformConstant(DataType.UQ, lowering.element_step(memref.space, memref.element))
    steps = tuple(lowering.index.multiply(memref.strides[d], size) for d in dimensions)
    lanes = access_lanes(lowering, op, memref)
    inside = lowering.conversions.in_lanes(inside, with_element(type, i1), lanes)
    addresses = element_addresses(lowering, memref, indices, lanes)
    start = Elements(addresses, memref.space.address_type, lanes)
    return Box(lowering, source, memref, indices, type, steps, inside, lanes, start)
