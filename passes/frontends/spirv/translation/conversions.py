"""Conversions between numbers, and between pointers and what they are cast to."""

from __future__ import annotations

from passes.frontends.spirv.grammar import name_of
from passes.frontends.spirv.reader import Instruction
from passes.frontends.spirv.translation.arithmetic import splat
from passes.frontends.spirv.translation.writer import FunctionWriter, Value, handles, overload, with_count
from passes.frontends.spirv.types import (
    BOOL,
    FLOATS,
    INTS,
    AnyType,
    Array,
    Bool,
    Float,
    Int,
    MatrixType,
    PointerType,
    Struct,
    Type,
    VectorType,
    vector_of,
)


def like(kind: Type, scalar: Type) -> Type:
    """Returns the type with as many components as `kind` and other scalars."""
    return vector_of(scalar, kind.count) if isinstance(kind, VectorType) else scalar


def _operand(
    writer: FunctionWriter, instruction: Instruction, source: type[Type], goal: type[Type]
) -> tuple[Value, Type]:
    """Returns the operand of a conversion and the type of its result."""
    kind = writer.data(instruction)
    value = writer.operand(instruction, 0)
    fits = isinstance(value.type.scalar, source) and isinstance(kind.scalar, goal) and isinstance(value.type, Type)
    if not fits or value.type.count != kind.count:
        raise instruction.error(f"it cannot convert {value.type.llvm} to {kind.llvm}")
    return value, kind


@handles("OpUConvert", "OpSConvert", "OpSatConvertSToU", "OpSatConvertUToS")
def _integer(writer: FunctionWriter, instruction: Instruction) -> None:
    """Converts integers; producers also convert between equal widths, which copies."""
    value, kind = _operand(writer, instruction, Int, Int)
    saturating = writer.decorated(instruction, "SaturatedConversion") is not None or "Sat" in instruction.name
    from_signed = instruction.name in ("OpSConvert", "OpSatConvertSToU")
    text = value.text
    assert isinstance(value.type, Type) and isinstance(value.type.scalar, Int) and isinstance(kind.scalar, Int)
    if saturating:
        to_signed = instruction.name in ("OpSConvert", "OpSatConvertUToS")
        text = _clamped(writer, value.type, text, kind.scalar.width, from_signed, to_signed)
    if value.type.scalar.width == kind.scalar.width:
        writer.define(instruction, f"or {kind.llvm} {text}, {splat(kind, '0')}")
        return
    wider = value.type.scalar.width < kind.scalar.width
    operation = ("sext" if from_signed else "zext") if wider else "trunc"
    writer.define(instruction, f"{operation} {value.type.llvm} {text} to {kind.llvm}")


def _clamped(writer: FunctionWriter, kind: Type, text: str, width: int, from_signed: bool, to_signed: bool) -> str:
    """Returns an integer moved into the range of another one, as far as its own type reaches beyond that."""
    assert isinstance(kind.scalar, Int)
    own = kind.scalar.width
    least, most = (-(1 << width - 1), (1 << width - 1) - 1) if to_signed else (0, (1 << width) - 1)
    prefix = "s" if from_signed else "u"
    own_least, own_most = (-(1 << own - 1), (1 << own - 1) - 1) if from_signed else (0, (1 << own) - 1)
    for operation, bound, needed in (("max", least, least > own_least), ("min", most, most < own_most)):
        if needed:
            limit = Value(kind, splat(kind, str(bound)))
            text = writer.temporary(writer.intrinsic(prefix + operation, kind, [Value(kind, text), limit]))
    return text


@handles("OpConvertFToU", "OpConvertFToS")
def _float_to_integer(writer: FunctionWriter, instruction: Instruction) -> None:
    value, kind = _operand(writer, instruction, Float, Int)
    assert isinstance(value.type, Type)
    text = value.text
    mode = rounding(writer, instruction)
    if mode not in (None, "RTZ"):
        function = {"RTE": "rint", "RTP": "ceil", "RTN": "floor"}[mode]
        text = writer.temporary(writer.intrinsic(function, value.type, [Value(value.type, text)]))
    operation = "fptoui" if instruction.name == "OpConvertFToU" else "fptosi"
    if writer.decorated(instruction, "SaturatedConversion") is not None:
        name = f"llvm.{operation}.sat.{overload(kind)}.{overload(value.type)}"
        writer.define(instruction, writer.call_text(name, kind.llvm, [Value(value.type, text)]))
    else:
        writer.define(instruction, f"{operation} {value.type.llvm} {text} to {kind.llvm}")


