"""Arithmetic, logic and comparisons."""

from __future__ import annotations

from passes.frontends.spirv.reader import Instruction
from passes.frontends.spirv.translation.writer import FunctionWriter, Value, handles, with_count
from passes.frontends.spirv.types import BOOL, Bool, Float, Int, PointerType, Type, VectorType, vector_of

_INTEGER = {
    "OpIAdd": "add",
    "OpISub": "sub",
    "OpIMul": "mul",
    "OpUDiv": "udiv",
    "OpSDiv": "sdiv",
    "OpUMod": "urem",
    "OpSRem": "srem",
    "OpBitwiseOr": "or",
    "OpBitwiseXor": "xor",
    "OpBitwiseAnd": "and",
}
_FLOAT = {"OpFAdd": "fadd", "OpFSub": "fsub", "OpFMul": "fmul", "OpFDiv": "fdiv", "OpFRem": "frem"}
_LOGICAL = {"OpLogicalOr": "or", "OpLogicalAnd": "and", "OpLogicalNotEqual": "xor"}

_INTEGER_COMPARISONS = {
    "OpIEqual": "eq",
    "OpINotEqual": "ne",
    "OpUGreaterThan": "ugt",
    "OpSGreaterThan": "sgt",
    "OpUGreaterThanEqual": "uge",
    "OpSGreaterThanEqual": "sge",
    "OpULessThan": "ult",
    "OpSLessThan": "slt",
    "OpULessThanEqual": "ule",
    "OpSLessThanEqual": "sle",
}
_FLOAT_COMPARISONS = {
    "OpFOrdEqual": "oeq",
    "OpFUnordEqual": "ueq",
    "OpFOrdNotEqual": "one",
    "OpFUnordNotEqual": "une",
    "OpFOrdLessThan": "olt",
    "OpFUnordLessThan": "ult",
    "OpFOrdGreaterThan": "ogt",
    "OpFUnordGreaterThan": "ugt",
    "OpFOrdLessThanEqual": "ole",
    "OpFUnordLessThanEqual": "ule",
    "OpFOrdGreaterThanEqual": "oge",
    "OpFUnordGreaterThanEqual": "uge",
    "OpLessOrGreater": "one",
    "OpOrdered": "ord",
    "OpUnordered": "uno",
}

_FAST_FLAGS = (
    (0x1, "nnan "),
    (0x2, "ninf "),
    (0x4, "nsz "),
    (0x8, "arcp "),
    (0x10000, "contract "),
    (0x20000, "reassoc "),
)
"""The bits of FPFastMathMode, and what LLVM calls them. `Fast` is all of them."""


def require(instruction: Instruction, kind: Type, *expected: type[Type]) -> None:
    """Checks the scalars of a type.

    Raises:
        SpirvError: They are of another kind.
    """
    if not isinstance(kind.scalar, expected):
        names = " or ".join({Int: "integers", Float: "floats", Bool: "truth values"}.get(each, "") for each in expected)
        raise instruction.error(f"it works on {names} and vectors of them, not on {kind.llvm}")


def splat(kind: Type, text: str) -> str:
    """Returns a constant whose components are all the same."""
    if isinstance(kind, VectorType):
        return f"<{', '.join([f'{kind.element.llvm} {text}'] * kind.components)}>"
    return text


def fast_flags(writer: FunctionWriter, instruction: Instruction) -> str:
    """Returns the flags of a floating-point instruction."""
    found = writer.decorated(instruction, "FPFastMathMode")
    mask = found[0] if found and isinstance(found[0], int) else 0
    if mask & 0x10:
        return "fast "
    return "".join(flag for bit, flag in _FAST_FLAGS if mask & bit)


def _wrapping(writer: FunctionWriter, instruction: Instruction, operation: str) -> str:
    if operation not in ("add", "sub", "mul", "shl"):
        return ""
    unsigned = "nuw " if writer.decorated(instruction, "NoUnsignedWrap") is not None else ""
    return unsigned + ("nsw " if writer.decorated(instruction, "NoSignedWrap") is not None else "")


