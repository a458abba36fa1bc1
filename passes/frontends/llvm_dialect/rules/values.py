"""Elements of vectors and parts of aggregates."""

from __future__ import annotations

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr
from xdsl.ir import Operation

from passes.frontends.llvm_dialect.writing.writer import FunctionWriter, writes


def _numbers(op: Operation, name: str) -> list[int]:
    found = op.properties[name]
    assert isinstance(found, DenseArrayBase)
    return [int(number) for number in found.get_values()]


@writes("llvm.extractelement")
def extract_element(writer: FunctionWriter, op: Operation) -> None:
    writer.emit(op, f"extractelement {writer.all_typed(op.operands)}", result=op.results[0])


@writes("llvm.insertelement")
def insert_element(writer: FunctionWriter, op: Operation) -> None:
    writer.emit(op, f"insertelement {writer.all_typed(op.operands)}", result=op.results[0])


@writes("llvm.shufflevector")
def shuffle(writer: FunctionWriter, op: Operation) -> None:
    numbers = _numbers(op, "mask")
    words = ", ".join("i32 poison" if number < 0 else f"i32 {number}" for number in numbers)
    text = f"shufflevector {writer.all_typed(op.operands)}, <{len(numbers)} x i32> <{words}>"
    writer.emit(op, text, result=op.results[0])


@writes("llvm.extractvalue")
def extract_value(writer: FunctionWriter, op: Operation) -> None:
    path = "".join(f", {number}" for number in _numbers(op, "position"))
    writer.emit(op, f"extractvalue {writer.typed(op.operands[0])}{path}", result=op.results[0])


@writes("llvm.insertvalue")
def insert_value(writer: FunctionWriter, op: Operation) -> None:
    path = "".join(f", {number}" for number in _numbers(op, "position"))
    writer.emit(op, f"insertvalue {writer.all_typed(op.operands)}{path}", result=op.results[0])


@writes("llvm.intr.vector.insert", "llvm.intr.vector.extract")
def part(writer: FunctionWriter, op: Operation) -> None:
    """Writes the intrinsic that puts a vector into a longer one, or takes it out."""
    place = op.properties["pos"]
    assert isinstance(place, IntegerAttr)
    operands = f"{writer.all_typed(op.operands)}, i64 {place.value.data}"
    name = op.name.removeprefix("llvm.intr.")
    writer.emit(op, f"call {writer.type(op.results[0].type)} @llvm.{name}({operands})", result=op.results[0])
