"""Rules of the `xegpu` dialect.

The fact of a 2-D descriptor is that of its column in elements, the fact of any other one that of its address in bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import SSAValue

from passes.analysis.integers.arithmetic import product_of, resized, sum_of
from passes.analysis.integers.fact import IntegerFact, anything, constant
from passes.analysis.integers.table import bits_of, rule
from passes.kernel.descriptor_extent import extent
from xegpu.dialects.xegpu import (
    CreateDescOp,
    CreateNdDescOp,
    UpdateNdOffsetOp,
    UpdateOffsetOp,
    descriptor_type,
    element_bits,
)


def _element_bytes(descriptor: SSAValue) -> int:
    return element_bits(descriptor_type(descriptor).element_type) // 8


def _bytes(elements: IntegerFact, descriptor: SSAValue) -> IntegerFact:
    return product_of(elements, constant(_element_bytes(descriptor), elements.bits, elements.lanes))


def _address(source: IntegerFact, descriptor: SSAValue) -> IntegerFact:
    """Returns the fact of the address of a source, which is a multiple of the size of elements."""
    return resized(source, bits_of(descriptor.type), as_signed=False).aligned(_element_bytes(descriptor))


def _mixed(entries: Sequence[SSAValue | int], dynamic: Iterator[IntegerFact], lanes: int) -> list[IntegerFact]:
    """Returns the facts of entries of which some are constants."""
    return [next(dynamic) if isinstance(entry, SSAValue) else constant(entry, 64, lanes) for entry in entries]


@rule(CreateDescOp)
def _create(op: CreateDescOp, source: IntegerFact, offsets: IntegerFact) -> IntegerFact:
    return sum_of(_address(source, op.tensor_desc), _bytes(offsets, op.tensor_desc))


@rule(UpdateOffsetOp)
def _update(op: UpdateOffsetOp, descriptor: IntegerFact, offsets: IntegerFact) -> IntegerFact:
    return sum_of(descriptor, _bytes(offsets, op.results[0]))


@rule(CreateNdDescOp)
def _create_block(op: CreateNdDescOp, source: IntegerFact, *numbers: IntegerFact) -> IntegerFact:
    column = _mixed(op.mixed_offsets, iter(numbers), source.lanes)[-1]
    if len(descriptor_type(op.tensor_desc).get_shape()) == 2:
        return column
    return sum_of(plane_fact(op, source, *numbers), _bytes(column, op.tensor_desc))


@rule(UpdateNdOffsetOp)
def _update_block(op: UpdateNdOffsetOp, descriptor: IntegerFact, *offsets: IntegerFact) -> IntegerFact:
    move = _mixed(op.mixed_offsets, iter(offsets), descriptor.lanes)[-1]
    return sum_of(descriptor, _bytes(move, op.tensor_desc) if len(op.mixed_offsets) == 1 else move)


def plane_fact(op: CreateNdDescOp, source: IntegerFact, *numbers: IntegerFact) -> IntegerFact:
    """Returns the fact of the address of the tile's plane or 1-D line: the source's, moved by the outer offsets.

    Args:
        op: The operation that creates the descriptor.
        source: The fact of its source.
        numbers: The facts of its other operands.

    """
    address = _address(source, op.tensor_desc)
    rank, lanes = len(descriptor_type(op.tensor_desc).get_shape()), source.lanes
    offsets = _mixed(op.mixed_offsets, iter(numbers), lanes)
    for offset, stride in zip(offsets[:-rank], extent(op)[1], strict=False):
        step = anything(64, lanes) if stride is None else constant(stride, 64, lanes)
        address = sum_of(address, _bytes(product_of(offset, step), op.tensor_desc))
    return address
