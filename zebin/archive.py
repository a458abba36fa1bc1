"""Fat binaries: an `ar` archive with one ZEBIN for each of several GPUs."""

from __future__ import annotations

from dataclasses import dataclass

from zebin.elf.model import Buffer
from zebin.errors import Place, Report, ZebinError, excerpt

MAGIC = b"!<arch>\n"
_HEADER_BYTES = 60
_NAME, _SIZE, _END = slice(0, 16), slice(48, 58), slice(58, 60)
_TERMINATOR = b"`\n"
_PADDING_PREFIX = "pad_"
"""Members that only bring the next one to a multiple of 8."""


@dataclass(frozen=True)
class ArchiveMember:
    """One file of the archive. `offset` is where its data starts in the archive.

    A ZEBIN is named after its GPU: pointer bits, architecture, release and revision, as in `64.12.60.7`.
    """

    name: str
    data: memoryview
    offset: int


def is_archive(data: Buffer) -> bool:
    """Whether the bytes start as a fat binary does."""
    return bytes(data[: len(MAGIC)]) == MAGIC


def read_archive(data: Buffer) -> list[ArchiveMember]:
    """The members that hold something, in the order of the archive. Raises `ZebinError` when it is broken."""
    report = Report()
    view = memoryview(data)
    if not is_archive(view):
        found, expected = excerpt(bytes(view[: len(MAGIC)])), excerpt(MAGIC)
        raise report.fatal("ar.magic", "not an archive", Place(0), found=found, expected=expected)
    members = []
    at = len(MAGIC)
    while at < len(view):
        member = _read_member(view, at, report)
        if not member.name.startswith(_PADDING_PREFIX):
            members.append(member)
        at = member.offset + len(member.data)
        at += at % 2
    return members


def _read_member(view: memoryview, at: int, report: Report) -> ArchiveMember:
    header = bytes(view[at : at + _HEADER_BYTES])
    if len(header) < _HEADER_BYTES or header[_END] != _TERMINATOR:
        found = f"{len(header)} bytes" if len(header) < _HEADER_BYTES else excerpt(header[_END])
        expected = f"{_HEADER_BYTES} bytes that end in {excerpt(_TERMINATOR)}"
        raise report.fatal("ar.header", "broken member header", Place(at), found=found, expected=expected)
    name = header[_NAME].decode(errors="backslashreplace").rstrip(" ").removesuffix("/")
    digits = header[_SIZE].strip(b" ")
    if not digits.isdigit():
        found = excerpt(digits)
        raise report.fatal("ar.size", "size of a member is no number", Place(at + 48), found=found, expected="digits")
    start, size = at + _HEADER_BYTES, int(digits)
    if start + size > len(view):
        raise _past_end(name, start + size, len(view), at, report)
    return ArchiveMember(name, view[start : start + size], start)


def _past_end(name: str, end: int, limit: int, at: int, report: Report) -> ZebinError:
    message, expected = f"member {excerpt(name)} ends past the file", f"at most {limit:#x}"
    return report.fatal("ar.bounds", message, Place(at), found=f"end {end:#x}", expected=expected)
