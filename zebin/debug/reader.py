"""Reads line tables: for every kernel, the source locations of its instructions.

pyelftools decodes the line programs (DWARF 4, section 6.2) that Intel's compilers and this one write: versions 2 to 4
in the 32-bit format. It takes its input on trust: it divides by `line_range`, reads integers of any length in quadratic
time, and takes 440 bytes and 5 microseconds for each opcode. Each program is therefore checked and handed over in a
stream of its own, which ends where the program does.

The kernels' sections have no addresses, so a `DW_LNE_set_address` belongs to the kernel whose symbol its relocation
names. Before decoding, each such field is overwritten with a number that stands for the kernel.
"""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Iterator, Sequence

from elftools.common.exceptions import DWARFError, ELFError
from elftools.common.utils import struct_parse
from elftools.construct.lib.container import Container
from elftools.dwarf.lineprogram import LineProgram, LineProgramEntry
from elftools.dwarf.structs import DWARFStructs

from xegpu.isa.code import LineTable, SourcePlace
from xegpu.on_demand import dataclass
from zebin.binary.model import Zebin
from zebin.contract.linking import RELOCATIONS
from zebin.debug.dwarf import ExtendedOpcode
from zebin.elf.constants import TEXT_PREFIX
from zebin.elf.model import Section
from zebin.errors import Finding, Report, excerpt

_VERSIONS = range(2, 5)
_PREFIX = struct.Struct("<IHI")
"""`unit_length`, `version` and `header_length` of the 32-bit format (DWARF 4, section 6.2.4)."""

_FIRST_RESERVED_LENGTH = 0xFFFFFFF0
"""Values from here on announce another format (DWARF 4, section 7.4)."""

_MAX_PROGRAM_BYTES = 1 << 18
_LONG_NUMBER = re.compile(rb"[\x80-\xff]{256}")
"""A LEB128 number of 1,785 bits or more. A component of a path has at most 255 bytes."""


class DamagedTableError(Exception):
    """Raised if the line table cannot be read further; the message gives the reason."""


@dataclass(frozen=True)
class _RelocatedAddress:
    """The operand of a `DW_LNE_set_address`: `offset` bytes into a kernel's code."""

    kernel: str
    offset: int


def read_line_tables(zebin: Zebin, section: Section) -> tuple[dict[str, LineTable], list[Finding]]:
    """Returns the line tables in `.debug_line` by kernel, and the findings about the section."""
    report = Report()
    tables: dict[str, LineTable] = {}
    reader, position = LineProgramReader(zebin, section), 0
    try:
        for at, program in reader.programs():
            position = at
            for kernel, table in reader.sequences(program):
                tables.setdefault(kernel, table)
            position += len(program)
    except DamagedTableError as problem:
        report.warning("debug.line", f"the line table cannot be read: {problem}", section.location(position))
    return tables, report.findings


class LineProgramReader:
    """Reads the line programs in `.debug_line`. Everything raises `DamagedTableError` for what cannot be read."""

    def __init__(self, zebin: Zebin, section: Section) -> None:
        self._data = bytearray(section.data)
        self._addresses = _number_addresses(zebin, section, self._data)
        self._address_bytes = zebin.elf.elf_class.pointer_bytes

    def programs(self) -> Iterator[tuple[int, bytes]]:
        """Yields the offset in the section and the bytes of each program, in which numbers stand for addresses."""
        position, data = 0, bytes(self._data)
        while position < len(data):
            program = _program_at(data, position)
            yield position, program
            position += len(program)

    def header(self, program: bytes) -> tuple[Container, int]:
        """Returns the header of a program, and where its opcodes start."""
        return _decode(program, self._address_bytes)[0], _PREFIX.size + _PREFIX.unpack_from(program)[2]

    def files(self, header: Container) -> list[str]:
        """Returns the paths of the files that a program numbers, from 1."""
        return [_path(entry, header["include_directory"]) for entry in header["file_entry"]]

    def sequences(self, program: bytes) -> Iterator[tuple[str, LineTable]]:
        """Yields kernel and table of each sequence of a program (DWARF 4, section 6.2.5)."""
        header, entries = _decode(program, self._address_bytes)
        files = self.files(header)
        rows: dict[int, SourcePlace | None] = {}
        kernel, shift, previous = "", 0, 0
        for entry in entries:
            if entry.is_extended and entry.command == ExtendedOpcode.SET_ADDRESS:
                operand = entry.args[0]
                known = self._addresses.get(operand)
                kernel, shift = (kernel, 0) if known is None else (known.kernel, known.offset - operand)
            state = entry.state
            if state is None:
                continue
            address = state.address + shift
            if address < previous:
                raise DamagedTableError(f"addresses go back from {previous:#x} to {address:#x}")
            previous = address
            if not state.end_sequence:
                is_known = state.line > 0 and 0 < state.file <= len(files)
                rows[address] = SourcePlace(files[state.file - 1], state.line, state.column) if is_known else None
                continue
            if kernel:
                yield kernel, LineTable.of(rows.items(), address)
            rows = {}
            kernel, shift, previous = "", 0, 0


