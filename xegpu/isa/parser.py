"""Reads one instruction in the notation that `xegpu.isa.disassembler` writes.

Left out may be: subregister 0 (`r10` is `r10.0`), regions (`<1>` and `<1;1,0>`, or `<0;1,0>` for one channel), the
register counts of messages, and `(1|M0)` of instructions without operands. `<S>` on a source is short for `<S;1,0>`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from xegpu.isa.disassembler import DEPTH, register_counts
from xegpu.isa.image_messages import CHANNELS, COORDINATES, ImageMessage, channel_text
from xegpu.isa.image_validation import coordinate_counts, image_register_counts, image_unit
from xegpu.isa.instruction import Combination, ConditionModifier, Instruction, Predicate
from xegpu.isa.layouts import WIDTHS
from xegpu.isa.message_validation import cache_text
from xegpu.isa.messages import (
    AddressModel,
    AddressSize,
    Block,
    CacheControl,
    DataSize,
    Fence,
    Flush,
    Message,
    Scope,
    Unit,
)
from xegpu.isa.operands import (
    ADDRESS_WORDS,
    ARCHITECTURE,
    CONTIGUOUS,
    MAX_INDIRECT,
    MIN_INDIRECT,
    NULL,
    SCALAR,
    VXH,
    Destination,
    Flag,
    Immediate,
    Region,
    Register,
    RegisterFile,
    Source,
    float_bits,
    grf,
    indirect,
    strided,
)
from xegpu.isa.scanner import Scanner
from xegpu.isa.table import BY_MNEMONIC, Access, Condition, Extra, Format, Modifiers, OpSpec
from xegpu.isa.types import BY_TEXT, PACKED_IMMEDIATES, DataType

R = TypeVar("R")

NAME = re.compile(r"[A-Za-z_]\w*")
REGISTER_NAME = re.compile(r"r(\d+)\b")
RESERVED = frozenset({"null", "inf", "nan"} | {register.text for register in ARCHITECTURE.values()})
"""Words that stand for operands, so that they cannot name registers."""

MAX_REGISTER = 255

_MNEMONIC = re.compile(r"[A-Za-z_]\w*((?:\.\w+)*)")
_FLAG = re.compile(r"f(\d)\.(\d)\b")
_CONDITION_FLAG = re.compile(_FLAG.pattern + r"(?!\s*[<:])")
"""A flag that is no destination: that has a region or a type behind it."""

_COMBINATION = re.compile(r"\.({})\b".format("|".join(c.text for c in Combination if c.text)))
_NULL = re.compile(r"null\b")
_CHANNELS = re.compile(r"\(\s*(\d+)\s*\|\s*M(\d+)\s*\)")
_CONDITION = re.compile(r"\(\s*({})\s*\)".format("|".join(c.text for c in Condition)))
_SATURATE = re.compile(r"\(\s*sat\s*\)")
_ABSOLUTE = re.compile(r"\(\s*abs\s*\)")
_INDIRECT = re.compile(r"r\[\s*a0\.(\d+)")
_ARCHITECTURE = re.compile(r"({})\b".format("|".join(register.text for register in ARCHITECTURE.values())))
_SUBREGISTER = re.compile(r"\.(\d+)(b?)(?!\w)")
_INTEGER = re.compile(r"\d+")
_NUMBER = re.compile(r"(?:0[xX][0-9a-fA-F]+|-?(?:(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|inf|nan))(?!\w)")
_WHOLE = re.compile(r"-?\d+")
_DISTANCE = re.compile(r"[+-]\d+")
_OFFSET = re.compile(r"([+-])\s*(0[xX][0-9a-fA-F]+|\d+)(?!\w)")
_SHAPE = re.compile(r"({})(?:x(\d+))?(t?)(v?)".format("|".join(sorted((d.text for d in DataSize), reverse=True))))
_TABLE = re.compile(r"0[xX][0-9a-fA-F]+")
_BLOCK = re.compile(r"([1-9]\d*)x([1-9]\d*)x([1-9]\d*)(?!\w)")

_ARCHITECTURE_REGISTERS = {register.text: register for register in ARCHITECTURE.values()}
_COMBINATIONS = {c.text: c for c in Combination}
_CONDITIONS = {c.text: c for c in Condition}
_UNITS = {u.text: u for u in Unit}
_DATA_SIZES = {d.text: d for d in DataSize}
_ADDRESS_SIZES = {a.text: a for a in AddressSize}
_MODELS = {m.text: m for m in AddressModel}
_FLUSHES = {f.text: f for f in Flush}
_SCOPES = {s.text: s for s in Scope}


@dataclass(frozen=True)
class Context:
    """What the meaning of an instruction's text depends on: bytes of a register, and names given to registers."""

    grf_bytes: int
    names: Mapping[str, int]


