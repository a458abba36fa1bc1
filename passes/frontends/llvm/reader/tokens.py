"""Splits statements of LLVM IR into tokens, and walks over them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NoReturn, TypeVar

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, StringAttr

from xegpu.diagnostics import CompileError

T = TypeVar("T")

_TOKEN = re.compile(
    r"""c?"[^"]*"                               # strings
    |;.*                                        # comments
    |[%@$!^\#](?:"[^"]*"|[-\w.$]+)?             # names of values, types, metadata and attributes
    |-?\d+\.\d*(?:[eE][-+]?\d+)?                # decimal floats
    |0x[HKLMR]?[0-9A-Fa-f]+                     # bits of floats
    |-?\d+|[A-Za-z_.][\w.$-]*|\S""",
    re.VERBOSE,
)
_CODE = re.compile(r'(?:[^;"]|"[^"]*")*')
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_END = ""
"""The token behind the last one."""
_DEEPEST = 64


class Statement:
    """The tokens of one statement, from which parsers take one after the other.

    `filename` and `line` tell where it starts, and `source` what a node of debug information says about the source.
    """

    def __init__(
        self, text: str, filename: str, line: int, source: Callable[[str], FileLineColLoc | None] = lambda _: None
    ):
        self.filename = filename
        self.line = line
        self._source = source
        self._tokens: list[str] = _TOKEN.findall(text)
        if self._tokens and self._tokens[-1].startswith(";"):
            self._tokens.pop()
        self._place = 0
        self._depth = 0

    @property
    def location(self) -> FileLineColLoc:
        """Returns the place in the source, if debug information tells it, or else where the statement starts."""
        tokens = self._tokens
        node = tokens[tokens.index("!dbg") + 1] if "!dbg" in tokens[:-1] else ""
        return self._source(node) or place(self.filename, self.line)

    def error(self, message: str) -> NoReturn:
        """Ends reading with an error at the statement."""
        raise CompileError(self.location, message)

    def peek(self, ahead: int = 0) -> str:
        """Returns a token without taking it."""
        position = self._place + ahead
        return self._tokens[position] if position < len(self._tokens) else _END

    def take(self) -> str:
        """Takes the next token."""
        if self._place >= len(self._tokens):
            self.error("ends too early")
        token = self._tokens[self._place]
        self._place += 1
        return token

    def accept(self, token: str) -> bool:
        """Takes the next token if it is the given one."""
        if self.peek() != token:
            return False
        self._place += 1
        return True

    def expect(self, token: str) -> None:
        """Takes a token that must come next."""
        if not self.accept(token):
            self.error(f"holds {self.peek() or 'nothing'!r} where {token!r} was expected")

    def accept_any(self, tokens: frozenset[str]) -> list[str]:
        """Takes tokens as long as they are among the given ones."""
        start = self._place
        while self.peek() in tokens:
            self._place += 1
        return self._tokens[start : self._place]

    def integer(self) -> int:
        """Takes a decimal number."""
        token = self.take()
        try:
            return int(token)
        except ValueError:
            self.error(f"holds {token!r} where a number was expected")

    def skip_group(self) -> None:
        """Takes a group in brackets as a whole, if one comes next."""
        closing: list[str] = []
        while True:
            token = self.peek()
            if not closing and token not in _CLOSING:
                return
            if token in _CLOSING:
                closing.append(_CLOSING[token])
            elif closing and token == closing[-1]:
                closing.pop()
            self.take()
            if not closing:
                return

    def items(self, opening: str, parse: Callable[[], T]) -> list[T]:
        """Takes a list in brackets, whose items are separated by commas."""
        self.expect(opening)
        closing = _CLOSING[opening]
        found: list[T] = []
        if self.accept(closing):
            return found
        while True:
            found.append(parse())
            if self.accept(closing):
                return found
            self.expect(",")

    def nested(self, parse: Callable[[], T]) -> T:
        """Returns the result of a recursive parser; text that nests deeper than any real one is refused."""
        self._depth += 1
        if self._depth > _DEEPEST:
            self.error(f"nests deeper than {_DEEPEST} levels")
        try:
            return parse()
        finally:
            self._depth -= 1

    def rest(self) -> list[str]:
        """Takes all tokens that are left."""
        left = self._tokens[self._place :]
        self._place = len(self._tokens)
        return left


@lru_cache(maxsize=4096)
def code_of(line: str) -> str:
    """Returns a line without its comment."""
    found = _CODE.match(line)
    return "" if found is None else found[0].rstrip()


@lru_cache(maxsize=4096)
def place(filename: str, line: int, column: int = 1) -> FileLineColLoc:
    """Returns a place in a file. Modules without names of their own share these."""
    return FileLineColLoc(_file(filename), IntAttr(line), _column(column))


_file, _column = lru_cache(maxsize=64)(StringAttr), lru_cache(maxsize=1024)(IntAttr)
