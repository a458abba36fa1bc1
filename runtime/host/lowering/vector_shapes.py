"""Vectors: operations that only move elements."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Operation, SSAValue

from passes.support.normal_forms import ELEMENT_MOVES, Origin, Origins, inserted, integers, origins, ravel, shape_of
from runtime.host.data.types import lanes_of
from runtime.host.emission.emitter import FunctionEmitter, lowers
from runtime.llvm import IRFunction, Value, count_of, element_of, integer
from xegpu.dialects.upstream.vector import BitcastOp, ExtractElementOp, ExtractOp, InsertElementOp, InsertOp


def as_vector(code: IRFunction, value: Value) -> Value:
    """Returns a scalar as a vector of one element, and vectors as they are."""
    if value.type.startswith("<"):
        return value
    return code.value(f"<1 x {value.type}>", f"insertelement <1 x {value.type}> poison, {value}, i64 0")


def picked(code: IRFunction, operands: Sequence[Value], picks: Sequence[Origin], type: str) -> Value:
    """Returns elements of operands as a value of an LLVM type, vector or scalar."""
    if not type.startswith("<"):
        ((number, index),) = picks
        return code.extract(as_vector(code, operands[number]), index)
    if len(operands) > 1 and not any(operand.type.startswith("<") for operand in operands):
        result = Value(type, "poison")
        for lane, (number, _) in enumerate(picks):
            result = code.value(type, f"insertelement {result}, {operands[number]}, i64 {lane}")
        return result
    source, starts = as_vector(code, operands[0]), [0]
    for other in operands[1:]:
        starts.append(count_of(source.type))
        source = code.concatenate(source, as_vector(code, other))
    return code.shuffle(source, None, [starts[number] + index for number, index in picks])


def _give(emitter: FunctionEmitter, op: Operation, origin: Origins, operands: int, number: int = 0) -> None:
    """Binds a result to elements of the first operands."""
    result = op.results[number]
    (type,) = emitter.types(op, result.type)
    values = [emitter.one(operand) for operand in op.operands[:operands]]
    emitter.give(result, picked(emitter.code, values, [origin(i) for i in range(lanes_of(result.type))], type))


@lowers(*ELEMENT_MOVES.rules)
def move(emitter: FunctionEmitter, op: Operation) -> None:
    for number in range(len(op.results)):
        _give(emitter, op, origins(op, number), len(op.operands), number)


@lowers(ExtractOp)
def extract(emitter: FunctionEmitter, op: ExtractOp) -> None:
    if op.dynamic_position:
        _dynamic(emitter, op)
    else:
        first = _first(op, op.vector)
        _give(emitter, op, lambda i: (0, first + i), 1)


@lowers(InsertOp)
def insert(emitter: FunctionEmitter, op: InsertOp) -> None:
    if op.dynamic_position:
        _dynamic(emitter, op)
    else:
        _give(emitter, op, inserted(_first(op, op.dest), lanes_of(op.source.type)), 2)


def _first(op: Operation, vector: SSAValue) -> int:
    """Returns the row-major number of the first element at a constant position."""
    position, shape = integers(op, "static_position"), shape_of(vector.type)
    return ravel([*position, *[0] * (len(shape) - len(position))], shape)


def _position(emitter: FunctionEmitter, op: ExtractOp | InsertOp, vector: SSAValue) -> tuple[Value, int]:
    """Returns the number of the first element at a position that is not constant, and the number of elements there."""
    code, shape, given = emitter.code, shape_of(vector.type), iter(op.dynamic_position)
    static = integers(op, "static_position")
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


@lowers(ExtractElementOp, InsertElementOp)
def element(emitter: FunctionEmitter, op: Operation) -> None:
    code = emitter.code
    is_insert = isinstance(op, InsertElementOp)
    vector = emitter.one(op.operands[1 if is_insert else 0])
    rest = op.operands[2 if is_insert else 1 :]
    place = emitter.one(rest[0]) if rest else integer(0)
    if is_insert:
        emitter.give(
            op.results[0], code.value(vector.type, f"insertelement {vector}, {emitter.one(op.operands[0])}, {place}")
        )
    else:
        emitter.give(op.results[0], code.value(element_of(vector.type), f"extractelement {vector}, {place}"))


@lowers(BitcastOp)
def bitcast(emitter: FunctionEmitter, op: BitcastOp) -> None:
    (type,) = emitter.types(op, op.result.type)
    emitter.give(op.result, emitter.code.cast("bitcast", emitter.one(op.source), type))
