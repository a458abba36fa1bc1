"""Native instructions: words to fields by name, and back."""

from __future__ import annotations

from collections.abc import Mapping

from xegpu.isa.formats import DecodeError, EncodeError
from xegpu.isa.native.encoding.codes import meaningless
from xegpu.isa.native.layouts.compaction import COMPACT_BIT, expand, shrink
from xegpu.isa.native.layouts.encoding import NativeEncoding
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


def decode_native(platform: Platform, code: bytes, offset: int = 0) -> NativeInstruction:
    """Returns the instruction at a byte offset. Raises `DecodeError`."""
    encoding = encoding_of(platform)
    if len(code) - offset < COMPACT_BYTES:
        raise DecodeError(offset, f"{len(code) - offset} bytes, an instruction has at least {COMPACT_BYTES}")
    word = int.from_bytes(code[offset : offset + COMPACT_BYTES], "little")
    opcode = encoding.opcodes.get(word & _OPCODE_MASK)
    if opcode is None:
        raise DecodeError(offset, f"{encoding.name} has no opcode {word & _OPCODE_MASK:#04x}")
    is_compact = bool(word >> COMPACT_BIT & 1)
    if is_compact:
        layout = encoding.compaction.get(opcode.form)
        expanded = None if layout is None else expand(layout, word)
        if expanded is None:
            raise DecodeError(offset, f"'{opcode.mnemonic}' has no such compact form")
        word = expanded
    elif len(code) - offset < WIDE_BYTES:
        raise DecodeError(offset, f"{len(code) - offset} bytes, the instruction has {WIDE_BYTES}")
    else:
        word = int.from_bytes(code[offset : offset + WIDE_BYTES], "little")
    fields: dict[str, int] = {}
    for field in encoding.fields[opcode.form]:
        if field.is_present(fields):
            fields[field.name] = field.extract(word)
    wrong = meaningless(encoding, opcode, fields)
    if wrong is not None:
        raise DecodeError(offset, f"{fields[wrong]:#x} means nothing in the field '{wrong}' of '{opcode.mnemonic}'")
    return NativeInstruction(platform, opcode, fields, is_compact)


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
