"""Bytes, values of `.ze_info` and strings of a file as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from zebin.elf.model import Buffer
from zebin.yaml import nodes

_BYTES_PER_LINE = 16


def printable(text: str) -> str:
    """Returns the text with control characters escaped, so that no file can send commands to a terminal."""
    return text if text.isprintable() else text.encode("unicode_escape").decode("ascii")


def inline(node: nodes.Node) -> str:
    """Returns a value of any type on one line."""
    match node:
        case nodes.Scalar(text):
            return text
        case nodes.Sequence(items):
            return f"[{', '.join(inline(item) for item in items)}]"
        case nodes.Mapping(entries):
            return f"{{{', '.join(f'{key}: {inline(value)}' for key, value in entries.items())}}}"


def hex_lines(data: Buffer) -> Iterator[str]:
    """Yields lines with an offset, sixteen bytes and their characters."""
    for start in range(0, len(data), _BYTES_PER_LINE):
        line = bytes(data[start : start + _BYTES_PER_LINE])
        digits = f"{line[:8].hex(' ')}  {line[8:].hex(' ')}"
        characters = "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in line)
        yield f"{start:08x}  {digits:<48}  {characters}"
