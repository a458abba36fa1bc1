"""Native instructions: words to fields by name, and back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, reduce
from operator import or_

from xegpu.isa.formats import DecodeError, EncodeError
from xegpu.isa.native.encoding.codes import meaningless
from xegpu.isa.native.layouts.bits import WordField
from xegpu.isa.native.layouts.compaction import COMPACT_BIT, expand, shrink
from xegpu.isa.native.layouts.encoding import NativeEncoding
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.isa.native.layouts.opcodes import NativeOpcode
from xegpu.isa.native.platforms import encoding_of
from xegpu.on_demand import dataclass
from xegpu.targets import Platform

WIDE_BYTES, COMPACT_BYTES = 16, 8
_OPCODE_MASK = 0x7F


@dataclass(frozen=True)
class NativeInstruction:
    """An instruction of native code: the numbers in the fields of its word, which `forms` describes.

    `is_compact` says that the code holds it, or shall hold it, as a word of 64 bits.
    """

    platform: Platform
    opcode: NativeOpcode
    fields: Mapping[str, int]
    is_compact: bool = False

    @property
    def encoding(self) -> NativeEncoding:
        """The tables of the words of its platform."""
        return encoding_of(self.platform)

    @property
    def size(self) -> int:
        """The number of bytes in the code."""
        return COMPACT_BYTES if self.is_compact else WIDE_BYTES

    def __getitem__(self, field: str) -> int:
        return self.fields.get(field, 0)


def native_word(encoding: NativeEncoding, code: bytes, offset: int) -> tuple[NativeOpcode, int, bool]:
    """Returns opcode and word at a byte offset, expanded, and whether it is a compact one. Raises `DecodeError`."""
    left = len(code) - offset
    if left < COMPACT_BYTES:
        raise DecodeError(offset, f"{left} bytes, an instruction has at least {COMPACT_BYTES}")
    opcode = encoding.opcodes.get(code[offset] & _OPCODE_MASK)
    if opcode is None:
        raise DecodeError(offset, f"{encoding.name} has no opcode {code[offset] & _OPCODE_MASK:#04x}")
    is_compact = bool(code[offset + COMPACT_BIT // 8] >> COMPACT_BIT % 8 & 1)
    if is_compact:
        layout = encoding.compaction.get(opcode.form)
        word = int.from_bytes(code[offset : offset + COMPACT_BYTES], "little")
        expanded = None if layout is None else expand(layout, word)
        if expanded is None:
            raise DecodeError(offset, f"'{opcode.mnemonic}' has no such compact form")
        word = expanded
    elif left < WIDE_BYTES:
        raise DecodeError(offset, f"{left} bytes, the instruction has {WIDE_BYTES}")
    else:
        word = int.from_bytes(code[offset : offset + WIDE_BYTES], "little")
    return opcode, word, is_compact


def decode_native(platform: Platform, code: bytes, offset: int = 0) -> NativeInstruction:
    """Returns the instruction at a byte offset. Raises `DecodeError`."""
    encoding = encoding_of(platform)
    opcode, word, is_compact = native_word(encoding, code, offset)
    present = present_fields(encoding, opcode.form, word & deciding_bits(encoding, opcode.form))
    fields = {name: word >> lowest & mask if mask else field.extract(word) for name, lowest, mask, field in present}
    wrong = meaningless(encoding, opcode, fields)
    if wrong is not None:
        raise DecodeError(offset, f"{fields[wrong]:#x} means nothing in the field '{wrong}' of '{opcode.mnemonic}'")
    return NativeInstruction(platform, opcode, fields, is_compact)


@cache
def deciding_bits(encoding: NativeEncoding, form: NativeForm) -> int:
    """Returns the bits of a word that decide which fields it has."""
    deciding = {name for field in encoding.fields[form] for name, _ in field.when}
    ones = (field.insert(field.limit - 1) for field in encoding.fields[form] if field.name in deciding)
    return reduce(or_, ones, 0)


_Place = tuple[str, int, int, WordField]
"""A field with its name, lowest bit and mask; the mask is 0 if it is more than bits in a row."""


@cache
def present_fields(encoding: NativeEncoding, form: NativeForm, word: int) -> tuple[_Place, ...]:
    """Returns the fields of words with these deciding bits."""
    fields: dict[str, int] = {}
    found: list[_Place] = []
    for field in encoding.fields[form]:
        if field.is_present(fields):
            fields[field.name] = field.extract(word)
            is_plain = len(field.pieces) == 1 and not field.zeros
            lowest, width = field.pieces[0]
            found.append((field.name, lowest, (1 << width) - 1 if is_plain else 0, field))
    return tuple(found)


def encode_native(instruction: NativeInstruction) -> bytes:
    """Returns the word of an instruction.

    Raises:
        EncodeError: A number does not fit its field, a field is not of this form, or there is no compact word.
    """
    encoding, opcode = instruction.encoding, instruction.opcode
    left = {**instruction.fields, "opcode": opcode.code, "compacted": 0}
    fields: dict[str, int] = {}
    word = 0
    for field in encoding.fields[opcode.form]:
        if not field.is_present(fields):
            continue
        value = fields[field.name] = left.pop(field.name, 0)
        if not 0 <= value < field.limit or value & ((1 << field.zeros) - 1):
            raise EncodeError(f"{value:#x} does not fit the field '{field.name}' of '{opcode.mnemonic}'")
        word |= field.insert(value)
    left.pop("compacted", None)
    if any(left.values()):
        names = ", ".join(f"'{name}'" for name, value in left.items() if value)
        raise EncodeError(f"'{opcode.mnemonic}' has no {names} on {encoding.name}")
    if not instruction.is_compact:
        return word.to_bytes(WIDE_BYTES, "little")
    layout = encoding.compaction.get(opcode.form)
    compact = None if layout is None else shrink(layout, word)
    if compact is None:
        raise EncodeError(f"this '{opcode.mnemonic}' has no compact form")
    return compact.to_bytes(COMPACT_BYTES, "little")
