"""Reads operands: registers with regions and types, constants."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from xegpu.isa.formats.layouts import WIDTHS
from xegpu.isa.model.instruction import Instruction
from xegpu.isa.model.operands import (
    ADDRESS_WORDS,
    ARCHITECTURE,
    CONTIGUOUS,
    MAX_INDIRECT,
    MIN_INDIRECT,
    NULL,
    SCALAR,
    VXH,
    Immediate,
    Region,
    Register,
    RegisterFile,
    SourceRegister,
    float_bits,
    grf,
    indirect,
    strided,
)
from xegpu.isa.model.table import Modifiers
from xegpu.isa.model.types import BY_TEXT, PACKED_IMMEDIATES, DataType
from xegpu.isa.text.scanner import Scanner

R = TypeVar("R")
NAME = re.compile(r"[A-Za-z_]\w*")
REGISTER_NAME = re.compile(r"r(\d+)\b")
RESERVED = frozenset({"null", "inf", "nan"} | {register.text for register in ARCHITECTURE.values()})
"""Words that stand for operands, so that they cannot name registers."""
MAX_REGISTER = 255
_NULL = re.compile(r"null\b")
_ABSOLUTE = re.compile(r"\(\s*abs\s*\)")
_INDIRECT = re.compile(r"r\[\s*a0\.(\d+)")
_ARCHITECTURE = re.compile(r"({})\b".format("|".join(register.text for register in ARCHITECTURE.values())))
_SUBREGISTER = re.compile(r"\.(\d+)(b?)(?!\w)")
_INTEGER = re.compile(r"\d+")
_NUMBER = re.compile(r"(?:0[xX][0-9a-fA-F]+|-?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|inf|nan))(?!\w)")
_WHOLE = re.compile(r"-?\d+")
_ARCHITECTURE_REGISTERS = {register.text: register for register in ARCHITECTURE.values()}


@dataclass(frozen=True)
class OperandContext:
    """What the meaning of an instruction's text depends on: bytes of a register, and names given to registers."""

    grf_bytes: int
    names: Mapping[str, int]


def register_number(scanner: Scanner, context: OperandContext) -> int:
    """`rN`, or a name that a `.reg` directive gave."""
    column = scanner.column
    match = scanner.match(REGISTER_NAME)
    if match is None:
        name = scanner.expect_match(NAME, "a register").group()
        if name not in context.names:
            scanner.fail(f"unknown register '{name}'", column)
        return context.names[name]
    number = int(match[1])
    if number > MAX_REGISTER:
        scanner.fail(f"no register r{number}: registers are r0 to r{MAX_REGISTER}", column)
    return number


