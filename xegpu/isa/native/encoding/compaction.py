"""Compact instructions: words of 64 bits, whose indices stand for frequent combinations of bits of the 128-bit word."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from xegpu.isa.native.encoding.bits import WordField, ranges
from xegpu.isa.native.encoding.compaction_tables import TABLES
from xegpu.isa.native.encoding.forms import NativeForm
from xegpu.isa.native.encoding.platforms import NativePlatform
from xegpu.records import dataclass

COMPACT_BIT = 29
"""The bit of a word that is set if it is compact."""

_IMMEDIATE = {NativeForm.ONE: 46, NativeForm.TWO: 47}
"""The bit of the 128-bit word that says that the last source is an immediate."""

_COMPACT_VALUE = WordField("immediate", ranges("63:52"))
_VALUE = WordField("immediate", ranges("127:96"))
_TYPE = {NativeForm.ONE: WordField("type", ranges("43:40")), NativeForm.TWO: WordField("type", ranges("91:88"))}

# A line names a table (`-`: none), the bits of the compact word, and where the bits of the table's entry, or else the
# bits themselves, are in the 128-bit word, lowest first.
_FRAME = {
    NativePlatform.XE_HPC: "- 6:0 6:0\n- 17:8 17:8\n- 7 30\n- 39:32 63:56\n- 47:40 79:72",
    NativePlatform.XE_HPG: "- 6:0 6:0\n- 15:8 15:8\n- 7 30\n- 23:16 63:56\n- 47:40 79:72",
}
_COMMON = {
    NativePlatform.XE_HPC: """
control       22:18         28:18,31,32,34,95:92
subregister   51:48         33,55:51,71:67,87
source0       25:23         45:44,65:64,86:80
""",
    NativePlatform.XE_HPG: """
control       28:24         28:16,31,34:32,95:92
source0       51:48         45:44,65:64,87:80
""",
}
_WITH_REGISTERS = {
    (NativePlatform.XE_HPC, NativeForm.ONE): """
type          31:30,28:26   43:35,50:46,66,91:88,98
source1       55:52         97:96,103:99,118:112,121:120
""",
    (NativePlatform.XE_HPC, NativeForm.TWO): """
-             63:56         111:104
type          31:30,28:26   43:35,50:46,66,91:88,98
source1       55:52         97:96,103:99,118:112,121:120
""",
    (NativePlatform.XE_HPG, NativeForm.ONE): """
type          34:32,31:30   43:35,50:46,66,91:88,98
subregister   39:35         55:51,71:67
source1       55:52         97:96,121:112
""",
    (NativePlatform.XE_HPG, NativeForm.TWO): """
-             63:56         111:104
type          34:32,31:30   43:35,50:46,66,91:88,98
subregister   39:35         55:51,71:67,103:99
source1       55:52         97:96,121:112
""",
}
_WITH_IMMEDIATE = {
    (NativePlatform.XE_HPC, NativeForm.ONE): "type 31:30,28:26 43:35,50:46,66,91:88",
    (NativePlatform.XE_HPC, NativeForm.TWO): "type 31:30,28:26 43:35,50:46,66,91:88",
    (NativePlatform.XE_HPG, NativeForm.ONE): "type 34:32,31:30 43:35,50:46,66,91:88\nsubregister 39:35 55:51",
    (NativePlatform.XE_HPG, NativeForm.TWO): "type 34:32,31:30 43:35,50:46,66,91:88\nsubregister 39:35 55:51,71:67",
}
_REGISTERS_3 = "\n- 63:56 111:104\n- 55:48 127:120\n"
_SOURCES_3 = "35,47:43,66:64,87:83,91,98:96,114:112"
_THREE = {
    (NativePlatform.XE_HPC, NativeForm.THREE): f"""
control3      21:18         28:18,31,32,34,42:36,50:48,82:80,90:88,95:92
subregister3  31:30,28:26   55:51,71:67,103:99,119:115
source3       25:22         {_SOURCES_3}
""",
    (NativePlatform.XE_HPC, NativeForm.DPAS): f"""
control_dpas  21:18         28:18,31,32,34,42:36,50:48,82:80,90:88,95:92
subregister3  31:30,28:26   55:51,71:67,103:99,119:115
source_dpas   25:22         {_SOURCES_3}
""",
    (NativePlatform.XE_HPG, NativeForm.THREE): f"""
