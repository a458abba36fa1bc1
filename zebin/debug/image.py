"""The debug information of a ZEBIN as an ELF file for tools that know nothing of its relocations.

Sections of code receive addresses, and the debug sections refer to those, so that `readelf`, `llvm-dwarfdump` and `gdb`
need no knowledge of the GPU. Code keeps the relocations' places as they are in the ZEBIN.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from zebin.binary.model import Zebin
from zebin.contract.linking import RELOCATIONS
from zebin.elf.constants import (
    DEBUG_PREFIX,
    TEXT_PREFIX,
    FileType,
    SectionType,
)
from zebin.elf.model import Relocation, Section
from zebin.elf.writer import write_elf

FIRST_ADDRESS = 0x10000
"""The address of the first section of code. Tools take address 0 for code that was removed."""

_ALIGNMENT = 256

_RELOCATION_SECTIONS = (SectionType.REL, SectionType.RELA)


def debug_image(zebin: Zebin, first: int = FIRST_ADDRESS) -> bytes:
    """Returns an executable ELF file with code, symbols and debug information; empty if there is none of the last.

    The first section of code has the address `first`.
    """
    if not any(section.name.startswith(DEBUG_PREFIX) for section in zebin.sections):
        return b""
    addresses = code_addresses(zebin, first)
    kept = [section for section in zebin.sections if section.type not in _RELOCATION_SECTIONS]
    numbers = {section.index: number for number, section in enumerate(kept)}
    sections = [
        replace(
            section,
            data=_relocated(zebin, section, addresses) if section.name.startswith(DEBUG_PREFIX) else section.data,
            address=addresses.get(section.index, 0),
            index=numbers[section.index],
            link=numbers.get(section.link, 0),
        )
        for section in kept
    ]
    symbols = [
        replace(
            symbol,
            value=symbol.value + addresses.get(symbol.section_index, 0),
            section_index=numbers.get(symbol.section_index, symbol.section_index),
        )
        for symbol in zebin.symbols
    ]
    return write_elf(
        replace(
            zebin.elf,
            sections=sections,
            symbols=symbols,
            relocations={},
            string_table=numbers[zebin.elf.string_table],
            symbol_table=numbers[zebin.elf.symbol_table],
            file_type=FileType.EXEC,
        )
    )


def code_addresses(zebin: Zebin, first: int = FIRST_ADDRESS) -> dict[int, int]:
    """Returns the addresses of the sections with code, by their numbers."""
    found, address = {}, first
    for section in zebin.sections:
        if section.name.startswith(TEXT_PREFIX):
            found[section.index] = address
            address += -(-len(section.data) // _ALIGNMENT) * _ALIGNMENT
    return found


def _relocated(zebin: Zebin, section: Section, addresses: Mapping[int, int]) -> bytes:
    """Returns the contents of a debug section with the addresses that its relocations ask for."""
    data = bytearray(section.data)
    for index, entries in zebin.relocations.items():
        if zebin.sections[index].info != section.index:
            continue
        for entry in entries:
            part = RELOCATIONS.get(entry.type)
            if part is None or part.number is not None or not part.in_code or entry.symbol >= len(zebin.symbols):
                continue
            end = entry.offset + part.width
            if end <= len(data):
                field = data[entry.offset : end]
                value = _value(zebin, entry, int.from_bytes(field, "little"), addresses) >> part.shift
                data[entry.offset : end] = (value & (1 << 8 * len(field)) - 1).to_bytes(len(field), "little")
    return bytes(data)


def _value(zebin: Zebin, entry: Relocation, found: int, addresses: Mapping[int, int]) -> int:
    """Returns the address that a relocation refers to; `found` is the value of its field."""
    symbol = zebin.symbols[entry.symbol]
    base = addresses.get(symbol.section_index)
    if base is None:
        # Some compilers put the symbol into another section, but name it after the code section.
        named = zebin.section(TEXT_PREFIX + symbol.name.removeprefix(TEXT_PREFIX))
        base = 0 if named is None else addresses[named.index]
    return base + symbol.value + (found if entry.addend is None else entry.addend)
