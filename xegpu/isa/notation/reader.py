"""Reads the parts of instructions: predicates, conditions, registers with regions and types, constants, labels."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import NoReturn, TypeVar

from xegpu.isa.model.instruction import Combination, ConditionModifier, Instruction, Predicate
from xegpu.isa.model.operands import (
    ADDRESS_WORDS,
    ARCHITECTURE,
    CONTIGUOUS,
    MAX_INDIRECT,
    MIN_INDIRECT,
    NULL,
    SCALAR,
    VXH,
    WIDTHS,
    Flag,
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
from xegpu.isa.model.table import Condition, Modifiers, OpSpec
from xegpu.isa.model.types import BY_TEXT, PACKED_IMMEDIATES, DataType
from xegpu.isa.notation.scanner import Scanner
from xegpu.on_demand import dataclass

R = TypeVar("R")
NAME = re.compile(r"[A-Za-z_]\w*")
REGISTER_NAME = re.compile(r"r(\d+)\b")
RESERVED = frozenset({"null", "inf", "nan"} | {register.text for register in ARCHITECTURE.values()})
"""Words that stand for operands, so that they cannot name registers."""
MAX_REGISTER = 255
_FLAG = re.compile(r"f(\d)\.(\d)\b")
_CONDITION_FLAG = re.compile(_FLAG.pattern + r"(?!\s*[<:])")
"""A flag that is no destination, which is followed by a region or a type."""

_COMBINATIONS = {c.text: c for c in Combination}
_COMBINATION = re.compile(r"\.({})\b".format("|".join(c for c in _COMBINATIONS if c)))
_CONDITIONS = {c.text: c for c in Condition}
_CONDITION = re.compile(r"\(\s*({})\s*\)".format("|".join(_CONDITIONS)))
_DISTANCE = re.compile(r"[+-]\d+")
NULL_WORD = re.compile(r"null\b")
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
    """The bytes of a register, and the names given to registers: the meaning of operands depends on them."""

    grf_bytes: int
    names: Mapping[str, int]


@dataclass
class Reading:
    """The state of reading one instruction: the text after its name, and the qualifiers that follow the name.

    The name starts at column `column`. `labels` collects the labels that the text names, each with the field of the
    instruction that it is for and its column; the field `offset` is the constant of the instruction.
    """

    scanner: Scanner
    context: OperandContext
    qualifiers: list[str]
    column: int
    labels: list[tuple[str, str, int]] = field(default_factory=list)

    def fail(self, message: str) -> NoReturn:
        """Raises `AssemblyError` at the name of the instruction."""
        self.scanner.fail(message, self.column)

    def refuse_qualifiers(self, spec: OpSpec) -> None:
        """Raises `AssemblyError` if there are qualifiers."""
        if self.qualifiers:
            self.fail(f"{spec.mnemonic} takes no '.{'.'.join(self.qualifiers)}'")

    def distance(self, field: str) -> int:
        """Reads a distance in bytes, or a label, which is collected for `field`."""
        distance = self.scanner.match(_DISTANCE)
        if distance is not None:
            return int(distance.group())
        column = self.scanner.column
        self.labels.append((field, self.scanner.expect_match(NAME, "a label").group(), column))
        return 0

    def offset(self) -> Immediate:
        """Reads `label:ud`, the byte offset of an instruction in the code."""
        column = self.scanner.column
        label = self.scanner.expect_match(NAME, "a label").group()
        if parse_type(self.scanner) is not DataType.UD:
            self.scanner.fail(f"the offset of '{label}' is a ud", column)
        self.labels.append(("offset", label, column))
        return Immediate(DataType.UD, 0)


def parse_control(scanner: Scanner) -> tuple[bool, Predicate | None]:
    """Reads `(W)`, `(f0.1)`, `(~f0.1)`, `(W&f0.1.any)`, ..., if any stands here."""
    if not scanner.accept("("):
        return False, None
    no_mask = scanner.accept("W")
    predicate = None
    if not no_mask or scanner.accept("&"):
        inverted = scanner.accept("~")
        flag = _flag(scanner)
        combination = scanner.match(_COMBINATION)
        predicate = Predicate(flag, inverted, _COMBINATIONS[combination[1] if combination else ""])
    scanner.expect(")")
    return no_mask, predicate


def parse_condition(scanner: Scanner) -> ConditionModifier | None:
    """Reads `(lt)f0.0`, or `(lt)` where no flag follows, if it stands here."""
    match = scanner.match(_CONDITION)
    if match is None:
        return None
    flag = _flag(scanner) if _CONDITION_FLAG.match(scanner.text, scanner.position) else None
    return ConditionModifier(_CONDITIONS[match[1]], flag)


def _flag(scanner: Scanner) -> Flag:
    column = scanner.column
    number, half = map(int, scanner.expect_match(_FLAG, "a flag such as f0.0").groups())
    if number > 3 or half > 1:
        scanner.fail(f"no flag f{number}.{half}: flags are f0.0, f0.1 to f3.1", column)
    return Flag(number, half)


def register_number(scanner: Scanner, context: OperandContext) -> int:
    """Reads `rN`, or a name that a `.reg` directive gave."""
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
    """Reads a register, its region by `region`, and its type, whose elements the subregister counts."""
    column = scanner.column
    if scanner.match(NULL_WORD) is not None:
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
    """Reads the rest of `r[a0.3, -16]`."""
    offset = 0
    if scanner.accept(","):
        offset = int(scanner.expect_match(_WHOLE, "an offset").group())
    scanner.expect("]")
    if word >= ADDRESS_WORDS or not MIN_INDIRECT <= offset <= MAX_INDIRECT:
        scanner.fail(f"no indirect register r[a0.{word}, {offset}]", column)
    return indirect(word, offset)


def parse_type(scanner: Scanner) -> DataType:
    """Reads `:ud`."""
    scanner.expect(":")
    column = scanner.column
    name = scanner.expect_match(NAME, "a type").group()
    if name not in BY_TEXT:
        scanner.fail(f"unknown type '{name}'", column)
    return BY_TEXT[name]


def destination_stride(scanner: Scanner) -> int:
    """Reads the region of a destination, `<2>`."""
    if not scanner.accept("<"):
        return 1
    stride = int(scanner.expect_match(_INTEGER, "a stride").group())
    scanner.expect(">")
    return stride


def no_region(scanner: Scanner) -> Region:
    """Returns the region of operands for which none is written."""
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
    """Reads a source of an instruction: a register with modifiers and region, or a constant."""
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
    """Reads the rest of a constant: a number of the type, or its bits in hexadecimal."""
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
    """Reads `r10.2`, counted in elements of a type."""
    register, column = grf(register_number(scanner, context)), scanner.column
    match = scanner.match(_SUBREGISTER)
    byte = 0 if match is None else int(match[1]) * (1 if match[2] else type.size)
    if byte >= context.grf_bytes:
        scanner.fail(f"subregister outside of a register of {context.grf_bytes} bytes", column)
    return replace(register, byte=byte)
