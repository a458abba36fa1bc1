"""The input of `xegpu-opt`."""

from __future__ import annotations

from collections.abc import Iterator

from passes import frontends
from tools.cli import CommandError, display_name, read_bytes
from xegpu.diagnostics import CompileError, SourceBuffer

MAX_INPUT = 256 << 20
"""The maximum size of the input in bytes."""

SPLIT_MARKER = "// -----"

_SPIRV = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")
"""The first bytes of a module in SPIR-V."""
_SPIRV_TEXT = "; SPIR-V"
"""The beginning of such a module in text."""


def read(file: str) -> SourceBuffer:
    """Returns the text of a file, or of standard input for `-`; SPIR-V is disassembled.

    Raises:
        CommandError: If it is no module although it begins like one, cannot be read or is not UTF-8 text.
    """
    name, data = display_name(file), read_bytes(file, MAX_INPUT)
    if data.startswith(_SPIRV):
        try:
            return SourceBuffer(name, frontends.text_of_spirv(data, name))
        except CompileError as error:
            raise CommandError(error.diagnostics[0].message, name) from error
    try:
        return SourceBuffer(name, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        readable = SourceBuffer(name, data[: error.start].decode("utf-8"))
        location = readable.locate(len(readable.text))
        raise CommandError(
            f"byte 0x{data[error.start]:02x} at offset {error.start} is not UTF-8: expected text", str(location)
        ) from None


def language_of(source: SourceBuffer, *, llvm: bool, spirv: bool) -> str:
    """Returns the language of an input, which an option, the first words or the name of the file tell."""
    if llvm:
        return "llvm"
    if spirv or source.text.startswith(_SPIRV_TEXT):
        return "spirv"
    return frontends.language_of(source.name)


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
