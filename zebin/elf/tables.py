"""Symbols and relocations: tables of fixed-size entries, decoded on access."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, overload

from zebin.elf.constants import SectionType
from zebin.elf.model import ElfFile, Relocation, Section, Symbol
from zebin.elf.string_table import BadNameError, StringTable
from zebin.errors import Report

T = TypeVar("T")


class TableView(Sequence[T]):
    """The entries of a table, decoded on access, so that a table of any size takes no time or memory until it is
    used.
    """

    def __init__(self, count: int, decode: Callable[[int], T]):
        self._count, self._decode = count, decode

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[T]: ...
    def __getitem__(self, index: int | slice) -> T | Sequence[T]:
        positions = range(self._count)[index]
        if isinstance(positions, range):
            return [self._decode(position) for position in positions]
        return self._decode(positions)


def read_tables(file: ElfFile, names: StringTable, report: Report) -> None:
    """Sets `file.symbols` and `file.relocations`."""
    layouts = file.elf_class.layouts
    for section in file.of_type(SectionType.SYMTAB)[:1]:
        if _check_entries(section, layouts.symbol.size, "sym", report):
            file.symbol_table = section.index
            file.symbols = _symbols(section, file, names)
    for section in file.sections:
        if section.type == SectionType.REL and _check_entries(section, layouts.rel.size, "rel", report):
            file.relocations[section.index] = _relocations(section, file)
        if section.type == SectionType.RELA and _check_entries(section, layouts.rela.size, "rel", report):
            file.relocations[section.index] = _relocations(section, file)


def _check_entries(section: Section, size: int, prefix: str, report: Report) -> bool:
    """Returns True if the section holds entries of `size` bytes. An incomplete last entry is reported and left out."""
    if section.entry_size != size:
        report.error(
            f"{prefix}.entsize",
            "entries of the wrong size",
            section.location(),
            found=section.entry_size,
            expected=f"{size}",
        )
        return False
    if len(section.data) % size:
        report.error(
            f"{prefix}.size",
            "section ends inside an entry",
            section.location(),
            found=f"{len(section.data)} bytes",
            expected=f"a multiple of {size}",
        )
    return True


def _symbols(section: Section, file: ElfFile, names: StringTable) -> Sequence[Symbol]:
    layout, data = file.elf_class.layouts.symbol, section.data

    def decode(index: int) -> Symbol:
        raw = layout.unpack(data, index * layout.size)
        try:
            name = names.name(raw["name"])
        except BadNameError as fault:
            name = fault.text
        info = raw["info"]
        return Symbol(name, info >> 4, info & 15, raw["shndx"], raw["value"], raw["size"], raw["other"])

    return TableView(len(data) // layout.size, decode)


def _relocations(section: Section, file: ElfFile) -> Sequence[Relocation]:
    layouts, data = file.elf_class.layouts, section.data
    layout = layouts.rela if section.type == SectionType.RELA else layouts.rel
    type_mask = (1 << layouts.symbol_shift) - 1

    def decode(index: int) -> Relocation:
        raw = layout.unpack(data, index * layout.size)
        symbol, kind = raw["info"] >> layouts.symbol_shift, raw["info"] & type_mask
        return Relocation(raw["offset"], kind, symbol, raw.get("addend"))

    return TableView(len(data) // layout.size, decode)


def check_symbol_names(file: ElfFile, names: StringTable, report: Report) -> None:
    """Checks that every name offset lies in the string table and every name is UTF-8."""
    layout = file.elf_class.layouts.symbol
    for section in file.of_type(SectionType.SYMTAB)[:1]:
        for index in range(len(file.symbols)):
            at = index * layout.size
            try:
                names.name(layout.unpack(section.data, at)["name"])
            except BadNameError as fault:
                report.error(f"sym.{fault.code}", str(fault), section.location(at), found=f"symbol {index}")
