"""Source text and locations in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from weakref import finalize

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    NameLoc,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.hints import isa


class SourceLocation(NamedTuple):
    """A location in a file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    def attribute(self) -> FileLineColLoc:
        """Returns the attribute that ops have as their location."""
        return FileLineColLoc(StringAttr(self.file), IntAttr(self.line), IntAttr(self.column))


@dataclass(frozen=True)
class SourceBuffer:
    """Text that is being read, and where it comes from; `first_line` numbers its first line."""

    name: str
    text: str
    first_line: int = 1

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        position = self.text.find("\n")
        while position != -1:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return starts

    def locate(self, position: int) -> SourceLocation:
        """Returns the source location of the character at `position`."""
        index = bisect_right(self._line_starts, position) - 1
        return SourceLocation(self.name, self.first_line + index, position - self._line_starts[index] + 1)

    def line(self, number: int) -> str | None:
        """Text of a line, or None where the source has no such line."""
        index = number - self.first_line
        if not 0 <= index < len(self._line_starts):
            return None
        end = self.text.find("\n", self._line_starts[index])
        return self.text[self._line_starts[index] : None if end == -1 else end].rstrip("\r")


_SOURCES: dict[int, SourceBuffer] = {}
"""The text of each name that `file_name` has made, by the identity of that attribute, while there are locations."""


def file_name(source: SourceBuffer) -> StringAttr:
    """Returns the name of a source for locations in it, which then lead back to the text."""
    name = StringAttr(source.name)
    _SOURCES[id(name)] = source
    finalize(name, _SOURCES.pop, id(name)).atexit = False
    return name


def written_name(op: Operation) -> str | None:
    """Returns the name of the operation that stands in the text where `op`, or what it was made of, comes from.

    That is None for operations which come from elsewhere, or whose names are written without a dialect, and for those
    that were put into the operation which stands there, as a function or a loop.
    """
    location = _in_file(op.location)
    source = None if location is None else _SOURCES.get(id(location.filename))
    if location is None or source is None:
        return None
    name = _OPERATION.match(source.line(location.line.data) or "", location.column.data - 1)
    if name is None or any(around.name == name[1] and around.location == op.location for around in _ancestors(op)):
        return None
    return name[1]


def _ancestors(op: Operation) -> Iterator[Operation]:
    """Yields the operations around one, from the inside out."""
    around = op.parent_op()
    while around is not None:
        yield around
        around = around.parent_op()


_OPERATION = re.compile(r'"?([A-Za-z_]\w*\.[\w.$]+)')


def resolve(location: Attribute) -> SourceLocation | None:
    """The file, line and column that a location attribute names, or None.

    A fused location counts as the first of its parts that names a file, a call site as its callee.
    """
    found = _in_file(location)
    return None if found is None else SourceLocation(found.filename.data, found.line.data, found.column.data)


def _in_file(location: Attribute) -> FileLineColLoc | None:
    """Returns the part of a location that names a file."""
    if isinstance(location, FileLineColLoc):
        return location
    if isinstance(location, NameLoc):
        return _in_file(location.location)
    if isinstance(location, CallSiteLoc):
        return _in_file(location.callee)
    if isinstance(location, FusedLoc):
        assert isa(location.locations, ArrayAttr)
        return next(filter(None, map(_in_file, location.locations)), None)
    return None


def location_of(op: Operation) -> SourceLocation | None:
    """Returns the source location of `op`, or that of the nearest op around it that has one."""
    return next(filter(None, (resolve(place.location) for place in (op, *_ancestors(op)))), None)


def definition_of(value: SSAValue) -> SourceLocation | None:
    """Returns the source location of the definition of a value."""
    owner = value.owner
    if isinstance(owner, Operation):
        return location_of(owner)
    found = resolve(getattr(value, "location", UnknownLoc()))
    parent = owner.parent_op()
    return found if found is not None or parent is None else location_of(parent)
