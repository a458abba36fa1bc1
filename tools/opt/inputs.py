"""The input of `xegpu-opt`."""

from __future__ import annotations

from collections.abc import Iterator

from tools.cli import CommandError, display_name, read_bytes
from xegpu.diagnostics import SourceBuffer

MAX_INPUT = 256 << 20
"""The maximum size of the input in bytes."""

SPLIT_MARKER = "// -----"


def read(file: str) -> SourceBuffer:
    """Returns the text of a file, or of standard input for `-`.

    Raises:
        CommandError: If it cannot be read or is not UTF-8 text.
    """
    name, data = display_name(file), read_bytes(file, MAX_INPUT)
    try:
        return SourceBuffer(name, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        readable = SourceBuffer(name, data[: error.start].decode("utf-8"))
        location = readable.locate(len(readable.text))
        raise CommandError(
            f"byte 0x{data[error.start]:02x} at offset {error.start} is not UTF-8: expected text", str(location)
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
