"""Cooperative matrices: products, and what works on all elements. Lanes hold what `Fragment` describes."""

from __future__ import annotations

from collections.abc import Sequence

from passes.frontends.spirv.grammar import name_of, value_of
from passes.frontends.spirv.reader import Instruction
from passes.frontends.spirv.translation.arithmetic import broadcast, fast_flags, require
from passes.frontends.spirv.translation.writer import FunctionWriter, Value, handles
from passes.frontends.spirv.types import (
    FLOATS,
    INTS,
    AnyType,
    Float,
    Fragment,
    Int,
    MatrixType,
    MatrixUse,
    Type,
    vector_of,
)


def matrix_type(instruction: Instruction, kind: AnyType) -> MatrixType:
    """Returns a type that is one of a matrix.

    Raises:
        SpirvError: It is another type.
    """
    if not isinstance(kind, MatrixType):
        raise instruction.error(f"it works on cooperative matrices, not on {kind.llvm}")
    return kind


def lane_place(writer: FunctionWriter, fragment: Fragment, width: int) -> tuple[str, str]:
    """Returns the row and the column that a lane adds to the places of elements in the first lane."""
    kind = f"i{width}"
    lane = writer.temporary(writer.builtin("__spirv_BuiltInSubgroupLocalInvocationId", INTS[32], []))
    if width > INTS[32].width:
        lane = writer.temporary(f"zext i32 {lane} to {kind}")
    row, column = "0", lane
    if fragment.rows_at_once > 1:
        row = writer.temporary(f"udiv {kind} {lane}, {fragment.block_columns}")
        column = writer.temporary(f"urem {kind} {lane}, {fragment.block_columns}")
    if fragment.neighbours > 1:
        column = writer.temporary(f"mul {kind} {lane}, {fragment.neighbours}")
    return row, column


# Products.

_OPERANDS = "CooperativeMatrixOperands"
_SIGNED_A, _SIGNED_B, _SATURATING, _TF32, _BF16, _BF16_C, _BF16_RESULT = (
    value_of(_OPERANDS, name)
    for name in (
        "MatrixASignedComponentsKHR",
        "MatrixBSignedComponentsKHR",
        "SaturatingAccumulationKHR",
        "MatrixAAndBTF32ComponentsINTEL",
        "MatrixAAndBBFloat16ComponentsINTEL",
        "MatrixCBFloat16ComponentsINTEL",
        "MatrixResultBFloat16ComponentsINTEL",
    )
)

_FACTORS = {"i8": 0x30, "half": 0xC00, "bfloat": 0x3000, "i16": 0x3000, "float": 0x300}
"""The bits of `OpSubgroupMatrixMultiplyAccumulateINTEL` for the elements of A and B."""

_MARKS = {"float": (_TF32, "MatrixAAndBTF32ComponentsINTEL"), "i16": (_BF16, "MatrixAAndBBFloat16ComponentsINTEL")}
"""The operands without which elements are no factors."""

_SUMS = {"float": FLOATS[32], "half": FLOATS[16], "i32": INTS[32], "bfloat": INTS[16], "i16": INTS[16]}
"""The elements of sums, and those of the instruction, which has bf16 as its bits."""

_SUM_MARKS = ((2, _BF16_C, "MatrixCBFloat16ComponentsINTEL"), (3, _BF16_RESULT, "MatrixResultBFloat16ComponentsINTEL"))

_MOST_ROWS = 8
"""The most rows of A in a product."""


