"""Rules for relocations: target and symbol exist, the field lies in the section, drivers know the type."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from zebin.contract.linking import RELOCATIONS, number_of
from zebin.elf.constants import RelocationType, SectionType, SymbolBinding, SymbolType
from zebin.elf.model import ElfClass, ElfFile, Relocation, Section, Symbol
from zebin.errors import BinaryLocation, Report, excerpt

_PREFIXES: Mapping[int, str] = {SectionType.REL: ".rel", SectionType.RELA: ".rela"}


def check_relocations(file: ElfFile, report: Report) -> None:
    """Checks all REL and RELA sections of the file."""
    symbol_table = next(iter(file.of_type(SectionType.SYMTAB)), None)
    for index, entries in file.relocations.items():
        section = file.sections[index]
        if symbol_table is None:
            report.error("rel.no-symtab", "relocations in a file without symbols", section.location())
            continue
        if section.link != symbol_table.index:
            location, expected = section.location(), str(symbol_table.index)
            report.warning(
                "rel.link", "sh_link is not the symbol table", location, found=section.link, expected=expected
            )
        target = file.sections[section.info] if 0 < section.info < len(file.sections) else None
        if target is None or target.type != SectionType.PROGBITS:
            found = f"sh_info {section.info}"
            report.error("rel.target", "target is not a code or data section", section.location(), found=found)
            continue
        _check_kind(section, target, report)
        _check_entries(file, section, target, entries, report)


def _check_kind(section: Section, target: Section, report: Report) -> None:
    """Checks what compilers do: RELA for debug sections and REL for others, named after the target."""
    location = section.location()
    expected_type = SectionType.RELA if target.name.startswith(".debug_") else SectionType.REL
    if section.type != expected_type:
        message = f"unusual type of relocation section for {target.label}"
        report.warning("rel.kind", message, location, found=section.type_name, expected=expected_type.name)
    expected_name = _PREFIXES[section.type] + target.name
    if section.name != expected_name:
        message = f"name does not refer to {target.label}"
        report.warning("rel.name", message, location, found=section.name, expected=expected_name)


def _check_entries(
    file: ElfFile, section: Section, target: Section, entries: Sequence[Relocation], report: Report
) -> None:
    is_text = target.name.startswith(".text")
    # Drivers change four bytes of a 32-bit module's data, whatever the type.
    always_four = file.elf_class is ElfClass.ELF32 and not is_text
    patched: list[tuple[int, int]] = []
    halves: dict[int, Counter[int]] = {}
    for index, entry in enumerate(entries):
        location = section.location(index * section.entry_size)
        width = 4 if always_four else RELOCATIONS[entry.type].width if entry.type in RELOCATIONS else 0
        _check_type(entry, is_text, location, report)
        _check_symbol(entry, file.symbols, location, report)
        if is_text:
            _check_resolved(entry, file.symbols, location, report)
        end = entry.offset + width
        if end > target.size:
            found, expected = f"{entry.offset:#x} + {width}", f"at most {target.size:#x}"
            report.error(
                "rel.bounds",
                f"relocates bytes past the end of {target.label}",
                location,
                found=found,
                expected=expected,
            )
        if width:
            patched.append((entry.offset, end))
        is_half = entry.type in (RelocationType.SYM_ADDR_32, RelocationType.SYM_ADDR_32_HI)
        if is_half and not _is_number(entry, file.symbols):
            halves.setdefault(entry.symbol, Counter())[entry.type] += 1
    _check_overlaps(section, patched, report)
    if is_text and file.elf_class is ElfClass.ELF64:
        _check_pairs(section, halves, report)


def _is_number(entry: Relocation, symbols: Sequence[Symbol]) -> bool:
    """Returns whether a relocation receives a number of the driver, which has no halves."""
    return entry.symbol < len(symbols) and number_of(entry.type, symbols[entry.symbol]) is not None


def _check_type(entry: Relocation, is_text: bool, location: BinaryLocation, report: Report) -> None:
    if entry.type not in RELOCATIONS:
        report.error("rel.type", "unknown relocation type", location, found=entry.type, expected="0 to 7")
    elif is_text and not RELOCATIONS[entry.type].in_code:
        report.error("rel.unsupported", "type that drivers do not support in code", location, found=entry.type_name)


def _check_symbol(entry: Relocation, symbols: Sequence[Symbol], location: BinaryLocation, report: Report) -> None:
    if entry.symbol >= len(symbols):
        expected = f"at most {len(symbols) - 1}"
        report.error("rel.symbol", "symbol index out of range", location, found=entry.symbol, expected=expected)
    elif entry.symbol == 0 and entry.type == RelocationType.PER_THREAD_PAYLOAD_OFFSET_32:
        report.info("rel.payload-offset", "per-thread payload offset, which needs no symbol", location)
    elif entry.symbol == 0:
        report.error("rel.symbol", "refers to symbol 0, which is not a symbol", location, found=0, expected="1 or more")


def _check_resolved(entry: Relocation, symbols: Sequence[Symbol], location: BinaryLocation, report: Report) -> None:
    """Checks that a symbol in code is one that other sections have: drivers know no local ones but kernels."""
    if 0 < entry.symbol < len(symbols):
        symbol = symbols[entry.symbol]
        if symbol.binding == SymbolBinding.LOCAL and symbol.type != SymbolType.FUNC:
            found = f"{symbol.binding_name} {symbol.type_name} {excerpt(symbol.name)}"
            report.error(
                "rel.local", "refers to a symbol that drivers do not find", location, found=found, expected="GLOBAL"
            )


def _check_overlaps(section: Section, patched: list[tuple[int, int]], report: Report) -> None:
    patched.sort()
    for (_, end), (start, _) in pairwise(patched):
        if start < end:
            message = f"two relocations change the bytes at {start:#x}"
            report.warning("rel.overlap", message, section.location())


def _check_pairs(section: Section, halves: Mapping[int, Counter[int]], report: Report) -> None:
    """Checks that code takes as many low as high halves of the address of each symbol."""
    for symbol, counts in halves.items():
        low, high = counts[RelocationType.SYM_ADDR_32], counts[RelocationType.SYM_ADDR_32_HI]
        if low != high:
            found = f"{low} low and {high} high halves"
            report.warning(
                "rel.pair", f"unpaired halves of the address of symbol {symbol}", section.location(), found=found
            )
