"""Device code in programs, shared objects and object files of the host.

Compilers of SYCL put images into sections of their own, `__CLANG_OFFLOAD_BUNDLE__...`, and describe each by a structure
in the data of the program; `.tgtimg` repeats addresses and sizes for tools. The linker wrapper of LLVM has its offload
binaries in `.llvm.offloading`. OpenMP wraps SPIR-V once more, in ELF files for no processor. Libraries that load their
kernels themselves have ZEBINs among their constants.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from zebin.containers.image import Budget, ContainerPart
from zebin.elf.constants import SectionFlags, SectionType
from zebin.elf.model import IDENT_SIZE, ElfClass

_BUNDLE_PREFIX = "__CLANG_OFFLOAD_BUNDLE__"
_WRAPPED_PREFIXES = (".llvm.offloading", "__openmp_offload_spirv")
_IMAGE_TABLE = ".tgtimg"
_LONGEST_NAME = 256
_MOST_CANDIDATES = 1 << 17

_DESCRIPTOR = re.compile(rb"[\x01-\x03]\0\x04[\0-\x04]\0{4}")
"""The start of a description of a SYCL image: version, the kind 4, format, padding."""
_TARGET_AT = 8
_IMAGE_AT = {1: 48, 2: 48, 3: 32}
"""The offset of the addresses of start and end of the image, by version."""
_TARGET = re.compile(r"[A-Za-z0-9_.+-]{1,100}")

_ZEBIN_START = re.compile(rb"\x7fELF[\x01\x02]\x01.{10}(?:\x01\0|\x12\xff)\xcd\0", re.DOTALL)
"""The identification of an ELF file for a GPU, with its type and machine."""

_RELATIVE = {8, 1027, 3}
"""The relocation types of x86-64, AArch64 and RISC-V whose addend is the whole address."""
_RELA = struct.Struct("<QQq")
_U64 = struct.Struct("<Q")


class _HostSection(NamedTuple):
    name: str
    type: int
    flags: int
    address: int
    offset: int
    size: int

    @property
    def is_mapped(self) -> bool:
        return bool(self.flags & SectionFlags.ALLOC) and self.type != SectionType.NOBITS


class _HostImage(NamedTuple):
    offset: int
    size: int
    target: str


def host_parts(data: memoryview, budget: Budget) -> Iterator[ContainerPart]:
    """Yields the device code of a file of the host in the order of the file, by number; nothing if it has none."""
    if len(data) < ElfClass.ELF64.header_bytes or data[4] != ElfClass.ELF64 or data[5] != 1:
        return
    host = _HostFile(data)
    found = {image.offset: image for image in host.described(budget)}
    if not found:
        found = {image.offset: image for image in host.listed(budget)}
    for image in host.embedded(budget):
        found.setdefault(image.offset, image)
    known = sorted(found)
    for section in host.sections:
        if section.name.startswith(_BUNDLE_PREFIX):
            first = bisect_left(known, section.offset)
            if first < len(known) and known[first] < section.offset + section.size:
                continue  # its images are known one by one
            found[section.offset] = _HostImage(section.offset, section.size, section.name.removeprefix(_BUNDLE_PREFIX))
        elif section.name.startswith(_WRAPPED_PREFIXES):
            found[section.offset] = _HostImage(section.offset, section.size, "")
    for number, offset in enumerate(sorted(found)):
        image = found[offset]
        if image.size:
            yield ContainerPart(str(number), image.target, data[offset : offset + image.size], offset)


class _HostFile:
    """The sections of a file of the host, and its memory as far as the file determines it."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self.sections = list(self._sections())
        self._mapped = sorted((s for s in self.sections if s.is_mapped), key=lambda section: section.address)
        self._addresses = [section.address for section in self._mapped]

    def _sections(self) -> Iterator[_HostSection]:
        layouts = ElfClass.ELF64.layouts
        header = layouts.header.unpack(self._data, IDENT_SIZE)
        layout, start = layouts.section, header["shoff"]
        count = min(header["shnum"], max(len(self._data) - start, 0) // layout.size)
        if header["shstrndx"] >= count:
            return
        names_at = layout.unpack(self._data, start + header["shstrndx"] * layout.size)["offset"]
        for index in range(count):
            raw = layout.unpack(self._data, start + index * layout.size)
            at, offset, size = names_at + raw["name"], raw["offset"], raw["size"]
            name = bytes(self._data[at : at + _LONGEST_NAME]).partition(b"\0")[0].decode(errors="replace")
            if raw["type"] == SectionType.NOBITS or offset + size <= len(self._data):
                yield _HostSection(name, raw["type"], raw["flags"], raw["addr"], offset, size)

    def described(self, budget: Budget) -> Iterator[_HostImage]:
        """Yields the images that structures in the data of the program describe."""
        candidates = list(islice(self._candidates(), _MOST_CANDIDATES))
        wanted = {at + field for at, version in candidates for field in self._fields(version)}
        values = self._words(wanted)
        for at, version in candidates:
            target, start, end = (values.get(at + field, 0) for field in self._fields(version))
            text, place = self._text(target), self._place(start, end - start)
            if place is not None and _TARGET.fullmatch(text):
                budget.entry()
                yield _HostImage(place, end - start, text)

    @staticmethod
    def _fields(version: int) -> tuple[int, int, int]:
        image = _IMAGE_AT[version]
        return _TARGET_AT, image, image + 8

    def _candidates(self) -> Iterator[tuple[int, int]]:
        """Yields address and version of what may be the description of an image."""
        for section in self._constants():
            for match in _DESCRIPTOR.finditer(self._data, section.offset, section.offset + section.size):
                at = section.address + match.start() - section.offset
                if at % 8 == 0:
                    yield at, match[0][0]

    def embedded(self, budget: Budget) -> Iterator[_HostImage]:
        """Yields the ZEBINs that are constants of the program; they end with their section tables."""
        for section in self._constants():
            end = section.offset + section.size
            for match in _ZEBIN_START.finditer(self._data, section.offset, end):
                at = match.start()
                elf_class = ElfClass(self._data[at + 4])
                if at + elf_class.header_bytes <= end:
                    header = elf_class.layouts.header.unpack(self._data, at + IDENT_SIZE)
                    size = header["shoff"] + header["shnum"] * header["shentsize"]
                    if header["shnum"] and at + size <= end:
                        budget.entry()
                        yield _HostImage(at, size, "")

    def _constants(self) -> Iterator[_HostSection]:
        """Yields the sections of the program's data, but for those that hold images only."""
        for section in self._once(SectionType.PROGBITS):
            if not section.flags & SectionFlags.EXECUTE and not section.name.startswith(_BUNDLE_PREFIX):
                yield section

    def _once(self, section_type: int) -> Iterator[_HostSection]:
        """Yields sections of a type in memory, as long as they are not larger together than the file."""
        left = len(self._data)
        for section in self._mapped:
            if section.type == section_type:
                left -= section.size
                if left < 0:
                    return
                yield section

    def listed(self, budget: Budget) -> Iterator[_HostImage]:
        """Yields the images that `.tgtimg` lists by address and size."""
        tables = [section for section in self._mapped if section.name == _IMAGE_TABLE]
        pairs = [at for table in tables[:1] for at in range(table.address, table.address + table.size - 15, 16)]
        pairs = pairs[: Budget.MOST_ENTRIES]
        values = self._words({at + field for at in pairs for field in (0, 8)})
        for at in pairs:
            size = values.get(at + 8, 0)
            place = self._place(values.get(at, 0), size)
            if place is not None:
                budget.entry()
                yield _HostImage(place, size, "")

    def _words(self, wanted: set[int]) -> Mapping[int, int]:
        """Returns the words at these addresses, as they are when the program runs."""
        words: dict[int, int] = {}
        for at in wanted:
            place = self._place(at, 8)
            if place is not None:
                words[at] = _U64.unpack_from(self._data, place)[0]
        return words | dict(self._relocated(wanted))

    def _relocated(self, wanted: set[int]) -> Iterable[tuple[int, int]]:
        if not wanted:
            return
        for section in self._once(SectionType.RELA):
            end = section.offset + section.size - section.size % _RELA.size
            for at, info, addend in _RELA.iter_unpack(self._data[section.offset : end]):
                if at in wanted and info & 0xFFFFFFFF in _RELATIVE:
                    yield at, addend

    def _place(self, address: int, size: int) -> int | None:
        """Returns the offset in the file of bytes in memory, None if they are not those of one section."""
        index = bisect_right(self._addresses, address) - 1
        if index < 0 or size <= 0:
            return None
        section = self._mapped[index]
        inside = address - section.address
        return section.offset + inside if inside + size <= section.size else None

    def _text(self, address: int) -> str:
        place = self._place(address, 1)
        if place is None:
            return ""
        return bytes(self._data[place : place + _LONGEST_NAME]).partition(b"\0")[0].decode(errors="replace")
