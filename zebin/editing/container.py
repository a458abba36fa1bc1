"""Puts a section of another size into a file: what stands behind it moves, and nothing else changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from zebin.editing.errors import EditError
from zebin.elf.constants import METRICS_NOTE, SectionType
from zebin.elf.model import IDENT_SIZE, Buffer, ElfFile, Layout, Section

_STEP = 8
"""What stands behind moves by multiples of this, so that it stays aligned as it was."""


def replace_contents(data: Buffer, elf: ElfFile, section: Section, content: bytes) -> bytes:
    """The file with other contents of one section. Raises `EditError` when other things share the section's bytes."""
    layouts = elf.elf_class.layouts
    header = layouts.header.unpack(data, IDENT_SIZE)
    end = section.offset + section.size
    others = list(_extents(elf, header, section))
    if any(start < end and stop > section.offset for start, stop in others):
        raise EditError(f"the bytes of {section.label} belong to something else as well")
    next_start = min((start for start, _ in others if start >= end), default=len(data))
    if any(data[end:next_start]):
        next_start = end  # bytes that nothing names; they may mean something to somebody
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


def _extents(elf: ElfFile, header: Mapping[str, int], section: Section) -> Iterator[tuple[int, int]]:
    """Start and end of everything in the file but the section."""
    layouts = elf.elf_class.layouts
    yield 0, elf.elf_class.header_bytes
    yield header["shoff"], header["shoff"] + header["shnum"] * layouts.section.size
    if header["phnum"]:
        yield header["phoff"], header["phoff"] + header["phnum"] * layouts.segment.size
    for other in elf.sections:
        if other is not section and other.type != SectionType.NULL:
            has_extent = other.type != SectionType.NOBITS and other.name != METRICS_NOTE
            yield other.offset, other.offset + (other.size if has_extent else 0)


def _patch(data: bytearray, layout: Layout, at: int, **changes: int) -> None:
    data[at : at + layout.size] = layout.pack(**(layout.unpack(data, at) | changes))
