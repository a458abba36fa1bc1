"""Compact instructions: words of 64 bits, whose indices stand for frequent combinations of bits of the 128-bit word."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import cached_property, lru_cache

from xegpu.isa.native.layouts.bits import WordField, ranges
from xegpu.isa.native.layouts.forms import NativeForm
from xegpu.on_demand import dataclass

COMPACT_BIT = 29
"""The bit of a word that is set if it is compact."""

_IMMEDIATE = {NativeForm.ONE: 46, NativeForm.TWO: 47}
"""The bit of the 128-bit word that says that the last source is an immediate."""

_COMPACT_VALUE = WordField("immediate", ranges("63:52"))
_VALUE = WordField("immediate", ranges("127:96"))
_TYPE = {NativeForm.ONE: WordField("type", ranges("43:40")), NativeForm.TWO: WordField("type", ranges("91:88"))}

COMPACTED_LIKE = {
    NativeForm.SYNC: NativeForm.ONE,
    NativeForm.BFN: NativeForm.THREE,
}
"""The forms whose compact words are those of another one."""


@dataclass(frozen=True)
class _Move:
    """Bits of the compact word, the entries that they choose from if they are an index, and the place of the value."""

    compact: WordField
    entries: tuple[int, ...] | None
    word: WordField

    @cached_property
    def words(self) -> tuple[int, ...]:
        """The bits of the 128-bit word by the number in the compact one."""
        values = range(1 << self.compact.width) if self.entries is None else self.entries
        return tuple(map(self.word.insert, values))

    def shrink(self, word: int) -> int | None:
        value = self.word.extract(word)
        if self.entries is None:
            return self.compact.insert(value)
        mask = (1 << self.word.width) - 1
        fitting = (index for index, entry in enumerate(self.entries) if entry & mask == value)
        index = next(fitting, None)
        return None if index is None else self.compact.insert(index)


@dataclass(frozen=True, eq=False)
class CompactLayout:
    """The moves between compact and 128-bit words of a form, with registers and with an immediate."""

    form: NativeForm
    with_registers: tuple[_Move, ...]
    with_immediate: tuple[_Move, ...]


def numbers(text: str) -> tuple[int, ...]:
    """Returns the entries of a table: bits of a 128-bit word, the lowest first."""
    return tuple(int(digits, 16) for digits in text.split())


def compact_layouts(
    entries: Mapping[str, tuple[int, ...]],
    layouts: Mapping[NativeForm, tuple[str, str]],
    alike: Mapping[NativeForm, NativeForm],
) -> Mapping[NativeForm, CompactLayout]:
    """Returns the compact words by form: those of `layouts`, with registers and with an immediate, and those `alike`.

    A line of a layout names a table of `entries` (`-`: none), the bits of the compact word, and where the bits of the
    table's entry, or else the bits themselves, are in the 128-bit word, lowest first.
    """
    found = {
        form: CompactLayout(form, _moves(entries, with_registers), _moves(entries, with_immediate))
        for form, (with_registers, with_immediate) in layouts.items()
    }
    return found | {form: found[other] for form, other in alike.items()}


def _moves(entries: Mapping[str, tuple[int, ...]], layout: str) -> tuple[_Move, ...]:
    moves = []
    for line in filter(None, map(str.strip, layout.splitlines())):
        table, compact, word = line.split()
        pieces = tuple(reversed([piece for part in word.split(",") for piece in ranges(part)]))
        chosen = None if table == "-" else entries[table]
        moves.append(_Move(WordField(table, ranges(compact)), chosen, WordField(table, pieces)))
    return tuple(moves)


@lru_cache(maxsize=1 << 16)
def expand(layout: CompactLayout, compact: int) -> int | None:
    """Returns the 128-bit word of a compact one; None if there is none."""
    word = _expand(layout.with_registers, compact)
    immediate = _IMMEDIATE.get(layout.form)
    if immediate is None or not word >> immediate & 1:
        return word
    word = _expand(layout.with_immediate, compact)
    value = _widened(_COMPACT_VALUE.extract(compact), _TYPE[layout.form].extract(word))
    return None if value is None else word | _VALUE.insert(value)


def shrink(layout: CompactLayout, word: int) -> int | None:
    """Returns the compact word of a 128-bit word, with the lowest indices; None if there is none."""
    immediate = _IMMEDIATE.get(layout.form)
    has_immediate = immediate is not None and word >> immediate & 1
    compact = 1 << COMPACT_BIT
    for move in layout.with_immediate if has_immediate else layout.with_registers:
        bits = move.shrink(word)
        if bits is None:
            return None
        compact |= bits
    if has_immediate:
        narrow = _narrowed(_VALUE.extract(word), _TYPE[layout.form].extract(word))
        if narrow is None:
            return None
        compact |= _COMPACT_VALUE.insert(narrow)
    return compact if expand(layout, compact) == word else None


def _expand(moves: tuple[_Move, ...], compact: int) -> int:
    word = 0
    for move in moves:
        word |= move.words[move.compact.extract(compact)]
    return word


# Immediates -----------------------------------------------------------------------------------------------------------


class _Widening(Enum):
    """The way in which an immediate gets its 32 bits."""

    ZEROS_ENTER = "zeros above"
    TWICE = "zeros above, in both halves"
    SIGNED = "the sign above"
    SIGNED_TWICE = "the sign above, in both halves"
    TOP = "zeros below"
    TOP_TWICE = "zeros below, in both halves"


_WIDENING = {  # by the code of the type
    0: _Widening.ZEROS_ENTER,
    1: _Widening.TWICE,
    2: _Widening.ZEROS_ENTER,
    4: _Widening.ZEROS_ENTER,
    5: _Widening.SIGNED_TWICE,
    6: _Widening.SIGNED,
    8: _Widening.ZEROS_ENTER,
    9: _Widening.TOP_TWICE,
    10: _Widening.TOP,
}


def _widened(value: int, type: int) -> int | None:
    """Returns the 32 bits of an immediate that has 12 bits in a compact word; None if the type has no such form."""
    sign = -(value >> 11)
    match _WIDENING.get(type):
        case _Widening.ZEROS_ENTER:
            return value
        case _Widening.TWICE:
            return value * 0x10001
        case _Widening.SIGNED_TWICE:
            return (value | sign << 11 & 0xFFFF) * 0x10001
        case _Widening.SIGNED:
            return value | sign << 11 & 0xFFFFFFFF
        case _Widening.TOP_TWICE:
            return (value << 4) * 0x10001
        case _Widening.TOP:
            return value << 20
        case None:
            return None


def _narrowed(value: int, type: int) -> int | None:
    """Returns 12 bits from which the immediate may be widened."""
    match _WIDENING.get(type):
        case _Widening.TOP_TWICE:
            return value >> 4 & 0xFFF
        case _Widening.TOP:
            return value >> 20
        case None:
            return None
        case _:
            return value & 0xFFF
