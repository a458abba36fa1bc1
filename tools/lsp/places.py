"""Places in a text as the protocol counts them: lines from 0, columns in the units that client and server agree on."""

from __future__ import annotations

import re
from bisect import bisect_right

from lsprotocol.types import Position, Range
from pygls.workspace import PositionCodec

from xegpu.diagnostics import SourceLocation

_LINE_END = re.compile(r"\r\n|\n|\r")


class Places:
    """The places of one text."""

    def __init__(self, text: str, codec: PositionCodec) -> None:
        self._text = text
        self._codec = codec
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        self._locations = [0, *(match.end() for match in re.finditer("\n", text))]

    def position(self, offset: int) -> Position:
        """Returns the position of a character."""
        line = bisect_right(self._starts, offset) - 1
        return Position(line, self._codec.client_num_units(self._text[self._starts[line] : offset]))

    def range(self, start: int, end: int) -> Range:
        """Returns the range of the characters from `start` to before `end`."""
        return Range(self.position(start), self.position(end))

    def offset(self, position: Position) -> int:
        """Returns the character at a position, or the nearest one before it that exists."""
        if position.line >= len(self._starts):
            return len(self._text)
        start = self._starts[position.line]
        line = _LINE_END.split(self._text[start : self._end(position.line)])[0]
        units = 0
        for index, character in enumerate(line):
            if units >= position.character:
                return start + index
            units += self._codec.client_num_units(character)
        return start + len(line)

    def offset_of(self, location: SourceLocation) -> int:
        """Returns the character that a source location names, or the nearest one in the text."""
        line = min(max(location.line - 1, 0), len(self._locations) - 1)
        return min(self._locations[line] + max(location.column - 1, 0), len(self._text))

    def _end(self, line: int) -> int:
        return self._starts[line + 1] if line + 1 < len(self._starts) else len(self._text)
