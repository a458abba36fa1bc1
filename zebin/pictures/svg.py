"""A minimal SVG writer for boxes and text."""

from __future__ import annotations

from collections.abc import Iterator

from zebin.dump import printable

FONT_SIZE = 12
CHARACTER_WIDTH = 7.3
"""Width of a monospaced character in pixels."""

COLOURS = ("#8ecae6", "#ffb703", "#a3b18a", "#e5989b", "#b8a9e0", "#f4a261", "#84dcc6", "#d4d4a0", "#c9ada7", "#95b8d1")
"""Fill colours that keep black text legible."""

_PART_LIMIT = 50_000
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})

BLANK = "#eeeeee"


class SvgDrawing:
    """A picture of boxes and text that grows with its contents."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._width = self._height = 0.0

    @property
    def is_full(self) -> bool:
        """True if further parts would make the picture too large to open."""
        return len(self._parts) > _PART_LIMIT

    def box(self, x: float, y: float, width: float, height: float, fill: str, hint: str = "") -> None:
        """Adds a rectangle; `hint` appears when the pointer rests on it."""
        title = f"<title>{_words(hint)}</title>" if hint else ""
        size = f'width="{width:g}" height="{height:g}"'
        self._parts.append(f'<rect x="{x:g}" y="{y:g}" {size} fill="{fill}" stroke="#444">{title}</rect>')
        self._reach(x + width, y + height)

    def text(self, x: float, y: float, words: str, *, anchor: str = "start", bold: bool = False) -> None:
        """Adds a line of text that is vertically centred at `y`."""
        weight = ' font-weight="bold"' if bold else ""
        attributes = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}"'
        self._parts.append(f'<text {attributes} dy="0.35em"{weight}>{_words(words)}</text>')
        if anchor == "start":
            self._reach(x + len(words) * CHARACTER_WIDTH, y + FONT_SIZE)

    def _reach(self, right: float, bottom: float) -> None:
        self._width, self._height = max(self._width, right), max(self._height, bottom)

    def lines(self) -> Iterator[str]:
        """Yields the document."""
        width, height = round(self._width + FONT_SIZE), round(self._height + FONT_SIZE)
        extent = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        font = f'font-family="monospace" font-size="{FONT_SIZE}"'
        yield f'<svg xmlns="http://www.w3.org/2000/svg" {extent} {font}>'
        yield '<rect width="100%" height="100%" fill="white"/>'
        yield from self._parts
        yield "</svg>"


def _words(text: str) -> str:
    """Returns the text for XML, without characters that it forbids."""
    return printable(text).translate(_ESCAPES)


def shortened(text: str, width: float) -> str:
    """Returns the part of the text that fits into the width, empty if that is too short to read."""
    room = int(width / CHARACTER_WIDTH)
    if len(text) <= room:
        return text
    return f"{text[: room - 1]}…" if room > 3 else ""
