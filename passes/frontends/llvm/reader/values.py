"""Operands of LLVM IR instructions: names of values, and constants."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IntegerType, VectorType
from xdsl.dialects.llvm import LLVMArrayType, LLVMStructType
from xdsl.ir import Attribute

from passes.frontends.llvm.reader.tokens import Statement
from passes.frontends.llvm.reader.types import PackedStructType, TypeReader

EXPRESSIONS = frozenset(
    {
        *("getelementptr", "addrspacecast", "ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "trunc"),
        *("add", "sub", "mul", "xor"),
    }
)
"""Operations that LLVM has as constant expressions."""
_FLAGS = frozenset({"inbounds", "nuw", "nsw", "nusw"})
_FLOATS = (Float16Type, BFloat16Type, Float32Type, Float64Type)


@dataclass(frozen=True)
class Local:
    """A value of the function."""

    type: Attribute
    name: str


@dataclass(frozen=True)
class Global:
    """The address of a variable or function of the module."""

    type: Attribute
    name: str


@dataclass(frozen=True)
class Constant:
    """A number, or the bits of a float; elements or fields; text; None for zeros of any type."""

    type: Attribute
    value: int | float | bytes | tuple[Value, ...] | None


@dataclass(frozen=True)
class Undefined:
    """Any value, `undef` or `poison`."""

    type: Attribute


@dataclass(frozen=True)
class Expression:
    """A constant that only the loader knows; `source` is the type that a `getelementptr` counts in."""

    type: Attribute
    opcode: str
    operands: tuple[Value, ...]
    source: Attribute | None = None


Value = Local | Global | Constant | Undefined | Expression


def constant_value(value: Value) -> int | None:
    """Returns the number that an operand is; None for one that the kernel or the loader computes."""
    if isinstance(value, Constant) and (value.value is None or isinstance(value.value, int)):
        return value.value or 0
    return None


def read_typed(statement: Statement, types: TypeReader) -> Value:
    """Takes a type and a value of it."""
    return read_value(statement, types, types.read(statement))


def read_value(statement: Statement, types: TypeReader, type: Attribute) -> Value:
    """Takes a value of a type."""
    token = statement.peek()
    first = token[:1]
    if first == "%":
        statement.take()
        return Local(type, token)
    if first == "@":
        statement.take()
        return Global(type, token)
    return statement.nested(lambda: _constant(statement, types, type))


def _constant(statement: Statement, types: TypeReader, type: Attribute) -> Value:
    token = statement.peek()
    if token in ("[", "{", "<"):
        return Constant(type, _elements(statement, types))
    statement.take()
    match token:
        case "true" | "false":
            return Constant(type, int(token == "true"))
        case "zeroinitializer" | "null" | "none":
            return Constant(type, None)
        case "undef" | "poison":
            return Undefined(type)
        case "splat":
            statement.expect("(")
            element = read_typed(statement, types)
            statement.expect(")")
            if not isinstance(type, VectorType):
                statement.error(f"repeats a value for type {type}: expected a vector")
            return Constant(type, (element,) * type.element_count())
    if token[:2] == 'c"':
        return Constant(type, _text(statement, token[2:-1]))
    if token in EXPRESSIONS:
        return _expression(statement, types, type, token)
    if isinstance(type, _FLOATS):
        return Constant(type, _float(statement, token))
    if isinstance(type, IntegerType):
        try:
            return Constant(type, int(token))
        except ValueError:
            pass
    statement.error(f"holds {token!r} where a value of type {type} was expected")


def _elements(statement: Statement, types: TypeReader) -> tuple[Value, ...]:
    opening = statement.peek()
    if opening == "<" and statement.peek(1) == "{":
        statement.take()
        fields = statement.items("{", lambda: read_typed(statement, types))
        statement.expect(">")
        return tuple(fields)
    return tuple(statement.items(opening, lambda: read_typed(statement, types)))


def _float(statement: Statement, token: str) -> float:
    try:
        if token.startswith("0xH"):
            return float(np.uint16(int(token[3:], 16)).view(np.float16))
        if token.startswith("0xR"):
            return float(np.uint32(int(token[3:], 16) << 16).view(np.float32))
        if token.startswith("0x"):
            return float(np.uint64(int(token[2:], 16)).view(np.float64))
        return float(token)
    except (ValueError, OverflowError):
        statement.error(f"holds {token!r} where a float was expected")


def _text(statement: Statement, text: str) -> bytes:
    try:
        return text_bytes(text)
    except ValueError:
        statement.error("holds text with a backslash that two hexadecimal digits do not follow")


def text_bytes(text: str) -> bytes:
    r"""Returns the bytes of text in which `\` and two digits stand for a byte."""
    first, *rest = text.encode().split(b"\\")
    found = bytearray(first)
    escaped = iter(rest)
    for part in escaped:
        if part:
            found.append(int(part[:2], 16))
            found += part[2:]
        else:
            found += b"\\" + next(escaped, b"")
    return bytes(found)


def _expression(statement: Statement, types: TypeReader, type: Attribute, opcode: str) -> Expression:
    statement.accept_any(_FLAGS)
    if statement.accept("inrange"):
        statement.skip_group()
    statement.expect("(")
    source: Attribute | None = None
    if opcode == "getelementptr":
        source = types.read(statement)
        statement.expect(",")
    operands = [read_typed(statement, types)]
    while statement.accept(","):
        operands.append(read_typed(statement, types))
    if statement.accept("to"):
        types.read(statement)
    statement.expect(")")
    return Expression(type, opcode, tuple(operands), source)


def elements_of(type: Attribute) -> list[Attribute] | None:
    """Returns the types of the elements or fields of an array, structure or vector; None for other types."""
    match type:
        case VectorType():
            return [type.get_element_type()] * type.element_count()
        case LLVMArrayType():
            return [type.type] * type.size.data
        case LLVMStructType() | PackedStructType():
            return list(type.types)
        case _:
            return None


def part_of(type: Attribute, index: int) -> Attribute | None:
    """Returns the type of an element or field; None if there is none. An array may be too long for a list of them."""
    if isinstance(type, LLVMArrayType):
        return type.type if index < type.size.data else None
    elements = elements_of(type) or []
    return elements[index] if index < len(elements) else None
