"""The names of a text, each with its definition."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tools.lsp.navigation.reader import Reader, Use
from tools.lsp.navigation.tokens import Kind, Token, tokenize


class Name(NamedTuple):
    """A place that names something."""

    start: int
    end: int


class NameIndex:
    """The values, blocks, symbols and aliases of a text. Pieces between split markers know nothing of each other.

    Args:
        text: The text, however broken.
        defines_symbol: Says whether operations of a name define symbols.
    """

    def __init__(self, text: str, defines_symbol: Callable[[str], bool]) -> None:
        uses: list[Use] = []
        for piece in _pieces(text):
            uses += Reader(piece, defines_symbol).read()
        uses.sort(key=lambda use: use.token.start)
        self._tokens = [use.token for use in uses]
        self._starts = [token.start for token in self._tokens]
        self._definitions = [use.definition() for use in uses]
        self._uses: dict[int, list[Name]] = defaultdict(list)
        for token, definition in zip(self._tokens, self._definitions, strict=True):
            if definition is not None:
                self._uses[definition].append(Name(token.start, token.end))

    def definition(self, offset: int) -> Name | None:
        """Returns the definition of the name at `offset`, or just before it."""
        number = bisect_right(self._starts, offset) - 1
        if number < 0 or offset > self._tokens[number].end:
            return None
        start = self._definitions[number]
        if start is None:
            return None
        token = self._tokens[bisect_right(self._starts, start) - 1]
        return Name(token.start, token.end)

    def references(self, offset: int) -> Sequence[Name]:
        """Returns all places that name the same, in the order of the text; the definition is one of them."""
        definition = self.definition(offset)
        return [] if definition is None else self._uses[definition.start]


def _pieces(text: str) -> list[list[Token]]:
    pieces: list[list[Token]] = [[]]
    for token in tokenize(text):
        if token.kind is Kind.SPLIT:
            pieces.append([])
        elif token.kind is not Kind.COMMENT:
            pieces[-1].append(token)
    return pieces
