"""Tokens of MLIR text, however broken it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple


class Kind(Enum):
    """Kinds of tokens, by the names of their groups below."""

    SPLIT = "split"
    COMMENT = "comment"
    STRING = "string"
    VALUE = "value"
    BLOCK = "block"
    SYMBOL = "symbol"
    ATTRIBUTE = "attribute"
    TYPE = "type"
    WORD = "word"
    OPEN = "open"
    CLOSE = "close"
    OTHER = "other"


class Token(NamedTuple):
    """A token: its text without what `#` adds to a value, and whether it is the first of its line."""

    kind: Kind
    text: str
    start: int
    is_first: bool

    @property
    def end(self) -> int:
        """The character behind the token."""
        return self.start + len(self.text)


_SUFFIX = r"(?:\d+|[A-Za-z_$.-][\w$.-]*)"
_TOKEN = re.compile(
    rf"""(?P<newline>\n)
    |(?P<split>(?<![^\n])//[ ]-----[ \t\r]*(?=\n|$))
    |(?P<comment>//[^\n]*)
    |(?P<string>"(?:[^"\\\n]|\\.)*"?)
    |(?P<value>%{_SUFFIX})(?:\#\d+)?
    |(?P<block>\^{_SUFFIX})
    |(?P<symbol>@(?:[A-Za-z_][\w$.]*|"(?:[^"\\\n]|\\.)*"))
    |(?P<attribute>\#[A-Za-z_][\w$.]*)
    |(?P<type>![A-Za-z_][\w$.]*)
    |(?P<word>[A-Za-z_][\w$.]*)
    |(?P<open>[({{\[])
    |(?P<close>[)}}\]])
    |(?P<number>-?\d[\w.]*)
    |(?P<other>->|::|[^\s])""",
    re.VERBOSE | re.ASCII,
)


def tokenize(text: str) -> Iterator[Token]:
    """Yields the tokens of a text."""
    is_first = True
    for match in _TOKEN.finditer(text):
        name = match.lastgroup
        if name == "newline":
            is_first = True
            continue
        assert name is not None
        kind = Kind.OTHER if name == "number" else Kind(name)
        yield Token(kind, match[name], match.start(name), is_first)
        is_first = False