@dataclass(frozen=True)
class Statement:
    """An instruction as written; `labels` are the names of places in it, by field, and their columns.

    The fields are those of distances, and `offset`: the constant of the instruction.
    """

    instruction: Instruction
    line: int
    column: int
    labels: tuple[tuple[str, str, int], ...] = ()


@dataclass(frozen=True)
class Head:
    """What instructions begin with: mask, predicate, and the parts of the name, which starts at column `start`."""

    no_mask: bool
    predicate: Predicate | None
    parts: tuple[str, ...]
    column: int
    start: int


def parse_head(scanner: Scanner) -> Head:
    """`(W&f0.0) load.ugm.d32.a64`; raises `AssemblyError`."""
    column = scanner.column
    no_mask, predicate = _control(scanner)
    start = scanner.column
    match = scanner.expect_match(_MNEMONIC, "an instruction")
    return Head(no_mask, predicate, tuple(match.group().split(".")), column, start)


def parse_instruction(scanner: Scanner, context: Context, head: Head) -> Statement:
    """The instruction whose rest takes up the rest of the line; raises `AssemblyError`."""
    named = 2 if ".".join(head.parts[:2]) in BY_MNEMONIC else 1
    mnemonic, qualifiers = ".".join(head.parts[:named]), list(head.parts[named:])
    spec = BY_MNEMONIC.get(mnemonic)
    if spec is None:
        scanner.fail(f"unknown instruction '{mnemonic}'", head.start)
    optional = spec.format in (Format.PLAIN, Format.BARRIER) and not scanner.at("(")
    size, offset = (1, 0) if optional else parse_channels(scanner)
    instruction = Instruction(spec, size, offset, head.no_mask, head.predicate)
    statement = Statement(instruction, scanner.line, head.column)
    statement = _FORMATS[spec.format](scanner, context, statement, qualifiers, head.start)
    scanner.expect_end()
    return statement


# Parts that all instructions share -----------------------------------------------------------------------------------


def _control(scanner: Scanner) -> tuple[bool, Predicate | None]:
    """`(W)`, `(f0.1)`, `(~f0.1)`, `(W&f0.1.any)`, ..."""
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


def _flag(scanner: Scanner) -> Flag:
    column = scanner.column
    number, half = map(int, scanner.expect_match(_FLAG, "a flag such as f0.0").groups())
    if number > 3 or half > 1:
        scanner.fail(f"no flag f{number}.{half}: flags are f0.0, f0.1 to f3.1", column)
    return Flag(number, half)


def parse_channels(scanner: Scanner) -> tuple[int, int]:
    """`(16|M0)`: execution size and channel offset."""
    match = scanner.expect_match(_CHANNELS, "execution size and channel offset such as (16|M0)")
    return int(match[1]), int(match[2])


def _no_qualifiers(scanner: Scanner, spec: OpSpec, qualifiers: list[str], column: int) -> None:
    if qualifiers:
        scanner.fail(f"{spec.mnemonic} takes no '.{'.'.join(qualifiers)}'", column)


# Operands ------------------------------------------------------------------------------------------------------------


def _register_number(scanner: Scanner, context: Context) -> int:
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


def _typed_register(scanner: Scanner, context: Context, region: Callable[[Scanner], R]) -> tuple[Register, R, DataType]:
    """Register with subregister, what `region` reads, and type. The subregister counts elements of the type."""
    column = scanner.column
    if scanner.match(_NULL) is not None:
        return NULL, region(scanner), _type(scanner)
    if (word := scanner.match(_INDIRECT)) is not None:
        register = _indirect(scanner, int(word[1]), column)
        return register, region(scanner), _type(scanner)
    architecture = scanner.match(_ARCHITECTURE)
    if architecture is not None:
        found = _ARCHITECTURE_REGISTERS[architecture[1]]
        register, size = Register(RegisterFile.ARF, found.number), found.size
    else:
        register, size = grf(_register_number(scanner, context)), context.grf_bytes
    subregister = scanner.match(_SUBREGISTER)
    shape = region(scanner)
    type = _type(scanner)
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


