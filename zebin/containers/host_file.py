"""Device code in programs, shared objects and object files of the host.

Compilers of SYCL put images into sections of their own, `__CLANG_OFFLOAD_BUNDLE__...`, and describe each by a structure
in the data of the program; `.tgtimg` repeats addresses and sizes for tools. The linker wrapper of LLVM has its offload
binaries in `.llvm.offloading`. OpenMP wraps SPIR-V once more, in ELF files for no processor. Libraries that load their
kernels themselves have ZEBINs among their constants.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from zebin.containers.elf_host import elf_memory
from zebin.containers.host_memory import SHORT_NAME, HostSection, ProgramMemory
from zebin.containers.image import Budget, ContainerPart
from zebin.containers.windows_host import pe_memory
from zebin.elf.constants import MAGIC
from zebin.elf.model import IDENT_SIZE, ElfClass

_BUNDLE_PREFIX = "__CLANG_OFFLOAD_BUNDLE__"
_WRAPPED_PREFIXES = (".llvm.offloading", "__openmp_offload_spirv")
_IMAGE_TABLE = ".tgtimg"
_MOST_CANDIDATES = 1 << 17

_DESCRIPTOR = re.compile(rb"[\x01-\x03]\0\x04[\0-\x04]\0{4}")
"""The start of a description of a SYCL image: version, the kind 4, format, padding."""
_TARGET_AT = 8
_IMAGE_AT = {1: 48, 2: 48, 3: 32}
"""The offset of the addresses of start and end of the image, by version."""
_TARGET = re.compile(r"[A-Za-z0-9_.+-]{1,100}")

_ZEBIN_START = re.compile(rb"\x7fELF[\x01\x02]\x01.{10}(?:\x01\0|\x12\xff)\xcd\0", re.DOTALL)
"""The identification of an ELF file for a GPU, with its type and machine."""


class _HostImage(NamedTuple):
    offset: int
    size: int
    target: str


def host_parts(data: memoryview, budget: Budget) -> Iterator[ContainerPart]:
    """Yields the device code of a file of the host in the order of the file, by number; nothing if it has none."""
    memory = elf_memory(data) if data[: len(MAGIC)] == MAGIC else pe_memory(data)
    if memory is None:
        return
    found = {image.offset: image for image in _described(data, memory, budget)}
    if not found:
        found = {image.offset: image for image in _listed(memory, budget)}
    for image in _embedded(data, memory, budget):
        found.setdefault(image.offset, image)
    known = sorted(found)
    for section in memory.sections:
        if section.is_called(_BUNDLE_PREFIX):
            first = bisect_left(known, section.offset)
            if first < len(known) and known[first] < section.offset + section.size:
                continue  # its images are known one by one
            target = section.name.removeprefix(_BUNDLE_PREFIX) if len(section.name) > SHORT_NAME else ""
            found[section.offset] = _HostImage(section.offset, section.size, target)
        elif any(map(section.is_called, _WRAPPED_PREFIXES)):
            found[section.offset] = _HostImage(section.offset, section.size, "")
    for number, offset in enumerate(sorted(found)):
        image = found[offset]
        if image.size:
            yield ContainerPart(str(number), image.target, data[offset : offset + image.size], offset)


def _described(data: memoryview, memory: ProgramMemory, budget: Budget) -> Iterator[_HostImage]:
    """Yields the images that structures in the data of the program describe."""
    candidates = list(islice(_candidates(data, memory), _MOST_CANDIDATES))
    values = memory.words({at + field for at, version in candidates for field in _fields(version)})
    for at, version in candidates:
        target, start, end = (values.get(at + field, 0) for field in _fields(version))
        text, place = memory.text(target), memory.place(start, end - start)
        if place is not None and _TARGET.fullmatch(text):
            budget.entry()
            yield _HostImage(place, end - start, text)


def _fields(version: int) -> tuple[int, int, int]:
    image = _IMAGE_AT[version]
    return _TARGET_AT, image, image + 8


def _candidates(data: memoryview, memory: ProgramMemory) -> Iterator[tuple[int, int]]:
    """Yields address and version of what may be the description of an image."""
    for section in _constants(memory):
        for match in _DESCRIPTOR.finditer(data, section.offset, section.offset + section.size):
            at = section.address + match.start() - section.offset
            if at % 8 == 0:
                yield at, match[0][0]


def _embedded(data: memoryview, memory: ProgramMemory, budget: Budget) -> Iterator[_HostImage]:
    """Yields the ZEBINs that are constants of the program; they end with their section tables."""
    for section in _constants(memory):
        end = section.offset + section.size
        for match in _ZEBIN_START.finditer(data, section.offset, end):
            at = match.start()
            elf_class = ElfClass(data[at + 4])
            if at + elf_class.header_bytes <= end:
                header = elf_class.layouts.header.unpack(data, at + IDENT_SIZE)
                size = header["shoff"] + header["shnum"] * header["shentsize"]
                if header["shnum"] and at + size <= end:
                    budget.entry()
                    yield _HostImage(at, size, "")


def _constants(memory: ProgramMemory) -> Iterator[HostSection]:
    """Yields the sections of the program's data, but for those that hold images only."""
    return (section for section in memory.constants() if not section.is_called(_BUNDLE_PREFIX))


def _listed(memory: ProgramMemory, budget: Budget) -> Iterator[_HostImage]:
    """Yields the images that `.tgtimg` lists by address and size."""
    tables = [section for section in memory.sections if section.is_mapped and section.name == _IMAGE_TABLE]
    pairs = [at for table in tables[:1] for at in range(table.address, table.address + table.size - 15, 16)]
    pairs = pairs[: Budget.MOST_ENTRIES]
    values = memory.words({at + field for at in pairs for field in (0, 8)})
    for at in pairs:
        size = values.get(at + 8, 0)
        place = memory.place(values.get(at, 0), size)
        if place is not None:
            budget.entry()
            yield _HostImage(place, size, "")
