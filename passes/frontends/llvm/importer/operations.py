"""Imports instructions that compute: arithmetic, comparisons, conversions, choices, and parts of vectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects import arith
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseArrayBase, FixedBitwidthType, IntegerType, VectorType, i1, i64
from xdsl.dialects.llvm import LLVMPointerType, PtrToIntOp
from xdsl.dialects.vector import CombiningKindAttr, CombiningKindFlag, ShuffleOp
from xdsl.ir import Attribute, Operation, SSAValue

from passes.frontends.llvm.importer.builder import Builder
from passes.frontends.llvm.importer.function import FunctionImporter, Parts, imports
from passes.frontends.llvm.importer.layout import path_range
from passes.frontends.llvm.reader import Indices, Instruction, Predicate, Undefined, Value, constant_value
from xegpu.dialects.upstream.arith import (
    CmpfOp,
    CmpiOp,
    DivSIOp,
    DivUIOp,
    ExtFOp,
    ExtSIOp,
    ExtUIOp,
    FPToSIOp,
    FPToUIOp,
    RemfOp,
    SelectOp,
    ShRSIOp,
    ShRUIOp,
    SIToFPOp,
    TruncFOp,
    TruncIOp,
    UIToFPOp,
)
from xegpu.dialects.upstream.vector import BitcastOp, BroadcastOp, ExtractOp, FromElementsOp, InsertOp, ReductionOp

_BINARY: dict[str, type[Operation]] = {
    "add": arith.AddiOp,
    "sub": arith.SubiOp,
    "mul": arith.MuliOp,
    "udiv": DivUIOp,
    "sdiv": DivSIOp,
    "urem": arith.RemUIOp,
    "srem": arith.RemSIOp,
    "and": arith.AndIOp,
    "or": arith.OrIOp,
    "xor": arith.XOrIOp,
    "shl": arith.ShLIOp,
    "lshr": ShRUIOp,
    "ashr": ShRSIOp,
    "fadd": arith.AddfOp,
    "fsub": arith.SubfOp,
    "fmul": arith.MulfOp,
    "fdiv": arith.DivfOp,
    "frem": RemfOp,
}
_CASTS: dict[str, Callable[[SSAValue, Attribute], Operation]] = {
    "trunc": TruncIOp,
    "zext": ExtUIOp,
    "sext": ExtSIOp,
    "fptrunc": TruncFOp,
    "fpext": ExtFOp,
    "fptosi": FPToSIOp,
    "fptoui": FPToUIOp,
    "sitofp": SIToFPOp,
    "uitofp": UIToFPOp,
}


@imports(*_BINARY)
def binary(importer: FunctionImporter, instruction: Instruction) -> Parts:
    importer.check(instruction.type)
    a, b = (importer.value(operand) for operand in instruction.operands)
    # Properties have their defaults.
    return (importer.builder.add(_BINARY[instruction.opcode].create(operands=[a, b], result_types=[a.type])),)


@imports("fneg")
def negate(importer: FunctionImporter, instruction: Instruction) -> Parts:
    return (importer.builder.add(arith.NegfOp(importer.value(instruction.operands[0]))),)


@imports("freeze")
def freeze(importer: FunctionImporter, instruction: Instruction) -> Parts:
    """Values are frozen: nothing that reads one twice sees two different ones."""
    return importer.parts(instruction.operands[0])


@imports("icmp")
def compare_integers(importer: FunctionImporter, instruction: Instruction) -> Parts:
    """Pointers compare as numbers."""
    a, b = (importer.value(operand) for operand in instruction.operands)
    if isinstance(a.type, LLVMPointerType):
        a, b = (importer.builder.add(PtrToIntOp(pointer, i64)) for pointer in (a, b))
    return (importer.builder.add(CmpiOp(a, b, _predicate(instruction))),)


@imports("fcmp")
def compare_floats(importer: FunctionImporter, instruction: Instruction) -> Parts:
    a, b = (importer.value(operand) for operand in instruction.operands)
    return (importer.builder.add(CmpfOp(a, b, _predicate(instruction))),)


def _predicate(instruction: Instruction) -> str:
    assert isinstance(instruction.detail, Predicate)
    return instruction.detail.name


@imports(*_CASTS)
def cast(importer: FunctionImporter, instruction: Instruction) -> Parts:
    importer.check(instruction.type)
    value = importer.value(instruction.operands[0])
    return (importer.builder.add(_CASTS[instruction.opcode](value, instruction.type)),)


@imports("bitcast")
def bitcast(importer: FunctionImporter, instruction: Instruction) -> Parts:
    importer.check(instruction.type)
    return (reinterpreted(importer, importer.value(instruction.operands[0]), instruction.type),)


def reinterpreted(importer: FunctionImporter, value: SSAValue, type: Attribute) -> SSAValue:
    """Returns the bits of a value as a value of another type."""
    builder, source = importer.builder, value.type
    if source == type:
        return value
    if not isinstance(source, VectorType) and not isinstance(type, VectorType):
        return builder.add(arith.BitcastOp(value, type))
    if isinstance(source, VectorType) and isinstance(type, IntegerType) and source.get_element_type() == i1:
        return _packed(builder, value, type)
    if isinstance(source, IntegerType) and isinstance(type, VectorType) and type.get_element_type() == i1:
        return _unpacked(builder, value, type)
    if isinstance(source, VectorType) and isinstance(type, VectorType):
        if source.get_shape() == type.get_shape():
            return builder.add(arith.BitcastOp(value, type))
        if importer.lanes == 1 and i1 not in (source.get_element_type(), type.get_element_type()):
            return builder.add(BitcastOp(operands=[value], result_types=[type]))
        return _regrouped(importer, value, source, type)
    if isinstance(type, VectorType):
        one = VectorType(source, [1])
        return reinterpreted(importer, builder.add(BroadcastOp(value, one)), type)
    return builder.add(ExtractOp(reinterpreted(importer, value, VectorType(type, [1])), [0]))


def _places(mask: VectorType) -> list[int]:
    """Returns the word that has the bit of each element of a mask, for each of them."""
    return [1 << n for n in range(mask.element_count())]


def _packed(builder: Builder, mask: SSAValue, word: IntegerType) -> SSAValue:
    """Returns the word whose bits, lowest first, are the elements of a mask."""
    assert isinstance(mask.type, VectorType)
    words = VectorType(word, mask.type.get_shape())
    bits = builder.add(SelectOp(mask, builder.constant(words, _places(mask.type)), builder.constant(words, 0)))
    return builder.add(ReductionOp(CombiningKindAttr(CombiningKindFlag.OR), bits))


def _unpacked(builder: Builder, word: SSAValue, mask: VectorType) -> SSAValue:
    """Returns the mask whose elements are the bits of a word, lowest first."""
    words = VectorType(word.type, mask.get_shape())
    bits = builder.add(arith.AndIOp(builder.add(BroadcastOp(word, words)), builder.constant(words, _places(mask))))
    return builder.add(CmpiOp(bits, builder.constant(words, 0), "ne"))


def _regrouped(importer: FunctionImporter, value: SSAValue, source: VectorType, target: VectorType) -> SSAValue:
    """Returns the bits of a vector as a vector of wider or narrower elements: lower bits come first."""
    builder, counts = importer.builder, (source.element_count(), target.element_count())
    kind = source.get_element_type()
    assert isinstance(kind, FixedBitwidthType)
    wide, narrow = (IntegerType(kind.bitwidth * counts[0] // count) for count in sorted(counts))
    ratio = max(counts) // min(counts)
    parts = reinterpreted(importer, value, VectorType(wide if counts[0] < counts[1] else narrow, [counts[0]]))
    elements = [builder.add(ExtractOp(parts, [n])) for n in range(counts[0])]
    found: list[SSAValue] = []
    if counts[0] < counts[1]:
        for element in elements:
            for n in range(ratio):
                low = builder.add(ShRUIOp(element, builder.constant(wide, n * narrow.width.data)))
                found.append(builder.add(TruncIOp(low, narrow)))
    else:
        for start in range(0, counts[0], ratio):
            whole = builder.add(ExtUIOp(elements[start], wide))
            for n in range(1, ratio):
                part = builder.add(ExtUIOp(elements[start + n], wide))
                part = builder.add(arith.ShLIOp(part, builder.constant(wide, n * narrow.width.data)))
                whole = builder.add(arith.OrIOp(whole, part))
            found.append(whole)
    result = VectorType(found[0].type, [counts[1]])
    return reinterpreted(importer, builder.add(FromElementsOp(found, result)), target)


@imports("select")
def select(importer: FunctionImporter, instruction: Instruction) -> Parts:
    condition, a, b = instruction.operands
    choice = importer.value(condition)
    pairs = zip(importer.parts(a), importer.parts(b), strict=True)
    return tuple(importer.builder.add(SelectOp(choice, x, y)) for x, y in pairs)


@imports("extractelement")
def extract_element(importer: FunctionImporter, instruction: Instruction) -> Parts:
    vector, index = instruction.operands
    return (importer.builder.add(ExtractOp(importer.value(vector), [_position(importer, vector.type, index)])),)


@imports("insertelement")
def insert_element(importer: FunctionImporter, instruction: Instruction) -> Parts:
    vector, element, index = instruction.operands
    position = _position(importer, vector.type, index)
    value, whole = importer.value(element), importer.value(vector)
    known = _known_elements(importer, vector) if isinstance(position, int) else None
    if known is None or not isinstance(position, int):
        return (inserted(importer, value, whole, position),)
    known = known | {position: value}
    result = _put_together(importer, known, whole.type) or inserted(importer, value, whole, position)
    importer.elements[result] = known
    return (result,)


def _put_together(importer: FunctionImporter, known: Mapping[int, SSAValue], type: Attribute) -> SSAValue | None:
    """Returns a vector of scalars, or None if some of its elements are not among them."""
    assert isinstance(type, VectorType)
    if len(known) < type.element_count():
        return None
    return importer.builder.add(FromElementsOp([known[n] for n in range(len(known))], type))


def _known_elements(importer: FunctionImporter, vector: Value) -> dict[int, SSAValue] | None:
    """Returns the elements of a vector that is put together of scalars; those that it lacks are undefined."""
    if isinstance(vector, Undefined):
        return {}
    return importer.elements.get(importer.value(vector))


def inserted(importer: FunctionImporter, element: SSAValue, vector: SSAValue, position: int | SSAValue) -> SSAValue:
    """Returns a vector with one element replaced."""
    static, dynamic = (position, []) if isinstance(position, int) else (DYNAMIC_INDEX, [position])
    op = InsertOp(
        operands=[element, vector, dynamic],
        result_types=[vector.type],
        properties={"static_position": DenseArrayBase.from_list(i64, [static])},
    )
    return importer.builder.add(op)


def _position(importer: FunctionImporter, vector: Attribute, index: Value) -> int | SSAValue:
    """Returns the number of an element; one that the vector does not have means any."""
    assert isinstance(vector, VectorType)
    number = constant_value(index)
    if number is None:
        return 0 if isinstance(index, Undefined) else importer.builder.index(importer.value(index))
    return number if 0 <= number < vector.element_count() else 0


@imports("shufflevector")
def shuffle(importer: FunctionImporter, instruction: Instruction) -> Parts:
    a, b = (importer.value(operand) for operand in instruction.operands)
    assert isinstance(instruction.detail, Indices) and isinstance(a.type, VectorType)
    numbers = [max(number, 0) for number in instruction.detail.numbers]
    known = [_known_elements(importer, operand) or {} for operand in instruction.operands]
    elements = known[0] | {a.type.element_count() + n: element for n, element in known[1].items()}
    picked = {place: elements[number] for place, number in enumerate(numbers) if number in elements}
    is_splat = len(set(numbers)) == 1
    if not is_splat and (whole := _put_together(importer, picked, instruction.type)) is not None:
        importer.elements[whole] = picked
        return (whole,)
    mask = DenseArrayBase.from_list(i64, numbers)
    assert isinstance(instruction.type, VectorType)
    return (importer.builder.add(ShuffleOp(a, b, mask, result_type=instruction.type)),)


@imports("extractvalue")
def extract_value(importer: FunctionImporter, instruction: Instruction) -> Parts:
    (aggregate,) = instruction.operands
    assert isinstance(instruction.detail, Indices)
    start, end = path_range(aggregate.type, instruction.detail.numbers)
    return importer.parts(aggregate)[start:end]


@imports("insertvalue")
def insert_value(importer: FunctionImporter, instruction: Instruction) -> Parts:
    aggregate, value = instruction.operands
    assert isinstance(instruction.detail, Indices)
    start, end = path_range(aggregate.type, instruction.detail.numbers)
    parts = importer.parts(aggregate)
    return (*parts[:start], *importer.parts(value), *parts[end:])