def _type(scanner: Scanner) -> DataType:
    scanner.expect(":")
    column = scanner.column
    name = scanner.expect_match(NAME, "a type").group()
    if name not in BY_TEXT:
        scanner.fail(f"unknown type '{name}'", column)
    return BY_TEXT[name]


def _destination_stride(scanner: Scanner) -> int:
    if not scanner.accept("<"):
        return 1
    stride = int(scanner.expect_match(_INTEGER, "a stride").group())
    scanner.expect(">")
    return stride


def _no_region(scanner: Scanner) -> Region:
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


def _source(scanner: Scanner, context: Context, instruction: Instruction) -> Source | Immediate:
    column = scanner.column
    immediate = scanner.match(_NUMBER)
    if immediate is not None:
        return _immediate(scanner, immediate.group(), column)
    sign = "~" if instruction.spec.modifiers is Modifiers.LOGIC else "-"
    negate = scanner.accept(sign)
    absolute = scanner.match(_ABSOLUTE) is not None
    default = SCALAR if instruction.exec_size == 1 else CONTIGUOUS
    register, region, type = _typed_register(scanner, context, _source_region(default))
    if register.is_null:
        scanner.fail("null is no source", column)
    return Source(register, type, region, negate, absolute)


def _immediate(scanner: Scanner, text: str, column: int) -> Immediate:
    """A constant: a number of the type, or its bits in hexadecimal."""
    type = _type(scanner)
    if text[:2] in ("0x", "0X"):
        bits = int(text, 16)
        if bits >> type.bits:
            scanner.fail(f"{text} does not fit {type.text}", column)
        return Immediate(type, bits)
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


# Formats -------------------------------------------------------------------------------------------------------------


def _alu(scanner: Scanner, context: Context, statement: Statement, qualifiers: list[str], column: int) -> Statement:
    instruction = statement.instruction
    table = 0
    if instruction.spec.extra is Extra.TABLE:
        table = _table(scanner, instruction.spec, qualifiers, column)
    else:
        _no_qualifiers(scanner, instruction.spec, qualifiers, column)
    condition = None
    match = scanner.match(_CONDITION)
    if match is not None:
        flag = _flag(scanner) if _CONDITION_FLAG.match(scanner.text, scanner.position) else None
        condition = ConditionModifier(_CONDITIONS[match[1]], flag)
    saturate = scanner.match(_SATURATE) is not None
    register, stride, type = _typed_register(scanner, context, _destination_stride)
    carry = _carry(scanner, context) if instruction.spec.extra is Extra.CARRY else None
    instruction = replace(
        instruction,
        condition=condition,
        saturate=saturate,
        destination=Destination(register, type, stride),
        table=table,
        carry=carry,
    )
    sources: list[Source | Immediate] = []
    for _ in range(instruction.spec.sources):
        if scanner.accept("@"):
            statement = _offset(scanner, statement)
            sources.append(Immediate(DataType.UD, 0))
        else:
            sources.append(_source(scanner, context, instruction))
    return replace(statement, instruction=replace(instruction, sources=tuple(sources)))


def _offset(scanner: Scanner, statement: Statement) -> Statement:
    """`@label:ud`, the byte offset of an instruction in the code."""
    column = scanner.column
    label = scanner.expect_match(NAME, "a label").group()
    if _type(scanner) is not DataType.UD:
        scanner.fail(f"the offset of '{label}' is a ud", column)
    return replace(statement, labels=(*statement.labels, ("offset", label, column)))


def _table(scanner: Scanner, spec: OpSpec, qualifiers: list[str], column: int) -> int:
    """`.0x96`, the truth table of a boolean function."""
    text = ".".join(qualifiers)
    if _TABLE.fullmatch(text) is None or int(text, 16) > 0xFF:
        scanner.fail(f"expected the truth table, {spec.mnemonic}.0x00 to {spec.mnemonic}.0xff", column)
    return int(text, 16)


