"""The text of native code of any size, line by line.

An instruction is formatted once for each of its parts: what stands in front of the operands, each operand, and what is
behind them. Programs consist of few parts, which they combine in many ways: of 227,000 instructions of a renderer, half
occur once, but only one in twenty has a part that was not there before.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterator, Sequence
from functools import partial, reduce
from operator import or_
from typing import NamedTuple

from xegpu.isa.formats import DecodeError
from xegpu.isa.native.encoding.instruction import (
    COMPACT_BYTES,
    WIDE_BYTES,
    NativeInstruction,
    deciding_bits,
    decode_native,
    native_word,
    present_fields,
)
from xegpu.isa.native.layouts.bits import WordField
from xegpu.isa.native.layouts.encoding import NativeEncoding
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.isa.native.layouts.opcodes import NativeOpcode
from xegpu.isa.native.platforms import encoding_of
from xegpu.isa.native.text.formatter import (
    FLAG_OPTIONS,
    TextColumns,
    arranged,
    columns_of,
    format_native,
    native_head,
    native_operands,
    native_options,
    signed,
)
from xegpu.targets import Platform

_HEAD = frozenset(
    [
        "no_mask",
        "predicate",
        "inverted",
        "flag",
        "flag_half",
        "exec_size",
        "channel_offset",
        "condition",
        "function",
        "table",
        "depth",
        "repeat",
        "unit",
        "back",
    ]
)
_OPTIONS = frozenset({*FLAG_OPTIONS, "scoreboard"})
"""The fields of which the parts around the operands consist."""

_OPERANDS = ("dst", "src0", "src1", "src2")
_SEND_OPERANDS = ("dst", "src0", "src1", "ex_desc", "desc")
_AROUND = 2
"""The number of parts that are no operands."""

_DISTANCES = ("jip", "uip")
_MOST_PARTS = 1 << 17
"""Parts that are remembered."""


class _TextPiece(NamedTuple):
    """A part of instructions: the bits of the word that determine it, and its texts by these."""

    mask: int
    texts: dict[int, str]


class _TextShape(NamedTuple):
    """Instructions of one opcode with the same fields: pieces and columns of their text, and bits that end the thread.

    `distances` are the operands of branches. There are no pieces where these may be registers, and the whole is the
    only one where operands depend on each other.
    """

    pieces: tuple[_TextPiece, ...]
    eot: int
    columns: TextColumns
    distances: tuple[WordField, ...] = ()


class NativeLines:
    """The text of code, line by line, with the byte offsets of instructions; labels have none.

    Nothing is held for an instruction but its offset, so that code of any size can be listed. `error` is that of the
    first word that is no instruction, where the text ends.
    """

    def __init__(self, platform: Platform, code: bytes) -> None:
        self.error: DecodeError | None = None
        self.offsets = array("Q")
        self._platform = platform
        self._encoding = encoding_of(platform)
        self._code = code
        self._shapes: dict[tuple[int, bool, int], _TextShape] = {}
        self._deciding: dict[int, int] = {}
        self._parts = self._end = 0
        self._labels = self._find_labels()

    def __len__(self) -> int:
        return len(self.offsets) + len(self._labels)

    def __iter__(self) -> Iterator[tuple[int | None, str]]:
        labels = self._labels
        for offset in self.offsets:
            if offset in labels:
                yield None, f"L{offset}:"
            yield offset, self._text(offset)
        if self._end in labels and self._end:
            yield None, f"L{self._end}:"

    def _text(self, offset: int) -> str:
        opcode, word, is_compact = native_word(self._encoding, self._code, offset)
        shape = self._shape(opcode, word, is_compact)
        if not shape.pieces:
            return format_native(self._decoded(offset), partial(self._target, offset))
        head, *rest = self._pieces(shape, word, offset)
        if not rest:
            return head
        options, *operands = rest
        operands += [self._target(offset, signed(field.extract(word))) for field in shape.distances]
        return arranged(shape.columns, head, operands, options)

    def _decoded(self, offset: int) -> NativeInstruction:
        return decode_native(self._platform, self._code, offset)

    def _target(self, offset: int, distance: int) -> str:
        """Returns the label at a distance from an offset, or the distance if there is no instruction."""
        return f"L{offset + distance}" if offset + distance in self._labels else str(distance)

    def _find_labels(self) -> set[int]:
        """Returns the offsets that have labels: where control may arrive other than from the instruction above.

        Every instruction is checked on the way: one with a part that is new is decoded.
        """
        code, encoding, add = self._code, self._encoding, self.offsets.append
        last = len(code) - WIDE_BYTES
        starts, targets, end = {0}, set(), 0
        try:
            while end <= last or any(code[end:]):
                opcode, word, is_compact = native_word(encoding, code, end)
                shape = self._shape(opcode, word, is_compact)
                if shape.pieces:
                    self._pieces(shape, word, end)
                    targets |= {end + signed(field.extract(word)) for field in shape.distances}
                else:
                    fields = self._decoded(end).fields
                    targets |= {end + signed(fields[name]) for name in _DISTANCES if name in fields}
                add(end)
                end += COMPACT_BYTES if is_compact else WIDE_BYTES
                if opcode.is_branch or word & shape.eot:
                    starts.add(end)
        except DecodeError as error:
            self.error = error
        self._end = end
        offsets = {*self.offsets, *({end} & targets)}
        return (starts | targets) & offsets

    def _pieces(self, shape: _TextShape, word: int, offset: int) -> list[str]:
        """Returns the parts of an instruction. Raises `DecodeError` if it is none."""
        try:
            return [texts[word & mask] for mask, texts in shape.pieces]
        except KeyError:
            pass
        instruction = self._decoded(offset)
        if self._parts > _MOST_PARTS:
            self._parts = 0
            self._shapes.clear()
        keys = [word & mask for mask, _ in shape.pieces]
        new = [index for index, (_, texts) in enumerate(shape.pieces) if keys[index] not in texts]
        self._parts += len(new)
        operands = list(native_operands(instruction, str)) if new[-1] >= _AROUND else []
        for index in new:
            if len(keys) == 1:
                text = format_native(instruction)
            elif index < _AROUND:
                text = (native_head, native_options)[index](instruction)
            else:
                text = operands[index - _AROUND]
            shape.pieces[index].texts[keys[index]] = text
        return [texts[key] for key, (_, texts) in zip(keys, shape.pieces, strict=True)]

    def _shape(self, opcode: NativeOpcode, word: int, is_compact: bool) -> _TextShape:
        deciding = self._deciding.get(opcode.code)
        if deciding is None:
            deciding = self._deciding[opcode.code] = deciding_bits(self._encoding, opcode.form)
        key = opcode.code, is_compact, word & deciding
        shape = self._shapes.get(key)
        if shape is None:
            shape = self._shapes[key] = _shape_of(self._encoding, opcode, key[2])
        return shape


def _shape_of(encoding: NativeEncoding, opcode: NativeOpcode, word: int) -> _TextShape:
    """Returns the shape of the words of an opcode that have these deciding bits."""
    fields = {name: field for name, *_, field in present_fields(encoding, opcode.form, word)}
    bits = {name: field.insert(field.limit - 1) for name, field in fields.items()}
    eot, columns = bits.get("eot", 0), columns_of(opcode.form)
    distances = tuple(fields[name] for name in _DISTANCES if name in fields)
    if opcode.is_branch and (opcode.form is NativeForm.CALL or "jip" not in fields):
        return _TextShape((), eot, columns)
    if opcode.form is NativeForm.SYNC:
        return _TextShape((_TextPiece((1 << 8 * WIDE_BYTES) - 1, {}),), eot, columns)
    operands = _operands(opcode, bits)
    own = {operand: frozenset(name for name in bits if name.split(".")[0] == operand) for operand in operands}
    common = frozenset(bits) - _HEAD - _OPTIONS - frozenset().union(*own.values())
    groups = [_HEAD, _OPTIONS, *(names | common for names in own.values())]
    masks = [reduce(or_, (bits[name] for name in names if name in bits), 0) for names in groups]
    return _TextShape(tuple(_TextPiece(mask, {}) for mask in masks), eot, columns, distances)


def _operands(opcode: NativeOpcode, fields: Collection[str]) -> Sequence[str]:
    """Returns the beginnings of the names of fields by operand, in the order of the text."""
    match opcode.form:
        case NativeForm.ILLEGAL | NativeForm.NOP | NativeForm.JUMP | NativeForm.BRANCH:
            return ()
        case NativeForm.SEND:
            return _SEND_OPERANDS
        case NativeForm.MATH:
            return _OPERANDS[: 3 if "src1.immediate" in fields else 2]
        case _:
            return _OPERANDS[: 1 + opcode.sources]
