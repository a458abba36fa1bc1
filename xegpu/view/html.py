"""Draws layouts: an HTML page with an SVG for each, which any browser shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from xegpu.view.layout import LayoutPicture, OwnedBox

MAX_BOXES = 1 << 14
"""Boxes of the largest layout that is drawn."""

_CELL = 30
"""Width and height of an element, where there is room."""
_LARGEST = 1600
"""Width and height of the largest picture."""
_GOLDEN = 137.508
"""Degrees between the hues of neighbouring owners, by which they can be told apart."""

_STYLE = "font:11px sans-serif;text-anchor:middle;dominant-baseline:central"


def page(layouts: Iterable[LayoutPicture]) -> str:
    """Returns an HTML page that shows layouts. Raises `ValueError` for a layout of more than `MAX_BOXES` boxes."""
    sections = "\n".join(section(layout) for layout in layouts)
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Layouts</title>'
        f'</head><body style="font-family:sans-serif">\n{sections}\n</body></html>\n'
    )


def section(layout: LayoutPicture) -> str:
    """Returns the part of a page that shows one layout. Raises `ValueError` as `page` does."""
    if layout.box_count > MAX_BOXES:
        raise ValueError(f"{layout.title} has {layout.box_count} boxes, at most {MAX_BOXES} are drawn")
    rows, columns = layout.tile[0], layout.tile[1] * layout.blocks
    cell = min(_CELL, _LARGEST / max(rows, columns))
    lines = "\n".join(_box(layout, box, cell) for box in layout.boxes)
    width, height = columns * cell, rows * cell
    return (
        f"<h2><code>{escape(layout.title)}</code></h2>\n"
        f"<p>{rows}x{columns} elements; each box shows its {layout.owners}.</p>\n"
        f'<svg xmlns="http://www.w3.org/2000/svg" style="{_STYLE}" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}">\n{lines}\n</svg>'
    )


def _box(layout: LayoutPicture, box: OwnedBox, cell: float) -> str:
    height, width = (size * cell for size in box.shape)
    x, y = box.column * cell, box.row * cell
    hue = box.owner * _GOLDEN % 360
    label = f'<text x="{x + width / 2:g}" y="{y + height / 2:g}">{box.owner}</text>' if min(height, width) >= 12 else ""
    return (
        f'<g><title>{escape(" ".join(_words(layout, box)))}</title><rect x="{x:g}" y="{y:g}" width="{width:g}" '
        f'height="{height:g}" fill="hsl({hue:.0f} 70% 80%)" stroke="#444" stroke-width=".5"/>{label}</g>'
    )


def _words(layout: LayoutPicture, box: OwnedBox) -> Iterator[str]:
    for name, start, size in zip(("row", "column"), (box.row, box.column), box.shape, strict=True):
        yield f"{name} {start}," if size == 1 else f"{name}s {start} to {start + size - 1},"
    yield f"{layout.owners} {box.owner}, row {box.share} of its fragment"
