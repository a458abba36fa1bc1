"""Lowers loads and stores of `vector`: whole and masked parts of a buffer, gathers and scatters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Attribute, Operation, SSAValue

from passes.convert_xegpu_to_xe.arithmetic import signed
from passes.convert_xegpu_to_xe.boxes import access_lanes, box_of, elements_at, vector_memref
from passes.convert_xegpu_to_xe.lane_access import Step, load_steps, store_steps
from passes.convert_xegpu_to_xe.lanes import lane_message
from passes.convert_xegpu_to_xe.lowering import KernelLowering, lowers
from passes.convert_xegpu_to_xe.scalar_access import element_addresses
from passes.convert_xegpu_to_xe.values import BOOLEAN, Constant, Elements, Number, element_count, element_type
from passes.convert_xegpu_to_xe.vectors import image_index, shape_of
from passes.lane_stretches import stretches
from xegpu.dialects.upstream.vector import GatherOp, LoadOp, MaskedLoadOp, MaskedStoreOp, ScatterOp, StoreOp
from xegpu.isa.types import DataType


@lowers("vector.load")
def load(lowering: KernelLowering, op: Operation) -> None:
    assert isinstance(op, LoadOp)
    lowering.values[op.result] = box_of(lowering, op, op.base, op.indices, op.result.type).load()


@lowers("vector.store")
def store(lowering: KernelLowering, op: Operation) -> None:
    assert isinstance(op, StoreOp)
    box_of(lowering, op, op.base, op.indices, op.vector.type).store(lowering.number(op.vector))


@lowers("vector.maskedload")
def masked_load(lowering: KernelLowering, op: Operation) -> None:
    assert isinstance(op, MaskedLoadOp)
    box = box_of(lowering, op, op.base, op.indices, op.result.type, inside=lowering.number(op.mask))
    lowering.values[op.result] = box.load(lowering.number(op.pass_thru))


@lowers("vector.maskedstore")
def masked_store(lowering: KernelLowering, op: Operation) -> None:
    assert isinstance(op, MaskedStoreOp)
    box = box_of(lowering, op, op.base, op.indices, op.value_to_store.type, inside=lowering.number(op.mask))
    box.store(lowering.number(op.value_to_store))


# Gathers and scatters ------------------------------------------------------------------------------------------------

_LANES = 16
"""Elements that a thread accesses at once."""


def _scattered(lowering: KernelLowering, op: GatherOp | ScatterOp, type: Attribute) -> tuple[list[Step], int]:
    """The messages of an access with an index for each element, and the lanes that have elements of their own."""
    memref = vector_memref(lowering, op, op.base, type)
    lanes, count = access_lanes(lowering, op, memref), element_count(type)
    start = Elements(element_addresses(lowering, memref, op.offsets, lanes), memref.space.address_type, lanes)
    size = Constant(DataType.UQ, lowering.element_step(memref.space, memref.element))
    step = lowering.multiply(memref.strides[-1] if memref.strides else Constant(DataType.UQ, 1), size)
    indexes, mask = (_image(lowering, value, lanes) for value in (op.indices, op.mask))

    def messages() -> Iterator[Step]:
        message = lane_message(memref.element.size, space=memref.space)
        for places in _groups(shape_of(type), count, lanes):
            index = elements_at(lowering, indexes, places)
            assert index is not None
            addresses = _addresses(lowering, start, signed(index), step, len(places))
            yield Step(message, addresses, places, elements_at(lowering, mask, places), lanes > 1)

    if isinstance(mask, Constant) and not mask.value:
        return [], lanes
    return list(messages()), lanes


def _image(lowering: KernelLowering, value: SSAValue, lanes: int) -> Number:
    """Elements for each lane in registers; conditions that are known stay so."""
    number, count = lowering.number(value), element_count(value.type)
    if isinstance(number, Constant):
        is_condition = number.type is BOOLEAN
        return number if is_condition else lowering.emit.alu("mov", number.type, [number], count * lanes)
    return lowering.spread(number, value.type) if number.lanes < lanes else number


def _groups(shape: Sequence[int], count: int, lanes: int) -> Iterator[Sequence[int]]:
    """Places in the register image of the elements that go together."""
    if lanes == 1:
        yield from (range(start, start + size) for start, size in stretches(count, _LANES))
    else:
        for element in range(count):
            yield [image_index(tuple(shape), element, lane, lanes) for lane in range(lanes)]


def _addresses(lowering: KernelLowering, start: Elements, index: Number, step: Number, lanes: int) -> SSAValue:
    emit, type = lowering.emit, start.type
    distance = emit.alu("mul", type, [index, step], lanes)
    return emit.alu("add", type, [distance, start], lanes, alignment=lowering.target.grf_bytes).register


@lowers("vector.gather")
def gather(lowering: KernelLowering, op: Operation) -> None:
    assert isinstance(op, GatherOp)
    result = op.result
    steps, lanes = _scattered(lowering, op, result.type)
    type, count = element_type(result.type), element_count(result.type) * lanes
    assert type is not None
    other = lowering.number(op.pass_thru)
    if isinstance(other, Elements) and other.lanes < lanes:
        other = lowering.spread(other, result.type)
    if steps:
        register = load_steps(lowering.emit, steps, type, count, other)
        other = Elements(register, type, count, 0, lanes)
    lowering.values[result] = other


@lowers("vector.scatter")
def scatter(lowering: KernelLowering, op: Operation) -> None:
    """Where indexes are equal, what stands last in the vector is written."""
    assert isinstance(op, ScatterOp)
    steps, lanes = _scattered(lowering, op, op.value_to_store.type)
    value = lowering.number(op.value_to_store)
    if isinstance(value, Elements) and value.lanes < lanes:
        value = lowering.spread(value, op.value_to_store.type)
    store_steps(lowering.emit, steps, value)
