"""Scans the text of assembly statements token by token, and locates errors in it."""

from __future__ import annotations

import re
from typing import NoReturn

MAX_TOKEN = 128
"""Longest number or name: far more than any legal one has."""

_SPACE = re.compile(r"[ \t\r\f\v]*")
_TOKEN = re.compile(r"\w+|\S")


class AssemblyError(ValueError):
    """The text is no legal program: `message` says why, at `line` and `column`, which count from 1.

    `others` are the further errors in the same text, in order, up to a limit.
    """

    def __init__(self, line: int, column: int, message: str, others: tuple[AssemblyError, ...] = ()):
        super().__init__(f"{line}:{column}: {message}")
        self.line = line
        self.column = column
        self.message = message
        self.others = others


_COMMENT = re.compile(r"//|/\*")


def blank_comments(text: str) -> str:
    """Returns the text with `// ...` and `/* ... */` replaced by spaces; all other characters keep their positions."""
    pieces: list[str] = []
    start = 0
    while (comment := _COMMENT.search(text, start)) is not None:
        begin, is_line = comment.start(), comment.group() == "//"
        end = text.find("\n", begin) if is_line else text.find("*/", begin + 2)
        if end < 0 and not is_line:
            raise AssemblyError(*_location(text, begin), "comment is not closed")
        end = len(text) if end < 0 else end if is_line else end + 2
        pieces += [text[start:begin], re.sub(r"[^\n]", " ", text[begin:end])]
        start = end
    return "".join([*pieces, text[start:]])


def _location(text: str, position: int) -> tuple[int, int]:
    """Returns the line and the column of a position."""
    before = text[:position]
    return before.count("\n") + 1, position - (before.rfind("\n") + 1) + 1


class Scanner:
    """A line of text with the position up to which it has been read. White space separates tokens."""

    def __init__(self, text: str, line: int):
        self.text = text
        self.line = line
        self.position = 0
        self.skip()

    def skip(self) -> None:
        """Moves past white space."""
        match = _SPACE.match(self.text, self.position)
        self.position = match.end() if match else self.position

    @property
    def at_end(self) -> bool:
        return self.position == len(self.text)

    @property
    def column(self) -> int:
        return self.position + 1

    def error(self, message: str, column: int | None = None) -> AssemblyError:
        """Returns an error at this position, or at another column."""
        return AssemblyError(self.line, self.column if column is None else column, message)

    def fail(self, message: str, column: int | None = None) -> NoReturn:
        raise self.error(message, column)

    def missing(self, what: str) -> NoReturn:
        """Fails because the text does not continue with `what`."""
        self.fail(f"expected {what}, found {self.found()}")

    def found(self) -> str:
        """Returns the next token, quoted for a message."""
        token = _TOKEN.match(self.text, self.position)
        return f"'{token.group()[:MAX_TOKEN]}'" if token else "the end of the line"

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Returns the match of the pattern at this position, if any, and moves past it."""
        match = pattern.match(self.text, self.position)
        if match is not None:
            if match.end() - self.position > MAX_TOKEN:
                self.fail(f"{match.group()[:MAX_TOKEN]}... is too long")
            self.position = match.end()
            self.skip()
        return match

    def at(self, literal: str) -> bool:
        """Returns whether the text goes on with `literal`."""
        return self.text.startswith(literal, self.position)

    def accept(self, literal: str) -> bool:
        """Returns whether the text goes on with `literal`, and moves past it."""
        if not self.at(literal):
            return False
        self.position += len(literal)
        self.skip()
        return True

    def expect(self, literal: str) -> None:
        if not self.accept(literal):
            self.missing(f"'{literal}'")

    def expect_match(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        match = self.match(pattern)
        if match is None:
            self.missing(what)
        return match

    def expect_end(self) -> None:
        if not self.at_end:
            self.fail(f"unexpected {self.found()}")
