"""`ar` archives: fat binaries with one ZEBIN for each of several GPUs, and libraries of object files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from zebin.containers.image import Budget, ContainerPart, broken
from zebin.elf.model import Buffer
from zebin.errors import BinaryLocation, Report, ZebinError, excerpt

MAGIC = b"!<arch>\n"
THIN = b"!<thin>\n"
_HEADER_BYTES = 60
_NAME, _SIZE, _END = slice(0, 16), slice(48, 58), slice(58, 60)
_TERMINATOR = b"`\n"
_PADDING_PREFIX = "pad_"
"""Name prefix of members that only align the next member to a multiple of 8 bytes."""

_LONG_NAMES, _SYMBOLS = "//", "/"
"""Members of `ar` itself: the table of names too long for a header, and the symbol table of object archives."""

GENERIC_IR = "generic_ir"
"""Name of a member with SPIR-V, for GPUs that the archive has no code for."""


def is_archive(data: Buffer) -> bool:
    """Returns True if the bytes start like a fat binary."""
    return bytes(data[: len(MAGIC)]) == MAGIC


def archive_parts(data: memoryview, budget: Budget) -> Iterator[ContainerPart]:
    """Yields the members with contents.

    A ZEBIN is named after its GPU: pointer bits, architecture, release and revision, as in `64.12.60.7`, or in older
    archives pointer bits, product and stepping, as in `64.pvc.3`.

    Raises:
        ZebinError: If the archive is broken.
    """
    at = len(MAGIC)
    long_names = b""
    while at < len(data):
        budget.entry()
        name, start, member = _read_member(data, at, long_names)
        if name == _LONG_NAMES:
            long_names = bytes(member)
        elif name != _SYMBOLS and not name.startswith(_PADDING_PREFIX):
            yield ContainerPart(name, name, member, start)
        at = start + len(member)
        at += at % 2


def refuse_thin(data: memoryview, budget: Budget) -> Iterator[ContainerPart]:
    """Raises `ZebinError` for an archive that only names files."""
    raise broken("ar.thin", "thin archive: its members are files beside it", expected="an archive with its members")


def write_archive(members: Mapping[str, Buffer]) -> bytes:
    """Returns a fat binary of members by name, in the layout of Intel's tools: data starts at multiples of 8 bytes.

    Raises:
        ValueError: If a name does not fit into a header.
    """
    output = bytearray(MAGIC)
    for number, (name, data) in enumerate(members.items()):
        padding = -(len(output) + _HEADER_BYTES) % 8
        if padding:
            # The padding member has a header of its own, whose size is a multiple of 4 only.
            size = -(len(output) + 2 * _HEADER_BYTES) % 8
            output += _member_header(f"{_PADDING_PREFIX}{number}", size) + b" " * size
        output += _member_header(name, len(data)) + data
        output += b"\n" * (len(output) % 2)
    return bytes(output)


def _member_header(name: str, size: int) -> bytes:
    field = f"{name}/".encode()
    if not name or "/" in name or len(field) > _NAME.stop or size >= 10**10:
        raise ValueError(
            f"{name!r} is not a valid member name: expected 1 to {_NAME.stop - 1} characters without slashes"
        )
    return (
        field.ljust(16) + b"0".ljust(12) + b"0".ljust(6) + b"0".ljust(6) + b"644".ljust(8) + f"{size:<10}`\n".encode()
    )


def _read_member(view: memoryview, at: int, long_names: bytes) -> tuple[str, int, memoryview]:
    """Returns name, offset and contents of the member whose header is at an offset."""
    report = Report()
    header = bytes(view[at : at + _HEADER_BYTES])
    if len(header) < _HEADER_BYTES or header[_END] != _TERMINATOR:
        found = f"{len(header)} bytes" if len(header) < _HEADER_BYTES else excerpt(header[_END])
        expected = f"{_HEADER_BYTES} bytes that end in {excerpt(_TERMINATOR)}"
        raise report.fatal("ar.header", "broken member header", BinaryLocation(at), found=found, expected=expected)
    name = _name(header[_NAME].rstrip(b" "), long_names)
    digits = header[_SIZE].strip(b" ")
    if not digits.isdigit():
        found = excerpt(digits)
        raise report.fatal(
            "ar.size", "size of a member is not a number", BinaryLocation(at + 48), found=found, expected="digits"
        )
    start, size = at + _HEADER_BYTES, int(digits)
    if start + size > len(view):
        raise _past_end(name, start + size, len(view), at, report)
    return name, start, view[start : start + size]


def _name(field: bytes, long_names: bytes) -> str:
    """Returns the name in a header, which ends with a slash or refers to an offset in the table of long names."""
    if field[:1] == b"/" and field[1:].isdigit():
        field = long_names[int(field[1:]) :].partition(b"\n")[0]
    text = field.decode(errors="backslashreplace")
    return text if text in (_LONG_NAMES, _SYMBOLS) else text.removesuffix("/")


def _past_end(name: str, end: int, limit: int, at: int, report: Report) -> ZebinError:
    message, expected = f"member {excerpt(name)} ends past the file", f"at most {limit:#x}"
    return report.fatal("ar.bounds", message, BinaryLocation(at), found=f"end {end:#x}", expected=expected)
