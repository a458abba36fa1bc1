"""Operations of the vector dialect that are instructions of LLVM IR."""

from __future__ import annotations

from itertools import chain

from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, VectorType
from xdsl.ir import Operation, SSAValue

from passes.frontends.llvm_dialect.writing.types import INDEX_BITS, type_text
from passes.frontends.llvm_dialect.writing.writer import FunctionWriter, writes


def _position(writer: FunctionWriter, op: Operation, dynamic: list[SSAValue]) -> str | None:
    """Returns the place of one element in a vector; None if the operation is about a part or a whole vector."""
    places = op.properties.get("static_position")
    numbers = [int(number) for number in places.get_values()] if isinstance(places, DenseArrayBase) else []
    if len(numbers) != 1:
        return None
    return writer.typed(dynamic[0]) if numbers[0] == DYNAMIC_INDEX else f"i{INDEX_BITS} {numbers[0]}"


@writes("vector.extract")
def extract(writer: FunctionWriter, op: Operation) -> None:
    vector, *dynamic = op.operands
    place = _position(writer, op, dynamic)
    if place is None:
        writer.call_foreign(op)
        return
    writer.emit(op, f"extractelement {writer.typed(vector)}, {place}", result=op.results[0])


@writes("vector.insert")
def insert(writer: FunctionWriter, op: Operation) -> None:
    value, vector, *dynamic = op.operands
    place = _position(writer, op, dynamic)
    if place is None:
        writer.call_foreign(op)
        return
    text = f"insertelement {writer.typed(vector)}, {writer.typed(value)}, {place}"
    writer.emit(op, text, result=op.results[0])


@writes("vector.from_elements")
def from_elements(writer: FunctionWriter, op: Operation) -> None:
    type, together = type_text(op.results[0].type), "poison"
    for number, element in enumerate(op.operands[:-1]):
        together = writer.step(op, f"insertelement {type} {together}, {writer.typed(element)}, i32 {number}")
    last = f"{writer.typed(op.operands[-1])}, i32 {len(op.operands) - 1}"
    writer.emit(op, f"insertelement {type} {together}, {last}", result=op.results[0])


@writes("vector.to_elements")
def to_elements(writer: FunctionWriter, op: Operation) -> None:
    for number, result in enumerate(op.results):
        writer.emit(op, f"extractelement {writer.typed(op.operands[0])}, i32 {number}", result=result)


@writes("vector.broadcast", "vector.splat")
def broadcast(writer: FunctionWriter, op: Operation) -> None:
    (value,), (result,) = op.operands, op.results
    if isinstance(value.type, VectorType) or not isinstance(result.type, VectorType):
        writer.call_foreign(op)
        return
    type, count = type_text(result.type), result.type.element_count()
    first = writer.step(op, f"insertelement {type} poison, {writer.typed(value)}, i32 0")
    writer.emit(op, f"shufflevector {type} {first}, {type} poison, <{count} x i32> zeroinitializer", result=result)


@writes("vector.shuffle")
def shuffle(writer: FunctionWriter, op: Operation) -> None:
    mask = op.properties["mask"]
    assert isinstance(mask, DenseArrayBase)
    first, second = op.operands
    if first.type != second.type:
        writer.call_foreign(op)
        return
    _shuffle(writer, op, [int(number) for number in mask.get_values()])


@writes("vector.interleave")
def interleave(writer: FunctionWriter, op: Operation) -> None:
    type = op.operands[0].type
    assert isinstance(type, VectorType)
    count = type.element_count()
    _shuffle(writer, op, list(chain.from_iterable((number, number + count) for number in range(count))))


def _shuffle(writer: FunctionWriter, op: Operation, numbers: list[int]) -> None:
    words = ", ".join("i32 poison" if number < 0 else f"i32 {number}" for number in numbers)
    text = f"shufflevector {writer.all_typed(op.operands)}, <{len(numbers)} x i32> <{words}>"
    writer.emit(op, text, result=op.results[0])
