"""ELF as ZEBIN uses it: a model of the file, a reader that trusts nothing, and a writer."""

from zebin.elf.model import ElfClass, ElfFile, Relocation, Section, Symbol
from zebin.elf.reader import read_elf
from zebin.elf.writer import write_elf

__all__ = ["ElfClass", "ElfFile", "Relocation", "Section", "Symbol", "read_elf", "write_elf"]
