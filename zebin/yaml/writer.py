"""Writes the YAML of `.ze_info` in the layout of Intel's compilers, byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterator

from zebin.yaml.nodes import Mapping, Node, Scalar, Sequence

_VALUE_COLUMN = 17
"""The distance in columns from a key to its value; after a longer key there is one space."""

_NUMBER = re.compile(
    r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)
_RESERVED_WORDS = frozenset(
    ("null", "Null", "NULL", "~", "true", "True", "TRUE", "false", "False", "FALSE"),
)
_PLAIN = re.compile(r"[A-Za-z_.]([A-Za-z0-9_. -]*[A-Za-z0-9_.-])?")
"""The words that drivers read without quotes. Compilers write `a^b` and `9a` without them as well."""

_NEEDS_ESCAPES = re.compile(r"[^\t -~]")

_ESCAPES = {
    "\0": "\\0",
    "\a": "\\a",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\v": "\\v",
    "\f": "\\f",
    "\r": "\\r",
    "\x1b": "\\e",
    '"': '\\"',
    "\\": "\\\\",
}


def needs_quotes(text: str) -> bool:
    """Returns True if the text is quoted, because YAML might read it as another type or drivers might refuse it."""
    return text in _RESERVED_WORDS or _PLAIN.fullmatch(text) is None or _NUMBER.fullmatch(text) is not None


def write_yaml(root: Mapping) -> str:
    """Returns the document from `---` to `...`."""
    return "".join(("---\n", *_mapping_lines(root, 0), "...\n"))


def _mapping_lines(node: Mapping, indent: int) -> Iterator[str]:
    for key, value in node.entries.items():
        start = " " * indent + key + ":"
        if isinstance(value, Mapping) and value.entries:
            yield start + "\n"
            yield from _mapping_lines(value, indent + 2)
        elif isinstance(value, Sequence) and value.items and not value.inline:
            yield start + "\n"
            yield from _list_lines(value, indent + 2)
        else:
            text = _inline(value)
            padding = " " * max(_VALUE_COLUMN - len(key) - 1, 1)
            yield f"{start}{padding}{text}\n" if text else f"{start}\n"


def _list_lines(node: Sequence, indent: int) -> Iterator[str]:
    """Yields the items, each with its first line after a dash and the others aligned with it."""
    start = " " * indent + "- "
    for item in node.items:
        match item:
            case Mapping(entries) if entries:
                lines = _mapping_lines(item, indent + 2)
            case Sequence(items, inline=False) if items:
                lines = _list_lines(item, indent + 2)
            case _:
                lines = iter((" " * (indent + 2) + _inline(item) + "\n",))
        yield start + next(lines)[len(start) :]
        yield from lines


def _inline(node: Node) -> str:
    match node:
        case Scalar(text, quoted=False):
            return text
        case Scalar(text):
            return _quoted(text)
        case Sequence(items) if items:
            return f"[ {', '.join(_inline(item) for item in items)} ]"
        case Sequence():
            return "[]"
        case Mapping():
            return ""


def _quoted(text: str) -> str:
    if _NEEDS_ESCAPES.search(text) is None:
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(_escaped(character) for character in text) + '"'


def _escaped(character: str) -> str:
    code = ord(character)
    if character in _ESCAPES:
        return _ESCAPES[character]
    if 0x20 <= code < 0x7F:
        return character
    if code <= 0xFF:
        return f"\\x{code:02X}"
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"
