"""Lines of source files for listings that show code next to what it was compiled from."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from xegpu.isa.lines import LineTable, SourcePlace

_MAX_FILE = 64 << 20
"""Bytes of a source file beyond which its text is not shown."""


def comments(table: LineTable, offsets: Iterable[int]) -> dict[int, str]:
    """What to say before the instructions at these offsets: the place of each that has another one than the last."""
    texts: dict[int, str] = {}
    last: SourcePlace | None = None
    for offset in offsets:
        place = table.at(offset)
        if place != last:
            texts[offset] = "no source" if place is None else _described(place)
        last = place
    return texts


def _described(place: SourcePlace) -> str:
    lines = _lines(place.file)
    text = lines[place.line - 1].strip() if place.line <= len(lines) else ""
    return _printable(f"{place}: {text}" if text else str(place))


def _printable(text: str) -> str:
    """What a file says must not command a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


@cache
def _lines(file: str) -> tuple[str, ...]:
    """Lines of a file, none if it is not there, as is usual when a binary comes from another machine."""
    try:
        path = Path(file)
        if not path.is_file() or path.stat().st_size > _MAX_FILE:
            return ()
        return tuple(path.read_text(errors="replace").splitlines())
    except (OSError, ValueError):
        return ()
