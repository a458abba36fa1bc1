"""Writes DWARF 4 for compiled kernels: one compilation unit with one subprogram for each kernel.

Each kernel has a section of its own, which has no address before it is loaded; one unit per kernel avoids range tables.
Relocated fields also contain their addends, so that tools which cannot apply the relocations still find the tables.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from xegpu.on_demand import dataclass
from zebin.debug.dwarf import (
    ADDRESS_BYTES,
    LANGUAGE_ASSEMBLER,
    STANDARD_LENGTHS,
    VERSION,
    DwarfAttribute,
    DwarfForm,
    DwarfTag,
    ExtendedOpcode,
    StandardOpcode,
    sleb,
    uleb,
)
from zebin.debug.options import DEFAULT_DEBUG, DebugOptions

if TYPE_CHECKING:
    from xegpu.isa import CompiledKernel
    from xegpu.isa.code import LineTable

PRODUCER = "xegpu-toolkit"
COMPILATION_FOLDER = "."
"""The folder from which relative paths count: that of whoever reads them, so that output is the same everywhere."""

INFO, ABBREV, LINE = ".debug_info", ".debug_abbrev", ".debug_line"

_LINE_BASE, _LINE_RANGE, _OPCODE_BASE = -5, 14, len(STANDARD_LENGTHS) + 1
"""Special opcodes advance the line by -5 to 8 (DWARF 4, section 6.2.5.1)."""

LINE_FORM: Mapping[str, int] = {
    "minimum_instruction_length": 1,
    "maximum_operations_per_instruction": 1,
    "line_base": _LINE_BASE,
    "line_range": _LINE_RANGE,
    "opcode_base": _OPCODE_BASE,
}
"""The fields of a line program's header on which the encoding of its rows depends."""

_UNIT, _FUNCTION = 1, 2
_ABBREVIATIONS: dict[int, tuple[DwarfTag, bool, Sequence[tuple[DwarfAttribute, DwarfForm]]]] = {
    _UNIT: (
        DwarfTag.COMPILE_UNIT,
        True,
        (
            (DwarfAttribute.PRODUCER, DwarfForm.STRING),
            (DwarfAttribute.LANGUAGE, DwarfForm.DATA2),
            (DwarfAttribute.NAME, DwarfForm.STRING),
            (DwarfAttribute.COMP_DIR, DwarfForm.STRING),
            (DwarfAttribute.STMT_LIST, DwarfForm.SEC_OFFSET),
            (DwarfAttribute.LOW_PC, DwarfForm.ADDR),
            (DwarfAttribute.HIGH_PC, DwarfForm.DATA8),
        ),
    ),
    _FUNCTION: (
        DwarfTag.SUBPROGRAM,
        False,
        (
            (DwarfAttribute.NAME, DwarfForm.STRING),
            (DwarfAttribute.DECL_FILE, DwarfForm.UDATA),
            (DwarfAttribute.DECL_LINE, DwarfForm.UDATA),
            (DwarfAttribute.LOW_PC, DwarfForm.ADDR),
            (DwarfAttribute.HIGH_PC, DwarfForm.DATA8),
        ),
    ),
}


@dataclass(frozen=True)
class DebugReference:
    """A relocated field: `width` bytes at `offset` that hold the address of `symbol` plus `addend`.

    `symbol` is the name of a debug section or of a kernel.
    """

    offset: int
    width: int
    symbol: str
    addend: int = 0


@dataclass
class DebugSection:
    """The contents of a debug section and its relocated fields."""

    data: bytearray = field(default_factory=bytearray)
    patches: list[DebugReference] = field(default_factory=list)

    def refer(self, width: int, symbol: str, addend: int = 0) -> None:
        """Appends a relocated field."""
        self.patches.append(DebugReference(len(self.data), width, symbol, addend))
        self.data += addend.to_bytes(width, "little")


def debug_sections(kernels: Sequence[CompiledKernel], options: DebugOptions = DEFAULT_DEBUG) -> dict[str, DebugSection]:
    """Returns the debug sections by name, none if no kernel has source locations."""
    known = [replace(kernel, lines=kernel.lines.renamed(options.path)) for kernel in kernels if kernel.lines.is_known]
    if not known or not options.enabled:
        return {}
    info, line = DebugSection(), DebugSection()
    for kernel in known:
        files = _files(kernel.lines)
        _append_unit(info, kernel, len(line.data), files)
        _append_line_program(line, kernel, files)
    return {INFO: info, ABBREV: DebugSection(_abbreviations()), LINE: line}