def _carry(scanner: Scanner, context: Context) -> Register:
    """The second destination: contiguous ud."""
    column = scanner.column
    register, stride, type = _typed_register(scanner, context, _destination_stride)
    if (stride, type) != (1, DataType.UD):
        scanner.fail("the second destination is contiguous ud", column)
    return register


def _dpas(scanner: Scanner, context: Context, statement: Statement, qualifiers: list[str], column: int) -> Statement:
    shape = re.fullmatch(rf"{DEPTH}x(\d)", ".".join(qualifiers))
    if shape is None:
        scanner.fail(f"expected depth and repeat count, .{DEPTH}x1 to .{DEPTH}x8", column)
    operands = [_typed_register(scanner, context, _no_region) for _ in range(4)]
    destination, *sources = ((register, type) for register, _, type in operands)
    instruction = replace(
        statement.instruction,
        destination=Destination(*destination),
        sources=tuple(Source(*source) for source in sources),
        repeat=int(shape[1]),
    )
    return replace(statement, instruction=instruction)


def _message(scanner: Scanner, context: Context, statement: Statement, qualifiers: list[str], column: int) -> Statement:
    spec = statement.instruction.spec
    message = _message_fields(scanner, spec, qualifiers, column)
    counts: list[tuple[int | None, int]] = [(None, 0), (None, 0), (None, 0)]
    returned = data = None
    if spec.access is Access.LOAD or (spec.access is Access.ATOMIC and scanner.match(_NULL) is None):
        returned = grf(_register_number(scanner, context))
        counts[0] = _count(scanner)
    message, address = _address(scanner, context, message)
    counts[1] = _count(scanner)
    if spec.sources:
        data = grf(_register_number(scanner, context))
        counts[2] = _count(scanner)
    if spec.block2d:
        match = scanner.expect_match(_BLOCK, "a block shape such as 16x8x1")
        message = replace(message, block=Block(int(match[1]), int(match[2]), int(match[3])))
    instruction = replace(statement.instruction, message=message, returned=returned, address=address, data=data)
    _check_counts(scanner, counts, register_counts(instruction, context.grf_bytes))
    return replace(statement, instruction=instruction)


def _check_counts(scanner: Scanner, counts: list[tuple[int | None, int]], needed: tuple[int, int, int]) -> None:
    """Compares numbers of registers that are written with those that a message uses."""
    for (written, place), used in zip(counts, needed, strict=True):
        if written not in (None, used):
            scanner.fail(f"the message uses {used} registers here, not {written}", place)


def _message_fields(scanner: Scanner, spec: OpSpec, qualifiers: list[str], column: int) -> Message:
    """`.unit.shape.address` and, after them, the two levels of a cache control."""
    if len(qualifiers) not in (3, 5):
        scanner.fail(f"expected unit, data and address size such as {spec.mnemonic}.ugm.d32.a64", column)
    unit, shape, address_size, *levels = qualifiers
    match = _SHAPE.fullmatch(shape)
    if unit not in _UNITS or match is None or address_size not in _ADDRESS_SIZES:
        scanner.fail(f"no message '.{unit}.{shape}.{address_size}'", column)
    size, vector, transposed, vnni = match.groups()
    message = Message(
        _UNITS[unit],
        _DATA_SIZES[size],
        int(vector or 1),
        bool(transposed),
        bool(vnni),
        address_size=_ADDRESS_SIZES[address_size],
    )
    return replace(message, cache=_cache(scanner, spec, levels, column))


def _cache(scanner: Scanner, spec: OpSpec, levels: list[str], column: int) -> CacheControl:
    """The cache control with these two levels, the default one for none."""
    if not levels:
        return CacheControl.DEFAULT
    access = spec.access
    assert access is not None
    chosen = next((cache for cache in CacheControl if cache_text(cache, access) == ".".join(levels)), None)
    if chosen is None:
        scanner.fail(f"no cache control '{'.'.join(levels)}' for {spec.mnemonic}", column)
    return chosen