def rounding(writer: FunctionWriter, instruction: Instruction) -> str | None:
    """Returns the rounding mode with which an instruction is decorated."""
    found = writer.decorated(instruction, "FPRoundingMode")
    return name_of("FPRoundingMode", found[0]) if found and isinstance(found[0], int) else None


@handles("OpFConvert")
def _float(writer: FunctionWriter, instruction: Instruction) -> None:
    value, kind = _operand(writer, instruction, Float, Float)
    assert isinstance(value.type, Type)
    if value.type == kind:
        writer.define(instruction, f"bitcast {value.typed} to {kind.llvm}")
    elif value.type.size < kind.size:
        writer.define(instruction, f"fpext {value.typed} to {kind.llvm}")
    else:
        narrowed(writer, instruction, value.type, value.text, kind, rounding(writer, instruction))


def narrowed(
    writer: FunctionWriter, instruction: Instruction, source: Type, text: str, kind: Type, mode: str | None
) -> None:
    """Defines the result as a float in a narrower type, rounded as the mode says."""
    if mode in (None, "RTE"):
        writer.define(instruction, f"fptrunc {source.llvm} {text} to {kind.llvm}")
        return
    assert isinstance(kind.scalar, Float)
    near = writer.temporary(f"fptrunc {source.llvm} {text} to {kind.llvm}")
    back = writer.temporary(f"fpext {kind.llvm} {near} to {source.llvm}")
    integer = like(kind, INTS[kind.scalar.width])
    truth = with_count(kind, BOOL)
    bits = writer.temporary(f"bitcast {kind.llvm} {near} to {integer.llvm}")
    negative = writer.temporary(f"icmp slt {integer.llvm} {bits}, {splat(integer, '0')}")
    # The nearest number lies on the wrong side of the exact one, or it is the result.
    if mode == "RTZ":
        left = writer.temporary(writer.intrinsic("fabs", source, [Value(source, back)]))
        right = writer.temporary(writer.intrinsic("fabs", source, [Value(source, text)]))
        wrong = writer.temporary(f"fcmp ogt {source.llvm} {left}, {right}")
        step = splat(integer, "-1")
    else:
        upwards = mode == "RTP"
        wrong = writer.temporary(f"fcmp {'olt' if upwards else 'ogt'} {source.llvm} {back}, {text}")
        away, towards = splat(integer, "1"), splat(integer, "-1")
        choices = (towards, away) if upwards else (away, towards)
        step = writer.temporary(f"select {truth} {negative}, {integer.llvm} {choices[0]}, {integer.llvm} {choices[1]}")
    moved = writer.temporary(f"add {integer.llvm} {bits}, {step}")
    other = writer.temporary(f"bitcast {integer.llvm} {moved} to {kind.llvm}")
    writer.define(instruction, f"select {truth} {wrong}, {kind.llvm} {other}, {kind.llvm} {near}")


@handles("OpConvertSToF", "OpConvertUToF")
def _integer_to_float(writer: FunctionWriter, instruction: Instruction) -> None:
    value, kind = _operand(writer, instruction, Int, Float)
    signed = instruction.name == "OpConvertSToF"
    operation = "sitofp" if signed else "uitofp"
    mode = rounding(writer, instruction)
    assert isinstance(value.type, Type) and isinstance(value.type.scalar, Int) and isinstance(kind.scalar, Float)
    precision = {16: 11, 32: 24, 64: 53}[kind.scalar.width]
    if mode in (None, "RTE") or (value.type.scalar.width <= precision and kind.scalar.width > 16):
        writer.define(instruction, f"{operation} {value.typed} to {kind.llvm}")
        return
    if value.type.scalar.width < 64:
        long = like(value.type, INTS[64])
        extended = f"{'sext' if signed else 'zext'} {value.typed} to {long.llvm}"
        value = Value(long, writer.temporary(extended))
    # Not each GPU has doubles, and a float holds the few bits that are left.
    between = like(kind, FLOATS[max(kind.scalar.width, 32)])
    exact = _directed(writer, value, between, signed, mode, precision)
    if between == kind:
        writer.define(instruction, f"fmul {kind.llvm} {exact}, {splat(kind, '1.0')}")
    else:
        narrowed(writer, instruction, between, exact, kind, mode)


