"""Breakpoints: locations in the code or in its source, and conditions."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath

from runtime.debugger.errors import DebugError
from runtime.debugger.expressions import Expression, ExpressionScope
from runtime.debugger.listing import KernelListing

_INDEX = re.compile(r"#(\d{1,9})")
_OFFSET = re.compile(r"\*?(0[xX][0-9a-fA-F]{1,16})")
_LINE = re.compile(r"(?:(.+):)?(\d{1,9})", re.DOTALL)

LOCATIONS = "LINE, FILE:LINE, #INDEX, *OFFSET, a label or the kernel's name"
"""Forms of a location, for messages."""


@dataclass
class Breakpoint:
    """Stops threads before the instructions at location `location`, if `condition` is true (None: always).

    `hits` counts the stops. A temporary breakpoint is removed after one stop.
    """

    number: int
    location: str
    condition: Expression | None = None
    is_temporary: bool = False
    hits: int = 0

    def __str__(self) -> str:
        condition = "" if self.condition is None else f" if {self.condition}"
        hits = f", hit {self.hits} time{'s' if self.hits != 1 else ''}" if self.hits else ""
        return f"{self.number}: {self.location}{condition}{' (temporary)' if self.is_temporary else ''}{hits}"


class KernelBreakpoints(Mapping[int, Breakpoint], ABC):
    """The breakpoints of a debugger by number."""

    @abstractmethod
    def add(self, location: str, condition: str, *, temporary: bool) -> Breakpoint:
        """Adds a breakpoint. Raises `DebugError` for a location that the current kernel does not have."""

    @abstractmethod
    def remove(self, number: int) -> None:
        """Removes a breakpoint. Raises `DebugError` if there is none with that number."""

    @abstractmethod
    def instructions_of(self, breakpoint: Breakpoint) -> frozenset[int]:
        """Returns the instructions of the current kernel at which a breakpoint stops; none if it lacks the location."""


class Breakpoints(KernelBreakpoints):
    """The breakpoints of a debugger by number, bound to the current kernel."""

    def __init__(self) -> None:
        self._all: dict[int, Breakpoint] = {}
        self._number = 0
        self._listing: KernelListing | None = None
        self._at: dict[int, list[Breakpoint]] = {}

    def __getitem__(self, number: int) -> Breakpoint:
        return self._all[number]

    def __iter__(self) -> Iterator[int]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def add(self, location: str, condition: str, *, temporary: bool) -> Breakpoint:
        expression = Expression.parse(condition) if condition else None
        if self._listing is not None:
            instructions_at(location, self._listing)
        self._number += 1
        breakpoint = self._all[self._number] = Breakpoint(self._number, location, expression, temporary)
        self.bind(self._listing)
        return breakpoint

    def remove(self, number: int) -> None:
        if number not in self._all:
            raise DebugError(f"there is no breakpoint {number}")
        del self._all[number]
        self.bind(self._listing)

    def bind(self, listing: KernelListing | None) -> None:
        """Binds the locations to another kernel."""
        self._listing = listing
        self._at = {}
        for breakpoint in self._all.values():
            for index in self.instructions_of(breakpoint):
                self._at.setdefault(index, []).append(breakpoint)

    def instructions_of(self, breakpoint: Breakpoint) -> frozenset[int]:
        if self._listing is None:
            return frozenset()
        try:
            return instructions_at(breakpoint.location, self._listing)
        except DebugError:
            return frozenset()

    def hit(self, scope: ExpressionScope, index: int) -> tuple[tuple[Breakpoint, ...], str]:
        """Returns the breakpoints that stop a thread before an instruction.

        A breakpoint whose condition cannot be evaluated stops it, too; the text then says why.
        """
        if index not in self._at:
            return (), ""
        hit, problem = [], ""
        for breakpoint in self._at[index]:
            try:
                stops = breakpoint.condition is None or breakpoint.condition.holds(scope)
            except DebugError as error:
                stops, problem = True, str(error)
            if stops:
                breakpoint.hits += 1
                hit.append(breakpoint)
        for breakpoint in hit:
            if breakpoint.is_temporary:
                self.remove(breakpoint.number)
        return tuple(hit), problem


def instructions_at(location: str, listing: KernelListing) -> frozenset[int]:
    """Returns the instructions of a kernel at a location.

    `LINE` and `FILE:LINE` are all instructions at which code of that line begins; a line without code stands for the
    next one that has some. `#5` is instruction number 5, `*0x40` (or `0x40`) the one at that offset; `L1` is a label,
    and the kernel's name its first instruction. Raises `DebugError` for a location that the kernel does not have.
    """
    if location in listing.indices:
        return frozenset({listing.indices[location]})
    if location == listing.name:
        return frozenset({0})
    if match := _INDEX.fullmatch(location):
        index = int(match[1])
        if index >= len(listing.program.instructions):
            raise DebugError(f"there is no instruction {location}, the kernel has {len(listing.program.instructions)}")
        return frozenset({index})
    if match := _OFFSET.fullmatch(location):
        found = listing.program.index_of(int(match[1], 16))
        if found is None:
            raise DebugError(f"no instruction is at offset {match[1]}")
        return frozenset({found})
    if match := _LINE.fullmatch(location):
        return _at_line(match[1], int(match[2]), listing)
    raise DebugError(f"'{location}' is no location in kernel '{listing.name}': expected {LOCATIONS}")


def _at_line(file: str | None, line: int, listing: KernelListing) -> frozenset[int]:
    if not listing.has_source:
        raise DebugError(f"kernel '{listing.name}' knows no source lines; use #INDEX, *OFFSET or a label")
    lines: list[int | None] = []
    for index in range(len(listing.program.instructions)):
        source = listing.location(index)
        is_there = source is not None and source.line >= line and (file is None or _is_file(source.file, file))
        lines.append(source.line if source is not None and is_there else None)
    first = min((found for found in lines if found is not None), default=None)
    if first is None:
        where = f"line {line}" if file is None else f"{file}:{line}"
        raise DebugError(f"kernel '{listing.name}' has no code for {where} or behind it")
    return frozenset(i for i, found in enumerate(lines) if found == first and (i == 0 or lines[i - 1] != first))


def _is_file(path: str, wanted: str) -> bool:
    """Returns whether a path matches a file name that a user wrote: the last parts are the same."""
    parts = PurePath(wanted).parts
    return bool(parts) and PurePath(path).parts[-len(parts) :] == parts
