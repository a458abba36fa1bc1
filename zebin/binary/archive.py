"""Fat binaries: `ar` archives with one ZEBIN for each of several GPUs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xegpu.on_demand import dataclass
from zebin.device import TargetDevice
from zebin.elf.foreign import ForeignFileError, describe_library
from zebin.elf.model import Buffer
from zebin.errors import BinaryLocation, Report, ZebinError, excerpt

MAGIC = b"!<arch>\n"
_HEADER_BYTES = 60
_NAME, _SIZE, _END = slice(0, 16), slice(48, 58), slice(58, 60)
_TERMINATOR = b"`\n"
_PADDING_PREFIX = "pad_"
"""Name prefix of members that only align the next member to a multiple of 8 bytes."""

_LONG_NAMES, _SYMBOLS = "//", "/"
"""Members of `ar` itself: the table of names too long for a header, and the symbol table of object archives."""

GENERIC_IR = "generic_ir"
"""Name of a member with SPIR-V, for GPUs that the archive has no code for."""

_LISTED = 20


@dataclass(frozen=True)
class ArchiveMember:
    """One member of an archive. `offset` is the byte offset of its data in the archive.

    A ZEBIN is named after its GPU: pointer bits, architecture, release and revision, as in `64.12.60.7`, or in older
    archives pointer bits, product and stepping, as in `64.pvc.3`.
    """

    name: str
    data: memoryview
    offset: int


def is_archive(data: Buffer) -> bool:
    """Returns True if the bytes start like a fat binary."""
    return bytes(data[: len(MAGIC)]) == MAGIC


def read_archive(data: Buffer) -> list[ArchiveMember]:
    """Returns the members with contents, in the order of the archive.

    Raises:
        ForeignFileError: If it is an archive of code for other processors.
        ZebinError: If the archive is broken.
    """
    report = Report()
    view = memoryview(data)
    if not is_archive(view):
        found, expected = excerpt(bytes(view[: len(MAGIC)])), excerpt(MAGIC)
        raise report.fatal("ar.magic", "not an archive", BinaryLocation(0), found=found, expected=expected)
    members = list(_members(view, report))
    library = describe_library([member.data for member in members])
    if library:
        raise ForeignFileError(library)
    return members


def choose_member(members: Sequence[ArchiveMember], device: TargetDevice) -> ArchiveMember:
    """Returns the member that a driver takes for a GPU.

    Names are compared as drivers do: first that of the exact configuration, then product and stepping, then
    architecture and release, then the product.

    Raises:
        ZebinError: If no member is for the GPU.
    """
    for prefix in device.member_prefixes():
        for member in members:
            if member.name == prefix or member.name.startswith(prefix + "."):
                return member
    raise _no_choice(f"no member for {device}", members)


def only_member(members: Sequence[ArchiveMember]) -> ArchiveMember:
    """Returns the only ZEBIN of the archive.

    Raises:
        ZebinError: If there are several or none.
    """
    binaries = [member for member in members if member.name != GENERIC_IR]
    if len(binaries) != 1:
        raise _no_choice("fat binary: one of its members must be chosen", members)
    return binaries[0]


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


def _no_choice(message: str, members: Sequence[ArchiveMember]) -> ZebinError:
    names = [excerpt(member.name) for member in members]
    listed = ", ".join(names[:_LISTED]) + (f" and {len(names) - _LISTED} more" if len(names) > _LISTED else "")
    return Report().fatal("ar.device", message, found=f"{len(names)} members", expected=f"one of {listed}")


def _members(view: memoryview, report: Report) -> Iterator[ArchiveMember]:
    at = len(MAGIC)
    long_names = b""
    while at < len(view):
        member = _read_member(view, at, long_names, report)
        if member.name == _LONG_NAMES:
            long_names = bytes(member.data)
        elif member.name != _SYMBOLS and not member.name.startswith(_PADDING_PREFIX):
            yield member
        at = member.offset + len(member.data)
        at += at % 2


def _read_member(view: memoryview, at: int, long_names: bytes, report: Report) -> ArchiveMember:
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
    return ArchiveMember(name, view[start : start + size], start)


def _name(field: bytes, long_names: bytes) -> str:
    """Returns the name in a header, which ends with a slash or refers to an offset in the table of long names."""
    if field[:1] == b"/" and field[1:].isdigit():
        field = long_names[int(field[1:]) :].partition(b"\n")[0]
    text = field.decode(errors="backslashreplace")
    return text if text in (_LONG_NAMES, _SYMBOLS) else text.removesuffix("/")


def _past_end(name: str, end: int, limit: int, at: int, report: Report) -> ZebinError:
    message, expected = f"member {excerpt(name)} ends past the file", f"at most {limit:#x}"
    return report.fatal("ar.bounds", message, BinaryLocation(at), found=f"end {end:#x}", expected=expected)
