"""Reads tokens into scopes: which of them define names, and where the others look for theirs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from tools.lsp.navigation.scopes import NameScope
from tools.lsp.navigation.tokens import Kind, Token

_PLAIN = frozenset({"module", "return", "call", "func", "unrealized_conversion_cast"})
"""Operations whose names may stand without their dialect."""

_MOST_HOMONYMS = 64
"""The definitions of one name that are compared, so that no text takes quadratic time."""

_DEEPEST_SYMBOL = 16
"""The symbols around a symbol that its path names, likewise."""

_MOST_ARGUMENTS = 4096
"""The tokens that the arguments of a block may have, likewise."""

_CLOSING = {"{": "}", "(": ")", "[": "]"}

Path = tuple[str, ...]


class Use(NamedTuple):
    """A token that names something, and how its definition is found once all is read."""

    token: Token
    definition: Callable[[], int | None]


class Bracket(NamedTuple):
    """An open bracket, and the state to restore after its end."""

    text: str
    scope: NameScope
    statement: NameScope
    path: Path


class Reader:
    """Reads one piece of a text.

    Args:
        tokens: The tokens, without comments.
        defines_symbol: Says whether operations of a name define symbols.
    """

    def __init__(self, tokens: Sequence[Token], defines_symbol: Callable[[str], bool]) -> None:
        self._tokens = tokens
        self._defines_symbol = defines_symbol
        self._scope = NameScope()
        self._statement = NameScope(self._scope, is_region=False)
        self._brackets: list[Bracket] = []
        self._path: Path = ()
        self._symbol: str | None = None
        self._awaits_symbol = False
        self._symbols: dict[str, list[tuple[Path, int]]] = defaultdict(list)
        self._blocks: dict[NameScope, dict[str, int]] = defaultdict(dict)
        self._aliases: dict[str, int] = {}
        self._results = _results(tokens)

    def read(self) -> list[Use]:
        """Returns the names of the piece."""
        uses: list[Use] = []
        for number, token in enumerate(self._tokens):
            match token.kind:
                case Kind.OPEN:
                    self._open(number)
                case Kind.CLOSE:
                    self._close(token.text)
                case Kind.WORD:
                    self._begin(number)
                case Kind.STRING:
                    self._begin(number)
                    if self._is_symbol_name(number):
                        self._awaits_symbol, self._symbol = False, token.text.strip('"')
                        uses.append(self._define_symbol(token, self._symbol))
                case Kind.VALUE:
                    uses.append(self._value(number))
                case Kind.BLOCK:
                    uses.append(self._block(number))
                case Kind.SYMBOL:
                    uses.append(self._symbol_use(number))
                case Kind.ATTRIBUTE | Kind.TYPE if "." not in token.text:
                    if token.is_first and self._text(number + 1) == "=":
                        self._aliases.setdefault(token.text, token.start)
                    uses.append(Use(token, partial(self._aliases.get, token.text)))
                case _:
                    pass
        return uses

    def _text(self, number: int) -> str:
        return self._tokens[number].text if 0 <= number < len(self._tokens) else ""

    def _in_region(self) -> bool:
        """Returns whether operations may begin here, as they do not between parentheses or in dictionaries."""
        return not self._brackets or self._brackets[-1].text == "region"

    def _begin(self, number: int) -> None:
        """Begins an operation, if the token is the name of one."""
        token = self._tokens[number]
        if not self._in_region():
            return
        name = token.text.strip('"')
        is_name = "." in name or name in _PLAIN
        if not is_name or (token.kind is Kind.STRING and self._text(number + 1) != "("):
            return
        if self._text(number - 1) != "=":  # results have begun it already
            self._statement = NameScope(self._scope, is_region=False)
        self._symbol = None
        self._awaits_symbol = self._defines_symbol(f"builtin.{name}" if name == "module" else name)

    def _open(self, number: int) -> None:
        token = self._tokens[number]
        kind = token.text
        if kind == "{" and not self._is_dictionary(number):
            kind = "region"
        self._brackets.append(Bracket(kind, self._scope, self._statement, self._path))
        if kind != "region":
            return
        self._statement.opens = True
        self._scope = NameScope(self._statement)
        self._statement = NameScope(self._scope, is_region=False)
        if self._symbol is not None and len(self._path) < _DEEPEST_SYMBOL:
            self._path = (*self._path, self._symbol)
        self._symbol, self._awaits_symbol = None, False

    def _is_dictionary(self, number: int) -> bool:
        if self._text(number - 1) == "<":
            return True
        first = self._tokens[number + 1] if number + 1 < len(self._tokens) else None
        if first is None or first.kind not in (Kind.WORD, Kind.STRING):
            return False
        return self._text(number + 2) in ("=", ",", "}")

    def _close(self, text: str) -> None:
        """Closes the bracket, and those in it that lack their end; one too many closes nothing."""
        for depth in range(len(self._brackets) - 1, max(len(self._brackets) - 64, 0) - 1, -1):
            bracket = self._brackets[depth]
            if _CLOSING.get(bracket.text, "}") == text:
                del self._brackets[depth:]
                self._scope, self._statement = bracket.scope, bracket.statement
                self._path = bracket.path
                return

    def _value(self, number: int) -> Use:
        token = self._tokens[number]
        scope = self._statement
        if self._in_region() and self._results[number]:
            scope = self._scope
            if token.is_first:
                self._statement = NameScope(self._scope, is_region=False)
            scope.defined.setdefault(token.text, token.start)
        elif self._text(number + 1) == "=":
            scope.defined.setdefault(token.text, token.start)
        else:
            scope.mentioned.setdefault(token.text, token.start)
        return Use(token, partial(scope.definition, token.text))

    def _block(self, number: int) -> Use:
        token = self._tokens[number]
        region = self._scope.region()
        blocks = self._blocks[region]
        if self._in_region() and (token.is_first or self._text(number - 1) == "{"):
            after = number + 1
            if self._text(after) == "(":
                after = self._behind(after)
            if self._text(after) == ":":
                blocks.setdefault(token.text, token.start)
                self._statement = NameScope(self._scope, is_region=False)
                self._define_arguments(number + 1, after)
        return Use(token, partial(blocks.get, token.text))

    def _behind(self, number: int) -> int:
        """Returns the token behind the bracket that begins at `number`; labels are short."""
        depth = 0
        for after in range(number, min(number + _MOST_ARGUMENTS, len(self._tokens))):
            depth += (self._tokens[after].kind is Kind.OPEN) - (self._tokens[after].kind is Kind.CLOSE)
            if depth == 0:
                return after + 1
        return len(self._tokens)

    def _define_arguments(self, start: int, end: int) -> None:
        for token in self._tokens[start:end]:
            if token.kind is Kind.VALUE:
                self._scope.defined.setdefault(token.text, token.start)

    def _is_symbol_name(self, number: int) -> bool:
        return self._text(number - 1) == "=" and self._text(number - 2) == "sym_name"

    def _define_symbol(self, token: Token, name: str) -> Use:
        self._symbols[name].append((self._path, token.start))
        return Use(token, lambda: token.start)

    def _symbol_use(self, number: int) -> Use:
        token = self._tokens[number]
        name = _bare(token)
        if self._awaits_symbol and self._in_region():
            self._awaits_symbol, self._symbol = False, name
            return self._define_symbol(token, name)
        outer: Path = ()
        before = number
        while (
            self._text(before - 1) == "::"
            and self._tokens[before - 2].kind is Kind.SYMBOL
            and len(outer) < _DEEPEST_SYMBOL
        ):
            before -= 2
            outer = (_bare(self._tokens[before]), *outer)
        return Use(token, partial(self._find_symbol, name, outer, self._path))

    def _find_symbol(self, name: str, outer: Path, path: Path) -> int | None:
        """Returns the definition of a symbol that is nearest to a use of it in the operations `path`."""
        fitting = [
            (_common(where, path), -start)
            for where, start in self._symbols[name][:_MOST_HOMONYMS]
            if not outer or where[-len(outer) :] == outer
        ]
        return -max(fitting)[1] if fitting else None


def _common(first: Path, second: Path) -> int:
    return next(
        (number for number, (one, other) in enumerate(zip(first, second, strict=False)) if one != other),
        min(len(first), len(second)),
    )


def _bare(token: Token) -> str:
    return token.text[1:].strip('"')


def _results(tokens: Sequence[Token]) -> list[bool]:
    """Returns for each token whether it is a value of a list `%a, %b:2 =` at the beginning of a line or a region."""
    found = [False] * len(tokens)
    number = 0
    while number < len(tokens):
        token = tokens[number]
        if token.kind is Kind.VALUE and (token.is_first or (number and tokens[number - 1].text in "{:")):
            values, after = [number], number + 1
            while after + 1 < len(tokens) and tokens[after].text in (",", ":"):
                if tokens[after + 1].kind is Kind.VALUE and tokens[after].text == ",":
                    values.append(after + 1)
                elif tokens[after].text == ",":
                    break
                after += 2
            if after < len(tokens) and tokens[after].text == "=":
                for value in values:
                    found[value] = True
            number = after
        else:
            number += 1
    return found
