"""Reads the YAML of `.ze_info`: the block style that Intel's compilers write and that its drivers understand.

Drivers do not read all of YAML, and neither does this reader. PyYAML's parser supplies events; anchors, aliases, tags,
inline mappings, block scalars and scalars over several lines are refused at the event that starts them, so nothing is
ever expanded. Every scalar stays text: `name: on` names a kernel `on`. Text of any depth or size takes linear time.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from zebin.errors import FindingSeverity, ZebinError, excerpt
from zebin.yaml.events import (
    ALIAS,
    DOCUMENT_START,
    MAPPING_END,
    MAPPING_START,
    SCALAR,
    SEQUENCE_END,
    SEQUENCE_START,
    STREAM_END,
    EventStream,
    ParserEvent,
)
from zebin.yaml.nodes import Mapping, Node, Scalar, Sequence, TopLevelEntry
from zebin.yaml.source import TextReport
from zebin.yaml.syntax_errors import (
    bad_indentation,
    inline_list,
    nested_list,
    refusal,
    rest_of_line,
    starts_item_or_key,
    unclosed_quote,
)

MAX_DEPTH = 16
"""Levels of mappings and lists. The schema needs six."""

NODE_LIMIT = 100_000
"""Keys, list items and values that are held at a time. A kernel needs a few hundred."""

ITEM_LIMIT, BYTES_PER_ITEM = 1 << 15, 512
"""Items that are handed over one by one: this many, and one more for each 512 bytes of text."""

_LAST_WORD = "kernels_misc_info"
"""The word at which drivers cut the text, wherever it occurs; they do not read the rest."""

_KEY = re.compile(r"[A-Za-z_][\w.-]*+(?: ++[\w.-]++)*+", re.ASCII)
_LIST_WORD = re.compile(r"[\w.+-]++", re.ASCII)
_NEEDS_QUOTES = re.compile(r"[^\t -~]")
_PLAIN = re.compile(r"[A-Za-z_.+-][\w.+ \t-]*+|0x[0-9A-Fa-f]++|[0-9][0-9_.]*+", re.ASCII)
"""The words and numbers that drivers read without quotes, wherever they are; newer drivers read hexadecimal numbers."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class YamlReader:
    """Builds nodes from events by recursive descent."""

    def __init__(self, report: TextReport):
        self.report, self.text = report, report.source.text
        self.stream = EventStream(report)
        self.item_limit = ITEM_LIMIT + len(self.text) // BYTES_PER_ITEM
        self.nodes_left, self.items_left = NODE_LIMIT, self.item_limit
        cut = self.text.find(_LAST_WORD)
        self.driver_end = cut if cut >= 0 else len(self.text)

    def entries(self, lists: Container[str]) -> Iterator[TopLevelEntry]:
        """Yields the entries of all documents, which drivers read as one."""
        first: ParserEvent | None = None
        seen: set[str] = set()
        warned = False
        while (event := self.stream.next()).__class__ is not STREAM_END:
            if event.__class__ is not DOCUMENT_START:
                continue
            root = self.stream.next()
            if root.__class__ is SCALAR and root.start_mark.index == root.end_mark.index:
                continue
            if root.__class__ is not MAPPING_START or root.flow_style:
                raise self.bad_root(root)
            self.refuse_properties(root)
            if first is None:
                first = root
            elif root.start_mark.column != first.start_mark.column:
                raise bad_indentation(self.report, root.start_mark.index)
            elif not warned:
                self.report.warning("yaml.multidoc", "several documents, read as one", root.start_mark.index)
                warned = True
            yield from self.root_entries(root, first.start_mark.index, seen, lists)
        if first is None:
            self.report.warning("yaml.empty", "the text describes nothing", 0)

    def bad_root(self, event: ParserEvent) -> ZebinError:
        """Returns the error for a text that is no mapping."""
        at = event.start_mark.index
        what = "list"
        if event.__class__ is not SEQUENCE_START:
            is_plain = event.__class__ is SCALAR and not event.style
            several = event.start_mark.line != event.end_mark.line or ":" in rest_of_line(self.text, at)
            if several or not is_plain:
                return refusal(self.report, at)
            what = "single value"
        return self.report.fatal("yaml.root", f"the text is a {what}", at, expected="keys and values")

    def root_entries(
        self, root: ParserEvent, mapping_at: int, seen: set[str], lists: Container[str]
    ) -> Iterator[TopLevelEntry]:
        while (key := self.key(root)) is not None:
            name = key.value
            if name in seen:
                self.report_duplicate(key, mapping_at)
            seen.add(name)
            event = self.stream.next()
            if name in lists and event.__class__ is SEQUENCE_START and not event.flow_style:
                held = self.nodes_left
                for item in self.items(event, root.start_mark.column, 1):
                    yield TopLevelEntry(name, item, is_item=True)
                    # Each item may be as large as the rest of the text: they are not held together.
                    self.nodes_left = held
                    self.items_left -= 1
                    if self.items_left < 0:
                        raise self.limit("items of lists", self.item_limit)
            else:
                yield TopLevelEntry(name, self.value(event, key, 1), is_item=False)

    def count_node(self) -> None:
        self.nodes_left -= 1
        if self.nodes_left < 0:
            raise self.limit("keys and values together", NODE_LIMIT)

    def limit(self, what: str, count: int) -> ZebinError:
        return self.report.fatal("yaml.limit", f"too many {what}", self.stream.at, expected=f"at most {count}")

    def refuse_properties(self, event: ParserEvent) -> None:
        """Raises if the event has an anchor or a tag."""
        if event.anchor is not None or event.tag is not None:
            raise refusal(self.report, event.start_mark.index)

    # Blocks ----------------------------------------------------------------------------------------------------------

    def key(self, mapping: ParserEvent) -> ParserEvent | None:
        """Returns the event of the mapping's next key, None at its end."""
        event = self.stream.next()
        if event.__class__ is MAPPING_END:
            return None
        self.count_node()
        start = event.start_mark
        if event.__class__ is not SCALAR or start.column != mapping.start_mark.column:
            mark = self.text.rfind("?", start.index - start.column, start.index)
            raise refusal(self.report, start.index if mark < 0 else mark, "yaml.subset", "complex key")
        if event.style or _KEY.fullmatch(event.value) is None or event.anchor is not None or event.tag is not None:
            raise refusal(self.report, start.index)
        return event

    def report_duplicate(self, key: ParserEvent, mapping_at: int) -> None:
        """Reports a key that the mapping, which starts at `mapping_at`, has already."""
        if not self.report.drops(FindingSeverity.ERROR):
            line = self.report.source.line(self.report.source.find_key(mapping_at, key.value))
            message = f"key {excerpt(key.value)} already appears on line {line}"
            self.report.error("key.duplicate", message, key.start_mark.index)

    def mapping(self, start: ParserEvent, depth: int) -> Mapping:
        node = Mapping(at=start.start_mark.index)
        while (key := self.key(start)) is not None:
            value = self.value(self.stream.next(), key, depth)
            if key.value in node.entries:
                self.report_duplicate(key, node.at)
            else:
                node.entries[key.value] = value
        return node

    def items(self, start: ParserEvent, column: int, depth: int) -> Iterator[Node]:
        """Yields the items of a block list, which must start to the right of `column`."""
        self.refuse_properties(start)
        if start.start_mark.column <= column:
            message = "list is not indented deeper than its key"
            raise self.report.fatal("yaml.indent", message, start.start_mark.index)
        while (event := self.stream.next()).__class__ is not SEQUENCE_END:
            self.count_node()
            yield self.value(event, None, depth)

    def value(self, event: ParserEvent, key: ParserEvent | None, depth: int) -> Node:
        """Returns the value of a key, or the list item if there is no key."""
        if event.__class__ is SCALAR:
            if key is None or key.end_mark.line != event.start_mark.line:
                self.check_line(event, key)
            return self.scalar(event)
        at = event.start_mark.index
        if event.__class__ is ALIAS:
            raise refusal(self.report, at)
        self.refuse_properties(event)
        if event.flow_style:
            if event.__class__ is MAPPING_START:
                raise refusal(self.report, at)
            self.check_line(event, key)
            return self.inline_list(event)
        if depth > MAX_DEPTH:
            raise self.report.fatal("yaml.depth", "nested too deeply", at, expected=f"at most {MAX_DEPTH} levels")
        if event.__class__ is MAPPING_START:
            return self.mapping(event, depth + 1)
        column = key.start_mark.column if key is not None else -1
        return Sequence(list(self.items(event, column, depth + 1)), at=at)

    def check_line(self, event: ParserEvent, key: ParserEvent | None) -> None:
        """Raises if a scalar or inline list does not start on the line of its key or dash."""
        start = event.start_mark
        if key is not None:
            if start.line == key.end_mark.line:
                return
        elif self.text[start.index - start.column : start.index].strip(" "):
            return
        if start.index != event.end_mark.index:
            found = excerpt(rest_of_line(self.text, start.index))
            message = "value on a line of its own"
            raise self.report.fatal("yaml.subset", message, start.index, found=found, expected="'key: value'")

    # Values ----------------------------------------------------------------------------------------------------------

    def scalar(self, event: ParserEvent) -> Scalar:
        value, style, start = event.value, event.style, event.start_mark
        if event.anchor is not None or event.tag is not None or style in ("|", ">"):
            raise refusal(self.report, start.index)
        one_line = start.line == event.end_mark.line
        if not style:
            if not one_line:
                raise self.several_lines(start.index)
            if _NEEDS_QUOTES.search(value):
                raise self.report.fatal("yaml.syntax", "character that needs quotes", start.index, found=excerpt(value))
            if value and start.index < self.driver_end and _PLAIN.fullmatch(value) is None:
                self.report.error("yaml.syntax", "word that needs quotes", start.index, found=excerpt(value))
            return Scalar(value, at=start.index)
        if not one_line:
            raise unclosed_quote(self.report, start.index)
        if _SURROGATE.search(value):
            raise self.report.fatal("yaml.syntax", "unknown escape", start.index, found=excerpt(value))
        return Scalar(value, True, start.index)

    def several_lines(self, at: int) -> ZebinError:
        """Returns the error for a plain scalar that starts at `at` and goes on below its line."""
        rest = self.text[self.text.index("\n", at) :]
        next_at = len(self.text) - len(rest.lstrip())
        if starts_item_or_key(self.text, next_at):
            return bad_indentation(self.report, next_at)
        return self.report.fatal("yaml.subset", "scalar over several lines", next_at)

    def inline_list(self, start: ParserEvent) -> Sequence:
        at, line, end = start.start_mark.index, start.start_mark.line, start.end_mark.index
        node = Sequence([], inline=True, at=at)
        while (event := self.stream.next()).__class__ is not SEQUENCE_END:
            self.count_node()
            item = event.start_mark.index
            if event.__class__ is SEQUENCE_START:
                raise nested_list(self.report, item)
            is_word = event.__class__ is SCALAR and not event.style and event.anchor is None and event.tag is None
            if not is_word or event.start_mark.line != line or _LIST_WORD.fullmatch(event.value) is None:
                raise inline_list(self.report, at, item)
            node.items.append(Scalar(event.value, at=item))
            end = event.end_mark.index
        if event.end_mark.line != line or "," in self.text[end : event.start_mark.index]:
            raise inline_list(self.report, at, event.start_mark.index)
        if not node.items and at < self.driver_end:
            self.report.warning("yaml.empty", "empty list, which older drivers refuse", at)
        return node
