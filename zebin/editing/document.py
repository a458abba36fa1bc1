"""The text of `.ze_info` as lines to remove and insert; all other lines stay unchanged."""

from __future__ import annotations

import re
from collections.abc import Mapping as AnyMapping, Sequence as AnySequence
from typing import TypeGuard

from xegpu.on_demand import dataclass
from zebin.editing.path import EditError, PathStep
from zebin.editing.values import node_of, row_of
from zebin.errors import Report, ZebinError, excerpt
from zebin.yaml import read_entries
from zebin.yaml.nodes import Mapping, Node, Scalar, Sequence
from zebin.yaml.source import SourceText, TextReport
from zebin.yaml.writer import write_yaml
from zebin.ze_info.records import ListKind, Record, RecordAttribute, RecordKind
from zebin.ze_info.schema import ZeInfo

_NAMES = ("name", "device_name")
"""Keys that select items of lists."""

_NAMES_SHOWN = 10

_TOP_LISTS = frozenset(key for key, row in ZeInfo.by_key.items() if isinstance(row.kind, ListKind))

_BEFORE_FIRST_KEY = re.compile(r"(?:(?:---|\.\.\.)? *+(?:#[^\n]*+)?\r?\n)*+ *+")
_BEFORE_CONTENT = re.compile(r"(?: *+(?:#[^\n]*+)?\r?\n)*+ *+")
_WITHOUT_CONTENT = re.compile(r" *+(?:#[^\n]*+)?\r?\n")
_QUOTED = re.compile(r"""'[^'\n]*+(?:''[^'\n]*+)*+'|"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+\"""")
"""These patterns match in linear time and constant memory."""


@dataclass(frozen=True)
class _Frame:
    """One step of a path as found in the text.

    `mapping` should contain `key`, which has the spelling `spelling` there, None if it is missing; `order` ranks the
    keys as compilers write them. `item` is the chosen item of `value`, a list of `count` items.
    """

    mapping: Mapping
    order: AnyMapping[str, int]
    key: str
    spelling: str | None
    value: Node | None = None
    item: Node | None = None
    count: int = 0


