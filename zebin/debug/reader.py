"""Reads line tables: of every kernel, where its instructions come from.

Takes what Intel's compilers and this one write: DWARF 2 to 4, 32-bit format. A program belongs to the kernel whose
symbol the relocation of its `SET_ADDRESS` names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from xegpu.isa.code.line_table import LineTable, SourcePlace
from zebin.debug.dwarf import Extended, Standard
from zebin.elf.constants import TEXT_PREFIX
from zebin.errors import Finding, Report, excerpt
from zebin.model import Zebin

_SECTION = ".debug_line"
_VERSIONS = (2, 3, 4)
_NEWEST = max(_VERSIONS)
_MAX_ROWS = 1 << 20


class _Damaged(Exception):
    """The table cannot be read further; says why."""


def line_tables(zebin: Zebin) -> tuple[dict[str, LineTable], list[Finding]]:
    """The line tables by kernel, and what is wrong with the section; kernels without a table are left out."""
    report = Report()
    section = zebin.section(_SECTION)
    tables: dict[str, LineTable] = {}
    if section is None:
        return tables, report.findings
    owners = _owners(zebin, section.index)
    data = bytes(section.data)
    position = 0
    try:
        while position < len(data):
            program = _Program(_Cursor(data, position), owners)
            position = program.end
            for kernel, table in program.run():
                tables.setdefault(kernel, table)
    except _Damaged as problem:
        report.warning("debug.line", f"the line table cannot be read: {problem}", section.place(position))
    return tables, report.findings


def _owners(zebin: Zebin, section: int) -> dict[int, str]:
    """Kernel by the offset of the field that holds an address in its code."""
    names = {s.index: s.name.removeprefix(TEXT_PREFIX) for s in zebin.sections if s.name.startswith(TEXT_PREFIX)}
    owners: dict[int, str] = {}
    for index, entries in zebin.relocations.items():
        if zebin.sections[index].info != section:
            continue
        for entry in entries:
            if entry.symbol < len(zebin.symbols):
                symbol = zebin.symbols[entry.symbol]
                # Some compilers let the symbol stand in another section, but name it after the code section.
                owners[entry.offset] = names.get(symbol.section_index, symbol.name.removeprefix(TEXT_PREFIX))
    return owners


@dataclass
class _Cursor:
    """Reads forward through bytes; raises `_Damaged` at their end."""

    data: bytes
    position: int
    end: int = field(default=-1)

    def __post_init__(self) -> None:
        if self.end < 0:
            self.end = len(self.data)

    def take(self, size: int) -> bytes:
        if not 0 <= size <= self.end - self.position:
            raise _Damaged(f"{size} bytes at {self.position:#x} run over the end at {self.end:#x}")
        self.position += size
        return self.data[self.position - size : self.position]

    def unsigned(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    def uleb(self) -> int:
        value, shift = 0, 0
        while True:
            byte = self.unsigned(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value
            if shift > 63:
                raise _Damaged(f"a number of more than 64 bits at {self.position:#x}")

    def sleb(self) -> int:
        start = self.position
        value = self.uleb()
        bits = 7 * (self.position - start)
        return value - (1 << bits) if value >> (bits - 1) else value

    def string(self) -> str:
        stop = self.data.find(b"\0", self.position, self.end)
        if stop < 0:
            raise _Damaged(f"a name at {self.position:#x} has no end")
        text = self.data[self.position : stop].decode("utf-8", "replace")
        self.position = stop + 1
        return text


class _Program:
    """One line-number program (DWARF 4, section 6.2)."""

    def __init__(self, cursor: _Cursor, owners: dict[int, str]):
        self._cursor = cursor
        self._owners = owners
        length = cursor.unsigned(4)
        if length >= 0xFFFFFFF0:
            raise _Damaged("the 64-bit format of DWARF is not read")
        self.end = cursor.position + length
        if self.end > cursor.end:
            raise _Damaged(f"a program of {length} bytes runs over the end of the section")
        cursor.end = self.end
        version = cursor.unsigned(2)
        if version not in _VERSIONS:
            raise _Damaged(f"version {version}, expected {_VERSIONS[0]} to {_NEWEST}")
        first = cursor.unsigned(4) + cursor.position
        self._unit = cursor.unsigned(1)
        if version == _NEWEST:
            cursor.unsigned(1)
        self._starts_statement = cursor.unsigned(1)
        self._line_base = int.from_bytes(cursor.take(1), "little", signed=True)
        self._line_range = cursor.unsigned(1)
        self._opcode_base = cursor.unsigned(1)
        if not self._line_range or not self._opcode_base:
            raise _Damaged("no special opcodes")
        self._lengths = cursor.take(self._opcode_base - 1)
        self._files = list(_file_names(cursor))
        if not cursor.position <= first <= self.end:
            raise _Damaged(f"the header claims to end at {first:#x}")
        cursor.position = first

    def run(self) -> Iterator[tuple[str, LineTable]]:
        """Kernels with their tables, one for each sequence."""
        cursor = self._cursor
        state = _State()
        count = 0
        while cursor.position < self.end:
            opcode = cursor.unsigned(1)
            if opcode >= self._opcode_base:
                step, lines = divmod(opcode - self._opcode_base, self._line_range)
                state.address += step * self._unit
                state.line += self._line_base + lines
                state.append(self._files)
            elif opcode:
                self._standard(opcode, state)
            elif self._extended(state):
                if state.kernel:
                    yield state.kernel, state.table()
                state = _State()
            if (count := count + 1) > _MAX_ROWS:
                raise _Damaged(f"more than {_MAX_ROWS} opcodes")

    def _standard(self, opcode: int, state: _State) -> None:
        cursor = self._cursor
        match opcode:
            case Standard.COPY:
                state.append(self._files)
            case Standard.ADVANCE_PC:
                state.address += cursor.uleb() * self._unit
            case Standard.ADVANCE_LINE:
                state.line += cursor.sleb()
            case Standard.SET_FILE:
                state.file = cursor.uleb()
            case Standard.SET_COLUMN:
                state.column = cursor.uleb()
            case Standard.CONST_ADD_PC:
                state.address += (0xFF - self._opcode_base) // self._line_range * self._unit
            case Standard.FIXED_ADVANCE_PC:
                state.address += cursor.unsigned(2)
            case _:
                for _ in range(self._lengths[opcode - 1]):
                    cursor.uleb()

    def _extended(self, state: _State) -> bool:
        """Performs an extended opcode; whether the sequence ends with it."""
        cursor = self._cursor
        length = cursor.uleb()
        stop = cursor.position + length
        opcode = cursor.unsigned(1) if length else 0
        if opcode == Extended.SET_ADDRESS:
            state.kernel = self._owners.get(cursor.position, state.kernel)
            state.address = cursor.unsigned(length - 1)
        if stop > self.end:
            raise _Damaged(f"an opcode of {length} bytes runs over the end")
        cursor.position = stop
        return opcode == Extended.END_SEQUENCE


def _file_names(cursor: _Cursor) -> Iterator[str]:
    directories = [""]
    while name := cursor.string():
        directories.append(name)
    while name := cursor.string():
        directory = cursor.uleb()
        cursor.uleb()
        cursor.uleb()
        if directory >= len(directories):
            raise _Damaged(f"file {excerpt(name)} in directory {directory} of {len(directories) - 1}")
        yield f"{directories[directory]}/{name}" if directories[directory] and not name.startswith("/") else name


@dataclass
class _State:
    """Registers of the state machine, and the rows made so far."""

    kernel: str = ""
    address: int = 0
    file: int = 1
    line: int = 1
    column: int = 0
    rows: list[tuple[int, SourcePlace | None]] = field(default_factory=list)

    def append(self, files: list[str]) -> None:
        if self.rows and self.address < self.rows[-1][0]:
            raise _Damaged(f"addresses go back from {self.rows[-1][0]:#x} to {self.address:#x}")
        place = None
        if self.line > 0 and 0 < self.file <= len(files):
            place = SourcePlace(files[self.file - 1], self.line, self.column)
        self.rows.append((self.address, place))

    def table(self) -> LineTable:
        """Of rows at one address the last one counts."""
        return LineTable.of(dict(self.rows).items(), self.address)
