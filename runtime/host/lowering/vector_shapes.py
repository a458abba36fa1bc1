"""Vectors: operations that only move elements.

Each is a list that says for every element of the result which element of the operands it is, one operand's elements
behind the other's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, DenseArrayBase, IntegerAttr, VectorType
from xdsl.dialects.vector import ShuffleOp
from xdsl.ir import Attribute, Operation, SSAValue

from runtime.host.emitter import FunctionEmitter, lowers
from runtime.host.types import lanes_of
from runtime.llvm import IRFunction, Value, element_of, integer
from xegpu.dialects.upstream.vector import (
    BitcastOp,
    BroadcastOp,
    DeinterleaveOp,
    ExtractOp,
    ExtractStridedSliceOp,
    FromElementsOp,
    InsertOp,
    InsertStridedSliceOp,
    InterleaveOp,
    ShapeCastOp,
    ToElementsOp,
    TransposeOp,
)

Picks = NDArray[np.int64]


def shape_of(type: Attribute) -> tuple[int, ...]:
    """The shape of a vector; a scalar has none."""
    return tuple(type.get_shape()) if isinstance(type, VectorType) else ()


def numbered(type: Attribute, first: int = 0) -> Picks:
    """The numbers of the elements of a value, in its shape."""
    return np.arange(first, first + lanes_of(type)).reshape(shape_of(type))


def _integers(attribute: Attribute) -> list[int]:
    if isinstance(attribute, DenseArrayBase):
        return [int(number) for number in attribute.get_values()]
    assert isinstance(attribute, ArrayAttr)
    return [number.value.data for number in attribute.data if isinstance(number, IntegerAttr)]


def _broadcast(op: BroadcastOp) -> Picks:
    return np.broadcast_to(numbered(op.source.type), shape_of(op.vector.type))


def _shape_cast(op: ShapeCastOp) -> Picks:
    return numbered(op.source.type).reshape(shape_of(op.result.type))


def _transpose(op: TransposeOp) -> Picks:
    return numbered(op.vector.type).transpose(_integers(op.permutation))


def _extract(op: ExtractOp) -> Picks:
    found: Picks = numbered(op.vector.type)[tuple(_integers(op.static_position))]
    return found


def _insert(op: InsertOp) -> Picks:
    picks = numbered(op.dest.type, lanes_of(op.source.type))
    picks[tuple(_integers(op.static_position))] = numbered(op.source.type)
    return picks


def _slices(offsets: Attribute, sizes: Sequence[int]) -> tuple[slice, ...]:
    return tuple(slice(start, start + size) for start, size in zip(_integers(offsets), sizes, strict=False))


def _extract_slice(op: ExtractStridedSliceOp) -> Picks:
    return numbered(op.vector.type)[_slices(op.offsets, _integers(op.sizes))]


def _insert_slice(op: InsertStridedSliceOp) -> Picks:
    picks, source = numbered(op.dest.type, lanes_of(op.source.type)), numbered(op.source.type)
    whole = (1,) * (picks.ndim - source.ndim) + source.shape
    picks[_slices(op.offsets, whole)] = source.reshape(whole)
    return picks


def _shuffle(op: ShuffleOp) -> Picks:
    rows = np.concatenate([numbered(op.v1.type), numbered(op.v2.type, lanes_of(op.v1.type))])
    return rows[_integers(op.mask)]


def _interleave(op: InterleaveOp) -> Picks:
    pairs = np.stack([numbered(op.lhs.type), numbered(op.rhs.type, lanes_of(op.lhs.type))], -1)
    return pairs.reshape(shape_of(op.result.type))


_MOVES: dict[type[Operation], Callable[..., Picks]] = {
    BroadcastOp: _broadcast,
    ShapeCastOp: _shape_cast,
    TransposeOp: _transpose,
    ExtractOp: _extract,
    InsertOp: _insert,
    ExtractStridedSliceOp: _extract_slice,
    InsertStridedSliceOp: _insert_slice,
    ShuffleOp: _shuffle,
    InterleaveOp: _interleave,
}


def as_vector(code: IRFunction, value: Value) -> Value:
    """A scalar as a vector of one element; vectors as they are."""
    if value.type.startswith("<"):
        return value
    return code.value(f"<1 x {value.type}>", f"insertelement <1 x {value.type}> poison, {value}, i64 0")


def picked(code: IRFunction, operands: Sequence[Value], picks: Picks, type: str) -> Value:
    """The elements of operands in another order, as a value of an LLVM type, vector or scalar."""
    source = as_vector(code, operands[0])
    for other in operands[1:]:
        source = code.concatenate(source, as_vector(code, other))
    flat = picks.reshape(-1)
    if not type.startswith("<"):
        return code.extract(source, int(flat[0]))
    return code.shuffle(source, None, [int(pick) for pick in flat])


@lowers(*(op.name for op in _MOVES))
def move(emitter: FunctionEmitter, op: Operation) -> None:
    (type,) = emitter.types(op, op.results[0].type)
    if isinstance(op, ExtractOp | InsertOp) and DYNAMIC_INDEX in _integers(op.static_position):
        _dynamic(emitter, op)
        return
    operands = [emitter.one(operand) for operand in op.operands]
    emitter.give(op.results[0], picked(emitter.code, operands, _MOVES[type_of(op)](op), type))


def type_of(op: Operation) -> type[Operation]:
    """The class of an op that moves elements."""
    return next(kind for kind in _MOVES if isinstance(op, kind))


def _position(emitter: FunctionEmitter, op: ExtractOp | InsertOp, vector: SSAValue) -> tuple[Value, int]:
    """The number of the first element at a position that is not a constant, and how many there are."""
    code, shape, given = emitter.code, shape_of(vector.type), iter(op.dynamic_position)
    static = _integers(op.static_position)
    rest = int(np.prod(shape[len(static) :], dtype=np.int64))
    position = integer(0)
    for dimension, number in enumerate(static):
        index = emitter.one(next(given)) if number == DYNAMIC_INDEX else integer(number)
        size = integer(shape[dimension])
        text = f"is out of bounds: position {{0}} in dimension {dimension} of size {{1}}"
        emitter.fail_if(code.compare("icmp uge", index, size), op, text, index, size)
        position = code.binary("add", code.binary("mul", position, size), index)
    return code.binary("mul", position, integer(rest)), rest


def _dynamic(emitter: FunctionEmitter, op: ExtractOp | InsertOp) -> None:
    code, is_insert = emitter.code, isinstance(op, InsertOp)
    vector = op.dest if isinstance(op, InsertOp) else op.vector
    start, count = _position(emitter, op, vector)
    whole = emitter.one(vector)
    part = as_vector(code, emitter.one(op.source)) if isinstance(op, InsertOp) else None
    result = whole if is_insert else Value(f"<{count} x {element_of(whole.type)}>", "poison")
    for lane in range(count):
        place = code.binary("add", start, integer(lane))
        if part is not None:
            one = code.extract(part, lane)
            result = code.value(whole.type, f"insertelement {result}, {one}, {place}")
        else:
            one = code.value(element_of(whole.type), f"extractelement {whole}, {place}")
            result = code.value(result.type, f"insertelement {result}, {one}, i64 {lane}")
    (type,) = emitter.types(op, op.results[0].type)
    emitter.give(op.results[0], result if type.startswith("<") else code.extract(result, 0))


@lowers("vector.deinterleave")
def deinterleave(emitter: FunctionEmitter, op: Operation) -> None:
    assert isinstance(op, DeinterleaveOp)
    for number, result in enumerate(op.results):
        (type,) = emitter.types(op, result.type)
        emitter.give(
            result, picked(emitter.code, [emitter.one(op.source)], numbered(op.source.type)[..., number::2], type)
        )


@lowers("vector.extractelement", "vector.insertelement")
def element(emitter: FunctionEmitter, op: Operation) -> None:
    code = emitter.code
    is_insert = op.name == "vector.insertelement"
    vector = emitter.one(op.operands[1 if is_insert else 0])
    rest = op.operands[2 if is_insert else 1 :]
    place = emitter.one(rest[0]) if rest else integer(0)
    if is_insert:
        emitter.give(
            op.results[0], code.value(vector.type, f"insertelement {vector}, {emitter.one(op.operands[0])}, {place}")
        )
    else:
        emitter.give(op.results[0], code.value(element_of(vector.type), f"extractelement {vector}, {place}"))


@lowers("vector.from_elements")
def from_elements(emitter: FunctionEmitter, op: Operation) -> None:
    assert isinstance(op, FromElementsOp)
    (type,) = emitter.types(op, op.results[0].type)
    result = Value(type, "poison")
    for lane, value in enumerate(op.operands):
        result = emitter.code.value(type, f"insertelement {result}, {emitter.one(value)}, i64 {lane}")
    emitter.give(op.results[0], result)


@lowers("vector.to_elements")
def to_elements(emitter: FunctionEmitter, op: Operation) -> None:
    assert isinstance(op, ToElementsOp)
    for lane, result in enumerate(op.results):
        emitter.give(result, emitter.code.extract(emitter.one(op.source), lane))


@lowers("vector.bitcast")
def bitcast(emitter: FunctionEmitter, op: Operation) -> None:
    assert isinstance(op, BitcastOp)
    (type,) = emitter.types(op, op.result.type)
    emitter.give(op.result, emitter.code.cast("bitcast", emitter.one(op.source), type))