class ZeInfoDocument:
    """A text to edit. Each method returns the edited text."""

    def __init__(self, source: SourceText):
        self._source, self._text = source, source.text

    def put(self, steps: AnySequence[PathStep], value: object) -> str:
        """Sets the key at the end of the path, and creates it and missing records on the path."""
        path = shown(steps)
        if steps[-1].item is not None:
            raise EditError(f"{path}: an item cannot be set as a whole; set its keys, or append another one")
        node = node_of(attribute_at(steps).kind, value, path)
        frames = self._locate(steps)
        for step in reversed(steps[len(frames) :]):
            if step.item is not None:
                raise EditError(f"{path}: there is no list {step.key!r}")
            node = Mapping({step.key: node})
        if len(frames) < len(steps) and steps[len(frames) - 1].item is not None:
            raise EditError(f"{path}: there is no list {frames[-1].key!r}")
        return self._put(frames[-1], node)

    def append(self, steps: AnySequence[PathStep], value: object) -> str:
        """Appends an item to the list at the end of the path, and creates the list if it is missing."""
        row, path = attribute_at(steps), shown(steps)
        if not isinstance(row.kind, ListKind) or steps[-1].item is not None:
            raise EditError(f"{path}: not a list, so nothing can be appended")
        item = node_of(row.kind.item, value, f"{path}[+]")
        frames = self._locate(steps)
        if len(frames) < len(steps) or not frames[-1].count:
            return self.put(steps, [value])
        key_at = self._key_at(frames[-1])
        _, *lines = self._rendered(row.key, Sequence([item]))
        indent, end = " " * self._dash_column(key_at), self._end(key_at)
        return self._text[:end] + "".join(f"{indent}{line[2:]}" for line in lines) + self._text[end:]

    def remove(self, steps: AnySequence[PathStep]) -> str:
        """Removes a key with everything below it, or an item of a list. What becomes empty is removed as well."""
        frames = self._locate(steps, known_only=False)
        if len(frames) < len(steps) or frames[-1].spelling is None:
            raise EditError(f"{shown(steps)}: there is no such key")
        return self._remove(frames, is_item=steps[-1].item is not None)

    # Finding ---------------------------------------------------------------------------------------------------------

    def _locate(self, steps: AnySequence[PathStep], *, known_only: bool = True) -> list[_Frame]:
        """Returns the steps that exist in the text, and the first that does not."""
        mapping, chosen = self._root(steps[0])
        record_type: type[Record] | None = ZeInfo
        frames: list[_Frame] = []
        for depth, step in enumerate(steps):
            path = shown(steps[: depth + 1])
            row = None if record_type is None else record_type.by_key.get(step.key)
            if row is None and record_type is not None and (known_only or step.key not in mapping.entries):
                row = row_of(record_type, step.key, path)
            spellings = (step.key,) if row is None else (row.key, *row.aliases)
            spelling = next((s for s in spellings if s in mapping.entries), None)
            value = None if spelling is None else mapping.entries[spelling]
            if depth:
                chosen = value.items if isinstance(value, Sequence) else []
            item = _choose(chosen, step.item, path) if step.item is not None and spelling is not None else None
            frames.append(_Frame(mapping, _order(record_type), spellings[0], spelling, value, item, len(chosen)))
            if spelling is None or depth == len(steps) - 1:
                break
            if step.item is None and chosen:
                raise EditError(f"{path}: a list; choose an item, as in {step.key}[0]")
            below = value if item is None else item
            if not isinstance(below, Mapping):
                raise EditError(f"{path}: there are no keys below it")
            mapping, record_type = below, _record_type(row)
        return frames

    def _root(self, first: PathStep) -> tuple[Mapping, list[Node]]:
        """Returns the top level of the text, and the items of the top-level list that a path goes through.

        Only the selected item is held, because there may be very many.
        """
        match = _BEFORE_FIRST_KEY.match(self._text)
        root = Mapping(at=match.end() if match is not None else 0)
        row = ZeInfo.by_key.get(first.key)
        items: list[Node] = []
        try:
            for key, node, is_item in read_entries(TextReport(self._source, Report()), _TOP_LISTS):
                root.entries.setdefault(key, Sequence([]) if is_item else node)
                if is_item and ZeInfo.by_key[key] is row:
                    wanted = first.item in (len(items), _name(node))
                    items.append(node if wanted else Mapping({_NAMES[0]: Scalar(_name(node) or "")}))
        except ZebinError as error:
            raise EditError(f"the text of .ze_info cannot be read: {error.finding}") from None
        if not root.entries:
            raise EditError("the text of .ze_info describes nothing")
        return root, items

    def _key_at(self, frame: _Frame) -> int:
        return self._source.find_key(frame.mapping.at, frame.spelling or frame.key)

    def _column(self, at: int) -> int:
        return at - self._line_start(at)

    def _line_start(self, at: int) -> int:
        return self._text.rfind("\n", 0, at) + 1

    def _content_after(self, at: int) -> int:
        """Returns the position of the next content at or after `at`, the start of a line."""
        match = _BEFORE_CONTENT.match(self._text, at)
        return at if match is None else match.end()

    def _dash_column(self, key_at: int) -> int:
        """Returns the column of the dashes of the list below a key."""
        return self._column(self._content_after(self._text.index("\n", key_at) + 1))

    def _end(self, at: int) -> int:
        """Returns the end of what starts at `at`: after its last line with content, before the next content in its
        column.
        """
        following = re.compile(rf"\n {{0,{self._column(at)}}}+(?=[^ \r\n#])").search(
            self._text, self._text.index("\n", at)
        )
        end = following.start() + 1 if following is not None else len(self._text)
        while (start := self._line_start(end - 1)) > at and _WITHOUT_CONTENT.fullmatch(self._text, start, end):
            end = start
        return end

    # Changing --------------------------------------------------------------------------------------------------------

    def _put(self, frame: _Frame, node: Node) -> str:
        if frame.spelling is None:
            return self._insert(frame, node)
        value = frame.value
        if _is_on_line(value) and _is_on_line(node):
            words = self._rendered("", node)[0].strip(": \r\n")
            return self._text[: value.at] + words + self._text[self._value_end(value) :]
        key_at = self._key_at(frame)
        lines = self._below_each_other(self._rendered(frame.spelling, node), key_at)
        return self._text[:key_at] + lines + self._text[self._end(key_at) :]

    def _value_end(self, value: Scalar | Sequence) -> int:
        """Returns the end of a value that is on one line."""
        if isinstance(value, Sequence):
            return self._text.index("]", value.at) + 1
        quoted = _QUOTED.match(self._text, value.at) if value.quoted else None
        return quoted.end() if quoted is not None else value.at + len(value.text)

    def _insert(self, frame: _Frame, node: Node) -> str:
        """Inserts a key after the one that precedes it in the order of compilers."""
        first_at, last = frame.mapping.at, len(frame.order)
        rank = frame.order.get(frame.key, last)
        before = [key for key in frame.mapping.entries if frame.order.get(key, last) < rank]
        lines = self._below_each_other(self._rendered(frame.key, node), first_at)
        indent = " " * self._column(first_at)
        if before:
            at = self._end(self._source.find_key(first_at, max(before, key=lambda key: frame.order.get(key, last))))
            return self._text[:at] + indent + lines + self._text[at:]
        return self._text[:first_at] + lines + indent + self._text[first_at:]

    def _rendered(self, key: str, node: Node) -> list[str]:
        """Returns the lines of `key: node` in the layout of compilers."""
        newline = "\r\n" if "\r\n" in self._text else "\n"
        return [line + newline for line in write_yaml(Mapping({key: node})).split("\n")[1:-2]]

    def _below_each_other(self, lines: list[str], at: int) -> str:
        """Returns the lines joined, with the first one starting at `at`."""
        return (" " * self._column(at)).join(lines)

    def _remove(self, frames: AnySequence[_Frame], *, is_item: bool) -> str:
        frame = frames[-1]
        key_at = self._key_at(frame)
        if is_item and frame.count > 1 and isinstance(frame.item, Mapping):
            indent = " " * self._dash_column(key_at)
            start = self._text.rfind(f"\n{indent}-", 0, frame.item.at) + 1
            return self._text[:start] + self._text[self._end(start + len(indent)) :]
        if len(frame.mapping.entries) == 1 and len(frames) > 1:
            return self._remove(frames[:-1], is_item=frames[-2].item is not None)
        start, end = self._line_start(key_at), self._end(key_at)
        if self._text[start:key_at].strip(" "):
            # The key is on the line of a dash, which then precedes the next key.
            return self._text[:key_at] + self._text[self._content_after(end) :]
        return self._text[:start] + self._text[end:]


