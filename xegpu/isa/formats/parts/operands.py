"""Operands in instruction words: registers of all files, sources with regions, immediates."""

from __future__ import annotations

from xegpu.isa.formats.parts.word import (
    FIRST_OWN_BIT,
    WORD_BYTES,
    EncodeError,
    Field,
    Layout,
    Word,
    consecutive,
    index,
    signed,
    twos_complement,
)
from xegpu.isa.model.operands import (
    ADDRESS_WORDS,
    ARCHITECTURE,
    NULL,
    SCALAR,
    VXH,
    WIDTHS,
    Destination,
    Immediate,
    Region,
    Register,
    RegisterFile,
    SourceRegister,
)
from xegpu.isa.model.types import BY_CODE

STRIDES = (0, 1, 2, 4)
VERTICAL_STRIDES = (0, 1, 2, 4, 8, 16, 32, VXH)
"""Values of coded fields, as `WIDTHS` are; the index is the code."""

KIND_IMMEDIATE = 2
"""Code of a source's `kind` for a constant; the bits of a 64-bit one are in the following word."""

KINDS = {0: RegisterFile.GRF, 1: RegisterFile.ARF, 3: RegisterFile.INDIRECT}
"""Codes of a source's `kind` for registers."""

_KIND_CODES = {file: kind for kind, file in KINDS.items()}
_FILES = {f.value: f for f in RegisterFile}

_INDIRECT_OFFSET_BITS = 10
"""Width of the constant of an indirect operand, which is above the four bits that number its word of a0."""


# Fields --------------------------------------------------------------------------------------------------------------

_MODIFIERS = (("negate", 1), ("absolute", 1))


def register_fields(name: str) -> tuple[tuple[str, int], tuple[str, int]]:
    """Returns the fields of a general register."""
    return (f"{name}.register", 8), (f"{name}.byte", 6)


DESTINATION = consecutive(FIRST_OWN_BIT, ("dst.file", 2), *register_fields("dst"), ("dst.type", 5), ("dst.stride", 2))


def source_fields(number: int, start: int, *parts: tuple[str, int]) -> Layout:
    """Returns the fields of a source register from bit `start`, followed by `parts`."""
    names = (("kind", 2), ("type", 5), ("register", 8), ("byte", 6), *parts)
    return consecutive(start, *((f"src{number}.{name}", width) for name, width in names))


def full_source(number: int, start: int) -> Layout:
    """Returns the fields of a source with modifiers and any region."""
    return source_fields(number, start, *_MODIFIERS, ("vertical", 3), ("width", 3), ("horizontal", 2))


def linear_source(number: int, start: int) -> Layout:
    """Returns the fields of a source with modifiers and a stride."""
    return source_fields(number, start, *_MODIFIERS, ("stride", 2))


def unmodified_source(number: int, start: int) -> Layout:
    """Returns the fields of a source with a stride only."""
    return source_fields(number, start, ("stride", 2))


def immediate_fields(number: int, start: int, lsb: int, width: int) -> Layout:
    """Returns the fields of a constant: its kind and type from bit `start`, its `width` bits from bit `lsb`."""
    kind = consecutive(start, (f"src{number}.kind", 2), (f"src{number}.type", 5))
    return kind | {f"src{number}.immediate": Field(lsb, width)}


# Writing -------------------------------------------------------------------------------------------------------------


def register_values(prefix: str, register: Register | None) -> dict[str, int]:
    """Returns the fields of a register.

    Those of an indirect one hold its word of a0 and, above it, the constant.
    """
    assert register is not None
    number, byte = register.number, register.byte
    if register.file is RegisterFile.INDIRECT:
        if not 0 <= number < ADDRESS_WORDS:
            raise EncodeError(f"address register a0.{number}, expected a0.0 to a0.{ADDRESS_WORDS - 1}")
        constant = twos_complement("indirect offset", byte, _INDIRECT_OFFSET_BITS)
        byte, number = divmod(number | constant << 4, 1 << 8)
    return {prefix + "register": number, prefix + "byte": byte}


def optional_values(prefix: str, register: Register | None) -> dict[str, int]:
    """Returns the fields of a register that may be absent and has no byte."""
    return {prefix + "null": 1} if register is None else {prefix + "register": register.number}


def destination_values(destination: Destination) -> dict[str, int]:
    """Returns the fields of a destination."""
    return {
        "dst.file": destination.register.file.value,
        **register_values("dst.", destination.register),
        "dst.type": destination.type.code,
        "dst.stride": index(STRIDES, destination.stride, "destination stride"),
    }


def source_values(number: int, source: SourceRegister | Immediate, *, ternary: bool) -> dict[str, int]:
    """Returns the fields of a source; those of three-source instructions have linear regions."""
    prefix = f"src{number}."
    if isinstance(source, Immediate):
        if source.bits >> source.type.bits:
            raise EncodeError(f"immediate {source.bits:#x} is wider than {source.type.text}")
        if ternary and source.type.bits == 64:
            raise EncodeError("a 64-bit immediate does not fit a three-source instruction")
        values = {prefix + "kind": KIND_IMMEDIATE, prefix + "type": source.type.code}
        return values if source.type.bits == 64 else values | {prefix + "immediate": source.bits}
    values = {
        prefix + "kind": _KIND_CODES[source.register.file],
        prefix + "type": source.type.code,
        **register_values(prefix, source.register),
    }
    if source.negate:
        values[prefix + "negate"] = 1
    if source.absolute:
        values[prefix + "absolute"] = 1
    region = source.region
    if ternary:
        if region.width != 1 or region.horizontal != 0:
            raise EncodeError(f"src{number}: a three-source instruction takes only linear regions")
        values[prefix + "stride"] = index(STRIDES, region.vertical, "stride")
    else:
        strides = VERTICAL_STRIDES if region.vertical == VXH else VERTICAL_STRIDES[:-1]
        values[prefix + "vertical"] = index(strides, region.vertical, "vertical stride")
        values[prefix + "width"] = index(WIDTHS, region.width, "width")
        values[prefix + "horizontal"] = index(STRIDES, region.horizontal, "horizontal stride")
    return values