def _directed(writer: FunctionWriter, value: Value, wide: Type, signed: bool, mode: str, precision: int) -> str:
    """Returns a 64-bit integer as a float with at most `precision` bits, rounded in a direction."""
    kind = value.type
    assert isinstance(kind, Type)
    text, truth = value.text, with_count(kind, BOOL)
    negative = writer.temporary(f"icmp slt {kind.llvm} {text}, {splat(kind, '0')}") if signed else splat(BOOL, "false")
    if signed:
        opposite = writer.temporary(f"sub {kind.llvm} {splat(kind, '0')}, {text}")
        magnitude = writer.temporary(f"select {truth} {negative}, {kind.llvm} {opposite}, {kind.llvm} {text}")
    else:
        magnitude = text
    zeros = writer.temporary(writer.intrinsic("ctlz", kind, [Value(kind, magnitude), Value(BOOL, "false")]))
    excess = writer.temporary(f"sub {kind.llvm} {splat(kind, str(64 - precision))}, {zeros}")
    zero = Value(kind, splat(kind, "0"))
    shift = writer.temporary(writer.intrinsic("smax", kind, [Value(kind, excess), zero]))
    top = writer.temporary(f"lshr {kind.llvm} {magnitude}, {shift}")
    if mode != "RTZ":
        kept = writer.temporary(f"shl {kind.llvm} {top}, {shift}")
        inexact = writer.temporary(f"icmp ne {kind.llvm} {kept}, {magnitude}")
        if signed:
            away = (
                negative
                if mode == "RTN"
                else writer.temporary(f"xor {truth} {negative}, {splat(like(kind, BOOL), 'true')}")
            )
            inexact = writer.temporary(f"and {truth} {inexact}, {away}")
        if signed or mode == "RTP":
            one = writer.temporary(f"zext {truth} {inexact} to {kind.llvm}")
            top = writer.temporary(f"add {kind.llvm} {top}, {one}")
    unit = writer.temporary(f"shl {kind.llvm} {splat(kind, '1')}, {shift}")
    factors = [writer.temporary(f"uitofp {kind.llvm} {each} to {wide.llvm}") for each in (top, unit)]
    product = writer.temporary(f"fmul {wide.llvm} {factors[0]}, {factors[1]}")
    if not signed:
        return product
    minus = writer.temporary(f"fneg {wide.llvm} {product}")
    return writer.temporary(f"select {truth} {negative}, {wide.llvm} {minus}, {wide.llvm} {product}")


@handles("OpQuantizeToF16")
def _quantize(writer: FunctionWriter, instruction: Instruction) -> None:
    value, kind = _operand(writer, instruction, Float, Float)
    half = like(kind, FLOATS[16])
    near = writer.temporary(f"fptrunc {value.typed} to {half.llvm}")
    writer.define(instruction, f"fpext {half.llvm} {near} to {kind.llvm}")


_POINTERS = {
    "OpConvertPtrToU": (True, False),
    "OpConvertUToPtr": (False, True),
    "OpPtrCastToGeneric": (True, True),
    "OpGenericCastToPtr": (True, True),
    "OpBitcast": (None, None),
    "OpCopyObject": (None, None),
}


