"""Rewrites the lines of one kernel where they are in `.debug_line`, so that nothing else in debug sections moves."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from xegpu.isa.code import LineTable
from xegpu.on_demand import dataclass
from zebin.binary.model import Zebin
from zebin.debug.dwarf import ADDRESS_BYTES, ExtendedOpcode, StandardOpcode
from zebin.debug.reader import DamagedTableError, LineProgramReader
from zebin.debug.writer import LINE, LINE_FORM, encoded_rows

_SET_ADDRESS = bytes([0, 1 + ADDRESS_BYTES, ExtendedOpcode.SET_ADDRESS])


@dataclass(frozen=True)
class RewrittenLines:
    """The bytes of a line program that change, by their offset in the file, and the lines that they stand for."""

    offset: int
    data: bytes
    lines: LineTable


def rewritten_lines(zebin: Zebin, kernel: str, lines: LineTable) -> RewrittenLines | None:
    """Returns how a kernel gets other lines: without columns, or none, if they do not fit in place of the old ones.

    Returns None if the file has no program of its own for the lines of the kernel, in the form that compilers write.
    """
    section = zebin.section(LINE)
    if section is None:
        return None
    reader = LineProgramReader(zebin, section)
    with suppress(DamagedTableError):
        for position, program in reader.programs():
            header, start = reader.header(program)
            form = {name: header[name] for name in LINE_FORM}
            names = [name for name, _ in reader.sequences(program)]
            first = start + len(_SET_ADDRESS) + ADDRESS_BYTES
            if names != [kernel] or form != LINE_FORM or program[start : start + len(_SET_ADDRESS)] != _SET_ADDRESS:
                continue
            files = {name: number for number, name in reversed([*enumerate(reader.files(header), 1)])}
            for candidate in (lines, _without_columns(lines), LineTable(((0, None),), lines.end)):
                if {place.file for _, place in candidate.rows if place is not None} <= files.keys():
                    rows = encoded_rows(candidate, files)
                    room = len(program) - first - len(rows)
                    if room >= 0:
                        # Opcodes that append no row fill what is left.
                        filling = bytes([StandardOpcode.SET_BASIC_BLOCK]) * room
                        offset = section.offset + position + first
                        return RewrittenLines(offset, filling + rows, candidate)
    return None


def _without_columns(lines: LineTable) -> LineTable:
    rows = ((at, None if place is None else replace(place, column=0)) for at, place in lines.rows)
    return LineTable.of(rows, lines.end)
