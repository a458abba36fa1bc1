"""The memory map of a file: the structure that each of its bytes belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from math import sqrt

from xegpu.on_demand import dataclass
from zebin.binary.model import Zebin
from zebin.dump import Table
from zebin.elf.constants import SectionType
from zebin.elf.extents import Extent, extents
from zebin.elf.model import Buffer
from zebin.pictures.svg import BLANK, COLOURS, FONT_SIZE, SvgDrawing

_BAR_WIDTH = 40


class RegionContent(StrEnum):
    """The purpose of bytes in a file."""

    STRUCTURE = "structure"
    CODE = "code"
    DATA = "data"
    DESCRIPTION = "description"
    NAMES = "names and symbols"
    DEBUG = "debug information"
    OTHER = "other"
    UNUSED = "unused"


_BY_TYPE = {
    SectionType.SYMTAB: RegionContent.NAMES,
    SectionType.STRTAB: RegionContent.NAMES,
    SectionType.REL: RegionContent.NAMES,
    SectionType.RELA: RegionContent.NAMES,
    SectionType.NOTE: RegionContent.DESCRIPTION,
    SectionType.ZEINFO: RegionContent.DESCRIPTION,
}
_BY_PREFIX = {".text": RegionContent.CODE, ".data": RegionContent.DATA, ".debug": RegionContent.DEBUG}
_FILLS = {content: COLOURS[index] for index, content in enumerate(RegionContent)} | {RegionContent.UNUSED: BLANK}


@dataclass(frozen=True)
class FileRegion:
    """The bytes from `start` to `end` of a file."""

    start: int
    end: int
    name: str
    content: RegionContent

    @property
    def size(self) -> int:
        return self.end - self.start


def memory_map(zebin: Zebin, data: Buffer) -> list[FileRegion]:
    """Returns the regions that cover all bytes of `data`, from which `zebin` was read. Those of broken files may
    overlap.
    """
    codes = {kernel.section.index: len(kernel.code) for kernel in zebin.kernels.values()}
    regions: list[FileRegion] = []
    end = 0
    for extent in sorted(extents(data, zebin.elf), key=lambda extent: (extent.start, extent.end)):
        stop = min(extent.end, len(data))
        if extent.start >= stop:
            continue
        if end < extent.start:
            regions.append(_gap(data, end, extent.start))
        code = codes.get(extent.section.index, 0) if extent.section is not None else 0
        regions += _parts(extent, stop, code)
        end = max(end, stop)
    if end < len(data):
        regions.append(_gap(data, end, len(data)))
    return regions


def _gap(data: Buffer, start: int, end: int) -> FileRegion:
    return FileRegion(start, end, "nothing refers to it" if any(data[start:end]) else "padding", RegionContent.UNUSED)


def _parts(extent: Extent, end: int, code: int) -> Iterator[FileRegion]:
    """Yields the extent; for a kernel's section, its code and the zeros after it."""
    content = _content(extent)
    middle = extent.start + code
    if code and middle < end:
        yield FileRegion(extent.start, middle, extent.name, content)
        yield FileRegion(middle, end, f"{extent.name}, rest", RegionContent.UNUSED)
    else:
        yield FileRegion(extent.start, end, extent.name, content)


def _content(extent: Extent) -> RegionContent:
    section = extent.section
    if section is None:
        return RegionContent.STRUCTURE
    by_name = next((content for prefix, content in _BY_PREFIX.items() if section.name.startswith(prefix)), None)
    return next((c for kind, c in _BY_TYPE.items() if section.type == kind), by_name or RegionContent.OTHER)


def map_table(regions: Sequence[FileRegion], title: str) -> Table:
    """Returns a table of offsets, sizes and names, with bars that show the position in the file."""
    total = max((region.end for region in regions), default=0)
    rows = [
        (f"{region.start:#x}", f"{region.size:#x}", region.name, region.content, _bar(region, total))
        for region in regions
    ]
    return Table(title, ("offset", "size", "name", "content", "position"), rows, frozenset({"offset", "size"}))


def _bar(region: FileRegion, total: int) -> str:
    first = region.start * _BAR_WIDTH // total
    last = max(-(-region.end * _BAR_WIDTH // total), first + 1)
    mark = "-" if region.content is RegionContent.UNUSED else "#"
    return f"|{' ' * first}{mark * (last - first)}{' ' * (_BAR_WIDTH - last)}|"


_LEFT, _WIDTH = 90, 300
_MIN_HEIGHT, _STRETCH = FONT_SIZE + 6, 260
"""Pixels: the least height of a box, and how much the largest region adds. Heights grow with the square root of the
size."""


def map_svg(regions: Sequence[FileRegion], title: str) -> Iterator[str]:
    """Yields the SVG document: a column of boxes from the start of the file to its end."""
    total = max((region.end for region in regions), default=1)
    drawing = SvgDrawing()
    drawing.text(FONT_SIZE, FONT_SIZE * 1.5, title, bold=True)
    y = FONT_SIZE * 3.0
    for region in regions:
        height = _MIN_HEIGHT + round(_STRETCH * sqrt(region.size / total) / 3)
        hint = f"{region.name}: {region.start:#x} to {region.end:#x}, {region.size} bytes, {region.content}"
        drawing.box(_LEFT, y, _WIDTH, height, _FILLS[region.content], hint)
        drawing.text(_LEFT - 6, y + FONT_SIZE / 2 + 2, f"{region.start:#x}", anchor="end")
        drawing.text(_LEFT + 8, y + height / 2, region.name)
        drawing.text(_LEFT + _WIDTH + 8, y + height / 2, f"{region.size} bytes")
        y += height
    drawing.text(_LEFT - 6, y + FONT_SIZE / 2 + 2, f"{total:#x}", anchor="end")
    y += FONT_SIZE * 2
    used = {region.content for region in regions}
    for content in RegionContent:
        if content in used:
            drawing.box(_LEFT, y, FONT_SIZE, FONT_SIZE, _FILLS[content])
            drawing.text(_LEFT + FONT_SIZE * 1.7, y + FONT_SIZE / 2, content)
            y += FONT_SIZE * 1.6
    return drawing.lines()