def typed_register(
    scanner: Scanner, context: OperandContext, region: Callable[[Scanner], R]
) -> tuple[Register, R, DataType]:
    """Register with subregister, what `region` reads, and type. The subregister counts elements of the type."""
    column = scanner.column
    if scanner.match(_NULL) is not None:
        return NULL, region(scanner), parse_type(scanner)
    if (word := scanner.match(_INDIRECT)) is not None:
        register = _indirect(scanner, int(word[1]), column)
        return register, region(scanner), parse_type(scanner)
    architecture = scanner.match(_ARCHITECTURE)
    if architecture is not None:
        found = _ARCHITECTURE_REGISTERS[architecture[1]]
        register, size = Register(RegisterFile.ARF, found.number), found.size
    else:
        register, size = grf(register_number(scanner, context)), context.grf_bytes
    subregister = scanner.match(_SUBREGISTER)
    shape = region(scanner)
    type = parse_type(scanner)
    bits = 0
    if subregister is not None:
        bits = int(subregister[1]) * (8 if subregister[2] else type.bits)
    if bits % 8:
        scanner.fail(f"element {bits // type.bits} of type {type.text} does not start at a byte", column)
    if bits // 8 >= size:
        scanner.fail(f"subregister outside of a register of {size} bytes", column)
    return replace(register, byte=bits // 8), shape, type


def _indirect(scanner: Scanner, word: int, column: int) -> Register:
    """The rest of `r[a0.3, -16]`."""
    offset = 0
    if scanner.accept(","):
        offset = int(scanner.expect_match(_WHOLE, "an offset").group())
    scanner.expect("]")
    if word >= ADDRESS_WORDS or not MIN_INDIRECT <= offset <= MAX_INDIRECT:
        scanner.fail(f"no indirect register r[a0.{word}, {offset}]", column)
    return indirect(word, offset)


def parse_type(scanner: Scanner) -> DataType:
    """`:ud`."""
    scanner.expect(":")
    column = scanner.column
    name = scanner.expect_match(NAME, "a type").group()
    if name not in BY_TEXT:
        scanner.fail(f"unknown type '{name}'", column)
    return BY_TEXT[name]


def destination_stride(scanner: Scanner) -> int:
    """The region of a destination, `<2>`."""
    if not scanner.accept("<"):
        return 1
    stride = int(scanner.expect_match(_INTEGER, "a stride").group())
    scanner.expect(">")
    return stride


def no_region(scanner: Scanner) -> Region:
    """The region where none is written."""
    return CONTIGUOUS


def _source_region(default: Region) -> Callable[[Scanner], Region]:
    def read(scanner: Scanner) -> Region:
        if not scanner.accept("<"):
            return default
        column = scanner.column
        vertical = int(scanner.expect_match(_INTEGER, "a stride").group())
        if scanner.accept(">"):
            return strided(vertical)
        if scanner.accept(","):
            vertical, width = VXH, vertical
        else:
            scanner.expect(";")
            width = int(scanner.expect_match(_INTEGER, "a width").group())
            scanner.expect(",")
        horizontal = int(scanner.expect_match(_INTEGER, "a stride").group())
        scanner.expect(">")
        if width not in WIDTHS:
            scanner.fail(f"region width {width} is not one of {', '.join(map(str, WIDTHS))}", column)
        return Region(vertical, width, horizontal)

    return read


def parse_source(scanner: Scanner, context: OperandContext, instruction: Instruction) -> SourceRegister | Immediate:
    """A source of an instruction: a register with modifiers and region, or a constant."""
    column = scanner.column
    immediate = scanner.match(_NUMBER)
    if immediate is not None:
        return _immediate(scanner, immediate.group(), column)
    sign = "~" if instruction.spec.modifiers is Modifiers.LOGIC else "-"
    negate = scanner.accept(sign)
    absolute = scanner.match(_ABSOLUTE) is not None
    default = SCALAR if instruction.exec_size == 1 else CONTIGUOUS
    register, region, type = typed_register(scanner, context, _source_region(default))
    if register.is_null:
        scanner.fail("null is no source", column)
    return SourceRegister(register, type, region, negate, absolute)


def _immediate(scanner: Scanner, text: str, column: int) -> Immediate:
    """A constant: a number of the type, or its bits in hexadecimal."""
    type = parse_type(scanner)
    if text[:2] in ("0x", "0X"):
        bits = int(text, 16)
        if bits >> type.bits:
            scanner.fail(f"{text} does not fit {type.text}", column)
        return Immediate(type, bits)
    if type is DataType.VF:
        scanner.fail(f"expected the bits of a {type.text} in hexadecimal, found {text}", column)
    if type.is_float:
        bits = float_bits(float(text), type)
        if bits == float_bits(math.copysign(math.inf, float(text)), type) and "inf" not in text:
            scanner.fail(f"{text} is too large for {type.text}", column)
        return Immediate(type, bits)
    if not _WHOLE.fullmatch(text):
        scanner.fail(f"{text} is no integer, as {type.text} asks for", column)
    value = int(text)
    signed = type.is_signed and type not in PACKED_IMMEDIATES
    low, high = (-(1 << type.bits - 1), (1 << type.bits - 1) - 1) if signed else (0, (1 << type.bits) - 1)
    if not low <= value <= high:
        scanner.fail(f"{text} does not fit {type.text}", column)
    return Immediate.of(value, type)


def element_register(scanner: Scanner, context: OperandContext, type: DataType) -> Register:
    """`r10.2`, counted in elements of a type."""
    register, column = grf(register_number(scanner, context)), scanner.column
    match = scanner.match(_SUBREGISTER)
    byte = 0 if match is None else int(match[1]) * (1 if match[2] else type.size)
    if byte >= context.grf_bytes:
        scanner.fail(f"subregister outside of a register of {context.grf_bytes} bytes", column)
    return replace(register, byte=byte)
