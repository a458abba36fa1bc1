"""Shifts, bit fields, and the integer instructions of Intel's extensions."""

from __future__ import annotations

from passes.frontends.spirv.reader import Instruction
from passes.frontends.spirv.translation.arithmetic import broadcast, require, splat
from passes.frontends.spirv.translation.writer import FunctionWriter, Value, handles
from passes.frontends.spirv.types import INTS, Int, Type, VectorType, vector_of

_SHIFTS = {"OpShiftLeftLogical": "shl", "OpShiftRightLogical": "lshr", "OpShiftRightArithmetic": "ashr"}


@handles(*_SHIFTS)
def _shift(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    require(instruction, kind, Int)
    amount = resized(writer, instruction, 1, kind)
    value = writer.same(instruction, 0, kind)
    flags = ""
    if instruction.name == "OpShiftLeftLogical":
        flags += "nuw " if writer.decorated(instruction, "NoUnsignedWrap") is not None else ""
        flags += "nsw " if writer.decorated(instruction, "NoSignedWrap") is not None else ""
    writer.define(instruction, f"{_SHIFTS[instruction.name]} {flags}{kind.llvm} {value}, {amount}")


def resized(writer: FunctionWriter, instruction: Instruction, index: int, kind: Type) -> str:
    """Returns an operand without a sign in the width of another type, and repeated if that is a vector."""
    value = writer.operand(instruction, index)
    scalar, goal = value.type.scalar, kind.scalar
    if not isinstance(scalar, Int) or not isinstance(goal, Int) or value.type.count not in (1, kind.count):
        raise instruction.error(f"operand %{instruction.number(index)} has the type {value.type.llvm}")
    text = value.text
    if scalar.width != goal.width:
        width = f"<{value.type.count} x {goal.llvm}>" if isinstance(value.type, VectorType) else goal.llvm
        operation = "zext" if scalar.width < goal.width else "trunc"
        text = writer.temporary(f"{operation} {value.typed} to {width}")
    return text if value.type.count == kind.count else broadcast(writer, kind, text)


@handles("OpBitReverse")
def _reverse(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    require(instruction, kind, Int)
    value = Value(kind, writer.same(instruction, 0, kind))
    writer.define(instruction, writer.intrinsic("bitreverse", kind, [value]))


@handles("OpBitCount")
def _count(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    value = writer.operand(instruction, 0)
    if not isinstance(value.type, Type) or value.type.count != kind.count:
        raise instruction.error(f"its operand has the type {value.type.llvm}, and its result {kind.llvm}")
    require(instruction, kind, Int)
    require(instruction, value.type, Int)
    counted = writer.intrinsic("ctpop", value.type, [value])
    _sized(writer, instruction, counted, value.type, kind)


def _sized(writer: FunctionWriter, instruction: Instruction, text: str, source: Type, goal: Type) -> None:
    """Defines the result as a value without a sign in another width."""
    if source.size == goal.size:
        writer.define(instruction, text)
        return
    operation = "zext" if source.size < goal.size else "trunc"
    writer.define(instruction, f"{operation} {source.llvm} {writer.temporary(text)} to {goal.llvm}")


def _mask(writer: FunctionWriter, kind: Type, count: str) -> str:
    """Returns as many low bits as `count` says, all of them if it is the width."""
    assert isinstance(kind.scalar, Int)
    width = splat(kind, str(kind.scalar.width))
    shift = writer.temporary(f"sub {kind.llvm} {width}, {count}")
    ones = writer.temporary(f"lshr {kind.llvm} {splat(kind, '-1')}, {shift}")
    empty = writer.temporary(f"icmp eq {kind.llvm} {count}, {splat(kind, '0')}")
    truth = f"<{kind.count} x i1>" if isinstance(kind, VectorType) else "i1"
    return writer.temporary(f"select {truth} {empty}, {kind.llvm} {splat(kind, '0')}, {kind.llvm} {ones}")


@handles("OpBitFieldInsert")
def _insert(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    require(instruction, kind, Int)
    base, field = writer.same(instruction, 0, kind), writer.same(instruction, 1, kind)
    offset, count = resized(writer, instruction, 2, kind), resized(writer, instruction, 3, kind)
    mask = _mask(writer, kind, count)
    kept = writer.temporary(
        f"xor {kind.llvm} {writer.temporary(f'shl {kind.llvm} {mask}, {offset}')}, {splat(kind, '-1')}"
    )
    low = writer.temporary(f"and {kind.llvm} {field}, {mask}")
    placed = writer.temporary(f"shl {kind.llvm} {low}, {offset}")
    rest = writer.temporary(f"and {kind.llvm} {base}, {kept}")
    writer.define(instruction, f"or {kind.llvm} {rest}, {placed}")


@handles("OpBitFieldUExtract", "OpBitFieldSExtract")
def _extract(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    require(instruction, kind, Int)
    base = writer.same(instruction, 0, kind)
    offset, count = resized(writer, instruction, 1, kind), resized(writer, instruction, 2, kind)
    mask = _mask(writer, kind, count)
    moved = writer.temporary(f"lshr {kind.llvm} {base}, {offset}")
    if instruction.name == "OpBitFieldUExtract":
        writer.define(instruction, f"and {kind.llvm} {moved}, {mask}")
        return
    # The sign is the highest bit of the mask: (x ^ sign) - sign extends it.
    field = writer.temporary(f"and {kind.llvm} {moved}, {mask}")
    half = writer.temporary(f"lshr {kind.llvm} {mask}, {splat(kind, '1')}")
    sign = writer.temporary(f"xor {kind.llvm} {mask}, {half}")
    flipped = writer.temporary(f"xor {kind.llvm} {field}, {sign}")
    writer.define(instruction, f"sub {kind.llvm} {flipped}, {sign}")


_AS_OPENCL = {
    "OpUCountLeadingZerosINTEL": ("clz", True),
    "OpUCountTrailingZerosINTEL": ("ctz", True),
    "OpAbsISubINTEL": ("abs_diff", False),
    "OpAbsUSubINTEL": ("abs_diff", True),
    "OpIAddSatINTEL": ("add_sat", False),
    "OpUAddSatINTEL": ("add_sat", True),
    "OpIAverageINTEL": ("hadd", False),
    "OpUAverageINTEL": ("hadd", True),
    "OpIAverageRoundedINTEL": ("rhadd", False),
    "OpUAverageRoundedINTEL": ("rhadd", True),
    "OpISubSatINTEL": ("sub_sat", False),
    "OpUSubSatINTEL": ("sub_sat", True),
}


@handles(*_AS_OPENCL)
def _as_opencl(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    require(instruction, kind, Int)
    name, unsigned = _AS_OPENCL[instruction.name]
    arguments = [Value(kind, writer.same(instruction, place, kind)) for place in range(len(instruction.operands))]
    writer.define(instruction, writer.builtin(name, kind, arguments, unsigned=(unsigned,)))


_DOTS = {"OpSDot": "ss", "OpUDot": "uu", "OpSUDot": "su"}


@handles(*_DOTS, *(f"{name}AccSat" for name in _DOTS))
def _dot(writer: FunctionWriter, instruction: Instruction) -> None:
    """Writes the sum of products of narrow integers, which may be packed into a word of four bytes."""
    kind = writer.data(instruction)
    require(instruction, kind, Int)
    saturating = instruction.name.endswith("AccSat")
    signs = _DOTS[instruction.name.removesuffix("AccSat")]
    rows = [_unpacked(writer, instruction, place) for place in range(2)]
    if rows[0].type.count != rows[1].type.count:
        raise instruction.error("its operands have different numbers of components")
    total = "0"
    for place in range(rows[0].type.count):
        factors = [_factor(writer, row, place, kind, sign == "s") for row, sign in zip(rows, signs, strict=True)]
        product = writer.temporary(f"mul {kind.llvm} {', '.join(factors)}")
        total = writer.temporary(f"add {kind.llvm} {total}, {product}")
    if saturating:
        name = "uadd.sat" if signs == "uu" else "sadd.sat"
        both = [Value(kind, total), Value(kind, writer.same(instruction, 2, kind))]
        writer.define(instruction, writer.intrinsic(name, kind, both))
    else:
        writer.define(instruction, f"add {kind.llvm} {total}, 0")


def _factor(writer: FunctionWriter, row: Value, place: int, kind: Type, signed: bool) -> str:
    part = writer.temporary(f"extractelement {row.typed}, i32 {place}")
    if row.type.scalar.size == kind.size:
        return part
    return writer.temporary(f"{'sext' if signed else 'zext'} {row.type.scalar.llvm} {part} to {kind.llvm}")


def _unpacked(writer: FunctionWriter, instruction: Instruction, index: int) -> Value:
    value = writer.operand(instruction, index)
    if isinstance(value.type, VectorType) and isinstance(value.type.element, Int):
        return value
    if isinstance(value.type, Int) and value.type.width == 32:
        packed = vector_of(INTS[8], 4)
        return Value(packed, writer.temporary(f"bitcast {value.typed} to {packed.llvm}"))
    raise instruction.error(f"operand %{instruction.number(index)} has the type {value.type.llvm}")
