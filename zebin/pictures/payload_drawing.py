"""Drawings of a payload, as a grid of characters or of boxes."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence

from zebin.dump import Table
from zebin.pictures.payload import DrawnSlot, Payload
from zebin.pictures.svg import BLANK, COLOURS, FONT_SIZE, SvgDrawing, shortened

_ROW = 32
"""Bytes per line of text or row of boxes."""

_MARKS = string.ascii_lowercase + string.ascii_uppercase + string.digits
_EMPTY, _SHARED = b".", b"#"


def payload_lines(payload: Payload) -> Iterator[str]:
    """Yields a grid with a mark for each byte, and the legend."""
    yield f"{_title(payload)}:"
    if payload.size:
        yield f"{' ' * 10}{' '.join(f'{byte:<4}' for byte in range(0, _ROW, 4))}".rstrip()
        yield from _grid(payload)
    rows = [_row(_mark(index), slot) for index, slot in enumerate(payload.cross_thread)]
    rows += [_row("thread", slot) for slot in payload.per_thread]
    rows += [_row("outside", slot) for slot in payload.misplaced]
    if rows:
        columns = ("mark", "offset", "size", "content", "argument")
        yield from list(Table("", columns, rows, frozenset({"offset", "size"})).lines())[1:]
    yield ""


def _title(payload: Payload) -> str:
    inline = f", {payload.inline_size} of them inline" if payload.inline_size else ""
    thread = f", and {payload.per_thread_size} for each thread" if payload.per_thread else ""
    return f"Payload of kernel {payload.kernel}: {payload.size} bytes{inline}{thread}"


def _row(mark: str, slot: DrawnSlot) -> tuple[str, ...]:
    return mark, str(slot.offset), str(slot.size), slot.kind, slot.argument


def _mark(index: int) -> str:
    return _MARKS[index % len(_MARKS)]


def _grid(payload: Payload) -> Iterator[str]:
    """Yields lines of 32 bytes; of consecutive equal lines, only the first."""
    marks = bytearray(_EMPTY * payload.size)
    for index, slot in enumerate(payload.cross_thread):
        covered = bytearray(_SHARED * 256)
        covered[_EMPTY[0]] = ord(_mark(index))
        marks[slot.offset : slot.end] = marks[slot.offset : slot.end].translate(covered)
    previous, repeats = b"", False
    for start in range(0, payload.size, _ROW):
        row = bytes(marks[start : start + _ROW])
        if row != previous:
            text = row.decode("ascii")
            yield f"  {start:#06x}  {' '.join(text[at : at + 4] for at in range(0, _ROW, 4))}"
        elif not repeats:
            yield "  *"
        previous, repeats = row, row == previous


_LEFT, _BYTE, _HEIGHT = 90, 22, 28
"""Pixels."""


def payload_svg(payloads: Sequence[Payload]) -> Iterator[str]:
    """Yields the SVG document: for each kernel a grid of 32 bytes a row with boxes for the slots, then the per-thread
    data.
    """
    drawing = SvgDrawing()
    y = FONT_SIZE * 1.5
    for number, payload in enumerate(payloads):
        if drawing.is_full:
            drawing.text(FONT_SIZE, y, f"{len(payloads) - number} more kernels are not drawn", bold=True)
            break
        drawing.text(FONT_SIZE, y, _title(payload), bold=True)
        y += FONT_SIZE * 1.5
        y = _draw(drawing, y, payload.cross_thread, payload.size)
        if payload.per_thread:
            drawing.text(_LEFT, y + FONT_SIZE / 3, "of each thread:")
            y = _draw(drawing, y + FONT_SIZE * 1.2, payload.per_thread, payload.per_thread_size)
        for slot in payload.misplaced:
            drawing.text(_LEFT, y, f"outside: {slot.label}, offset {slot.offset}, size {slot.size}")
            y += FONT_SIZE * 1.5
        y += FONT_SIZE
    return drawing.lines()


def _draw(drawing: SvgDrawing, y: float, slots: Sequence[DrawnSlot], size: int) -> float:
    """Draws the rows from `y` on, and returns the position below them."""
    for start in range(0, size, _ROW):
        row = y + start // _ROW * _HEIGHT
        drawing.text(_LEFT - 6, row + _HEIGHT / 2, f"{start:#x}", anchor="end")
        drawing.box(_LEFT, row, _BYTE * min(_ROW, size - start), _HEIGHT, BLANK)
    for index, slot in enumerate(slots):
        hint = f"{slot.kind} {slot.argument}".rstrip() + f": bytes {slot.offset} to {slot.end - 1}"
        for start in range(slot.offset - slot.offset % _ROW, slot.end, _ROW):
            first, last = max(slot.offset, start), min(slot.end, start + _ROW)
            x, row = _LEFT + (first - start) * _BYTE, y + start // _ROW * _HEIGHT
            width = (last - first) * _BYTE
            drawing.box(x, row, width, _HEIGHT, COLOURS[index % len(COLOURS)], hint)
            drawing.text(x + width / 2, row + _HEIGHT / 2, shortened(slot.label, width), anchor="middle")
    return y + -(-size // _ROW) * _HEIGHT + FONT_SIZE
