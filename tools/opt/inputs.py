"""The input of `xegpu-opt`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from xegpu.diagnostics import CompileError, SourceBuffer

MAX_INPUT = 256 << 20
"""The maximum size of the input in bytes."""

SPLIT_MARKER = "// -----"


def read(path: str | None) -> SourceBuffer:
    """Returns the text of a file, or of standard input for None and `-`.

    Raises `OSError` if it cannot be read, and `CompileError` if it is not UTF-8 text.
    """
    name = "<stdin>" if path in (None, "-") else str(path)
    if name == "<stdin>":
        data = sys.stdin.buffer.read(MAX_INPUT + 1)
    else:
        with Path(name).open("rb") as file:
            data = file.read(MAX_INPUT + 1)
    if len(data) > MAX_INPUT:
        raise CompileError(None, f"{name}: expected an input of at most {MAX_INPUT} bytes")
    try:
        return SourceBuffer(name, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        readable = SourceBuffer(name, data[: error.start].decode("utf-8"))
        location = readable.locate(len(readable.text))
        raise CompileError(
            location, f"byte 0x{data[error.start]:02x} at offset {error.start} is not UTF-8: expected text"
        ) from None


def split(source: SourceBuffer) -> Iterator[SourceBuffer]:
    """Yields the pieces between lines that consist of the split marker; each knows the number of its first line."""
    piece: list[str] = []
    first_line = source.first_line
    number = source.first_line
    for line in source.text.split("\n"):
        number += 1
        if line.rstrip() == SPLIT_MARKER:
            yield SourceBuffer(source.name, "\n".join(piece), first_line)
            piece, first_line = [], number
        else:
            piece.append(line)
    yield SourceBuffer(source.name, "\n".join(piece), first_line)