def shown(steps: AnySequence[PathStep]) -> str:
    """Returns the path for messages."""
    return excerpt(".".join(map(str, steps)))[1:-1]


def attribute_at(steps: AnySequence[PathStep]) -> RecordAttribute:
    """Returns the attribute that the path names in the schema.

    Raises:
        EditError: If there is no such attribute.
    """
    record_type: type[Record] | None = ZeInfo
    for depth, step in enumerate(steps):
        if record_type is None:
            raise EditError(f"{shown(steps[:depth])}: there are no keys below it")
        row = row_of(record_type, step.key, shown(steps[: depth + 1]))
        if step.item is not None and not isinstance(row.kind, ListKind):
            raise EditError(f"{shown(steps[: depth + 1])}: not a list, so no item can be chosen")
        record_type = _record_type(row)
    return row


def _record_type(row: RecordAttribute | None) -> type[Record] | None:
    """Returns the type of the records below the attribute."""
    if row is None:
        return None
    kind = row.kind.item if isinstance(row.kind, ListKind) else row.kind
    return kind.record_type if isinstance(kind, RecordKind) else None


def _order(record_type: type[Record] | None) -> dict[str, int]:
    """Returns the position of every known spelling among the keys of a record."""
    if record_type is None:
        return {}
    positions = {row.key: position for position, row in enumerate(record_type.attributes)}
    return {spelling: positions[row.key] for spelling, row in record_type.by_key.items()}


def _choose(items: AnySequence[Node], chosen: int | str, path: str) -> Node:
    if isinstance(chosen, int):
        if chosen < len(items):
            return items[chosen]
        raise EditError(f"{path}: there are {len(items)} items, counted from 0")
    names = [_name(item) for item in items]
    if chosen in names:
        return items[names.index(chosen)]
    known = ", ".join(excerpt(name) for name in names[:_NAMES_SHOWN] if name is not None)
    more = f" and {len(names) - _NAMES_SHOWN} more" if len(names) > _NAMES_SHOWN else ""
    raise EditError(f"{path}: no item is called {excerpt(chosen)}; there are {known or 'no names'}{more}")


def _name(item: Node) -> str | None:
    """Returns the name that selects an item of a list."""
    if not isinstance(item, Mapping):
        return None
    value = next((item.entries[key] for key in _NAMES if key in item.entries), None)
    return value.text if isinstance(value, Scalar) else None


def _is_on_line(node: Node | None) -> TypeGuard[Scalar | Sequence]:
    """Returns True if a value is on the line of its key."""
    match node:
        case Scalar(text, quoted):
            return bool(text) or quoted
        case Sequence(items, inline):
            return inline and bool(items)
        case _:
            return False
