"""Line tables: the location in a source file that each instruction of a kernel was compiled from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import replace

from xegpu.on_demand import dataclass


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A location in a source file; line and column count from 1. Column 0 stands for the whole line."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"


@dataclass(frozen=True)
class LineTable:
    """The source locations of the code of one kernel.

    `rows` are pairs of a byte offset, counted from the kernel's symbol, and the location of the code from there to the
    next row, None where it is not known. Offsets rise. `end` is the offset of the end of the last instruction.
    """

    rows: tuple[tuple[int, SourcePlace | None], ...] = ()
    end: int = 0

    @staticmethod
    def of(locations: Iterable[tuple[int, SourcePlace | None]], end: int) -> LineTable:
        """Returns the table for instructions at rising offsets; neighbours with one location share a row."""
        rows: list[tuple[int, SourcePlace | None]] = []
        for offset, location in locations:
            if not rows or rows[-1][1] != location:
                rows.append((offset, location))
        return LineTable(tuple(rows), end)

    def at(self, offset: int) -> SourcePlace | None:
        """Returns the location that the code at a byte offset was compiled from."""
        if not 0 <= offset < self.end:
            return None
        index = bisect_right(self.rows, offset, key=lambda row: row[0]) - 1
        return self.rows[index][1] if index >= 0 else None

    def renamed(self, path: Callable[[str], str]) -> LineTable:
        """Returns the table with other paths of the files."""
        names = {location.file: path(location.file) for _, location in self.rows if location is not None}
        rows = ((at, None if place is None else replace(place, file=names[place.file])) for at, place in self.rows)
        return LineTable.of(rows, self.end)

    @property
    def is_known(self) -> bool:
        """Returns whether any code has a location."""
        return any(location is not None for _, location in self.rows)


NO_LINES = LineTable()
"""The table of code whose source is not known."""
