"""Lowers loads and stores of `vector`: contiguous and masked accesses, gathers and scatters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import VectorType, i16
from xdsl.ir import Attribute, Operation, SSAValue

from passes.convert_xegpu_to_xe.lowering.kernel import KernelLowering, lowers
from passes.convert_xegpu_to_xe.lowering.values import Elements, Number, UniformConstant
from passes.convert_xegpu_to_xe.math.elementwise import signed
from passes.convert_xegpu_to_xe.memory.lane_access import LaneMessage, load_steps, store_steps
from passes.convert_xegpu_to_xe.memory.lane_messages import lane_message
from passes.convert_xegpu_to_xe.memory.memref_access import element_addresses
from passes.convert_xegpu_to_xe.vector.boxes import access_lanes, box_of, elements_at, vector_memref
from passes.convert_xegpu_to_xe.vector.shapes import arranged, image_index
from passes.kernel.register_types import BOOLEAN, element_count, element_type
from passes.support.normal_forms import shape_of
from passes.support.vectors.lane_stretches import stretches
from xegpu.dialects.upstream.vector import (
    CompressStoreOp,
    ExpandLoadOp,
    GatherOp,
    LoadOp,
    MaskedLoadOp,
    MaskedStoreOp,
    ScatterOp,
    StoreOp,
    vector_type,
)
from xegpu.isa.model import DataType


@lowers(LoadOp)
def load(lowering: KernelLowering, op: LoadOp) -> None:
    lowering.values[op.result] = box_of(lowering, op, op.base, op.indices, op.result.type).load()


@lowers(StoreOp)
def store(lowering: KernelLowering, op: StoreOp) -> None:
    box_of(lowering, op, op.base, op.indices, op.vector.type).store(lowering.number(op.vector))


@lowers(MaskedLoadOp)
def masked_load(lowering: KernelLowering, op: MaskedLoadOp) -> None:
    box = box_of(lowering, op, op.base, op.indices, op.result.type, inside=lowering.number(op.mask))
    lowering.values[op.result] = box.load(lowering.number(op.pass_thru))


@lowers(MaskedStoreOp)
def masked_store(lowering: KernelLowering, op: MaskedStoreOp) -> None:
    box = box_of(lowering, op, op.base, op.indices, op.value_to_store.type, inside=lowering.number(op.mask))
    box.store(lowering.number(op.value_to_store))


# Gathers and scatters ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class IndexedAccess:
    """An access with an index for each element of a value, counted in elements from an element of a buffer on."""

    op: Operation
    base: SSAValue
    offsets: Sequence[SSAValue]
    mask: SSAValue
    type: VectorType[Attribute]


def _steps(lowering: KernelLowering, access: IndexedAccess, indices: SSAValue | None) -> tuple[list[LaneMessage], int]:
    """Returns the messages, and the lanes that have elements of their own.

    Without indices, the selected elements are contiguous in memory.
    """
    memref = vector_memref(lowering, access.op, access.base, access.type)
    lanes, count = access_lanes(lowering, access.op, memref), access.type.element_count()
    mask = _image(lowering, access.mask, lanes)
    if isinstance(mask, UniformConstant) and not mask.value:
        return [], lanes
    indexes = _running_count(lowering, mask, count, lanes) if indices is None else _image(lowering, indices, lanes)
    start = Elements(element_addresses(lowering, memref, access.offsets, lanes), memref.space.address_type, lanes)
    size = UniformConstant(DataType.UQ, lowering.element_step(memref.space, memref.element))
    step = lowering.index.multiply(memref.strides[-1] if memref.strides else UniformConstant(DataType.UQ, 1), size)
    message, steps = lane_message(memref.element.size, space=memref.space), []
    for places in _groups(lowering, shape_of(access.type), count, lanes):
        index = elements_at(lowering, indexes, places)
        assert index is not None
        addresses = _addresses(lowering, start, signed(index), step, len(places))
        steps.append(LaneMessage(message, addresses, places, elements_at(lowering, mask, places), lanes > 1))
    return steps, lanes


def _running_count(lowering: KernelLowering, mask: Number, count: int, lanes: int) -> Number:
    """Returns the number of true conditions in front of each element."""
    emit, word = lowering.emit, DataType.UW
    current: Number = UniformConstant(word, 0)
    counts: list[tuple[Number, Attribute]] = []
    for element in range(count):
        counts.append((current, i16))
        chosen = mask if isinstance(mask, UniformConstant) else mask.part(element * lanes, lanes)
        current = emit.alu("add", word, [emit.scalar(current), chosen], lanes, negate=(False, True))
    counted = arranged(lowering, counts, VectorType(i16, [count]), lambda i: (i, 0))
    return emit.alu("mov", word, [counted], count * lanes) if isinstance(counted, UniformConstant) else counted


def _image(lowering: KernelLowering, value: SSAValue, lanes: int) -> Number:
    """Returns the elements for each lane in registers; conditions that are known stay constants."""
    number, count = lowering.number(value), element_count(value.type)
    if isinstance(number, UniformConstant):
        is_condition = number.type is BOOLEAN
        return number if is_condition else lowering.emit.alu("mov", number.type, [number], count * lanes)
    return lowering.conversions.in_registers(number, value.type, lanes)


def _groups(lowering: KernelLowering, shape: Sequence[int], count: int, lanes: int) -> Iterator[Sequence[int]]:
    """Yields positions in the register layout of the elements that go together."""
    if lanes == 1:
        most = lowering.target.platform.gather_lanes
        yield from (range(start, start + size) for start, size in stretches(count, most))
    else:
        for element in range(count):
            yield [image_index(tuple(shape), element, lane, lanes) for lane in range(lanes)]


def _addresses(lowering: KernelLowering, start: Elements, index: Number, step: Number, lanes: int) -> SSAValue:
    emit, type = lowering.emit, start.type
    distance = emit.alu("mul", type, [index, step], lanes)
    return emit.alu("add", type, [distance, start], lanes, alignment=lowering.target.platform.grf_bytes).register


def _load(lowering: KernelLowering, access: IndexedAccess, pass_thru: SSAValue, indices: SSAValue | None) -> None:
    steps, lanes = _steps(lowering, access, indices)
    type, count = element_type(access.type), access.type.element_count() * lanes
    assert type is not None
    other = lowering.conversions.in_lanes(lowering.number(pass_thru), access.type, lanes)
    if steps:
        other = Elements(load_steps(lowering.emit, steps, type, count, other), type, count, 0, lanes)
    lowering.values[access.op.results[0]] = other


def _store(lowering: KernelLowering, access: IndexedAccess, stored: SSAValue, indices: SSAValue | None) -> None:
    steps, lanes = _steps(lowering, access, indices)
    value = lowering.conversions.in_lanes(lowering.number(stored), access.type, lanes)
    store_steps(lowering.emit, steps, value)


@lowers(GatherOp)
def gather(lowering: KernelLowering, op: GatherOp) -> None:
    access = IndexedAccess(op, op.base, op.offsets, op.mask, vector_type(op.result))
    _load(lowering, access, op.pass_thru, op.indices)


@lowers(ScatterOp)
def scatter(lowering: KernelLowering, op: ScatterOp) -> None:
    """Scatters in the order of elements: where indices are equal, the last one is written."""
    access = IndexedAccess(op, op.base, op.offsets, op.mask, vector_type(op.value_to_store))
    _store(lowering, access, op.value_to_store, op.indices)


def _in_sequence(lowering: KernelLowering, op: ExpandLoadOp | CompressStoreOp, value: SSAValue) -> IndexedAccess:
    type = vector_type(value)
    if len(type.get_shape()) != 1:
        lowering.refuse(op, f"of {type} is not supported: it needs a vector of one dimension")
    return IndexedAccess(op, op.base, op.indices, op.mask, type)


@lowers(ExpandLoadOp)
def expand_load(lowering: KernelLowering, op: ExpandLoadOp) -> None:
    _load(lowering, _in_sequence(lowering, op, op.result), op.pass_thru, None)


@lowers(CompressStoreOp)
def compress_store(lowering: KernelLowering, op: CompressStoreOp) -> None:
    _store(lowering, _in_sequence(lowering, op, op.value_to_store), op.value_to_store, None)
