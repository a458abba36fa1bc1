"""Vector operations that only move elements: each element of a result is one element of an operand.

Host and device lower them from these definitions alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntegerAttr, VectorType
from xdsl.dialects.vector import ShuffleOp
from xdsl.ir import Attribute, Operation

from passes.support.op_table import OpTable
from xegpu.dialects.upstream.vector import (
    BroadcastOp,
    DeinterleaveOp,
    ExtractStridedSliceOp,
    FromElementsOp,
    InsertStridedSliceOp,
    InterleaveOp,
    ShapeCastOp,
    ToElementsOp,
    TransposeOp,
)

Shape = tuple[int, ...]
Origin = tuple[int, int]
"""The number of an operand, and the row-major index of an element in it."""
Origins = Callable[[int], Origin]
"""Maps the row-major index of an element of a result to where the element comes from."""
ELEMENT_MOVES = OpTable[int, Origins]()
"""Rules that return the origins of the elements of a result, which is given by its number."""


def shape_of(type: Attribute) -> Shape:
    """Returns the shape of a vector, `[]` for a scalar."""
    return tuple(type.get_shape()) if isinstance(type, VectorType) else ()


def integers(op: Operation, name: str) -> list[int]:
    """Returns a list of integers among the properties of an operation, an empty one if the property is missing."""
    attribute = op.properties.get(name)
    if isinstance(attribute, DenseArrayBase):
        return [int(value) for value in attribute.get_values()]
    if isinstance(attribute, ArrayAttr):
        return [entry.value.data for entry in attribute if isinstance(entry, IntegerAttr)]
    return []


def ravel(index: Sequence[int], shape: Shape) -> int:
    """Returns the row-major number of a multi-dimensional index."""
    flat = 0
    for i, size in zip(index, shape, strict=True):
        flat = flat * size + i
    return flat


def unravel(flat: int, shape: Shape) -> list[int]:
    """Returns the multi-dimensional index that has a row-major number."""
    index: list[int] = []
    for size in reversed(shape):
        flat, i = divmod(flat, size)
        index.insert(0, i)
    return index


def origins(op: Operation, result: int = 0) -> Origins:
    """Returns where the elements of a result of `op` come from; it has a rule in `ELEMENT_MOVES`."""
    return ELEMENT_MOVES[op](result, op)


def inserted(first: int, count: int) -> Origins:
    """Returns the origins of a vector whose elements from `first` on are the `count` elements of operand 0.

    All others are those of operand 1.
    """
    return lambda i: (0, i - first) if first <= i < first + count else (1, i)


@ELEMENT_MOVES.register(BroadcastOp)
def _broadcast(result: int, op: Operation) -> Origins:
    source, shape = shape_of(op.operands[0].type), shape_of(op.results[0].type)

    def origin(i: int) -> Origin:
        index = unravel(i, shape)[len(shape) - len(source) :]
        return 0, ravel([0 if size == 1 else j for j, size in zip(index, source, strict=True)], source)

    return origin


@ELEMENT_MOVES.register(TransposeOp)
def _transpose(result: int, op: Operation) -> Origins:
    permutation = integers(op, "permutation")
    source, shape = shape_of(op.operands[0].type), shape_of(op.results[0].type)

    def origin(i: int) -> Origin:
        index = [0] * len(source)
        for position, dimension in zip(unravel(i, shape), permutation, strict=True):
            index[dimension] = position
        return 0, ravel(index, source)

    return origin


@ELEMENT_MOVES.register(ExtractStridedSliceOp)
def _extract_slice(result: int, op: Operation) -> Origins:
    source, shape = shape_of(op.operands[0].type), shape_of(op.results[0].type)
    offsets = integers(op, "offsets")
    offsets += [0] * (len(source) - len(offsets))
    return lambda i: (0, ravel([o + j for o, j in zip(offsets, unravel(i, shape), strict=True)], source))


@ELEMENT_MOVES.register(InsertStridedSliceOp)
def _insert_slice(result: int, op: Operation) -> Origins:
    part, whole = shape_of(op.operands[0].type), shape_of(op.results[0].type)
    offsets, sizes = integers(op, "offsets"), (1,) * (len(whole) - len(part)) + part

    def origin(i: int) -> Origin:
        index = [j - offset for j, offset in zip(unravel(i, whole), offsets, strict=True)]
        is_inside = all(0 <= j < size for j, size in zip(index, sizes, strict=True))
        return (0, ravel(index, sizes)) if is_inside else (1, i)

    return origin


@ELEMENT_MOVES.register(ShuffleOp)
def _shuffle(result: int, op: Operation) -> Origins:
    first, shape = shape_of(op.operands[0].type), shape_of(op.results[0].type)
    # The mask of vectors without dimensions counts each as one row; -1 stands for any row.
    rows, row, mask = first[0] if first else 1, prod(shape[1:]), integers(op, "mask")

    def origin(i: int) -> Origin:
        entry = max(mask[i // row], 0)
        return (0, entry * row + i % row) if entry < rows else (1, (entry - rows) * row + i % row)

    return origin


@ELEMENT_MOVES.register(DeinterleaveOp)
def _deinterleave(result: int, op: Operation) -> Origins:
    return lambda i: (0, 2 * i + result)


@ELEMENT_MOVES.register(FromElementsOp)
def _from_elements(result: int, op: Operation) -> Origins:
    return lambda i: (i, 0)


@ELEMENT_MOVES.register(InterleaveOp)
def _interleave(result: int, op: Operation) -> Origins:
    return lambda i: (i % 2, i // 2)


@ELEMENT_MOVES.register(ShapeCastOp)
def _shape_cast(result: int, op: Operation) -> Origins:
    return lambda i: (0, i)


@ELEMENT_MOVES.register(ToElementsOp)
def _to_elements(result: int, op: Operation) -> Origins:
    return lambda i: (0, result)
