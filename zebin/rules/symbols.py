"""What must hold of the symbol table for a driver to resolve names as the compiler meant them."""

from __future__ import annotations

from zebin.elf.constants import SectionType, SymbolBinding, SymbolType
from zebin.elf.model import ElfFile, Symbol
from zebin.errors import Place, Report, excerpt

SPECIAL_SYMBOLS = frozenset(
    {
        "__INTEL_PATCH_CROSS_THREAD_OFFSET_OFF_R0",
        "__INTEL_PER_THREAD_OFF",
        "__INTEL_SURFACE_STATE_SIZE",
        "__SubDeviceID",
    }
)
"""Undefined symbols that the driver itself gives a value."""

_ZERO_PARTS = {".data.const": ".bss.const", ".data.global": ".bss.global"}
"""The zero-initialised section that continues a data section in one buffer."""


def check_symbols(file: ElfFile, report: Report) -> None:
    """The table's order and every symbol of it."""
    table = next(iter(file.of_type(SectionType.SYMTAB)), None)
    if table is None or not file.symbols:
        return
    entry = file.elf_class.layouts.symbol.size
    if file.symbols[0] != Symbol(""):
        report.warning("sym.null", "symbol 0 is not zero", table.place())
    if table.link != file.string_table:
        place, expected = table.place(), str(file.string_table)
        report.warning("sym.link", "sh_link is not the string table", place, found=table.link, expected=expected)
    relocated = {entry.symbol for entries in file.relocations.values() for entry in entries}
    extents = _extents(file)
    globals_seen: dict[str, int] = {}
    locals_count = 0
    for index, symbol in enumerate(file.symbols):
        place = Place(table.offset + index * entry, table.label)
        name = f"symbol {index} {excerpt(symbol.name)}"
        if symbol.binding == SymbolBinding.LOCAL:
            if locals_count != index:
                report.warning("sym.order", f"local {name} follows a global one", place)
            locals_count += 1
        elif symbol.name:
            first = globals_seen.setdefault(symbol.name, index)
            if first != index:
                report.error("sym.duplicate", f"{name} has the name of symbol {first}", place)
        if index:
            _check_symbol(symbol, name, file, extents, place, report)
            _check_defined(symbol, name, index in relocated, place, report)
    if table.info != locals_count:
        report.warning(
            "sym.order",
            "sh_info does not count local symbols",
            table.place(),
            found=table.info,
            expected=f"{locals_count}",
        )


def _extents(file: ElfFile) -> list[int]:
    """Bytes that the symbols of each section may cover."""
    zero_parts = {name: file.find(zeros) for name, zeros in _ZERO_PARTS.items()}
    extents = []
    for section in file.sections:
        extent, zeros = section.size, zero_parts.get(section.name)
        if zeros is not None:
            extent += (-extent % zeros.alignment if zeros.alignment else 0) + zeros.size
        extents.append(extent)
    return extents


def _check_symbol(symbol: Symbol, name: str, file: ElfFile, extents: list[int], place: Place, report: Report) -> None:
    if symbol.binding not in set(SymbolBinding) or symbol.type not in set(SymbolType):
        found = f"binding {symbol.binding}, type {symbol.type}"
        report.error("sym.info", f"{name} is of an unknown kind", place, found=found)
    if symbol.section_index >= len(file.sections):
        expected = f"at most {len(file.sections) - 1}"
        found = f"{symbol.section_index:#x}"
        report.error("sym.section", f"{name} stands in no section of the file", place, found=found, expected=expected)
    elif symbol.section_index:
        end, extent = symbol.value + symbol.size, extents[symbol.section_index]
        if end > extent:
            section = file.sections[symbol.section_index]
            report.error(
                "sym.bounds",
                f"{name} ends past {section.label}",
                place,
                found=f"{end:#x}",
                expected=f"at most {extent:#x}",
            )


def _check_defined(symbol: Symbol, name: str, relocated: bool, place: Place, report: Report) -> None:
    if symbol.section_index or symbol.name in SPECIAL_SYMBOLS:
        return
    if relocated:
        report.error("sym.undefined", f"{name} is needed by a relocation but defined nowhere", place)
    else:
        report.warning("sym.undefined", f"{name} is defined nowhere", place)
