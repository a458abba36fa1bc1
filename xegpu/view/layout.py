"""The distribution of a tile over its owners, as boxes of neighbouring elements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Attribute

from xegpu.dialects.xegpu import Distribution, LaneMap, TensorDescType
from xegpu.dialects.xetile import TileType
from xegpu.on_demand import imports_on_demand

with imports_on_demand(globals()):  # it draws these classes
    import xegpu.view.html as html

Shape2D = tuple[int, int]


@dataclass(frozen=True)
class OwnedBox:
    """`shape` neighbouring elements from (`row`, `column`) on, which are in row `share` of what `owner` has."""

    row: int
    column: int
    shape: Shape2D
    owner: int
    share: int


@dataclass(frozen=True)
class LayoutPicture:
    """The distribution of a tile over `owners` ("work-item" or "subgroup"); `title` is the type in MLIR."""

    title: str
    owners: str
    tile: Shape2D
    map: LaneMap
    blocks: int = 1
    """Tiles side by side (`array_length`)."""

    def _repr_html_(self) -> str:
        """Returns the display of the layout in notebooks, which is a sentence if the picture would be too large."""
        if self.box_count > html.MAX_BOXES:
            return f"<p><code>{escape(self.title)}</code>: {self.box_count} boxes are too many to draw</p>"
        return html.section(self)

    @property
    def box_count(self) -> int:
        return self.blocks * (self.tile[0] // self.map.data[0]) * (self.tile[1] // self.map.data[1])

    @property
    def boxes(self) -> Iterator[OwnedBox]:
        """All boxes, row by row; blocks stand side by side, as in memory."""
        distribution = Distribution(self.tile, self.map, blocks=self.blocks)
        (rows, columns), (height, width) = self.tile, self.map.data
        for block in range(self.blocks):
            for row in range(0, rows, height):
                for column in range(0, columns, width):
                    place = distribution.place(row, column, block)
                    yield OwnedBox(row, block * columns + column, (height, width), place.lane, place.row)


def layouts_in(module: ModuleOp) -> tuple[LayoutPicture, ...]:
    """Returns the layouts of all values in a module, each once."""
    found = (layout_of(type) for type in types_in(module))
    return tuple(dict.fromkeys(layout for layout in found if layout is not None))


def types_in(module: ModuleOp) -> Iterator[Attribute]:
    """Yields the types of all values and arguments in a module, as often as they occur."""
    for op in module.walk():
        function_type = op.properties.get("function_type")
        if isinstance(function_type, FunctionType):
            yield from function_type.inputs
        yield from op.result_types
        for region in op.regions:
            for block in region.blocks:
                yield from block.arg_types


def layout_of(type: Attribute) -> LayoutPicture | None:
    """Returns the layout that a type says, None for a type without a map, or with one that does not fill its tile."""
    match type:
        case TensorDescType(lane_map=LaneMap() as lanes):
            layout = LayoutPicture(str(type), "work-item", type.tile, lanes, type.array_length)
        case TileType() if type.wg_map is not None:
            shape, subgroups = type.get_shape(), type.wg_map
            tile = (shape[0], shape[1]) if len(shape) == 2 else (1, shape[0])
            layout = LayoutPicture(str(type), "subgroup", tile, LaneMap(subgroups.layout, subgroups.data))
        case TileType() if type.sg_map is not None and type.get_num_dims() == 2:
            rows, columns = type.get_shape()
            layout = LayoutPicture(str(type), "work-item", (rows, columns), type.sg_map.lane_map)
        case _:
            return None
    return layout if layout.map.tiles(layout.tile) else None
