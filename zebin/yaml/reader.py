"""Reads the YAML of `.ze_info`: the block style that Intel's compilers write and that its drivers understand.

Drivers do not read all of YAML, and neither does this reader: anchors, aliases, tags, inline mappings, block scalars
and scalars over several lines are refused where they stand, so that nothing is ever expanded. What is left needs one
pass, in which every scalar stays text; `name: on` names a kernel `on`. A file of any depth or size takes linear time.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Container, Iterator
from typing import NamedTuple

from zebin.errors import Severity, ZebinError, excerpt
from zebin.yaml.nodes import Mapping, Node, Scalar, Sequence
from zebin.yaml.source import TextReport

MAX_DEPTH = 16
"""The schema needs six levels."""

NODE_LIMIT = 100_000
"""Keys, list items and values held at a time: a kernel needs some hundreds, memory must not be at the text's mercy."""

ITEM_LIMIT, BYTES_FOR_ITEM = 1 << 15, 512
"""Items handed over one by one, for the same reason: so many, and one more for each 512 bytes of text."""

_LINE_START = re.compile(r"(?: *+(?:#[^\n]*+)?\r?\n)*+( *+)")
"""Blank and comment lines, then the indentation of a line with content. Matches everywhere."""

_LINE_END = re.compile(r"(?: ++(?:#[^\n]*+)?)?\r?\n")
_MARKER = re.compile(r"(?:---|\.\.\.)(?= *+(?:#[^\n]*+)?\r?\n)")
_DASH = re.compile(r"-(?: ++|(?=\r?\n))")
_KEY = re.compile(r"([A-Za-z_][\w.-]*+(?: ++[\w.-]++)*+) *+:(?=[ \r\n])", re.ASCII)
_QUOTED_KEY = re.compile(r"(?:'[^'\n]*+'|\"[^\"\n]*+\") *+:")
_PLAIN_ENTRY = re.compile(r"([A-Za-z_][\w.-]*+):(?: ++(-?\w[\w.^,-]*+(?: [\w.^,-]++)*+))?\r?\n", re.ASCII)
"""Nearly every line of a real file: `key: word`, `key: some words`, `key:`."""

_SINGLE_QUOTED = re.compile(r"'([^'\n]*+(?:''[^'\n]*+)*+)'")
_DOUBLE_QUOTED = re.compile(r'"([^"\\\n]*+(?:\\.[^"\\\n]*+)*+)"')
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_LIST_ITEM = re.compile(r" *+([\w.+-]++) *+([,\]])", re.ASCII)
_EMPTY_LIST = re.compile(r"\[ *+\]")
_SPACES = re.compile(r" *+")
_NEEDS_QUOTES = re.compile(r"[^\t -~]")

_ESCAPES = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    " ": " ",
    '"': '"',
    "/": "/",
    "\\": "\\",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}

_REFUSED = {
    "{": ("yaml.subset", "inline mapping"),
    "|": ("yaml.subset", "block scalar"),
    ">": ("yaml.subset", "block scalar"),
    "?": ("yaml.subset", "complex key"),
    "&": ("yaml.alias", "anchor"),
    "*": ("yaml.alias", "alias"),
    "!": ("yaml.tag", "tag"),
    "%": ("yaml.syntax", "directive or reserved character"),
    "@": ("yaml.syntax", "reserved character"),
    "`": ("yaml.syntax", "reserved character"),
    "]": ("yaml.syntax", "bracket that closes nothing"),
    "}": ("yaml.syntax", "bracket that closes nothing"),
    ",": ("yaml.syntax", "comma outside a list"),
}
"""What a value may not start with."""


class Entry(NamedTuple):
    """A top-level key with its value, or with one item of the list that is its value."""

    key: str
    node: Node
    is_item: bool


def read_entries(report: TextReport, lists: Container[str] = ()) -> Iterator[Entry]:
    """The top level of the document; of the keys in `lists`, item by item, so that no tree of the whole is ever built.

    Raises `ZebinError` at the first fault of syntax; duplicate keys are reported and left out.
    """
    return _Reader(report).entries(lists)