@handles(*_POINTERS)
def _cast(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.type(instruction)
    value = writer.operand(instruction, 0)
    from_pointer, to_pointer = isinstance(value.type, PointerType), isinstance(kind, PointerType)
    expected = _POINTERS[instruction.name]
    if None not in expected and (from_pointer, to_pointer) != expected:
        raise instruction.error(f"it cannot turn {value.type.llvm} into {kind.llvm}")
    if instruction.name == "OpCopyObject" and value.type.llvm != kind.llvm:
        raise instruction.error(f"it cannot copy {value.type.llvm} to {kind.llvm}")
    writer.define(instruction, cast(writer, instruction, value, kind))


def cast(writer: FunctionWriter, instruction: Instruction, value: Value, kind: AnyType) -> str:
    """Returns the computation that gives a value another type and keeps its bits."""
    source = value.type
    if isinstance(source, PointerType) and isinstance(kind, PointerType):
        if source.space == kind.space:
            return f"bitcast {value.typed} to {kind.llvm}"
        if instruction.name == "OpBitcast":
            raise instruction.error("it cannot change the storage class of a pointer")
        return f"addrspacecast {value.typed} to {kind.llvm}"
    word = INTS[64]
    if isinstance(source, PointerType):
        if isinstance(kind, Int):
            return f"ptrtoint {value.typed} to {kind.llvm}"
        return cast(writer, instruction, Value(word, writer.temporary(f"ptrtoint {value.typed} to i64")), kind)
    if isinstance(kind, PointerType):
        if isinstance(source, Int):
            return f"inttoptr {value.typed} to {kind.llvm}"
        inner = writer.temporary(cast(writer, instruction, value, word))
        return f"inttoptr i64 {inner} to {kind.llvm}"
    if instruction.name == "OpCopyObject":
        return _copy(value)
    bits = [_bits(each) for each in (source, kind)]
    if bits[0] is None or bits[0] != bits[1]:
        raise instruction.error(f"it cannot turn {source.llvm} into {kind.llvm}")
    return f"bitcast {value.typed} to {kind.llvm}"


def _bits(kind: AnyType) -> int | None:
    """Returns the bits of a number, or of all components of a vector; None for other types."""
    match kind.scalar:
        case Bool():
            return kind.count
        case Int() | Float() as scalar:
            return scalar.width * kind.count
        case _:
            return None


@handles("OpCopyLogical")
def _copy_logical(writer: FunctionWriter, instruction: Instruction) -> None:
    kind, value = writer.type(instruction), writer.operand(instruction, 0)
    writer.define(instruction, _copy(Value(kind, _rebuilt(writer, instruction, value, kind))))


def _rebuilt(writer: FunctionWriter, instruction: Instruction, value: Value, kind: AnyType) -> str:
    """Returns a value, part by part, in a type that has the same parts under another name."""
    if value.type.llvm == kind.llvm:
        return value.text
    match value.type, kind:
        case Struct(members=sources), Struct(members=goals) if len(sources) == len(goals):
            parts = list(zip(sources, goals, strict=True))
        case Array(), Array() if value.type.length == kind.length:
            parts = [(value.type.element, kind.element)] * kind.length
        case _:
            raise instruction.error(f"it cannot copy {value.type.llvm} to {kind.llvm}")
    whole = "poison"
    for place, (source, goal) in enumerate(parts):
        part = Value(source, writer.temporary(f"extractvalue {value.typed}, {place}"))
        text = f"{goal.llvm} {_rebuilt(writer, instruction, part, goal)}"
        whole = writer.temporary(f"insertvalue {kind.llvm} {whole}, {text}, {place}")
    return whole


def _copy(value: Value) -> str:
    return f"select i1 true, {value.typed}, {value.typed}"


@handles("OpGenericCastToPtrExplicit")
def _explicit(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.type(instruction)
    value = writer.operand(instruction, 0)
    if not isinstance(kind, PointerType) or not isinstance(value.type, PointerType) or value.type.space != 4:
        raise instruction.error(f"it cannot turn {value.type.llvm} into {kind.llvm}")
    goal = {0: "Private", 1: "Global", 3: "Local"}.get(kind.space)
    if goal is None:
        raise instruction.error("its result is not a pointer to Function, CrossWorkgroup or Workgroup")
    writer.define(instruction, writer.builtin(f"__spirv_GenericCastToPtrExplicit_To{goal}", kind, [value]))


_BF16 = {"OpConvertFToBF16INTEL", "OpConvertBF16ToFINTEL", "OpRoundFToTF32INTEL"}


@handles(*_BF16)
def _short_float(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    value = writer.operand(instruction, 0)
    single, short = (
        vector_of(scalar, kind.count) if isinstance(kind, VectorType) else scalar for scalar in (FLOATS[32], INTS[16])
    )
    expected = {
        "OpConvertFToBF16INTEL": (single, short),
        "OpConvertBF16ToFINTEL": (short, single),
        "OpRoundFToTF32INTEL": (single, single),
    }[instruction.name]
    if (value.type.llvm, kind.llvm) != (expected[0].llvm, expected[1].llvm):
        raise instruction.error(f"it cannot turn {value.type.llvm} into {kind.llvm}")
    if isinstance(kind, MatrixType):
        _by_elements(writer, instruction, value, kind)
        return
    writer.define(instruction, writer.builtin(f"__spirv_{instruction.name[2:]}", kind, [value]))


def _by_elements(writer: FunctionWriter, instruction: Instruction, value: Value, kind: MatrixType) -> None:
    """Converts the elements of a matrix one by one: builtins have as many components as OpenCL's vectors."""
    text = "poison"
    for index in range(kind.components):
        element = Value(value.type.scalar, writer.temporary(f"extractelement {value.typed}, i32 {index}"))
        converted = writer.temporary(writer.builtin(f"__spirv_{instruction.name[2:]}", kind.element, [element]))
        text = writer.temporary(f"insertelement {kind.llvm} {text}, {kind.element.llvm} {converted}, i32 {index}")
    writer.define(instruction, f"bitcast {kind.llvm} {text} to {kind.llvm}")