def _number_addresses(zebin: Zebin, section: Section, data: bytearray) -> dict[int, _RelocatedAddress]:
    """Overwrites each relocated address in the section with a number, and returns the operands by their numbers.

    The numbers are the highest that an address can have; no address in code is as high.
    """
    names = {s.index: s.name.removeprefix(TEXT_PREFIX) for s in zebin.sections if s.name.startswith(TEXT_PREFIX)}
    width = zebin.elf.elf_class.pointer_bytes
    numbered: dict[int, _RelocatedAddress] = {}
    for index, entries in zebin.relocations.items():
        if zebin.sections[index].info != section.index:
            continue
        for entry in entries:
            end = entry.offset + width
            is_whole = entry.type in RELOCATIONS and RELOCATIONS[entry.type].width == width
            if entry.symbol < len(zebin.symbols) and end <= len(data) and is_whole:
                symbol = zebin.symbols[entry.symbol]
                # Some compilers put the symbol into another section, but name it after the code section.
                kernel = names.get(symbol.section_index, symbol.name.removeprefix(TEXT_PREFIX))
                number = (1 << 8 * width) - 1 - len(numbered)
                numbered[number] = _RelocatedAddress(kernel, int.from_bytes(data[entry.offset : end], "little"))
                data[entry.offset : end] = number.to_bytes(width, "little")
    return numbered


def _program_at(data: bytes, position: int) -> bytes:
    """Returns the line program at the position, after checking everything that depends on its first fields."""
    if len(data) - position < _PREFIX.size:
        raise DamagedTableError(f"no program fits at {position:#x}")
    length, version, _ = _PREFIX.unpack_from(data, position)
    if length >= _FIRST_RESERVED_LENGTH:
        raise DamagedTableError("the 64-bit format of DWARF is not read")
    if length > len(data) - position - 4:
        raise DamagedTableError(f"a program of {length} bytes exceeds the section")
    if not _PREFIX.size - 4 <= length <= _MAX_PROGRAM_BYTES:
        raise DamagedTableError(f"a program of {length} bytes, expected at most {_MAX_PROGRAM_BYTES}")
    if version not in _VERSIONS:
        raise DamagedTableError(f"version {version}, expected {_VERSIONS[0]} to {_VERSIONS[-1]}")
    program = data[position : position + 4 + length]
    if _LONG_NUMBER.search(program):
        raise DamagedTableError("a number of more than 64 bits")
    return program


def _decode(program: bytes, address_bytes: int) -> tuple[Container, list[LineProgramEntry]]:
    """Returns header and entries of a line program as pyelftools reads them."""
    _, version, header_length = _PREFIX.unpack_from(program)
    structs = DWARFStructs(little_endian=True, dwarf_format=32, address_size=address_bytes, dwarf_version=version)
    stream = io.BytesIO(program)
    start = _PREFIX.size + header_length
    try:
        header = struct_parse(structs.Dwarf_lineprog_header, stream, 0)
        if not stream.tell() <= start <= len(program):
            raise DamagedTableError(f"the header claims to end at {start:#x}")
        if not (header["line_range"] and header["opcode_base"] and header["maximum_operations_per_instruction"]):
            raise DamagedTableError("no special opcodes")
        entries = LineProgram(header, stream, structs, start, len(program)).get_entries()
    except (ELFError, DWARFError, OverflowError) as error:  # OverflowError: an opcode of 2^63 bytes and more
        raise DamagedTableError(excerpt(str(error))) from None
    if stream.tell() > len(program):
        raise DamagedTableError("an opcode exceeds the program")
    return header, entries


def _path(entry: Container, directories: Sequence[bytes]) -> str:
    """Returns the path of an entry of `file_names` (DWARF 4, section 6.2.4)."""
    name = str(entry.name, "utf-8", "replace")
    if not name:  # DW_LNE_define_file may name no file, and has no directory then
        return name
    if entry.dir_index > len(directories):
        raise DamagedTableError(f"file {excerpt(name)} in directory {entry.dir_index} of {len(directories)}")
    if entry.dir_index == 0 or name.startswith("/"):
        return name
    return f"{str(directories[entry.dir_index - 1], 'utf-8', 'replace')}/{name}"
