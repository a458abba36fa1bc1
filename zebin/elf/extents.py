"""The bytes of a file that belong to each of its structures."""

from __future__ import annotations

from collections.abc import Iterator

from xegpu.on_demand import dataclass
from zebin.elf.constants import METRICS_NOTE, SectionType
from zebin.elf.model import IDENT_SIZE, Buffer, ElfFile, Section

_METRICS_BYTES = 64
"""Bytes that the metrics note occupies, whatever its header states."""


@dataclass(frozen=True, slots=True)
class Extent:
    """The bytes from `start` to `end`. `section` is None for the structures of ELF itself."""

    start: int
    end: int
    name: str
    section: Section | None = None


def extents(data: Buffer, elf: ElfFile) -> Iterator[Extent]:
    """Yields the file header, the section and program header tables, and every section with bytes in the file."""
    layouts = elf.elf_class.layouts
    header = layouts.header.unpack(data, IDENT_SIZE)
    yield Extent(0, elf.elf_class.header_bytes, "file header")
    for name, layout in (("sh", layouts.section), ("ph", layouts.segment)):
        start, count = header[f"{name}off"], header[f"{name}num"]
        if count:
            yield Extent(start, start + count * layout.size, "section table" if name == "sh" else "program headers")
    for section in elf.sections:
        if section.type not in (SectionType.NULL, SectionType.NOBITS):
            size = min(section.size, _METRICS_BYTES) if section.name == METRICS_NOTE else section.size
            yield Extent(section.offset, section.offset + size, section.name, section)