control3      28:24         28:16,31,34:32,42:36,50:48,82:80,90:88,95:92
subregister3  39:35         55:51,71:67,103:99,119:115
source3       34:32,31:30   {_SOURCES_3}
""",
}
_FORM_OF = {
    NativeForm.SYNC: NativeForm.ONE,
    NativeForm.ONE: NativeForm.ONE,
    NativeForm.TWO: NativeForm.TWO,
    NativeForm.THREE: NativeForm.THREE,
    NativeForm.BFN: NativeForm.THREE,
}


@dataclass(frozen=True)
class _Move:
    """Bits of the compact word, the entries that they choose from if they are an index, and the place of the value."""

    compact: WordField
    entries: tuple[int, ...] | None
    word: WordField

    def expand(self, compact: int) -> int:
        value = self.compact.extract(compact)
        return self.word.insert(value if self.entries is None else self.entries[value])

    def shrink(self, word: int) -> int | None:
        value = self.word.extract(word)
        if self.entries is None:
            return self.compact.insert(value)
        mask = (1 << self.word.width) - 1
        fitting = (index for index, entry in enumerate(self.entries) if entry & mask == value)
        index = next(fitting, None)
        return None if index is None else self.compact.insert(index)


@dataclass(frozen=True)
class _CompactLayout:
    """The moves between compact and 128-bit words of a form, with registers and with an immediate."""

    form: NativeForm
    with_registers: tuple[_Move, ...]
    with_immediate: tuple[_Move, ...]


def _moves(platform: NativePlatform, *tables: str) -> tuple[_Move, ...]:
    moves = []
    for line in filter(None, map(str.strip, "\n".join(tables).splitlines())):
        table, compact, word = line.split()
        pieces = tuple(reversed([piece for part in word.split(",") for piece in ranges(part)]))
        entries = None if table == "-" else TABLES[platform][table]
        moves.append(_Move(WordField(table, ranges(compact)), entries, WordField(table, pieces)))
    return tuple(moves)


def _layouts(platform: NativePlatform) -> Mapping[NativeForm, _CompactLayout]:
    frame, common = _FRAME[platform], _COMMON[platform]
    layouts = {
        form: _CompactLayout(
            form,
            _moves(platform, frame, common, _WITH_REGISTERS[platform, form]),
            _moves(platform, frame, common, _WITH_IMMEDIATE[platform, form]),
        )
        for form in (NativeForm.ONE, NativeForm.TWO)
    }
    for form in (NativeForm.THREE, NativeForm.DPAS):
        table = _THREE.get((platform, form), _THREE[platform, NativeForm.THREE])
        layouts[form] = _CompactLayout(form, _moves(platform, frame, _REGISTERS_3, table), ())
    return layouts


_LAYOUTS = {platform: _layouts(platform) for platform in NativePlatform}


def _layout(platform: NativePlatform, form: NativeForm) -> _CompactLayout | None:
    if form is NativeForm.MADM and platform is NativePlatform.XE_HPC:
        return _LAYOUTS[platform][NativeForm.THREE]
    return _LAYOUTS[platform].get(_FORM_OF.get(form, form))


def expand(platform: NativePlatform, form: NativeForm, compact: int) -> int | None:
    """Returns the 128-bit word of a compact one; None if instructions of this form have no compact words."""
    layout = _layout(platform, form)
    if layout is None:
        return None
    word = _expand(layout.with_registers, compact)
    immediate = _IMMEDIATE.get(layout.form)
    if immediate is None or not word >> immediate & 1:
        return word
    word = _expand(layout.with_immediate, compact)
    value = _widened(_COMPACT_VALUE.extract(compact), _TYPE[layout.form].extract(word))
    return None if value is None else word | _VALUE.insert(value)


def shrink(platform: NativePlatform, form: NativeForm, word: int) -> int | None:
    """Returns the compact word of a 128-bit word, with the lowest indices; None if there is none."""
    layout = _layout(platform, form)
    if layout is None:
        return None
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
    return compact if expand(platform, form, compact) == word else None


def _expand(moves: tuple[_Move, ...], compact: int) -> int:
    word = 0
    for move in moves:
        word |= move.expand(compact)
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
