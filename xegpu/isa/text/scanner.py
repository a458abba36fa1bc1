"""Reads the text of one assembly statement, token by token, and knows where it is."""

from __future__ import annotations

import re
from typing import NoReturn

MAX_TOKEN = 64
"""Longest number or name: far more than any legal one has."""

_SPACE = re.compile(r"[ \t\r\f\v]*")
_TOKEN = re.compile(r"\w+|\S")


class AssemblyError(ValueError):
    """Text is no legal program: `message` about the place `line`, `column` (both from 1).

    `others` are the further errors of the same text, in order, up to a limit.
    """

    def __init__(self, line: int, column: int, message: str, others: tuple[AssemblyError, ...] = ()):
        super().__init__(f"{line}:{column}: {message}")
        self.line = line
        self.column = column
        self.message = message
        self.others = others


_COMMENT = re.compile(r"//|/\*")


def blank_comments(text: str) -> str:
    """The text with `// ...` and `/* ... */` replaced by spaces; every other character stays where it is."""
    pieces: list[str] = []
    start = 0
    while (comment := _COMMENT.search(text, start)) is not None:
        begin, is_line = comment.start(), comment.group() == "//"
        end = text.find("\n", begin) if is_line else text.find("*/", begin + 2)
        if end < 0 and not is_line:
            raise AssemblyError(*place(text, begin), "comment is not closed")
        end = len(text) if end < 0 else end if is_line else end + 2
        pieces += [text[start:begin], re.sub(r"[^\n]", " ", text[begin:end])]
        start = end
    return "".join([*pieces, text[start:]])


def place(text: str, position: int) -> tuple[int, int]:
    """Line and column of a position."""
    before = text[:position]
    return before.count("\n") + 1, position - (before.rfind("\n") + 1) + 1


class Scanner:
    """The rest of a line. White space separates tokens and is otherwise ignored."""

    def __init__(self, text: str, line: int):
        self.text = text
        self.line = line
        self.position = 0
        self.skip()

    def skip(self) -> None:
        """Moves behind white space."""
        match = _SPACE.match(self.text, self.position)
        self.position = match.end() if match else self.position

    @property
    def at_end(self) -> bool:
        return self.position == len(self.text)

    @property
    def column(self) -> int:
        return self.position + 1

    def error(self, message: str, column: int | None = None) -> AssemblyError:
        """An error here, or at another column."""
        return AssemblyError(self.line, self.column if column is None else column, message)

    def fail(self, message: str, column: int | None = None) -> NoReturn:
        raise self.error(message, column)

    def missing(self, what: str) -> NoReturn:
        """Fails because something else than `what` stands here."""
        self.fail(f"expected {what}, found {self.found()}")

    def found(self) -> str:
        """What stands here, quoted for a message."""
        token = _TOKEN.match(self.text, self.position)
        return f"'{token.group()[:MAX_TOKEN]}'" if token else "the end of the line"

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The pattern's match here, if any; moves behind it."""
        match = pattern.match(self.text, self.position)
        if match is not None:
            if match.end() - self.position > MAX_TOKEN:
                self.fail(f"{match.group()[:MAX_TOKEN]}... is too long")
            self.position = match.end()
            self.skip()
        return match

    def at(self, literal: str) -> bool:
        """Whether `literal` stands here."""
        return self.text.startswith(literal, self.position)

    def accept(self, literal: str) -> bool:
        """Whether `literal` stands here; moves behind it."""
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
