"""Which bytes of the file hold what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt

from zebin.dump import Table
from zebin.elf.constants import SectionType
from zebin.elf.extents import Extent, extents
from zebin.elf.model import Buffer
from zebin.model import Zebin
from zebin.pictures.svg import BLANK, COLOURS, FONT_SIZE, Drawing

_BAR_WIDTH = 40


class Content(StrEnum):
    """What bytes are for."""

    STRUCTURE = "structure"
    CODE = "code"
    DATA = "data"
    DESCRIPTION = "description"
    NAMES = "names and symbols"
    DEBUG = "debug information"
    OTHER = "other"
    UNUSED = "unused"


_BY_TYPE = {
    SectionType.SYMTAB: Content.NAMES,
    SectionType.STRTAB: Content.NAMES,
    SectionType.REL: Content.NAMES,
    SectionType.RELA: Content.NAMES,
    SectionType.NOTE: Content.DESCRIPTION,
    SectionType.ZEINFO: Content.DESCRIPTION,
}
_BY_PREFIX = {".text": Content.CODE, ".data": Content.DATA, ".debug": Content.DEBUG}
_FILLS = {content: COLOURS[index] for index, content in enumerate(Content)} | {Content.UNUSED: BLANK}


@dataclass(frozen=True)
class Region:
    """The bytes of the file from `start` to `end`."""

    start: int
    end: int
    name: str
    content: Content

    @property
    def size(self) -> int:
        return self.end - self.start


def memory_map(zebin: Zebin, data: Buffer) -> list[Region]:
    """Every byte of the file `data`, from which `zebin` was read, in order. Regions of broken files can overlap."""
    codes = {kernel.section.index: len(kernel.code) for kernel in zebin.kernels.values()}
    regions: list[Region] = []
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


def _gap(data: Buffer, start: int, end: int) -> Region:
    return Region(start, end, "nothing refers to it" if any(data[start:end]) else "padding", Content.UNUSED)


def _parts(extent: Extent, end: int, code: int) -> Iterator[Region]:
    """The extent; of a kernel's section, its code and the zeros behind it."""
    content = _content(extent)
    middle = extent.start + code
    if code and middle < end:
        yield Region(extent.start, middle, extent.name, content)
        yield Region(middle, end, f"{extent.name}, rest", Content.UNUSED)
    else:
        yield Region(extent.start, end, extent.name, content)


def _content(extent: Extent) -> Content:
    section = extent.section
    if section is None:
        return Content.STRUCTURE
    by_name = next((content for prefix, content in _BY_PREFIX.items() if section.name.startswith(prefix)), None)
    return next((c for kind, c in _BY_TYPE.items() if section.type == kind), by_name or Content.OTHER)


def map_table(regions: Sequence[Region], title: str) -> Table:
    """Offsets, sizes and names, and bars that stand where the bytes do."""
    total = max((region.end for region in regions), default=0)
    rows = [
        (f"{region.start:#x}", f"{region.size:#x}", region.name, region.content, _bar(region, total))
        for region in regions
    ]
    return Table(title, ("offset", "size", "name", "content", "place"), rows, frozenset({"offset", "size"}))


def _bar(region: Region, total: int) -> str:
    first = region.start * _BAR_WIDTH // total
    last = max(-(-region.end * _BAR_WIDTH // total), first + 1)
    mark = "-" if region.content is Content.UNUSED else "#"
    return f"|{' ' * first}{mark * (last - first)}{' ' * (_BAR_WIDTH - last)}|"


_LEFT, _WIDTH = 90, 300
_MIN_HEIGHT, _STRETCH = FONT_SIZE + 6, 260
"""Pixels: no box is lower than a line of text, and larger regions have higher boxes, though not in proportion."""


def map_svg(regions: Sequence[Region], title: str) -> Iterator[str]:
    """A column of boxes from the start of the file to its end."""
    total = max((region.end for region in regions), default=1)
    drawing = Drawing()
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
    for content in Content:
        if content in used:
            drawing.box(_LEFT, y, FONT_SIZE, FONT_SIZE, _FILLS[content])
            drawing.text(_LEFT + FONT_SIZE * 1.7, y + FONT_SIZE / 2, content)
            y += FONT_SIZE * 1.6
    return drawing.lines()
