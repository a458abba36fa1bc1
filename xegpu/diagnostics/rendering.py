"""Diagnostics as text: the message, the line of source that it is about, and a caret under the column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from xegpu.diagnostics.diagnostic import Diagnostic
from xegpu.diagnostics.source import SourceBuffer, SourceLocation

MAX_COLUMNS = 120


def render(diagnostic: Diagnostic, sources: Mapping[str, SourceBuffer]) -> str:
    """The diagnostic and its notes, one after another; `sources` holds the texts that may be quoted, by file name."""
    return "\n".join(_lines(diagnostic, sources))


def _lines(diagnostic: Diagnostic, sources: Mapping[str, SourceBuffer]) -> Iterator[str]:
    yield str(diagnostic)
    location = diagnostic.location
    if location is not None and location.file in sources:
        yield from _quote(sources[location.file], location)
    for note in diagnostic.notes:
        yield from _lines(note, sources)


def _quote(source: SourceBuffer, location: SourceLocation) -> Iterator[str]:
    line = source.line(location.line)
    if line is None:
        return
    column = min(location.column - 1, len(line))
    start = 0
    if len(line) > MAX_COLUMNS:  # a window around the column
        start = max(0, min(column - MAX_COLUMNS // 2, len(line) - MAX_COLUMNS))
    window = line[start : start + MAX_COLUMNS]
    quoted = "".join(character if character.isprintable() or character == "\t" else "?" for character in window)
    blank = "".join("\t" if character == "\t" else " " for character in quoted[: column - start])
    yield f"{quoted}\n{blank}^"
