"""Source lines for listings that show code next to what it was compiled from."""

from __future__ import annotations

from collections.abc import Iterable

from xegpu.isa.code import LineTable, SourcePlace, printable, source_lines


def comments(table: LineTable, offsets: Iterable[int]) -> dict[int, str]:
    """Returns the comments to print before the instructions at these offsets: each change of the source location."""
    texts: dict[int, str] = {}
    last: SourcePlace | None = None
    for offset in offsets:
        place = table.at(offset)
        if place != last:
            texts[offset] = "no source" if place is None else _described(place)
        last = place
    return texts


def _described(place: SourcePlace) -> str:
    lines = source_lines(place.file)
    text = lines[place.line - 1].strip() if place.line <= len(lines) else ""
    return printable(f"{place}: {text}" if text else str(place))
