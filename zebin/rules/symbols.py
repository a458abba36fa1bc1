"""Rules for the symbol table, so that drivers resolve names as the compiler meant them."""

from __future__ import annotations

from zebin.contract.linking import SYMBOLS
from zebin.elf.constants import (
    ABSOLUTE,
    DEBUG_PREFIX,
    GRID_PREFIXES,
    TEXT_PREFIX,
    SectionType,
    SymbolBinding,
    SymbolType,
)
from zebin.elf.model import ElfFile, Section, Symbol
from zebin.errors import BinaryLocation, Report, excerpt

_BINDINGS, _TYPES = frozenset(SymbolBinding), frozenset(SymbolType)
_NAMES_ONLY = (SymbolType.SECTION, SymbolType.FILE)
_MOST_GROUPS = (1 << 32) - 1
_ZERO_PARTS = {".data.const": ".bss.const", ".data.global": ".bss.global"}
"""The zero-initialized section that continues a data section in one buffer."""


def check_symbols(file: ElfFile, report: Report) -> None:
    """Checks the order of the table and each of its symbols."""
    table = next(iter(file.of_type(SectionType.SYMTAB)), None)
    if table is not None and file.symbols:
        _TableCheck(file, table, report).run()


class _TableCheck:
    """A pass over the table."""

    def __init__(self, file: ElfFile, table: Section, report: Report):
        self.file, self.table, self.report = file, table, report
        self.entry_size = file.elf_class.layouts.symbol.size
        self.extents = _extents(file)
        self.relocated = file.relocated_symbols()
        self.locals_count = 0
        self.globals_seen: dict[str, int] = {}

    def run(self) -> None:
        location, expected = self.table.location(), str(self.file.string_table)
        if self.file.symbols[0] != Symbol(""):
            self.report.warning("sym.null", "symbol 0 is not zero", location)
        if self.table.link != self.file.string_table:
            message, found = "sh_link is not the string table", self.table.link
            self.report.warning("sym.link", message, location, found=found, expected=expected)
        for index, symbol in enumerate(self.file.symbols):
            self.check_order(index, symbol)
            self.check_function(index, symbol)
            if index:
                self.check_definition(index, symbol)
        if self.table.info != self.locals_count:
            message, expected = "sh_info does not count local symbols", str(self.locals_count)
            self.report.warning("sym.order", message, location, found=self.table.info, expected=expected)

    def location(self, index: int) -> BinaryLocation:
        return self.table.location(index * self.entry_size)

    def check_order(self, index: int, symbol: Symbol) -> None:
        """Checks that local symbols come first and global names are unique."""
        if symbol.binding == SymbolBinding.LOCAL:
            if self.locals_count != index:
                message = f"local {_label(index, symbol)} follows a global one"
                self.report.warning("sym.order", message, self.location(index))
            self.locals_count += 1
        elif symbol.name:
            first = self.globals_seen.setdefault(symbol.name, index)
            if first != index:
                message = f"{_label(index, symbol)} has the name of symbol {first}"
                self.report.error("sym.duplicate", message, self.location(index))

    def check_function(self, index: int, symbol: Symbol) -> None:
        """Checks that local functions, which drivers take for kernels, are in code sections."""
        is_kernel = symbol.binding == SymbolBinding.LOCAL and symbol.type == SymbolType.FUNC
        if is_kernel and symbol.section_index < len(self.extents):
            section = self.file.sections[symbol.section_index]
            if not section.name.startswith(TEXT_PREFIX):
                message, expected = f"local function {_label(index, symbol)} is not in a code section", ".text.<kernel>"
                self.report.error("sym.function", message, self.location(index), found=section.label, expected=expected)

    def check_definition(self, index: int, symbol: Symbol) -> None:
        """Checks that the symbol has a known type and lies in its section."""
        if symbol.binding not in _BINDINGS or symbol.type not in _TYPES:
            message, found = "symbol of an unknown type", f"binding {symbol.binding}, type {symbol.type}"
            self.report.error("sym.info", message, self.location(index), found=found)
        if index in self.relocated and symbol.binding == SymbolBinding.WEAK:
            message = f"{_label(index, symbol)} is weak; drivers resolve no relocations with it"
            self.report.error("sym.info", message, self.location(index), found="WEAK", expected="GLOBAL")
        elif index in self.relocated and symbol.type in _NAMES_ONLY:
            message = f"{_label(index, symbol)} has no address for a relocation"
            self.report.error(
                "sym.info", message, self.location(index), found=symbol.type_name, expected="OBJECT or FUNC"
            )
        if not symbol.section_index:
            self.check_undefined(index, symbol)
        elif symbol.section_index == ABSOLUTE:
            self.check_number(index, symbol)
        elif symbol.section_index >= len(self.extents):
            message, found = (
                f"{_label(index, symbol)} refers to a section that does not exist",
                f"{symbol.section_index:#x}",
            )
            expected = f"at most {len(self.extents) - 1}"
            self.report.error("sym.section", message, self.location(index), found=found, expected=expected)
        elif symbol.value + symbol.size > self.extents[symbol.section_index]:
            message = f"{_label(index, symbol)} ends past {self.file.sections[symbol.section_index].label}"
            found, expected = f"{symbol.value + symbol.size:#x}", f"at most {self.extents[symbol.section_index]:#x}"
            self.report.error("sym.bounds", message, self.location(index), found=found, expected=expected)
        elif index in self.relocated and not _is_loaded(section := self.file.sections[symbol.section_index]):
            message = f"{_label(index, symbol)}, which a relocation refers to, is not in code or data"
            self.report.error("sym.section", message, self.location(index), found=section.label)

    def check_number(self, index: int, symbol: Symbol) -> None:
        """Checks a symbol that is no address: drivers look for the section of those that are global or relocate."""
        if index in self.relocated or symbol.binding != SymbolBinding.LOCAL:
            message = f"{_label(index, symbol)} is absolute, and drivers resolve it as an address"
            self.report.error("sym.absolute", message, self.location(index), expected="a local symbol without uses")
        elif symbol.name.startswith(GRID_PREFIXES) and not 1 <= symbol.value <= _MOST_GROUPS:
            message, expected = f"{_label(index, symbol)} is no number of work-groups", f"1 to {_MOST_GROUPS}"
            self.report.error("sym.grid", message, self.location(index), found=symbol.value, expected=expected)

    def check_undefined(self, index: int, symbol: Symbol) -> None:
        if symbol.name in SYMBOLS:
            return
        if index in self.relocated and not symbol.name:
            message = f"{_label(index, symbol)} is used by a relocation but has neither a name nor a definition"
            self.report.error("sym.undefined", message, self.location(index))
        elif index in self.relocated:
            message = f"{_label(index, symbol)} is imported: zeModuleDynamicLink must supply it"
            self.report.info("sym.import", message, self.location(index))
        elif symbol.name:
            self.report.warning("sym.undefined", f"{_label(index, symbol)} is not defined", self.location(index))


def _is_loaded(section: Section) -> bool:
    """Returns True if the section has an address on the device."""
    return section.type in (SectionType.PROGBITS, SectionType.NOBITS) and not section.name.startswith(DEBUG_PREFIX)


def _label(index: int, symbol: Symbol) -> str:
    return f"symbol {index} {excerpt(symbol.name)}"


def _extents(file: ElfFile) -> list[int]:
    """Returns the bytes that the symbols of each section may cover."""
    zero_parts = {name: file.find(zeros) for name, zeros in _ZERO_PARTS.items()}
    extents = []
    for section in file.sections:
        extent, zeros = section.size, zero_parts.get(section.name)
        if zeros is not None:
            extent += (-extent % zeros.alignment if zeros.alignment else 0) + zeros.size
        extents.append(extent)
    return extents
