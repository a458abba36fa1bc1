"""Line tables: which place in a source file each instruction of a kernel comes from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A place in a source file; line and column count from 1. Column 0: the whole line."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.column else f"{self.file}:{self.line}"


@dataclass(frozen=True)
class LineTable:
    """The source places of one kernel's code.

    `rows` are pairs of a byte offset, counted from the kernel's symbol, and the place that the code from there to the
    next row comes from (None: nobody knows). Offsets rise. `end` is the offset behind the last instruction.
    """

    rows: tuple[tuple[int, SourcePlace | None], ...] = ()
    end: int = 0

    @staticmethod
    def of(places: Iterable[tuple[int, SourcePlace | None]], end: int) -> LineTable:
        """The table for instructions at rising offsets; neighbours with one place share a row."""
        rows: list[tuple[int, SourcePlace | None]] = []
        for offset, place in places:
            if not rows or rows[-1][1] != place:
                rows.append((offset, place))
        return LineTable(tuple(rows), end)

    def at(self, offset: int) -> SourcePlace | None:
        """Where the code at a byte offset comes from."""
        if not 0 <= offset < self.end:
            return None
        index = bisect_right(self.rows, offset, key=lambda row: row[0]) - 1
        return self.rows[index][1] if index >= 0 else None

    @property
    def is_known(self) -> bool:
        """Whether any code has a place."""
        return any(place is not None for _, place in self.rows)


NO_LINES = LineTable()
"""The table of code that nobody knows the source of."""
