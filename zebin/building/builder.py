"""Builds a ZEBIN from compiled kernels, or from code that has been written by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from zebin.binary.file import read, write
from zebin.binary.model import Zebin
from zebin.building.variables import add_variables, host_access, variables_of
from zebin.debug.options import DEFAULT_DEBUG, DebugOptions
from zebin.debug.writer import DebugSection, debug_sections
from zebin.elf.builder import ElfBuilder, RelocatedField
from zebin.elf.constants import (
    COMPAT_NOTE,
    ENTRY_SYMBOL,
    FUNCTION_PREFIX,
    GRID_PREFIXES,
    PRINTF_PREFIX,
    STRINGS,
    TEXT_PREFIX,
    ZE_INFO,
    NoteType,
    RelocationType,
    SectionFlags,
    SectionType,
    SymbolBinding,
    SymbolType,
)
from zebin.elf.model import Section, Symbol
from zebin.elf.notes import Note
from zebin.errors import Report, ZebinError
from zebin.facts.cost import cost_info
from zebin.facts.writer import kernel_info, misc_info
from zebin.rules import parse_ze_info
from zebin.rules.code import TEXT_TAIL
from zebin.ze_info.schema import ZeInfo

if TYPE_CHECKING:
    from xegpu.isa.code import CompiledKernel, SymbolReference, Variable
    from xegpu.targets import Target

VERSION = "1.61"
_TEXT_ALIGNMENT = 64
_ELSEWHERE = Section("", SectionType.NULL)
"""The section of symbols that another module defines."""
_RELOCATIONS: Mapping[int, RelocationType] = {4: RelocationType.SYM_ADDR_32, 8: RelocationType.SYM_ADDR}

NO_FUNCTIONS: Mapping[str, int] = {}


def build(
    target: Target,
    kernels: Sequence[CompiledKernel],
    debug: DebugOptions = DEFAULT_DEBUG,
    variables: Sequence[Variable] = (),
    functions: Mapping[str, int] = NO_FUNCTIONS,
) -> bytes:
    """Returns one ZEBIN with all kernels: the same bytes for the same kernels and the same paths of their sources.

    The result is read back before it is returned.

    Args:
        target: The GPU that the kernels were compiled for.
        kernels: The compiled kernels.
        debug: What the binary tells of the kernels' sources.
        variables: Variables besides those of the kernels' modules.
        functions: The numbers by which code knows the functions that the host may name.

    Raises:
        ZebinError: If a driver would not take the ZEBIN, for example because two kernels have one name, or because one
            needs more local memory than the target has.
    """
    builder = ElfBuilder()
    symbols = {kernel.name: _add_code(builder, kernel.name, kernel.code, kernel.entry_offset) for kernel in kernels}
    known = variables_of(kernels, variables)
    places = dict(add_variables(builder, known))
    patches: dict[int, list[RelocatedField]] = {}
    holders = (
        *((symbols[kernel.name], kernel.references) for kernel in kernels),
        *((places[variable.name], variable.references) for variable in known),
    )
    for holder, references in holders:
        patches.setdefault(holder.section_index, []).extend(
            RelocatedField(holder.value + r.offset, RelocationType.SYM_ADDR, _place(builder, r, places))
            for r in references
        )
    for section, fields in patches.items():
        builder.add_patches(section, fields)
    _add_strings(builder, kernels)
    for kernel in kernels:
        for prefix, count in zip(GRID_PREFIXES, kernel.facts.known_grid_size or (), strict=False):
            builder.add_number(prefix + kernel.name, count)
    for name, address in functions.items():
        builder.add_number(FUNCTION_PREFIX + name, address)
    _add_debug_information(builder, debug_sections(kernels, debug), symbols)
    file = builder.finish([Section(ZE_INFO, SectionType.ZEINFO), Section(COMPAT_NOTE, SectionType.NOTE)])
    data = write(Zebin(file, _notes(target), describe(target, kernels, known)))
    read(data, strict=True)
    return data


def pack(target: Target, description: str, code: bytes, entry_offset: int = 0) -> bytes:
    """Returns a ZEBIN with one kernel.

    Args:
        target: The GPU that the code is for.
        description: The text of `.ze_info`, which describes that kernel and no other.
        code: The kernel's code, native or of the virtual ISA.
        entry_offset: The byte of the code where threads begin whose registers have been loaded.

    Raises:
        ZebinError: If the description is wrong, or does not fit the code.
    """
    info = parse_ze_info(description, strict=True)
    if len(info.kernels) != 1:
        report = Report()
        report.error("kernel.count", "describes other than one kernel", found=len(info.kernels), expected="1")
        raise ZebinError(report.findings)
    builder = ElfBuilder()
    _add_code(builder, info.kernels[0].name, code, entry_offset)
    file = builder.finish([Section(ZE_INFO, SectionType.ZEINFO), Section(COMPAT_NOTE, SectionType.NOTE)])
    data = write(Zebin(file, _notes(target), info))
    read(data, strict=True)
    return data


def padded_code(code: bytes) -> bytes:
    """Returns the contents of a section of code: zeros follow that hardware may fetch."""
    return code + bytes(-len(code) % _TEXT_ALIGNMENT + TEXT_TAIL)


def _add_code(builder: ElfBuilder, name: str, code: bytes, entry_offset: int) -> Symbol:
    """Adds the code of a kernel, padded, and the symbols in it; returns the kernel's own symbol."""
    padded = padded_code(code)
    flags = SectionFlags.ALLOC | SectionFlags.EXECUTE
    text = builder.add_section(TEXT_PREFIX + name, SectionType.PROGBITS, padded, flags)
    symbol = builder.add_symbol(name, text, SymbolType.FUNC, size=len(code))
    builder.add_symbol(ENTRY_SYMBOL, text, SymbolType.NOTYPE, entry_offset)
    return symbol


