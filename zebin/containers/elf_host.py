"""Programs, shared objects and object files of Linux."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from zebin.containers.host_memory import HostSection, ProgramMemory, text_at
from zebin.elf.constants import SectionFlags, SectionType
from zebin.elf.model import IDENT_SIZE, ElfClass

_RELATIVE = {8, 1027, 3}
"""The relocation types of x86-64, AArch64 and RISC-V whose addend is the whole address."""
_RELA = struct.Struct("<QQq")
_LITTLE_ENDIAN = 1


def elf_memory(data: memoryview) -> ProgramMemory | None:
    """Returns what an ELF file of the host holds, None if it is not one of 64 bits and little-endian."""
    if len(data) < ElfClass.ELF64.header_bytes or data[4] != ElfClass.ELF64 or data[5] != _LITTLE_ENDIAN:
        return None
    raw = list(_sections(data))
    tables = [section for kind, section in raw if kind == SectionType.RELA and section.is_mapped]

    def relocated(wanted: set[int]) -> Iterator[tuple[int, int]]:
        left = len(data)
        for table in tables:
            left -= table.size
            if left < 0:
                return
            end = table.offset + table.size - table.size % _RELA.size
            for at, info, addend in _RELA.iter_unpack(data[table.offset : end]):
                if at in wanted and info & 0xFFFFFFFF in _RELATIVE:
                    yield at, addend

    return ProgramMemory(data, (section for _, section in raw), relocated)


def _sections(data: memoryview) -> Iterator[tuple[int, HostSection]]:
    """Yields the sections that lie in the file, with their types."""
    layouts = ElfClass.ELF64.layouts
    header = layouts.header.unpack(data, IDENT_SIZE)
    layout, start = layouts.section, header["shoff"]
    count = min(header["shnum"], max(len(data) - start, 0) // layout.size)
    if header["shstrndx"] >= count:
        return
    names_at = layout.unpack(data, start + header["shstrndx"] * layout.size)["offset"]
    for index in range(count):
        raw = layout.unpack(data, start + index * layout.size)
        offset, size, flags = raw["offset"], raw["size"], raw["flags"]
        has_bytes = raw["type"] != SectionType.NOBITS
        if not has_bytes or offset + size <= len(data):
            is_mapped = bool(flags & SectionFlags.ALLOC) and has_bytes
            name = text_at(data, names_at + raw["name"])
            is_data = raw["type"] == SectionType.PROGBITS and not flags & SectionFlags.EXECUTE
            yield raw["type"], HostSection(name, raw["addr"], offset, size, is_mapped, is_data)