@handles(*_INTEGER)
def _integer(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    require(instruction, kind, Int)
    operation = _INTEGER[instruction.name]
    left, right = writer.same(instruction, 0, kind), writer.same(instruction, 1, kind)
    writer.define(instruction, f"{operation} {_wrapping(writer, instruction, operation)}{kind.llvm} {left}, {right}")


@handles(*_FLOAT)
def _float(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    require(instruction, kind, Float)
    left, right = writer.same(instruction, 0, kind), writer.same(instruction, 1, kind)
    flags = fast_flags(writer, instruction)
    writer.define(instruction, f"{_FLOAT[instruction.name]} {flags}{kind.llvm} {left}, {right}")


@handles("OpFmaKHR")
def _multiply_add(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    require(instruction, kind, Float)
    values = [Value(kind, writer.same(instruction, index, kind)) for index in range(3)]
    writer.define(instruction, writer.intrinsic("fma", kind, values))


@handles(*_LOGICAL)
def _logical(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    require(instruction, kind, Bool)
    left, right = writer.same(instruction, 0, kind), writer.same(instruction, 1, kind)
    writer.define(instruction, f"{_LOGICAL[instruction.name]} {kind.llvm} {left}, {right}")


@handles("OpLogicalEqual")
def _logical_equal(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    require(instruction, kind, Bool)
    left, right = writer.same(instruction, 0, kind), writer.same(instruction, 1, kind)
    writer.define(instruction, f"icmp eq {kind.llvm} {left}, {right}")


@handles("OpLogicalNot", "OpNot")
def _not(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    require(instruction, kind, Bool if instruction.name == "OpLogicalNot" else Int)
    ones = splat(kind, "true" if instruction.name == "OpLogicalNot" else "-1")
    writer.define(instruction, f"xor {kind.llvm} {writer.same(instruction, 0, kind)}, {ones}")


@handles("OpSNegate")
def _negate(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    require(instruction, kind, Int)
    flags = _wrapping(writer, instruction, "sub")
    writer.define(instruction, f"sub {flags}{kind.llvm} {splat(kind, '0')}, {writer.same(instruction, 0, kind)}")


@handles("OpFNegate")
def _float_negate(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    require(instruction, kind, Float)
    writer.define(instruction, f"fneg {fast_flags(writer, instruction)}{kind.llvm} {writer.same(instruction, 0, kind)}")


@handles("OpSMod", "OpFMod")
def _modulo(writer: FunctionWriter, instruction: Instruction) -> None:
    """Writes a remainder with the sign of the divisor."""
    kind = writer.data(instruction)
    integers = instruction.name == "OpSMod"
    require(instruction, kind, Int if integers else Float)
    left, right = writer.same(instruction, 0, kind), writer.same(instruction, 1, kind)
    truth = with_count(kind, BOOL)
    rest = writer.temporary(f"{'srem' if integers else 'frem'} {kind.llvm} {left}, {right}")
    if integers:
        mixed = writer.temporary(f"xor {kind.llvm} {rest}, {right}")
        differ = writer.temporary(f"icmp slt {kind.llvm} {mixed}, {splat(kind, '0')}")
        exists = writer.temporary(f"icmp ne {kind.llvm} {rest}, {splat(kind, '0')}")
        total = writer.temporary(f"add {kind.llvm} {rest}, {right}")
    else:
        zero = "zeroinitializer" if isinstance(kind, VectorType) else "0.0"
        negative = writer.temporary(f"fcmp olt {kind.llvm} {rest}, {zero}")
        divisor = writer.temporary(f"fcmp olt {kind.llvm} {right}, {zero}")
        differ = writer.temporary(f"xor {truth} {negative}, {divisor}")
        exists = writer.temporary(f"fcmp one {kind.llvm} {rest}, {zero}")
        total = writer.temporary(f"fadd {kind.llvm} {rest}, {right}")
    wrong = writer.temporary(f"and {truth} {differ}, {exists}")
    writer.define(instruction, f"select {truth} {wrong}, {kind.llvm} {total}, {kind.llvm} {rest}")


@handles(*_INTEGER_COMPARISONS, *_FLOAT_COMPARISONS)
def _compare(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    require(instruction, kind, Bool)
    left = writer.operand(instruction, 0)
    right = writer.same(instruction, 1, left.type)
    floats = instruction.name in _FLOAT_COMPARISONS
    pointers = isinstance(left.type, PointerType) and not floats
    if not pointers and not isinstance(left.type.scalar, Float if floats else Int):
        raise instruction.error(f"it cannot compare values of type {left.type.llvm}")
    if left.type.count != kind.count:
        raise instruction.error(f"its result has {kind.count} components and its operands {left.type.count}")
    operation = f"fcmp {fast_flags(writer, instruction)}" if floats else "icmp "
    predicate = (_FLOAT_COMPARISONS if floats else _INTEGER_COMPARISONS)[instruction.name]
    writer.define(instruction, f"{operation}{predicate} {left.typed}, {right}")


@handles("OpIsNan", "OpIsInf", "OpIsFinite", "OpIsNormal")
def _classify(writer: FunctionWriter, instruction: Instruction) -> None:
    """Compares the magnitude as an integer, so that flushing of subnormal numbers does not matter."""
    kind = writer.data(instruction)
    value = writer.operand(instruction, 0)
    scalar = value.type.scalar
    if not isinstance(scalar, Float) or not isinstance(value.type, Type) or kind.count != value.type.count:
        raise instruction.error(f"it cannot classify {value.type.llvm} as {kind.llvm}")
    fraction = {16: 10, 32: 23, 64: 52}[scalar.width]
    integer = f"i{scalar.width}"
    wide = f"<{kind.count} x {integer}>" if isinstance(kind, VectorType) else integer

    def number(bits: int) -> str:
        return f"<{', '.join([f'{integer} {bits}'] * kind.count)}>" if isinstance(kind, VectorType) else str(bits)

    bits = writer.temporary(f"bitcast {value.typed} to {wide}")
    magnitude = writer.temporary(f"and {wide} {bits}, {number((1 << scalar.width - 1) - 1)}")
    infinity = (1 << scalar.width - 1) - (1 << fraction)
    match instruction.name:
        case "OpIsNan":
            writer.define(instruction, f"icmp ugt {wide} {magnitude}, {number(infinity)}")
        case "OpIsInf":
            writer.define(instruction, f"icmp eq {wide} {magnitude}, {number(infinity)}")
        case "OpIsFinite":
            writer.define(instruction, f"icmp ult {wide} {magnitude}, {number(infinity)}")
        case _:
            above = writer.temporary(f"sub {wide} {magnitude}, {number(1 << fraction)}")
            writer.define(instruction, f"icmp ult {wide} {above}, {number(infinity - (1 << fraction))}")


@handles("OpSignBitSet")
def _sign_bit(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    value = writer.operand(instruction, 0)
    if not isinstance(value.type.scalar, Float) or value.type.count != kind.count:
        raise instruction.error(f"it cannot take the sign of {value.type.llvm}")
    integer = f"i{value.type.scalar.width}"
    wide = f"<{kind.count} x {integer}>" if isinstance(kind, VectorType) else integer
    bits = writer.temporary(f"bitcast {value.typed} to {wide}")
    writer.define(instruction, f"icmp slt {wide} {bits}, {'zeroinitializer' if isinstance(kind, VectorType) else '0'}")


@handles("OpAny", "OpAll")
def _reduce(writer: FunctionWriter, instruction: Instruction) -> None:
    vector = writer.operand(instruction, 0)
    if not isinstance(vector.type, VectorType) or not isinstance(vector.type.element, Bool | Int):
        raise instruction.error(f"its operand has the type {vector.type.llvm}, not a vector of truth values")
    if isinstance(vector.type.element, Int):
        # LLVM's back end leaves OpenCL's integers here, where the highest bit of a component is its truth.
        set_bits = writer.temporary(f"icmp slt {vector.typed}, zeroinitializer")
        vector = Value(vector_of(BOOL, vector.type.components), set_bits)
    assert isinstance(vector.type, VectorType)
    operation = "or" if instruction.name == "OpAny" else "and"
    result = writer.temporary(f"extractelement {vector.typed}, i32 0")
    for place in range(1, vector.type.components):
        part = writer.temporary(f"extractelement {vector.typed}, i32 {place}")
        result = writer.temporary(f"{operation} i1 {result}, {part}")
    writer.define(instruction, f"or i1 {result}, false")


@handles("OpSelect")
def _select(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.type(instruction)
    condition = writer.operand(instruction, 0)
    if not isinstance(condition.type.scalar, Bool) or condition.type.count not in (1, kind.count):
        raise instruction.error(f"its condition has the type {condition.type.llvm}")
    left, right = writer.same(instruction, 1, kind), writer.same(instruction, 2, kind)
    writer.define(instruction, f"select {condition.typed}, {kind.llvm} {left}, {kind.llvm} {right}")


@handles("OpVectorTimesScalar")
def _scale(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    require(instruction, kind, Float)
    scalar = writer.same(instruction, 1, kind.scalar)
    vector = broadcast(writer, kind, scalar)
    flags = fast_flags(writer, instruction)
    writer.define(instruction, f"fmul {flags}{kind.llvm} {writer.same(instruction, 0, kind)}, {vector}")


def broadcast(writer: FunctionWriter, kind: Type, scalar: str) -> str:
    """Returns a vector that repeats a scalar, or the scalar itself."""
    if not isinstance(kind, VectorType):
        return scalar
    first = writer.temporary(f"insertelement {kind.llvm} poison, {kind.scalar.llvm} {scalar}, i32 0")
    return writer.temporary(
        f"shufflevector {kind.llvm} {first}, {kind.llvm} poison, <{kind.count} x i32> zeroinitializer"
    )


@handles("OpDot")
def _dot(writer: FunctionWriter, instruction: Instruction) -> None:
    kind = writer.data(instruction)
    vector = writer.operand(instruction, 0)
    require(instruction, kind, Float)
    if vector.type.scalar != kind:
        raise instruction.error(f"its operands have the type {vector.type.llvm}, and its result {kind.llvm}")
    right = Value(vector.type, writer.same(instruction, 1, vector.type))
    writer.define(instruction, writer.builtin("dot", kind, [vector, right]))


_WIDE = {"OpIAddCarry": ("add", "uadd"), "OpISubBorrow": ("sub", "usub")}


@handles("OpIAddCarry", "OpISubBorrow", "OpUMulExtended", "OpSMulExtended")
def _extended(writer: FunctionWriter, instruction: Instruction) -> None:
    """Writes both halves of a result into a structure."""
    struct = writer.data(instruction)
    left = writer.operand(instruction, 0)
    kind = left.type
    right = writer.same(instruction, 1, kind)
    if not isinstance(kind, Type) or not isinstance(kind.scalar, Int):
        raise instruction.error(f"its operands have the type {kind.llvm}, not integers")
    if instruction.name in _WIDE:
        operation = _WIDE[instruction.name][0]
        low = writer.temporary(f"{operation} {left.typed}, {right}")
        operands = f"{low}, {left.text}" if operation == "add" else f"{left.text}, {right}"
        carried = writer.temporary(f"icmp ult {kind.llvm} {operands}")
        high = writer.temporary(f"zext {with_count(kind, BOOL)} {carried} to {kind.llvm}")
    else:
        unsigned = instruction.name.startswith("OpU")
        low = writer.temporary(f"mul {left.typed}, {right}")
        high = writer.temporary(writer.builtin("mul_hi", kind, [left, Value(kind, right)], unsigned=(unsigned,)))
    first = writer.temporary(f"insertvalue {struct.llvm} poison, {kind.llvm} {low}, 0")
    writer.define(instruction, f"insertvalue {struct.llvm} {first}, {kind.llvm} {high}, 1")
