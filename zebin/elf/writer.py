"""Writes an ELF file: the same bytes for the same contents, in a layout that every driver accepts."""

from __future__ import annotations

from collections.abc import Iterable

from zebin.elf.constants import MAGIC, SectionType, SymbolBinding
from zebin.elf.model import IDENT_SIZE, Buffer, ElfFile, Section, Symbol
from zebin.elf.string_table import StringTableBuilder


def write_elf(file: ElfFile) -> bytes:
    """Returns the file: header, sections in order, section table; sections and table are aligned to the pointer size.

    The symbol table, REL and RELA sections and the string table are derived from `file.symbols`, `file.relocations` and
    the names; all other sections are `Section.data`.
    """
    names = StringTableBuilder()
    name_offsets = [names.offset(section.name) for section in file.sections]
    symbols = b"".join(_symbol(file, symbol, names) for symbol in file.symbols)
    output = bytearray(file.elf_class.header_bytes)
    alignment = file.elf_class.pointer_bytes
    headers = []
    for section, name_offset in zip(file.sections, name_offsets, strict=True):
        data = _contents(file, section, symbols, names)
        _pad(output, alignment if len(data) else 1)
        headers.append(_section_header(file, section, name_offset, len(output), data))
        output += data
    _pad(output, alignment)
    table_offset = len(output)
    output += b"".join(headers)
    output[: file.elf_class.header_bytes] = _file_header(file, table_offset)
    return bytes(output)


def _pad(output: bytearray, alignment: int) -> None:
    output += bytes(-len(output) % alignment)


def _contents(file: ElfFile, section: Section, symbols: bytes, names: StringTableBuilder) -> Buffer:
    if section.index and section.index == file.symbol_table:
        return symbols
    if section.index in file.relocations:
        return b"".join(_relocations(file, section))
    if section.index == file.string_table:
        return names.data()
    return section.data


def _symbol(file: ElfFile, symbol: Symbol, names: StringTableBuilder) -> bytes:
    return file.elf_class.layouts.symbol.pack(
        name=names.offset(symbol.name),
        info=symbol.binding << 4 | symbol.type,
        other=symbol.other,
        shndx=symbol.section_index,
        value=symbol.value,
        size=symbol.size,
    )


def _relocations(file: ElfFile, section: Section) -> Iterable[bytes]:
    layouts = file.elf_class.layouts
    for entry in file.relocations[section.index]:
        info = entry.symbol << layouts.symbol_shift | entry.type
        if section.type == SectionType.RELA:
            yield layouts.rela.pack(offset=entry.offset, info=info, addend=entry.addend or 0)
        else:
            yield layouts.rel.pack(offset=entry.offset, info=info)


def _section_header(file: ElfFile, section: Section, name: int, offset: int, data: Buffer) -> bytes:
    layouts = file.elf_class.layouts
    link, info, entry_size = section.link, section.info, section.entry_size
    if section.index and section.index == file.symbol_table:
        link, entry_size = file.string_table, layouts.symbol.size
        info = sum(symbol.binding == SymbolBinding.LOCAL for symbol in file.symbols)
    return layouts.section.pack(
        name=name,
        type=section.type,
        flags=section.flags,
        addr=section.address,
        offset=offset,
        size=section.size if section.type == SectionType.NOBITS else len(data),
        link=link,
        info=info,
        addralign=section.alignment,
        entsize=entry_size,
    )


def _file_header(file: ElfFile, table_offset: int) -> bytes:
    ident = MAGIC + bytes((file.elf_class, 1, 1, 0, file.abi_version))
    layouts = file.elf_class.layouts
    return ident.ljust(IDENT_SIZE, b"\0") + layouts.header.pack(
        type=file.file_type,
        machine=file.machine,
        version=1,
        entry=0,
        phoff=0,
        shoff=table_offset,
        flags=file.flags,
        ehsize=file.elf_class.header_bytes,
        phentsize=0,
        phnum=0,
        shentsize=layouts.section.size,
        shnum=len(file.sections),
        shstrndx=file.string_table,
    )