def _files(lines: LineTable) -> dict[str, int]:
    """Returns the numbers of the source files, starting at 1."""
    names = dict.fromkeys(location.file for _, location in lines.rows if location is not None)
    return {name: number for number, name in enumerate(names, 1)}


def _abbreviations() -> bytearray:
    output = bytearray()
    for code, (tag, has_children, attributes) in _ABBREVIATIONS.items():
        output += uleb(code) + uleb(tag) + bytes([has_children])
        for attribute, form in attributes:
            output += uleb(attribute) + uleb(form)
        output += b"\0\0"
    return output + b"\0"


def _string(text: str) -> bytes:
    return text.replace("\0", "").encode("utf-8", "surrogateescape") + b"\0"


def _append_unit(info: DebugSection, kernel: CompiledKernel, line_offset: int, files: dict[str, int]) -> None:
    location = next(location for _, location in kernel.lines.rows if location is not None)
    size = struct.pack("<Q", len(kernel.code))
    start = len(info.data)
    info.data += struct.pack("<IH", 0, VERSION)
    info.refer(4, ABBREV)
    info.data += bytes([ADDRESS_BYTES])
    info.data += uleb(_UNIT) + _string(PRODUCER) + struct.pack("<H", LANGUAGE_ASSEMBLER)
    info.data += _string(location.file) + _string(COMPILATION_FOLDER)
    info.refer(4, LINE, line_offset)
    info.refer(ADDRESS_BYTES, kernel.name)
    info.data += size
    info.data += uleb(_FUNCTION) + _string(kernel.name) + uleb(files[location.file]) + uleb(location.line)
    info.refer(ADDRESS_BYTES, kernel.name)
    info.data += size + b"\0"
    struct.pack_into("<I", info.data, start, len(info.data) - start - 4)


def _append_line_program(line: DebugSection, kernel: CompiledKernel, files: dict[str, int]) -> None:
    start = len(line.data)
    tables = b"\0" + b"".join(_string(name) + b"\0\0\0" for name in files) + b"\0"
    fixed = struct.pack("<BBBbBB", 1, 1, 1, _LINE_BASE, _LINE_RANGE, _OPCODE_BASE) + bytes(STANDARD_LENGTHS)
    line.data += struct.pack("<IHI", 0, VERSION, len(fixed) + len(tables)) + fixed + tables
    line.data += bytes([0, 1 + ADDRESS_BYTES, ExtendedOpcode.SET_ADDRESS])
    line.refer(ADDRESS_BYTES, kernel.name)
    line.data += encoded_rows(kernel.lines, files)
    struct.pack_into("<I", line.data, start, len(line.data) - start - 4)


def encoded_rows(lines: LineTable, files: Mapping[str, int]) -> bytes:
    """Returns the opcodes after `DW_LNE_set_address`. Line 0 marks code that has no source location."""
    output = bytearray()
    offset, file, line, column = 0, 1, 1, 0
    for start, location in lines.rows:
        new_file, new_line, new_column = (
            (file, 0, 0) if location is None else (files[location.file], location.line, location.column)
        )
        if new_file != file:
            output += bytes([StandardOpcode.SET_FILE]) + uleb(new_file)
        if new_column != column:
            output += bytes([StandardOpcode.SET_COLUMN]) + uleb(new_column)
        output += _advance(start - offset, new_line - line)
        offset, file, line, column = start, new_file, new_line, new_column
    output += bytes([StandardOpcode.ADVANCE_PC]) + uleb(lines.end - offset)
    return bytes(output + bytes([0, 1, ExtendedOpcode.END_SEQUENCE]))


def _advance(code_bytes: int, line_count: int) -> bytes:
    """Returns opcodes that advance and append a row: one special opcode if it can express the step."""
    special = line_count - _LINE_BASE + _LINE_RANGE * code_bytes + _OPCODE_BASE
    if _LINE_BASE <= line_count < _LINE_BASE + _LINE_RANGE and special <= 0xFF:
        return bytes([special])
    output = bytes([StandardOpcode.ADVANCE_PC]) + uleb(code_bytes) if code_bytes else b""
    output += bytes([StandardOpcode.ADVANCE_LINE]) + sleb(line_count) if line_count else b""
    return output + bytes([StandardOpcode.COPY])
