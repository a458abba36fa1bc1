"""Conversion of Python values and command-line words to nodes of `.ze_info`, checked against the schema."""

from __future__ import annotations

import difflib
import json
import reprlib
from collections.abc import Mapping as AnyMapping
from typing import cast

from zebin.editing.path import EditError
from zebin.errors import Report, excerpt
from zebin.yaml.nodes import Mapping, Node, Sequence
from zebin.yaml.source import SourceText, TextReport
from zebin.ze_info.budget import MemoryBudget
from zebin.ze_info.kinds import BOOL, FLOAT, INT32, INT32X3, ReadContext, ValueKind
from zebin.ze_info.records import ListKind, Record, RecordAttribute, RecordKind

_LONGEST_KEY = 64
"""Characters of a key up to which it is compared with the known ones, for a suggestion."""

_WORDS = {"true": True, "false": False}


def row_of(record_type: type[Record], key: str, path: str) -> RecordAttribute:
    """Returns the attribute called `key`.

    Raises:
        EditError: If there is none; suggests the closest name.
    """
    row = record_type.by_key.get(key)
    if row is None:
        known = [row.key for row in record_type.attributes]
        close = difflib.get_close_matches(key[:_LONGEST_KEY], known, n=1)
        hint = f"perhaps {close[0]!r}" if close else "known keys are " + ", ".join(known)
        raise EditError(f"{path}: unknown key {excerpt(key)}; {hint}")
    return row


def node_of(kind: ValueKind[object], value: object, path: str) -> Node:
    """Returns the node for a value.

    Raises:
        EditError: If the value is not of the kind.
    """
    if isinstance(kind, ListKind):
        if not isinstance(value, list | tuple) or not value:
            raise _wrong_type(path, value, "a list with items (delete removes the whole list)")
        return Sequence([node_of(kind.item, item, f"{path}[{index}]") for index, item in enumerate(value)])
    if isinstance(kind, RecordKind):
        return _mapping_of(kind.record_type, value, path)
    node = kind.write(_plain(kind, value, path))
    report = Report()
    if kind.read(node, ReadContext(TextReport(SourceText("\n"), report), MemoryBudget(0))) is None or report.has_errors:
        finding = report.findings[0]
        raise EditError(f"{path}: {finding.message}: found {finding.found}, expected {finding.expected}")
    return node


def _mapping_of(record_type: type[Record], value: object, path: str) -> Mapping:
    if not isinstance(value, AnyMapping) or not value:
        raise _wrong_type(path, value, "keys with values")
    rows = {row_of(record_type, str(key), path).key: child for key, child in value.items()}
    return Mapping(
        {
            row.key: node_of(row.kind, rows[row.key], f"{path}.{row.key}")
            for row in record_type.attributes
            if row.key in rows
        }
    )


def _plain(kind: ValueKind[object], value: object, path: str) -> object:
    """Returns the value, with the Python type that the kind writes."""
    if kind is INT32X3:
        if isinstance(value, list | tuple) and len(value) == 3 and all(_is_int(element) for element in value):
            return tuple(cast("list[int]", value))
        raise _wrong_type(path, value, "three integers")
    for known, fits, expected in (
        (INT32, _is_int(value), "an integer"),
        (BOOL, isinstance(value, bool), "true or false"),
        (FLOAT, _is_int(value) or isinstance(value, float), "a number"),
    ):
        if kind is known:
            if not fits:
                raise _wrong_type(path, value, expected)
            return value
    if not isinstance(value, str):
        raise _wrong_type(path, value, "text")
    return value


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _wrong_type(path: str, value: object, expected: str) -> EditError:
    return EditError(f"{path}: found {reprlib.repr(value)}, expected {expected}")


def value_of_words(kind: ValueKind[object], text: str) -> object:
    """Returns the value that a user's text stands for. Other text is returned unchanged, for `node_of` to refuse."""
    if isinstance(kind, ListKind | RecordKind) or kind is INT32X3:
        return _from_json(f"[{text}]" if kind is INT32X3 and not text.lstrip().startswith("[") else text)
    if kind is BOOL:
        return _WORDS.get(text, text)
    if kind is INT32 or kind is FLOAT:
        value = _from_json(text)
        return value if _is_int(value) or (kind is FLOAT and isinstance(value, float)) else text
    return text


def _from_json(text: str) -> object:
    try:
        return cast("object", json.loads(text))
    except (ValueError, RecursionError):
        return text
