"""Assembles an ELF file: sections in the order in which they are added, tables last, as compilers write them."""

from __future__ import annotations

from collections.abc import Sequence

from xegpu.on_demand import dataclass
from zebin.elf.constants import ABSOLUTE, RelocationType, SectionType, SymbolBinding, SymbolType, SymbolVisibility
from zebin.elf.model import Buffer, ElfClass, ElfFile, Relocation, Section, Symbol


@dataclass(frozen=True)
class RelocatedField:
    """A field of a section that a relocation fills with the value of `symbol`. RELA sections state the addend."""

    offset: int
    type: RelocationType
    symbol: Symbol
    addend: int | None = None


class ElfBuilder:
    """Collects sections, symbols and relocations; `finish` adds the symbol table, relocation sections and string
    table.
    """

    def __init__(self, elf_class: ElfClass = ElfClass.ELF64):
        self._file = ElfFile([Section("", SectionType.NULL)], elf_class=elf_class)
        self._symbols: list[Symbol] = []
        self._patches: list[tuple[int, Sequence[RelocatedField]]] = []

    def add_section(self, name: str, type: SectionType, data: Buffer = b"", flags: int = 0) -> Section:
        """Appends a section."""
        section = Section(name, type, flags, data)
        self._append(section)
        return section

    def add_symbol(
        self,
        name: str,
        section: Section,
        type: SymbolType,
        value: int = 0,
        size: int = 0,
        binding: SymbolBinding = SymbolBinding.LOCAL,
        visibility: SymbolVisibility = SymbolVisibility.DEFAULT,
    ) -> Symbol:
        """Adds a symbol at byte `value` of a section."""
        symbol = Symbol(name, binding, type, section.index, value, size, visibility)
        self._symbols.append(symbol)
        return symbol

    def add_number(self, name: str, value: int) -> None:
        """Adds a local symbol that states a number."""
        self._symbols.append(Symbol(name, section_index=ABSOLUTE, value=value))

    def add_patches(self, section: int, patches: Sequence[RelocatedField]) -> None:
        """Adds relocations for the section with that index; those of debug sections state their addends."""
        if patches:
            self._patches.append((section, patches))

    def finish(self, tail: Sequence[Section]) -> ElfFile:
        """Returns the file, with the tables and then `tail` after all other sections."""
        file = self._file
        local = [symbol for symbol in self._symbols if symbol.binding == SymbolBinding.LOCAL]
        exported = [symbol for symbol in self._symbols if symbol.binding != SymbolBinding.LOCAL]
        file.symbols = [Symbol(""), *local, *exported]
        indexes = {id(symbol): index for index, symbol in enumerate(file.symbols)}
        table = Section(".symtab", SectionType.SYMTAB)
        self._append(table)
        file.symbol_table = table.index
        for section, patches in sorted(self._patches, key=lambda entry: entry[1][0].addend is not None):
            self._add_relocations(table, file.sections[section], patches, indexes)
        for last in (*tail, Section(".strtab", SectionType.STRTAB)):
            self._append(last)
        file.string_table = len(file.sections) - 1
        return file

    def _add_relocations(
        self, table: Section, target: Section, patches: Sequence[RelocatedField], indexes: dict[int, int]
    ) -> None:
        layouts = self._file.elf_class.layouts
        stated = patches[0].addend is not None
        section = Section(
            (".rela" if stated else ".rel") + target.name,
            SectionType.RELA if stated else SectionType.REL,
            link=table.index,
            info=target.index,
            entry_size=(layouts.rela if stated else layouts.rel).size,
        )
        self._append(section)
        self._file.relocations[section.index] = [
            Relocation(patch.offset, patch.type, indexes[id(patch.symbol)], patch.addend) for patch in patches
        ]

    def _append(self, section: Section) -> None:
        section.index = len(self._file.sections)
        self._file.sections.append(section)
