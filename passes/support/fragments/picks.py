"""Operations that move elements: each element of the result is one of an operand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import prod

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, DenseArrayBase, IntegerAttr, VectorType
from xdsl.dialects.vector import ShuffleOp
from xdsl.ir import Attribute, Operation

from passes.support.fragments.ownership import MOST_ELEMENTS, Indexes
from passes.support.op_table import OpTable
from xegpu.dialects.upstream.vector import (
    BroadcastOp,
    ExtractOp,
    ExtractStridedSliceOp,
    InsertOp,
    InsertStridedSliceOp,
    InterleaveOp,
    ShapeCastOp,
    TransposeOp,
)

_RULES = OpTable[list[Indexes], Indexes | None]()
"""Rules that choose among the numbers of the operands' elements."""


def picks(op: Operation, operands: Sequence[Attribute]) -> Indexes | None:
    """Returns the index of the operand element that each element of the result equals.

    Elements of all operands are numbered consecutively; `operands` are the types of the whole operands. None for other
    operations, for positions known only at run time, and for vectors that are too large for registers.
    """
    if (rule := _RULES.get(op)) is None or len(op.results) != 1:
        return None
    vectors = [type for type in (*op.result_types, *operands) if isinstance(type, VectorType)]
    if not isinstance(op.results[0].type, VectorType) or not isinstance(operands[0], VectorType):
        return None
    if any(type.element_count() > MOST_ELEMENTS for type in vectors):
        return None
    result = rule(_numbers(operands), op)
    return None if result is None else result.ravel()


def _numbers(operands: Sequence[Attribute]) -> list[Indexes]:
    """Returns the consecutive numbers of the elements of the operands."""
    shapes = [type.get_shape() if isinstance(type, VectorType) else () for type in operands]
    starts = np.cumsum([0, *(prod(shape) for shape in shapes)])
    return [
        np.arange(start, end, dtype=np.int64).reshape(shape)
        for (start, end), shape in zip(pairwise(starts), shapes, strict=True)
    ]


def _shape(op: Operation) -> tuple[int, ...]:
    type = op.results[0].type
    assert isinstance(type, VectorType)
    return tuple(type.get_shape())


def _integers(op: Operation, name: str) -> list[int]:
    attribute = op.properties.get(name) or op.attributes.get(name)
    if isinstance(attribute, DenseArrayBase):
        return [int(value) for value in attribute.get_values()]
    if isinstance(attribute, ArrayAttr):
        return [entry.value.data for entry in attribute if isinstance(entry, IntegerAttr)]
    return []


@_RULES.register(BroadcastOp)
def _broadcast(numbers: list[Indexes], op: BroadcastOp) -> Indexes:
    return np.broadcast_to(numbers[0], _shape(op))


@_RULES.register(TransposeOp)
def _transpose(numbers: list[Indexes], op: TransposeOp) -> Indexes:
    return numbers[0].transpose(_integers(op, "permutation"))


@_RULES.register(ExtractOp)
def _extract(numbers: list[Indexes], op: ExtractOp) -> Indexes | None:
    position = _integers(op, "static_position")
    if DYNAMIC_INDEX in position:
        return None
    part: Indexes = numbers[0][tuple(position)]
    return part


def _boxes(op: Operation, inner: tuple[int, ...], rank: int) -> tuple[slice, ...]:
    offsets, strides = _integers(op, "offsets"), _integers(op, "strides")
    strides = [1] * (len(offsets) - len(strides)) + strides
    sizes = [1] * (rank - len(inner)) + list(inner)
    return tuple(
        slice(offset, offset + (size - 1) * stride + 1, stride)
        for offset, size, stride in zip(offsets, sizes, strides, strict=False)
    )


@_RULES.register(ExtractStridedSliceOp)
def _extract_strided_slice(numbers: list[Indexes], op: ExtractStridedSliceOp) -> Indexes:
    (source,) = numbers
    part: Indexes = source[_boxes(op, _shape(op), source.ndim)]
    return part


@_RULES.register(InsertStridedSliceOp)
def _insert_strided_slice(numbers: list[Indexes], op: InsertStridedSliceOp) -> Indexes:
    part, whole = numbers
    whole[_boxes(op, part.shape, whole.ndim)] = part
    return whole


@_RULES.register(ShuffleOp)
def _shuffle(numbers: list[Indexes], op: ShuffleOp) -> Indexes:
    both: Indexes = np.concatenate(numbers)
    rows: Indexes = both[np.maximum(_integers(op, "mask"), 0)]
    return rows


@_RULES.register(InsertOp)
def _insert(numbers: list[Indexes], op: InsertOp) -> Indexes | None:
    position = _integers(op, "static_position")
    if DYNAMIC_INDEX in position:
        return None
    part, whole = numbers
    whole[tuple(position)] = part
    return whole


@_RULES.register(InterleaveOp)
def _interleave(numbers: list[Indexes], op: InterleaveOp) -> Indexes:
    return np.stack(numbers, axis=-1)


@_RULES.register(ShapeCastOp)
def _shape_cast(numbers: list[Indexes], op: ShapeCastOp) -> Indexes:
    return numbers[0]
