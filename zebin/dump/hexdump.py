"""Bytes as hexadecimal digits and characters."""

from __future__ import annotations

from collections.abc import Iterator

from zebin.elf.model import Buffer

_BYTES_PER_LINE = 16


def hex_lines(data: Buffer) -> Iterator[str]:
    """Lines of offset, sixteen bytes and the characters that they stand for."""
    for start in range(0, len(data), _BYTES_PER_LINE):
        line = bytes(data[start : start + _BYTES_PER_LINE])
        digits = f"{line[:8].hex(' ')}  {line[8:].hex(' ')}"
        characters = "".join(chr(byte) if 0x20 <= byte < 0x7F else "." for byte in line)
        yield f"{start:08x}  {digits:<48}  {characters}"