def _address(scanner: Scanner, context: Context, message: Message) -> tuple[Message, Register]:
    """`flat[r4+0x40]`."""
    column = scanner.column
    model = scanner.expect_match(NAME, "an address such as flat[r4]").group()
    if model not in _MODELS:
        scanner.fail(f"unknown address model '{model}', expected one of {', '.join(_MODELS)}", column)
    scanner.expect("[")
    register = grf(_register_number(scanner, context))
    match = scanner.match(_OFFSET)
    scanner.expect("]")
    offset = int(match[1] + match[2], 16 if match[2][:2] in ("0x", "0X") else 10) if match else 0
    return replace(message, model=_MODELS[model], offset=offset), register


def _count(scanner: Scanner) -> tuple[int | None, int]:
    """`:2`, the number of registers, if it is written; and where."""
    if not scanner.accept(":"):
        return None, scanner.column
    column = scanner.column
    return int(scanner.expect_match(_INTEGER, "a number of registers").group()), column


def _image(scanner: Scanner, context: Context, statement: Statement, qualifiers: list[str], column: int) -> Statement:
    """`.tgm.d32.xyzw.uv`, then `r20 bss[r4.2][r10]` and what else the message has."""
    spec = statement.instruction.spec
    image = _image_fields(scanner, spec, qualifiers, column)
    counts: list[tuple[int | None, int]] = [(None, 0), (None, 0), (None, 0)]
    returned = sampler = data = None
    if not spec.sources:
        returned = grf(_register_number(scanner, context))
        counts[0] = _count(scanner)
    surface = _handle(scanner, context, "bss")
    scanner.expect("[")
    address = grf(_register_number(scanner, context))
    counts[1] = _count(scanner)
    scanner.expect("]")
    if spec.sampler:
        sampler = _handle(scanner, context, "sampler")
    if spec.sources:
        data = grf(_register_number(scanner, context))
        counts[2] = _count(scanner)
    instruction = replace(
        statement.instruction,
        image=image,
        returned=returned,
        surface=surface,
        address=address,
        sampler=sampler,
        data=data,
    )
    _check_counts(scanner, counts, image_register_counts(instruction, context.grf_bytes))
    return replace(statement, instruction=instruction)


def _image_fields(scanner: Scanner, spec: OpSpec, qualifiers: list[str], column: int) -> ImageMessage:
    """`.unit.d32.components.coordinates` and the levels of a cache control."""
    if len(qualifiers) not in (4, 6):
        example = f"{spec.mnemonic}.{image_unit(spec).text}.d32.xyzw.{COORDINATES[coordinate_counts(spec)[-1] - 1]}"
        scanner.fail(f"expected unit, size, components and coordinates such as {example}", column)
    unit, size, components, coordinates, *levels = qualifiers
    masks = [mask for mask in range(1, 1 << len(CHANNELS)) if components == channel_text(mask)]
    if unit not in _UNITS or size != DataSize.D32.text or not masks or coordinates not in COORDINATES:
        scanner.fail(f"no message '.{unit}.{size}.{components}.{coordinates}'", column)
    cache = _cache(scanner, spec, levels, column)
    return ImageMessage(_UNITS[unit], masks[0], COORDINATES.index(coordinates) + 1, cache)


def _handle(scanner: Scanner, context: Context, name: str) -> Register:
    """`bss[r4.2]`: the register, counted in qwords, that holds the address of a state."""
    column = scanner.column
    found = scanner.expect_match(NAME, f"a state such as {name}[r4.2]").group()
    if found != name:
        scanner.fail(f"expected {name}[...], found '{found}'", column)
    scanner.expect("[")
    register = _element(scanner, context, DataType.UQ)
    scanner.expect("]")
    return register


def _fence(scanner: Scanner, context: Context, statement: Statement, qualifiers: list[str], column: int) -> Statement:
    """`.unit.flush.scope`."""
    if len(qualifiers) != 3:
        scanner.fail("expected unit, flush and scope such as fence.ugm.none.gpu", column)
    unit, flush, scope = qualifiers
    if unit not in _UNITS or flush not in _FLUSHES or scope not in _SCOPES:
        scanner.fail(f"no fence '.{'.'.join(qualifiers)}'", column)
    fence = Fence(_UNITS[unit], _FLUSHES[flush], _SCOPES[scope])
    return replace(statement, instruction=replace(statement.instruction, fence=fence))


