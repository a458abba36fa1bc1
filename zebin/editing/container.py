"""Replaces a section or archive member by one of another size: what follows moves, and nothing else changes."""

from __future__ import annotations

from zebin.containers.image import OffloadImage
from zebin.editing.path import EditError
from zebin.elf.constants import SectionType
from zebin.elf.extents import extents
from zebin.elf.model import IDENT_SIZE, Buffer, ElfFile, Section, StructureLayout
from zebin.errors import excerpt

_STEP = 8
"""The unit in bytes by which following contents move, which keeps their alignment."""


def replace_contents(data: Buffer, elf: ElfFile, section: Section, content: bytes) -> bytes:
    """Returns the file with other contents of one section.

    Raises:
        EditError: If other structures share the section's bytes.
    """
    layouts = elf.elf_class.layouts
    header = layouts.header.unpack(data, IDENT_SIZE)
    end = section.offset + section.size
    others = [extent for extent in extents(data, elf) if extent.section is not section]
    shared = next((other for other in others if other.start < end and other.end > section.offset), None)
    if shared is not None:
        raise EditError(f"bytes of {section.label} also belong to {excerpt(shared.name)}")
    next_start = min((other.start for other in others if other.start >= end), default=len(data))
    if any(data[end:next_start]):
        next_start = end  # bytes that no structure covers, which may have a meaning all the same
    room = next_start - section.offset
    shift = -((room - len(content)) // _STEP) * _STEP if next_start < len(data) else len(content) - room
    padded = content.ljust(room + shift, b"\0")
    output = bytearray(b"".join((data[: section.offset], padded, data[next_start:])))

    def moved(offset: int) -> int:
        return offset + shift if offset >= next_start else offset

    table, segments = moved(header["shoff"]), moved(header["phoff"])
    _patch(output, layouts.header, IDENT_SIZE, shoff=table, phoff=segments)
    for index, other in enumerate(elf.sections):
        at = table + index * layouts.section.size
        if other is section:
            _patch(output, layouts.section, at, size=len(content))
        elif other.type != SectionType.NULL:
            _patch(output, layouts.section, at, offset=moved(other.offset))
    for index in range(header["phnum"]):
        at = segments + index * layouts.segment.size
        _patch(output, layouts.segment, at, offset=moved(layouts.segment.unpack(output, at)["offset"]))
    return bytes(output)


def _patch(data: bytearray, layout: StructureLayout, at: int, **changes: int) -> None:
    data[at : at + layout.size] = layout.pack(**(layout.unpack(data, at) | changes))


_SIZE_FIELD, _SIZE_DIGITS = 12, 10
"""Distance in bytes from the size field to the member's data, and its number of digits."""


def replace_member(archive: Buffer, member: OffloadImage, data: bytes) -> bytes:
    """Returns the archive with other contents of a member, padded with zeros; all other members stay unchanged.

    Raises:
        EditError: If the contents are too large for an archive.
    """
    if member.offset is None:
        raise EditError(f"{excerpt(member.name)} is compressed")
    padded = data + bytes((len(member.data) - len(data)) % _STEP)
    digits = str(len(padded)).encode()
    if len(digits) > _SIZE_DIGITS:
        raise EditError(f"{len(padded)} bytes are too many for a member of an archive")
    size_at = member.offset - _SIZE_FIELD
    return b"".join(
        (
            archive[:size_at],
            digits.ljust(_SIZE_DIGITS),
            archive[size_at + _SIZE_DIGITS : member.offset],
            padded,
            archive[member.offset + len(member.data) :],
        )
    )