def _place(builder: ElfBuilder, reference: SymbolReference, places: dict[str, Symbol]) -> Symbol:
    """Returns the symbol of a variable, which another module defines if this one does not."""
    if reference.symbol not in places:
        places[reference.symbol] = builder.add_symbol(
            reference.symbol, _ELSEWHERE, SymbolType.NOTYPE, binding=SymbolBinding.GLOBAL
        )
    return places[reference.symbol]


def _add_strings(builder: ElfBuilder, kernels: Sequence[CompiledKernel]) -> None:
    """Adds the format strings of the kernels, those of a kernel together under one symbol."""
    strings = {kernel.name: kernel.facts.printf_strings for kernel in kernels if kernel.facts.printf_strings}
    texts = {name: b"".join(text.encode() + b"\0" for text in texts) for name, texts in strings.items()}
    if not texts:
        return
    section = builder.add_section(STRINGS, SectionType.PROGBITS, b"".join(texts.values()))
    offset = 0
    for name, data in texts.items():
        builder.add_symbol(PRINTF_PREFIX + name, section, SymbolType.OBJECT, offset, len(data))
        offset += len(data)


def _add_debug_information(
    builder: ElfBuilder, parts: Mapping[str, DebugSection], symbols: Mapping[str, Symbol]
) -> None:
    """Adds the debug sections, with relocations against symbols of these sections and of the kernels' code."""
    sections = {name: builder.add_section(name, SectionType.PROGBITS, part.data) for name, part in parts.items()}
    anchors = {name: builder.add_symbol(name, section, SymbolType.OBJECT) for name, section in sections.items()}
    known = {**symbols, **anchors}
    for name, part in parts.items():
        patches = [RelocatedField(p.offset, _RELOCATIONS[p.width], known[p.symbol], p.addend) for p in part.patches]
        builder.add_patches(sections[name].index, patches)


def _notes(target: Target) -> list[Note]:
    """Returns the four records that every driver knows; the metadata word leaves stepping and generator open."""
    return [
        Note.of_word(NoteType.PRODUCT_FAMILY, target.product_family),
        Note.of_word(NoteType.GFXCORE_FAMILY, target.platform.gfx_core),
        Note.of_word(NoteType.TARGET_METADATA, 0),
        Note.of_text(NoteType.ZEBIN_VERSION, VERSION),
    ]


def describe(target: Target, kernels: Sequence[CompiledKernel], variables: Sequence[Variable]) -> ZeInfo:
    """Returns the contents of `.ze_info` for the kernels."""
    return ZeInfo(
        version=VERSION,
        kernels=[kernel_info(target, kernel) for kernel in kernels],
        global_host_access_table=host_access(variables),
        kernels_misc_info=[misc_info(kernel) for kernel in kernels],
        kernels_cost_info=[info for kernel in kernels for info in cost_info(kernel)],
    )
