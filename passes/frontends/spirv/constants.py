"""Constants and specialization constants: their text in LLVM IR, and the values of those that are numbers."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from passes.frontends.spirv.reader import Instruction
from passes.frontends.spirv.types import (
    BFLOAT,
    INTS,
    VOID,
    AnyType,
    Array,
    Bool,
    Float,
    Int,
    MatrixType,
    Opaque,
    PointerType,
    Struct,
    Type as Type,
    VectorType,
)

if TYPE_CHECKING:
    from passes.frontends.spirv.declarations import Declarations

MOST_TEXT = 1 << 24
"""The longest text of a constant."""

LONGEST_ARRAY = (1 << 32) - 1


@dataclass
class Constant:
    """A constant.

    Attributes:
        type: Its type.
        text: Its text in LLVM IR, empty if it must be computed by instructions.
        value: The number without a sign, or the truth value, if it is one of these.
        parts: Its constituents, if it is a composite.
        deferred: The instruction that functions which use it execute first, if it has no text.
    """

    type: AnyType
    text: str
    value: int | None = None
    parts: tuple[Constant, ...] | None = None
    deferred: Instruction | None = None


Evaluator = Callable[["Declarations", Instruction], Constant]


def evaluate(found: Declarations, instruction: Instruction) -> Constant:
    """Returns the constant that an instruction declares.

    Raises:
        SpirvError: It is wrong.
    """
    constant = CONSTANTS[instruction.name](found, instruction)
    if len(constant.text) > MOST_TEXT:
        raise instruction.error("the constant has too many constituents")
    return constant


def length(found: Declarations, instruction: Instruction, number: int) -> int:
    """Returns the length of an array, which an id gives."""
    constant = found.constants.get(number)
    if constant is None or constant.value is None or not isinstance(constant.type, Int):
        raise instruction.error(f"its length %{number} is not an integer constant")
    if not 0 < constant.value <= LONGEST_ARRAY:
        raise instruction.error(f"its length is {constant.value}, not between 1 and {LONGEST_ARRAY}")
    return constant.value


def number(kind: AnyType, bits: int) -> Constant:
    """Returns the constant of a scalar type with the given bits."""
    match kind:
        case Bool():
            return Constant(kind, "true" if bits else "false", int(bits != 0))
        case Int():
            value = bits & (1 << kind.width) - 1
            return Constant(kind, str(value - (value >> kind.width - 1 << kind.width)), value)
        case Float():
            text = _float_text(kind.width, bits & (1 << kind.width) - 1)
            return Constant(kind, text.replace("0xH", "0xR") if kind == BFLOAT else text)
        case _:
            raise ValueError(kind)


def _float_text(width: int, bits: int) -> str:
    """Returns a float as LLVM writes it: halfs by their bits, the others by those of a double."""
    if width == 16:
        return f"0xH{bits:04X}"
    if width == 64:
        return f"0x{bits:016X}"
    sign, exponent, fraction = bits >> 31, bits >> 23 & 0xFF, bits & 0x7FFFFF
    if exponent == 0xFF:
        return f"0x{sign << 63 | 0x7FF << 52 | fraction << 29:016X}"
    (single,) = struct.unpack("<f", struct.pack("<I", bits))
    return f"0x{struct.unpack('<Q', struct.pack('<d', single))[0]:016X}"


def _bits(instruction: Instruction, kind: AnyType) -> int:
    words = instruction.numbers()
    expected = 2 if isinstance(kind, Int | Float) and kind.width > 32 else 1
    if not isinstance(kind, Int | Float) or len(words) != expected:
        raise instruction.error(f"its literal has {len(words)} words, and the type is {kind.llvm}")
    return sum(word << 32 * place for place, word in enumerate(words))


def _scalar(found: Declarations, instruction: Instruction) -> Constant:
    kind = found.type(instruction, instruction.type)
    return number(kind, _bits(instruction, kind))


def _truth(found: Declarations, instruction: Instruction) -> Constant:
    kind = found.type(instruction, instruction.type)
    if not isinstance(kind, Bool):
        raise instruction.error(f"its type is {kind.llvm}, not a truth value")
    return number(kind, int(instruction.name.endswith("True")))


def _special(found: Declarations, instruction: Instruction) -> Constant:
    """Returns a scalar specialization constant, with the value that was given for it or its own."""
    default = (_truth if instruction.name != "OpSpecConstant" else _scalar)(found, instruction)
    decoration = found.module.decoration(instruction.result, "SpecId")
    if decoration is None or not isinstance(decoration[0], int):
        return default
    bits = (
        int(instruction.name.endswith("True")) if isinstance(default.type, Bool) else _bits(instruction, default.type)
    )
    found.raw[instruction.result] = (bits & (1 << 8 * default.type.size) - 1).to_bytes(default.type.size, "little")
    given = found.specialization.get(decoration[0])
    if given is None:
        return default
    if len(given) != default.type.size:
        raise instruction.error(
            f"the value for SpecId {decoration[0]} has {len(given)} bytes, and its type {default.type.size}"
        )
    found.used.add(decoration[0])
    return number(default.type, int.from_bytes(given, "little"))


def null(kind: AnyType) -> Constant:
    """Returns the zero of a type."""
    match kind:
        case Bool() | Int() | Float():
            return number(kind, 0)
        case PointerType():
            return Constant(kind, "null")
        case VectorType():
            return Constant(kind, "zeroinitializer", parts=(null(kind.element),) * kind.components)
        case _:
            return Constant(kind, "zeroinitializer")


def _null(found: Declarations, instruction: Instruction) -> Constant:
    kind = found.type(instruction, instruction.type)
    if kind is VOID:
        raise instruction.error("its type is void")
    return null(kind)


UNDEFINED = {"OpUndef": "undef", "OpPoisonKHR": "poison"}
"""Instructions whose results have no value, and what LLVM writes for them."""


def _undefined(found: Declarations, instruction: Instruction) -> Constant:
    kind = found.type(instruction, instruction.type)
    if kind is VOID:
        raise instruction.error("its type is void")
    return Constant(kind, UNDEFINED[instruction.name])


def _function(found: Declarations, instruction: Instruction) -> Constant:
    kind = found.type(instruction, instruction.type)
    if instruction.number(0) not in found.module.functions or not isinstance(kind, PointerType):
        raise instruction.error(f"%{instruction.number(0)} is not a function, or its type not a pointer")
    address = number(INTS[64], found.module.address(instruction.number(0)))
    return Constant(kind, f"inttoptr ({address.type.llvm} {address.text} to {kind.llvm})")


def members_of(kind: AnyType) -> list[AnyType] | None:
    """Returns the types of the constituents of a type, at most so many that a composite can list them."""
    match kind:
        case MatrixType():
            return [kind.element]
        case VectorType():
            return [kind.element] * kind.components
        case Array():
            return [kind.element] * kind.length if kind.length < 1 << 20 else None
        case Struct():
            return list(kind.members)
        case _:
            return None


def member_of(kind: AnyType, place: int) -> AnyType | None:
    """Returns the type of a constituent, or `None` if there is no such one."""
    match kind:
        case VectorType():
            return kind.element if place < kind.components else None
        case Array():
            return kind.element if place < kind.length else None
        case Struct():
            return kind.members[place] if place < len(kind.members) else None
        case _:
            return None


def _composite(found: Declarations, instruction: Instruction) -> Constant:
    kind = found.type(instruction, instruction.type)
    numbers = instruction.numbers()
    expected = members_of(kind)
    if expected is None or len(expected) != len(numbers):
        raise instruction.error(f"it has {len(numbers)} constituents, which are not those of its type {kind.llvm}")
    parts = []
    for each, member in zip(numbers, expected, strict=True):
        part = found.constants.get(each)
        if part is None:
            raise instruction.error(f"its constituent %{each} is not a constant")
        if part.type.llvm != member.llvm:
            raise instruction.error(f"its constituent %{each} has the type {part.type.llvm}, not {member.llvm}")
        parts.append(part)
    if isinstance(kind, MatrixType):
        parts *= kind.components
    return composed(kind, tuple(parts), instruction)


def composed(kind: AnyType, parts: tuple[Constant, ...], instruction: Instruction) -> Constant:
    """Returns a composite of constants."""
    if any(part.deferred for part in parts):
        return Constant(kind, "", parts=parts, deferred=instruction)
    if all(
        part.text in ("0", "null", "false", "zeroinitializer", "0x0000000000000000", "0xH0000", "0xR0000")
        for part in parts
    ):
        return Constant(kind, "zeroinitializer", parts=parts)
    if sum(len(part.text) for part in parts) > MOST_TEXT:
        raise instruction.error("the constant has too many constituents")
    inner = ", ".join(f"{part.type.llvm} {part.text}" for part in parts)
    match kind:
        case VectorType():
            text = f"<{inner}>"
        case Array():
            text = f"[{inner}]"
        case _:
            packed = isinstance(kind, Struct) and kind.body.startswith("<{")
            text = f"<{{{inner}}}>" if packed else f"{{{inner}}}"
    return Constant(kind, text, parts=parts)


def _sampler(found: Declarations, instruction: Instruction) -> Constant:
    kind = found.type(instruction, instruction.type)
    if not isinstance(kind, Opaque) or kind.name != "ocl_sampler":
        raise instruction.error("its type is not a sampler")
    return Constant(kind, "", deferred=instruction)


CONSTANTS: dict[str, Evaluator] = {
    "OpConstantTrue": _truth,
    "OpConstantFalse": _truth,
    "OpConstant": _scalar,
    "OpConstantComposite": _composite,
    "OpConstantFunctionPointerINTEL": _function,
    "OpConstantSampler": _sampler,
    "OpConstantNull": _null,
    **dict.fromkeys(UNDEFINED, _undefined),
    "OpSpecConstantTrue": _special,
    "OpSpecConstantFalse": _special,
    "OpSpecConstant": _special,
    "OpSpecConstantComposite": _composite,
}
