"""An ELF file as ZEBIN uses it: header, sections, symbols and relocations, and their binary layout."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import field
from enum import IntEnum
from typing import Final, TypeAlias

from xegpu.on_demand import dataclass
from zebin.elf.constants import (
    DEBUG_PREFIX,
    ENTRY_SYMBOL,
    MACHINE_INTELGT,
    TEXT_PREFIX,
    FileType,
    RelocationType,
    SectionFlags,
    SectionType,
    SymbolBinding,
    SymbolType,
    SymbolVisibility,
    name_of,
)
from zebin.errors import BinaryLocation, excerpt

Buffer: TypeAlias = bytes | bytearray | memoryview


class StructureLayout:
    """The layout of a structure in the file: a `struct` format and the names of its fields in order."""

    def __init__(self, code: str, fields: str):
        self._code: Final = code
        self._struct: Final = struct.Struct("<" + code)
        self._fields: Final = tuple(fields.split())
        self.size: Final = self._struct.size

    def offset_of(self, name: str) -> int:
        """Returns the offset of a field in the structure."""
        return struct.calcsize("<" + self._code[: self._fields.index(name)])

    def unpack(self, data: Buffer, offset: int) -> dict[str, int]:
        """Returns the fields at `offset`; the caller has checked that they lie in `data`."""
        return dict(zip(self._fields, self._struct.unpack_from(data, offset), strict=True))

    def pack(self, **values: int) -> bytes:
        return self._struct.pack(*(values[name] for name in self._fields))


@dataclass(frozen=True)
class ElfLayouts:
    """The structures of one ELF class. `header` excludes the 16 identification bytes."""

    header: StructureLayout
    section: StructureLayout
    segment: StructureLayout
    symbol: StructureLayout
    rel: StructureLayout
    rela: StructureLayout
    symbol_shift: int
    """Position of the symbol index in `r_info`; the lower bits hold the relocation type."""


IDENT_SIZE = 16
_HEADER = "type machine version entry phoff shoff flags ehsize phentsize phnum shentsize shnum shstrndx"
_SECTION = "name type flags addr offset size link info addralign entsize"


class ElfClass(IntEnum):
    """`EI_CLASS`, which determines the size of every structure and of pointers."""

    ELF32 = 1
    ELF64 = 2

    @property
    def layouts(self) -> ElfLayouts:
        return _LAYOUTS[self]

    @property
    def bits(self) -> int:
        return 32 * self

    @property
    def pointer_bytes(self) -> int:
        return 4 * self

    @property
    def header_bytes(self) -> int:
        """`e_ehsize`."""
        return IDENT_SIZE + self.layouts.header.size


_LAYOUTS = {
    ElfClass.ELF32: ElfLayouts(
        header=StructureLayout("HHIIIIIHHHHHH", _HEADER),
        section=StructureLayout("IIIIIIIIII", _SECTION),
        segment=StructureLayout("IIIIIIII", "type offset vaddr paddr filesz memsz flags align"),
        symbol=StructureLayout("IIIBBH", "name value size info other shndx"),
        rel=StructureLayout("II", "offset info"),
        rela=StructureLayout("IIi", "offset info addend"),
        symbol_shift=8,
    ),
    ElfClass.ELF64: ElfLayouts(
        header=StructureLayout("HHIQQQIHHHHHH", _HEADER),
        section=StructureLayout("IIQQQQIIQQ", _SECTION),
        segment=StructureLayout("IIQQQQQQ", "type flags offset vaddr paddr filesz memsz align"),
        symbol=StructureLayout("IBBHQQ", "name info other shndx value size"),
        rel=StructureLayout("QQ", "offset info"),
        rela=StructureLayout("QQq", "offset info addend"),
        symbol_shift=32,
    ),
}


@dataclass
class Section:
    """A section. `data` is empty for NOBITS, whose `size` counts bytes in memory only.

    `index` and `offset` are those in the file that the section was read from.
    """

    name: str
    type: int
    flags: int = 0
    data: Buffer = b""
    size: int = -1
    link: int = 0
    info: int = 0
    entry_size: int = 0
    alignment: int = 0
    address: int = 0
    index: int = 0
    offset: int = 0

    def __post_init__(self) -> None:
        if self.size < 0:
            self.size = len(self.data)

    @property
    def label(self) -> str:
        """The section's number and name for messages."""
        return f"section {self.index} {excerpt(self.name)}"

    @property
    def type_name(self) -> str:
        return name_of(SectionType, self.type)

    @property
    def flag_letters(self) -> str:
        """The flags in the notation of `readelf`."""
        letters = {SectionFlags.WRITE: "W", SectionFlags.ALLOC: "A", SectionFlags.EXECUTE: "X"}
        return "".join(letter for flag, letter in letters.items() if self.flags & flag)

    def location(self, offset: int = 0) -> BinaryLocation:
        """Returns the location `offset` bytes into the section."""
        return BinaryLocation(self.offset + offset, self.label)