@handles("OpCooperativeMatrixMulAddKHR")
def _multiply_add(writer: FunctionWriter, instruction: Instruction) -> None:
    """Writes a product for eight rows, the columns of an engine, and each step along its depth."""
    result = matrix_type(instruction, writer.type(instruction))
    values = [writer.operand(instruction, place) for place in range(3)]
    kinds = [*(matrix_type(instruction, each.type) for each in values), result]
    mask = instruction.number(3) if len(instruction.operands) > 3 else 0
    _check_shapes(instruction, kinds)
    flags = _product_flags(instruction, kinds, mask)
    a, b, c = (kind.fragment for kind in kinds[:3])
    words = [_words(writer, kind, value.text) for kind, value in zip(kinds[:2], values[:2], strict=True)]
    sum_type, result_type = _SUMS[kinds[2].element.llvm], _SUMS[result.element.llvm]
    sums = _cast(writer, kinds[2], values[2].text, vector_of(sum_type, kinds[2].components))
    per_row = a.neighbours * a.bits // a.word_bits
    steps = a.blocks
    b_words = b.depth * b.bits // b.word_bits
    found: list[Value] = []
    for block in range(c.blocks):
        for row in range(0, c.rows, _MOST_ROWS):
            count = min(_MOST_ROWS, c.rows - row)
            start = block * c.block_size + row
            total = _part(writer, sums, range(start, start + count))
            for step in range(steps):
                first = step * (words[0].type.count // steps) + row // a.rows_at_once * per_row
                rows = _part(writer, words[0], range(first, first + -(-count // a.rows_at_once) * per_row))
                first = block * (words[1].type.count // b.blocks) + step * b_words
                columns = _part(writer, words[1], range(first, first + b_words))
                last = step == steps - 1
                total = _product(writer, a.depth, rows, columns, total, flags, result_type if last else sum_type)
            found.append(total)
    joined = _joined(writer, found)
    writer.define(instruction, f"bitcast {joined.typed} to {result.llvm}")


def _check_shapes(instruction: Instruction, kinds: Sequence[MatrixType]) -> None:
    a, b, c, result = (kind.fragment for kind in kinds)
    uses = [each.use for each in (a, b, c, result)]
    if uses != [MatrixUse.A, MatrixUse.B, MatrixUse.ACCUMULATOR, MatrixUse.ACCUMULATOR]:
        names = ", ".join(name_of("CooperativeMatrixUse", use.value) for use in uses)
        raise instruction.error(f"its matrices A, B, C and its result have the uses {names}")
    shapes = [(each.rows, each.columns) for each in (a, b, c, result)]
    if shapes != [(a.rows, a.columns), (a.columns, b.columns), (a.rows, b.columns), (a.rows, b.columns)]:
        text = ", ".join(f"{rows}x{columns}" for rows, columns in shapes)
        raise instruction.error(f"its matrices A, B, C and its result have {text} elements")


def _product_flags(instruction: Instruction, kinds: Sequence[MatrixType], mask: int) -> int:
    """Returns the last operand of the instruction for products.

    Raises:
        SpirvError: No product has such elements.
    """
    left, right, *sums = (kind.element.llvm for kind in kinds)
    if mask & _SATURATING:
        raise instruction.error("its sums saturate, which those of matrix engines with 32 bits do not")
    if left not in _FACTORS or left != right:
        raise instruction.error(f"it multiplies {left} by {right}, which no matrix engine does")
    if left in _MARKS and not mask & _MARKS[left][0]:
        raise instruction.error(f"it multiplies {left}, which takes the operand {_MARKS[left][1]}")
    for element in sums:
        if element not in _SUMS or (element == "i32") != (left == "i8"):
            raise instruction.error(f"it multiplies {left} and adds to {element}, which no matrix engine does")
    for place, bit, name in _SUM_MARKS:
        if kinds[place].element.llvm == "i16" and not mask & bit:
            raise instruction.error(f"it adds numbers of 16 bits, which takes the operand {name}")
    signs = (mask & _SIGNED_A and 1) | (mask & _SIGNED_B and 2) if left == "i8" else 0
    short = sum(bit for element, bit in zip(sums, (4, 8), strict=True) if _SUMS[element] == INTS[16])
    return _FACTORS[left] | signs | short


def _words(writer: FunctionWriter, kind: MatrixType, text: str) -> Value:
    """Returns a factor in the numbers of a product; those of tf32 in A stay floats."""
    fragment = kind.fragment
    element: Type = INTS[fragment.word_bits]
    if kind.element == FLOATS[32]:
        element = kind.element
    return _cast(writer, kind, text, vector_of(element, kind.components * fragment.bits // fragment.word_bits))


def _cast(writer: FunctionWriter, kind: AnyType, text: str, goal: AnyType) -> Value:
    return Value(goal, writer.temporary(f"bitcast {kind.llvm} {text} to {goal.llvm}"))


def _scalar(value: Value) -> Type:
    scalar = value.type.scalar
    assert isinstance(scalar, Type)
    return scalar


def _part(writer: FunctionWriter, value: Value, places: range) -> Value:
    """Returns some components of a vector: a scalar for one, as products take it."""
    scalar = _scalar(value)
    if len(places) == 1:
        return Value(scalar, writer.temporary(f"extractelement {value.typed}, i32 {places[0]}"))
    if len(places) == value.type.count:
        return value
    chosen = ", ".join(f"i32 {place}" for place in places)
    mask = f"<{len(places)} x i32> <{chosen}>"
    text = writer.temporary(f"shufflevector {value.typed}, {value.type.llvm} poison, {mask}")
    return Value(vector_of(scalar, len(places)), text)


def _product(writer: FunctionWriter, depth: int, a: Value, b: Value, c: Value, flags: int, element: Type) -> Value:
    """Returns A * B + C for as many rows as C has components."""
    kind = vector_of(element, c.type.count) if c.type.count > 1 else element
    arguments = [Value(INTS[32], str(depth)), a, b, c, Value(INTS[32], str(flags))]
    return Value(kind, writer.temporary(writer.builtin(PRODUCT, kind, arguments)))


PRODUCT = "__spirv_SubgroupMatrixMultiplyAccumulateINTEL"


def _joined(writer: FunctionWriter, parts: Sequence[Value]) -> Value:
    """Returns parts one behind the other as one vector; neighbours are joined first, so that few moves remain."""
    values = [_vector(writer, part) for part in parts]
    while len(values) > 1:
        pairs = [values[place : place + 2] for place in range(0, len(values), 2)]
        values = [_concatenated(writer, *pair) if len(pair) > 1 else pair[0] for pair in pairs]
    return values[0]


def _vector(writer: FunctionWriter, value: Value) -> Value:
    if value.type.llvm != value.type.scalar.llvm:
        return value
    kind = vector_of(_scalar(value), 1)
    return Value(kind, writer.temporary(f"insertelement {kind.llvm} poison, {value.typed}, i32 0"))


def _concatenated(writer: FunctionWriter, first: Value, second: Value) -> Value:
    """Returns two vectors, of which the second one is not longer, one behind the other."""
    counts = first.type.count, second.type.count
    places = (str(place) if place < counts[1] else "poison" for place in range(counts[0]))
    extended = second.text
    if counts[1] < counts[0]:
        mask = ", ".join(f"i32 {place}" for place in places)
        extended = writer.temporary(
            f"shufflevector {second.typed}, {second.type.llvm} poison, <{counts[0]} x i32> <{mask}>"
        )
    mask = ", ".join(f"i32 {place}" for place in range(sum(counts)))
    text = f"shufflevector {first.typed}, {first.type.llvm} {extended}, <{sum(counts)} x i32> <{mask}>"
    return Value(vector_of(_scalar(first), sum(counts)), writer.temporary(text))


# Elements.


@handles("OpMatrixTimesScalar")
def _scale(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = matrix_type(instruction, writer.type(instruction))
    require(instruction, kind, Float, Int)
    vector = broadcast(writer, kind, writer.same(instruction, 1, kind.element))
    operation = f"fmul {fast_flags(writer, instruction)}" if isinstance(kind.element, Float) else "mul "
    writer.define(instruction, f"{operation}{kind.llvm} {writer.same(instruction, 0, kind)}, {vector}")


@handles("OpCooperativeMatrixLengthKHR")
def _length(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = matrix_type(instruction, writer.declarations.type(instruction, instruction.number(0)))
    writer.define(instruction, f"or i32 {kind.components}, 0")


@handles("OpCooperativeMatrixGetElementCoordINTEL")
def _coordinate(writer: FunctionWriter, instruction: Instruction) -> None:
    """Writes the row and the column of the element with a number, which need not be known."""
    kind = writer.data(instruction)
    matrix = matrix_type(instruction, writer.operand(instruction, 0).type)
    index = writer.same(instruction, 1, INTS[32])
    if kind != vector_of(INTS[32], 2):
        raise instruction.error(f"its result has the type {kind.llvm}, not <2 x i32>")
    fragment = matrix.fragment
    block = writer.temporary(f"udiv i32 {index}, {fragment.block_size}")
    inside = writer.temporary(f"urem i32 {index}, {fragment.block_size}")
    row = writer.temporary(f"udiv i32 {inside}, {fragment.neighbours}")
    neighbour = writer.temporary(f"urem i32 {inside}, {fragment.neighbours}")
    first = writer.temporary(f"mul i32 {block}, {fragment.block_columns}")
    column = writer.temporary(f"add i32 {first}, {neighbour}")
    row = writer.temporary(f"mul i32 {row}, {fragment.rows_at_once}")
    lane_row, lane_column = lane_place(writer, fragment, 32)
    row = writer.temporary(f"add i32 {row}, {lane_row}")
    if fragment.rows % fragment.rows_at_once:
        limit = Value(INTS[32], str(fragment.rows - 1))
        row = writer.temporary(writer.intrinsic("umin", INTS[32], [Value(INTS[32], row), limit]))
    column = writer.temporary(f"add i32 {column}, {lane_column}")
    pair = writer.temporary(f"insertelement <2 x i32> poison, i32 {row}, i32 0")
    writer.define(instruction, f"insertelement <2 x i32> {pair}, i32 {column}, i32 1")
