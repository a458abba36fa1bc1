"""Pictures of the values of a kernel: which lane or subgroup has each element, in which byte of which register."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.ir import Attribute

from tools.explore.protocol import ASSEMBLY, CompileRequest, Json
from tools.explore.service.compiling import Compilation, applied, pipeline_of, read, steps_of
from xegpu.dialects.xegpu import TensorDescType
from xegpu.dialects.xetile import TileType
from xegpu.targets import Target, get
from xegpu.view import MAX_BOXES, LayoutPicture, layout_of, types_in

MOST_PICTURES = 64


def layouts(request: CompileRequest) -> dict[str, Json]:
    """Returns pictures of the tiles in all stages of a kernel, each with the first stage that has it."""
    target = get(request.target)
    found: dict[Attribute, str] = {}
    compilation = Compilation()
    with compilation.collecting():
        if request.language != ASSEMBLY:
            context, module = read(request, compilation)
            steps = steps_of(pipeline_of(request), context)
            for title in chain(["as read"], applied(steps, context, module)):
                for type in types_in(module):
                    found.setdefault(type, title)
    pictures: list[Json] = []
    for type, title in found.items():
        if len(pictures) < MOST_PICTURES and (picture := _picture(type, target)) is not None:
            pictures.append({"title": str(type), "stage": title, **picture})
    return {"pictures": pictures}


def _picture(type: Attribute, target: Target) -> dict[str, Json] | None:
    """Returns the picture of a type; None for one that is no tile, or that is too large to be drawn."""
    if not isinstance(type, TensorDescType | TileType) or not isinstance(type.element_type, FixedBitwidthType):
        return None
    size = type.element_type.bitwidth // 8
    layout = layout_of(type)
    if not size or (layout is not None and layout.box_count > MAX_BOXES):
        return None
    if layout is not None:
        boxes = list(_owned(layout, size, target.grf_bytes))
        rows, columns = layout.tile[0], layout.tile[1] * layout.blocks
        return {"owners": layout.owners, "rows": rows, "columns": columns, "size": size, "boxes": boxes}
    shape = type.get_shape()
    if len(shape) != 2 or shape[0] * shape[1] > MAX_BOXES:
        return None
    held = list(_held(shape[0], shape[1], size, target.grf_bytes))
    return {"owners": "register", "rows": shape[0], "columns": shape[1], "size": size, "boxes": held}


def _owned(layout: LayoutPicture, size: int, grf_bytes: int) -> Iterator[Json]:
    """Yields boxes: row, column, height, width, owner, register and byte.

    In a subgroup's registers, the rows of the lanes' fragments follow each other, and in these the lanes. A subgroup of
    a work-group has its own registers.
    """
    lanes = layout.map.layout[0] * layout.map.layout[1] if layout.owners == "work-item" else 1
    for box in layout.boxes:
        height, width = box.shape
        owner = box.owner if lanes > 1 else 0
        register, byte = divmod((box.share * lanes + owner) * height * width * size, grf_bytes)
        yield [box.row, box.column, height, width, box.owner, register, byte]


def _held(rows: int, columns: int, size: int, grf_bytes: int) -> Iterator[Json]:
    """Yields the parts of the rows of a tile that lie in one register each: tiles lie row by row, and dense."""
    per_register = grf_bytes // size
    for row in range(rows):
        column = 0
        while column < columns:
            register, byte = divmod((row * columns + column) * size, grf_bytes)
            width = min(per_register - byte // size, columns - column)
            yield [row, column, 1, width, register, register, byte]
            column += width