_LAST_WORD = "kernels_misc_info"
"""Drivers cut the text at this word, wherever it stands, and do not read what is behind it."""


class _Reader:
    """Recursive descent over lines. `at` and `column` are those of the next content; at the end `column` is -1."""

    def __init__(self, report: TextReport):
        self.report, self.text = report, report.source.text
        self.at, self.column = 0, -1
        self.has_content = self.behind_marker = self.warned_of_documents = False
        self.item_limit = ITEM_LIMIT + len(self.text) // BYTES_FOR_ITEM
        self.nodes_left, self.items_left = NODE_LIMIT, self.item_limit
        cut = self.text.find(_LAST_WORD)
        self.driver_end = cut if cut >= 0 else len(self.text)
        self.next_line(0)

    def entries(self, lists: Container[str]) -> Iterator[Entry]:
        if self.column < 0:
            self.report.warning("yaml.empty", "the text describes nothing", 0)
            return
        if not self.starts_mapping():
            self.refuse_root()
        start, column = self.at, self.column
        seen: set[str] = set()
        while self.column == column:
            self.count_node()
            at = self.at
            key, value = self.entry_line()
            self.check_duplicate(key, at, start, seen)
            seen.add(key)
            if key in lists and value is None and self.column > column and self.starts_list():
                for item in self.single_items():
                    yield Entry(key, item, is_item=True)
            else:
                yield Entry(key, self.block_below(column, 1) if value is None else value, is_item=False)
            self.expect_no_deeper(column, value)
        if self.column >= 0:
            raise self.report.fatal("yaml.indent", "line is less indented than the first one", self.at)

    def refuse_root(self) -> None:
        """The text starts with something else than a key: say what, or what is wrong with it."""
        at = self.at
        if self.starts_list():
            raise self.report.fatal("yaml.root", "the text is a list", at, expected="keys and values")
        node, end = self.value(at)
        self.next_line(end)
        if self.column >= 0 or (isinstance(node, Scalar) and not node.quoted and ":" in node.text):
            raise self.no_key(at)
        raise self.report.fatal("yaml.root", "the text is a single value", at, expected="keys and values")

    def single_items(self) -> Iterator[Node]:
        """The items of a list that are not held together: each may be as large as the rest of the text."""
        held = self.nodes_left
        for item in self.items(1):
            yield item
            self.nodes_left = held
            self.items_left -= 1
            if self.items_left < 0:
                raise self.limit("items of lists", self.item_limit)

    def count_node(self) -> None:
        self.nodes_left -= 1
        if self.nodes_left < 0:
            raise self.limit("keys and values together", NODE_LIMIT)

    def limit(self, what: str, count: int) -> ZebinError:
        return self.report.fatal("yaml.limit", f"too many {what}", self.at, expected=f"at most {count}")

    # Lines -----------------------------------------------------------------------------------------------------------

    def next_line(self, position: int) -> None:
        """Go to the next content from `position`, the end of what has been read, on."""
        while match := _LINE_START.match(self.text, position):
            start, self.at = match.span(1)
            if self.at == len(self.text):
                self.column = -1
                return
            self.column = self.at - start
            if self.text[self.at] == "\t":
                raise self.report.fatal("yaml.tab", "tab in the indentation", self.at, expected="spaces")
            marker = None if self.column else _MARKER.match(self.text, self.at)
            if marker is None:
                break
            self.behind_marker = self.has_content
            position = marker.end()
        if self.behind_marker and not self.warned_of_documents:
            self.report.warning("yaml.multidoc", "several documents, read as one", self.at)
            self.warned_of_documents = True
        self.has_content = True

    def expect_line_end(self, position: int) -> None:
        """Nothing but spaces and a comment may follow a value; go to the next line."""
        line_end = _LINE_END.match(self.text, position)
        if line_end is None:
            found = excerpt(self.rest_of_line(position))
            raise self.report.fatal("yaml.syntax", "text behind a value", position, found=found)
        self.next_line(line_end.end())

    def rest_of_line(self, position: int) -> str:
        return self.text[position : self.text.index("\n", position)].removesuffix("\r")

    # Blocks ----------------------------------------------------------------------------------------------------------

    def starts_list(self) -> bool:
        return _DASH.match(self.text, self.at) is not None

    def starts_mapping(self) -> bool:
        return _KEY.match(self.text, self.at) is not None

    def block(self, depth: int) -> Node:
        """The list, mapping or single value that starts here."""
        at = self.at
        if depth > MAX_DEPTH:
            raise self.report.fatal("yaml.depth", "nested too deeply", at, expected=f"at most {MAX_DEPTH} levels")
        if self.starts_list():
            return Sequence(list(self.items(depth + 1)), at=at)
        if self.starts_mapping():
            return self.mapping(depth + 1)
        value, end = self.value(at)
        self.expect_line_end(end)
        return value

    def block_below(self, column: int, depth: int) -> Node:
        """What stands indented below a key or dash at `column`; an empty scalar when nothing does."""
        if self.column <= column:
            return Scalar("", at=self.at)
        if self.starts_list() or self.starts_mapping():
            return self.block(depth)
        raise self.no_key(self.at, "yaml.subset", "value on a line of its own")

    def items(self, depth: int) -> Iterator[Node]:
        """The items of the block list that starts here."""
        column = self.column
        while self.column == column:
            self.count_node()
            dash = _DASH.match(self.text, self.at)
            if dash is None:
                raise self.report.fatal("yaml.indent", "list goes on without a dash", self.at, expected="'- '")
            line_end = _LINE_END.match(self.text, self.at + 1)
            if line_end is not None:
                self.next_line(line_end.end())
                item = self.block_below(column, depth)
            else:
                self.column += dash.end() - self.at
                self.at = dash.end()
                item = self.block(depth)
            yield item
            self.expect_no_deeper(column, item)

    def mapping(self, depth: int) -> Mapping:
        """The keys and values that start here."""
        column, node = self.column, Mapping(at=self.at)
        while self.column == column:
            self.count_node()
            at = self.at
            key, value = self.entry_line()
            if value is None:
                value = self.block_below(column, depth)
            if self.check_duplicate(key, at, node.at, node.entries):
                node.entries[key] = value
            self.expect_no_deeper(column, value)
        return node

    def check_duplicate(self, key: str, at: int, mapping_at: int, known: Container[str]) -> bool:
        """Whether the key is not among those that the mapping, which starts at `mapping_at`, has already."""
        if key not in known:
            return True
        if not self.report.drops(Severity.ERROR):
            line = self.report.source.line(self.report.source.find_key(mapping_at, key))
            self.report.error("key.duplicate", f"key {excerpt(key)} stands on line {line} already", at)
        return False

    def expect_no_deeper(self, column: int, before: Node | None) -> None:
        """Whatever follows an entry at `column` must not be indented further."""
        if self.column <= column:
            return
        if isinstance(before, Scalar) and not (self.starts_list() or self.starts_mapping()):
            raise self.report.fatal("yaml.subset", "scalar over several lines", self.at)
        raise self.report.fatal(
            "yaml.indent",
            "indentation fits no key above",
            self.at,
            found=f"{self.column} spaces",
            expected=f"{column} or fewer",
        )

    # Keys and values -------------------------------------------------------------------------------------------------

    def entry_line(self) -> tuple[str, Node | None]:
        """The key that starts here and the value on its line, None when there is none; then go to the next line."""
        match = _PLAIN_ENTRY.match(self.text, self.at)
        if match is not None:
            key, word = match.groups()
            self.next_line(match.end())
            return key, None if word is None else Scalar(word, at=match.start(2))
        match = _KEY.match(self.text, self.at)
        if match is None:
            raise self.no_key(self.at)
        line_end = _LINE_END.match(self.text, match.end())
        if line_end is not None:
            self.next_line(line_end.end())
            return match[1], None
        spaces = _SPACES.match(self.text, match.end())
        value, end = self.value(spaces.end() if spaces else match.end())
        self.expect_line_end(end)
        return match[1], value

    def no_key(self, at: int, code: str = "yaml.syntax", message: str = "not a key with a value") -> ZebinError:
        """What stands where a key was expected: one of the things that are refused by name, else what `code` says."""
        first = self.text[at]
        if _DASH.match(self.text, at):
            return self.report.fatal("yaml.indent", "list is not indented deeper than its key", at)
        if self.text.startswith("<<", at):
            return self.report.fatal("yaml.alias", "merge key", at)
        if _QUOTED_KEY.match(self.text, at):
            return self.report.fatal("yaml.subset", "quoted key", at)
        if first in _REFUSED:
            code, message = _REFUSED[first]
        found = excerpt(self.rest_of_line(at))
        return self.report.fatal(code, message, at, found=found, expected="'key: value'")

    def value(self, at: int) -> tuple[Node, int]:
        """The value that starts at `at`, and where it ends."""
        first = self.text[at]
        if first == "'":
            match = self.closed_quote(_SINGLE_QUOTED.match(self.text, at), at)
            return Scalar(match[1].replace("''", "'"), True, at), match.end()
        if first == '"':
            match = self.closed_quote(_DOUBLE_QUOTED.match(self.text, at), at)
            return Scalar(self.unescape(match[1], at + 1), True, at), match.end()
        if first == "[":
            return self.inline_list(at)
        if first in _REFUSED:
            code, what = _REFUSED[first]
            raise self.report.fatal(code, what, at, found=excerpt(self.rest_of_line(at)))
        return self.plain(at)

    def closed_quote(self, match: re.Match[str] | None, at: int) -> re.Match[str]:
        if match is None:
            found = excerpt(self.rest_of_line(at))
            raise self.report.fatal("yaml.syntax", "quote is not closed on its line", at, found=found)
        return match

    def unescape(self, text: str, at: int) -> str:
        def character(match: re.Match[str]) -> str:
            digits, letter = match[1] or match[2] or match[3], match[4]
            if digits is not None:
                code = int(digits, 16)
                if code <= sys.maxunicode and not 0xD800 <= code < 0xE000:
                    return chr(code)
            elif letter in _ESCAPES:
                return _ESCAPES[letter]
            raise self.report.fatal("yaml.syntax", "unknown escape", at + match.start(), found=excerpt(match[0]))

        return _ESCAPE.sub(character, text)

    def inline_list(self, at: int) -> tuple[Node, int]:
        items: list[Node] = []
        empty = _EMPTY_LIST.match(self.text, at)
        if empty is not None:
            if at < self.driver_end:
                self.report.warning("yaml.empty", "empty list, which older drivers refuse", at)
            return Sequence(items, inline=True, at=at), empty.end()
        position, closing = at + 1, ""
        while closing != "]":
            self.count_node()
            match = _LIST_ITEM.match(self.text, position)
            if match is None:
                raise self.no_list_item(position)
            word, closing = match.groups()
            items.append(Scalar(word, at=match.start(1)))
            position = match.end()
        return Sequence(items, inline=True, at=at), position

    def no_list_item(self, position: int) -> ZebinError:
        rest = self.rest_of_line(position).lstrip()
        if rest.startswith("["):
            return self.report.fatal("yaml.depth", "list inside an inline list", position, found=excerpt(rest))
        if not rest.partition("#")[0].strip():
            return self.report.fatal("yaml.subset", "inline list over several lines", position)
        expected = "words or numbers with commas between them"
        return self.report.fatal("yaml.subset", "inline list", position, found=excerpt(rest), expected=expected)

    def plain(self, at: int) -> tuple[Node, int]:
        """A word or words up to the end of the line or a comment."""
        line = self.rest_of_line(at)
        text = line.partition(" #")[0].rstrip(" ")
        if _NEEDS_QUOTES.search(text):
            raise self.report.fatal("yaml.syntax", "character that needs quotes", at, found=excerpt(text))
        if ": " in text or text.endswith(":") or text.startswith("- "):
            raise self.report.fatal("yaml.syntax", "second key or list on one line", at, found=excerpt(text))
        return Scalar(text, at=at), at + len(text)
