"""Operations that move elements: each element of the result is one of an operand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import prod

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, DenseArrayBase, IntegerAttr, VectorType
from xdsl.ir import Attribute, Operation

from passes.support.fragments.ownership import MOST_ELEMENTS, Indexes


def picks(op: Operation, operands: Sequence[Attribute]) -> Indexes | None:
    """Returns the index of the operand element that each element of the result equals.

    Elements of all operands are numbered consecutively; `operands` are the types of the whole operands. None for other
    operations, for positions known only at run time, and for vectors that are too large for registers.
    """
    if (rule := _RULES.get(op.name)) is None or len(op.results) != 1:
        return None
    vectors = [type for type in (*op.result_types, *operands) if isinstance(type, VectorType)]
    if not isinstance(op.results[0].type, VectorType) or not isinstance(operands[0], VectorType):
        return None
    if any(type.element_count() > MOST_ELEMENTS for type in vectors):
        return None
    result = rule(op, _numbers(operands))
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


def _broadcast(op: Operation, numbers: list[Indexes]) -> Indexes:
    return np.broadcast_to(numbers[0], _shape(op))


def _transpose(op: Operation, numbers: list[Indexes]) -> Indexes:
    return numbers[0].transpose(_integers(op, "permutation"))


def _extract(op: Operation, numbers: list[Indexes]) -> Indexes | None:
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


def _extract_strided_slice(op: Operation, numbers: list[Indexes]) -> Indexes:
    (source,) = numbers
    part: Indexes = source[_boxes(op, _shape(op), source.ndim)]
    return part


def _insert_strided_slice(op: Operation, numbers: list[Indexes]) -> Indexes:
    part, whole = numbers
    whole[_boxes(op, part.shape, whole.ndim)] = part
    return whole


def _shuffle(op: Operation, numbers: list[Indexes]) -> Indexes:
    both: Indexes = np.concatenate(numbers)
    rows: Indexes = both[np.maximum(_integers(op, "mask"), 0)]
    return rows


def _insert(op: Operation, numbers: list[Indexes]) -> Indexes | None:
    position = _integers(op, "static_position")
    if DYNAMIC_INDEX in position:
        return None
    part, whole = numbers
    whole[tuple(position)] = part
    return whole


def _interleave(op: Operation, numbers: list[Indexes]) -> Indexes:
    return np.stack(numbers, axis=-1)


_RULES: Mapping[str, Callable[[Operation, list[Indexes]], Indexes | None]] = {
    "vector.broadcast": _broadcast,
    "vector.extract": _extract,
    "vector.extract_strided_slice": _extract_strided_slice,
    "vector.insert": _insert,
    "vector.insert_strided_slice": _insert_strided_slice,
    "vector.interleave": _interleave,
    "vector.shape_cast": lambda op, numbers: numbers[0],
    "vector.shuffle": _shuffle,
    "vector.transpose": _transpose,
}