def _barrier(scanner: Scanner, context: Context, statement: Statement, qualifiers: list[str], column: int) -> Statement:
    _no_qualifiers(scanner, statement.instruction.spec, qualifiers, column)
    instruction = statement.instruction
    sources = tuple(_source(scanner, context, instruction) for _ in range(instruction.spec.sources))
    return replace(statement, instruction=replace(instruction, sources=sources))


def _branch(scanner: Scanner, context: Context, statement: Statement, qualifiers: list[str], column: int) -> Statement:
    _no_qualifiers(scanner, statement.instruction.spec, qualifiers, column)
    for field in _PLACES[statement.instruction.spec.format]:
        statement = _place(scanner, statement, field)
    return statement


_PLACES = {
    Format.BRANCH: ("target",),
    Format.GOTO: ("join", "target"),
    Format.JOIN: ("join",),
    Format.CALL: ("target",),
}
"""The fields that hold distances, in the order in which they are written."""


def _place(scanner: Scanner, statement: Statement, field: str) -> Statement:
    """A label or a distance in bytes."""
    distance = scanner.match(_DISTANCE)
    if distance is None:
        column = scanner.column
        label = scanner.expect_match(NAME, "a label").group()
        return replace(statement, labels=(*statement.labels, (field, label, column)))
    return replace(statement, instruction=with_distance(statement.instruction, field, int(distance.group())))


def with_offset(instruction: Instruction, offset: int) -> Instruction:
    """The instruction with a byte offset as its constant."""
    return replace(instruction, sources=(*instruction.sources[:-1], Immediate(DataType.UD, offset)))


def with_distance(instruction: Instruction, field: str, distance: int) -> Instruction:
    """The instruction with one of its distances set."""
    if field == "join":
        return replace(instruction, join=distance)
    return replace(instruction, target=distance)


def _call(scanner: Scanner, context: Context, statement: Statement, qualifiers: list[str], column: int) -> Statement:
    """`call (1|M0) r10.2 label`."""
    instruction = replace(statement.instruction, returned=_element(scanner, context, DataType.UD))
    return _branch(scanner, context, replace(statement, instruction=instruction), qualifiers, column)


def _indirect_call(
    scanner: Scanner, context: Context, statement: Statement, qualifiers: list[str], column: int
) -> Statement:
    """`calla (1|M0) r10.2 r4.1`."""
    instruction = replace(statement.instruction, returned=_element(scanner, context, DataType.UD))
    return _return(scanner, context, replace(statement, instruction=instruction), qualifiers, column)


def _return(scanner: Scanner, context: Context, statement: Statement, qualifiers: list[str], column: int) -> Statement:
    _no_qualifiers(scanner, statement.instruction.spec, qualifiers, column)
    instruction = replace(statement.instruction, address=_element(scanner, context, DataType.UD))
    return replace(statement, instruction=instruction)


def _element(scanner: Scanner, context: Context, type: DataType) -> Register:
    """`r10.2`, counted in elements of a type."""
    register, column = grf(_register_number(scanner, context)), scanner.column
    match = scanner.match(_SUBREGISTER)
    byte = 0 if match is None else int(match[1]) * (1 if match[2] else type.size)
    if byte >= context.grf_bytes:
        scanner.fail(f"subregister outside of a register of {context.grf_bytes} bytes", column)
    return replace(register, byte=byte)


def _plain(scanner: Scanner, context: Context, statement: Statement, qualifiers: list[str], column: int) -> Statement:
    _no_qualifiers(scanner, statement.instruction.spec, qualifiers, column)
    return statement


_FORMATS: dict[Format, Callable[[Scanner, Context, Statement, list[str], int], Statement]] = {
    Format.ALU: _alu,
    Format.DPAS: _dpas,
    Format.MESSAGE: _message,
    Format.IMAGE: _image,
    Format.FENCE: _fence,
    Format.BARRIER: _barrier,
    Format.BRANCH: _branch,
    Format.GOTO: _branch,
    Format.JOIN: _branch,
    Format.CALL: _call,
    Format.INDIRECT_CALL: _indirect_call,
    Format.RETURN: _return,
    Format.PLAIN: _plain,
}
