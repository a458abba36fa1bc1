"""ELF as ZEBIN uses it: a model of the file, a reader that checks every value, and a writer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xegpu.on_demand import public_names

if TYPE_CHECKING:
    from zebin.elf.constants import STRINGS, RelocationType, SectionType, SymbolBinding, SymbolType, SymbolVisibility
    from zebin.elf.model import Buffer, ElfClass, ElfFile, Relocation, Section, Symbol
    from zebin.elf.reader import read_elf
    from zebin.elf.writer import write_elf


__all__ = [
    "STRINGS",
    "Buffer",
    "ElfClass",
    "ElfFile",
    "Relocation",
    "RelocationType",
    "Section",
    "SectionType",
    "Symbol",
    "SymbolBinding",
    "SymbolType",
    "SymbolVisibility",
    "read_elf",
    "write_elf",
]

__getattr__ = public_names(
    __name__,
    {
        ".constants": "STRINGS RelocationType SectionType SymbolBinding SymbolType SymbolVisibility",
        ".model": "Buffer ElfClass ElfFile Relocation Section Symbol",
        ".reader": "read_elf",
        ".writer": "write_elf",
    },
)