@dataclass(slots=True)
class Symbol:
    """An entry of `.symtab`. A `section_index` of 0 means undefined, `ABSOLUTE` that `value` is no address."""

    name: str
    binding: int = SymbolBinding.LOCAL
    type: int = SymbolType.NOTYPE
    section_index: int = 0
    value: int = 0
    size: int = 0
    other: int = 0

    @property
    def binding_name(self) -> str:
        return name_of(SymbolBinding, self.binding)

    @property
    def scope(self) -> str:
        """Returns the binding, and the visibility unless it follows from the binding."""
        hidden = self.visibility != SymbolVisibility.DEFAULT
        return f"{self.binding_name} {self.visibility.name}" if hidden else self.binding_name

    @property
    def visibility(self) -> SymbolVisibility:
        return SymbolVisibility(self.other & 3)

    @property
    def type_name(self) -> str:
        return name_of(SymbolType, self.type)


@dataclass(slots=True)
class Relocation:
    """A field to relocate: `offset` counts bytes from the start of the target section.

    `addend` is None in REL sections: data contains it in the field itself, and text has none.
    """

    offset: int
    type: int
    symbol: int
    addend: int | None = None

    @property
    def type_name(self) -> str:
        return name_of(RelocationType, self.type)


@dataclass
class ElfFile:
    """A complete ELF file.

    `sections` starts with the NULL section, so that indices are those in the file. `string_table` is the index of the
    section with all names, `symbol_table` that of the section with `symbols`, 0 if there is none. `relocations` maps
    the index of a REL or RELA section to its entries.
    """

    sections: list[Section]
    symbols: Sequence[Symbol] = ()
    relocations: dict[int, Sequence[Relocation]] = field(default_factory=dict)
    string_table: int = 0
    symbol_table: int = 0
    elf_class: ElfClass = ElfClass.ELF64
    file_type: int = FileType.REL
    machine: int = MACHINE_INTELGT
    flags: int = 0
    abi_version: int = 1

    def find(self, name: str) -> Section | None:
        """Returns the first section called `name`."""
        return next((section for section in self.sections if section.name == name), None)

    def code_symbols(self) -> dict[int, dict[str, Symbol]]:
        """Returns each kernel's own symbol and its entry by name, by the index of its code section."""
        found: dict[int, dict[str, Symbol]] = {}
        names = {s.index: s.name.removeprefix(TEXT_PREFIX) for s in self.sections if s.name.startswith(TEXT_PREFIX)}
        for symbol in self.symbols:
            name = names.get(symbol.section_index)
            if name is not None and symbol.name in (name, ENTRY_SYMBOL):
                found.setdefault(symbol.section_index, {}).setdefault(symbol.name, symbol)
        return found

    def relocated_symbols(self) -> frozenset[int]:
        """Returns the indices of the symbols that relocations of code and data refer to, not of debug information."""
        return frozenset(
            entry.symbol
            for index, entries in self.relocations.items()
            if (target := self.sections[index].info) < len(self.sections)
            and not self.sections[target].name.startswith(DEBUG_PREFIX)
            for entry in entries
        )

    def of_type(self, section_type: SectionType) -> Sequence[Section]:
        return [section for section in self.sections if section.type == section_type]