def scalar_values(source: SourceRegister | Immediate) -> dict[str, int]:
    """Returns the fields of source 0 where it is one element, whose region is not encoded."""
    if isinstance(source, Immediate):
        return {"src0.kind": KIND_IMMEDIATE, "src0.type": source.type.code, "src0.immediate": source.bits}
    kind = {"src0.kind": _KIND_CODES[source.register.file], "src0.type": source.type.code}
    return kind | register_values("src0.", source.register)


# Reading -------------------------------------------------------------------------------------------------------------


def read_register(word: Word, prefix: str, file: RegisterFile) -> Register:
    """Reads a register of any file."""
    number, byte = word.get(prefix + "register"), word.get(prefix + "byte")
    if file is RegisterFile.INDIRECT:
        constant = (number | byte << 8) >> 4
        return Register(file, number % ADDRESS_WORDS, signed(constant, _INDIRECT_OFFSET_BITS))
    register = Register(file, number, byte)
    if file is RegisterFile.ARF and register != NULL:
        if number not in ARCHITECTURE:
            word.fail(f"{prefix}register is no known architecture register: {number:#x}")
        if byte >= ARCHITECTURE[number].size:
            word.fail(f"{prefix}byte is outside of {ARCHITECTURE[number].text}: {byte}")
    return register


def read_general(word: Word, name: str) -> Register:
    """Reads a general register, which starts at its first byte where the layout has no field for that."""
    byte = f"{name}.byte"
    return Register(RegisterFile.GRF, word.get(f"{name}.register"), word.get(byte) if byte in word.layout else 0)


def read_optional(word: Word, name: str) -> Register | None:
    """Reads a general register, or None if the word says that there is none."""
    register = read_general(word, name)
    if not word.bit(f"{name}.null"):
        return register
    if register.number or register.byte:
        word.fail(f"a null {name} names a register")
    return None


def read_destination(word: Word) -> Destination:
    """Reads a destination."""
    return word.once("dst", _read_destination)


def _read_destination(word: Word, name: str) -> Destination:
    register = read_register(word, "dst.", word.pick("dst.file", _FILES))
    stride = word.pick("dst.stride", STRIDES)
    if stride == 0:
        word.fail("destination stride 0")
    return Destination(register, word.pick("dst.type", BY_CODE), stride)


def read_source(word: Word, number: int) -> SourceRegister:
    """Reads a source register, with any region or with a stride."""
    return word.once(_SOURCES[number], _read_source)


_SOURCES = ("src0", "src1", "src2")


def _read_source(word: Word, name: str) -> SourceRegister:
    prefix = f"{name}."
    if word.get(prefix + "kind") == KIND_IMMEDIATE:
        word.fail(f"{name} cannot be an immediate: only the last source can")
    if prefix + "stride" in word.layout:
        region = Region(word.pick(prefix + "stride", STRIDES), 1, 0)
    else:
        region = Region(
            word.pick(prefix + "vertical", VERTICAL_STRIDES),
            word.pick(prefix + "width", WIDTHS),
            word.pick(prefix + "horizontal", STRIDES),
        )
    register = read_register(word, prefix, word.pick(prefix + "kind", KINDS))
    data_type = word.pick(prefix + "type", BY_CODE)
    negate, absolute = (prefix + name in word.layout and word.bit(prefix + name) for name in ("negate", "absolute"))
    return SourceRegister(register, data_type, region, negate, absolute)


def read_scalar(word: Word) -> SourceRegister:
    """Reads source 0 where it is one element in a register."""
    register = read_register(word, "src0.", word.pick("src0.kind", KINDS))
    return SourceRegister(register, word.pick("src0.type", BY_CODE), SCALAR)


def read_immediate(word: Word, number: int) -> Immediate:
    """Reads a constant; that of a 64-bit type is in the following word."""
    prefix = f"src{number}."
    data_type = word.pick(prefix + "type", BY_CODE)
    bits = word.get(prefix + "immediate")
    if word.layout[prefix + "immediate"].width < 32 and data_type.bits == 64:
        word.fail("a 64-bit immediate does not fit a three-source instruction")
    if data_type.bits < 64:
        if bits >> data_type.bits:
            word.fail(f"immediate {bits:#x} is wider than {data_type.text}")
        return Immediate(data_type, bits)
    if bits:
        word.fail("an immediate of 64 bits is in the following word, but this one has bits of it")
    start = word.offset + WORD_BYTES
    extension = word.data[start : start + WORD_BYTES]
    if len(extension) < WORD_BYTES or any(extension[8:]):
        word.fail("the word of the 64-bit immediate is missing or has reserved bits set")
    return Immediate(data_type, int.from_bytes(extension[:8], "little"))
