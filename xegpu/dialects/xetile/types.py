"""Types of the XeTile dialect."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IndexType, IntAttr, NoneAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.shaped import ShapeAndElement
from xegpu.dialects.xegpu.attributes import MAX_I64
from xegpu.dialects.xegpu.distribution import Shape2D
from xegpu.dialects.xegpu.memory import memory_space_number
from xegpu.dialects.xegpu.types import is_scalar
from xegpu.dialects.xetile.attributes import COLUMN_MAJOR, SgMapAttr, TileAttr, WgMapAttr
from xegpu.dialects.xetile.obsolete import NOT_BLOCKED

MAX_RANK = 2

PLAIN = TileAttr()
"""The encoding of a tile that has none."""


def tile_type(value: SSAValue) -> TileType:
    """The type of a value that is known to be a tile."""
    assert isinstance(value.type, TileType)
    return value.type


def is_element(type_: Attribute) -> bool:
    """Returns whether tiles may hold elements of this type."""
    return is_scalar(type_) or isinstance(type_, IndexType)


def _parse_shape(parser: AttrParser) -> tuple[list[int], Attribute]:
    """Dimensions and element type. A rank that is no tile's is refused before more of it is read."""
    start = parser.pos
    shape: list[int] = []
    while (element_type := parser.parse_optional_type()) is None:
        if len(shape) > MAX_RANK:
            parser.raise_error(f"expected a tile of rank {MAX_RANK} at most, got more dimensions", start, parser.pos)
        if parser.parse_optional_punctuation("-") is not None:
            parser.raise_error(f"expected dimensions from 1 to {MAX_I64}, got a negative one")
        shape.append(parser.parse_shape_dimension())
        parser.parse_shape_delimiter()
    return shape, element_type


@irdl_attr_definition
class TileType(ShapeAndElement):
    """A 2-D block of memory, of any size, or (scattered) an address for each element, of rank 1 or 2.

    `!xetile.tile<32x64xf16, #xetile.tile_attr<order = [0, 1]>>`

    With a `wg_map` it belongs to the work group, else to a subgroup.
    """

    name = "xetile.tile"
    encoding: TileAttr | NoneAttr

    def __init__(self, shape: Sequence[int], element_type: Attribute, encoding: TileAttr | None = None):
        super().__init__(
            ArrayAttr(IntAttr(size) for size in shape), element_type, NoneAttr() if encoding is None else encoding
        )

    # What the encoding says, defaults filled in

    @property
    def is_scattered(self) -> bool:
        """True if each element has its own address."""
        encoding = self._encoding
        return not isinstance(encoding.scattered, NoneAttr) and bool(encoding.scattered.value.data)

    @property
    def is_column_major(self) -> bool:
        """True if the elements of a column, not of a row, are consecutive in memory."""
        return tuple(self._encoding.order.get_values()) == COLUMN_MAJOR

    @property
    def memory_space(self) -> int:
        """The number of the memory space, however it is written: 0 is global memory, 3 shared local memory."""
        return memory_space_number(self._encoding.memory_space)

    @property
    def wg_map(self) -> WgMapAttr | None:
        """The share of each subgroup, or None: the tile belongs to one subgroup."""
        return None if isinstance(wg_map := self._encoding.wg_map, NoneAttr) else wg_map

    @property
    def sg_map(self) -> SgMapAttr | None:
        """The share of each lane, or None."""
        return None if isinstance(sg_map := self._encoding.sg_map, NoneAttr) else sg_map

    @property
    def _encoding(self) -> TileAttr:
        return PLAIN if isinstance(self.encoding, NoneAttr) else self.encoding

    # Text

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        encoding: Attribute = NoneAttr()
        with parser.in_angle_brackets():
            shape, element_type = _parse_shape(parser)
            if parser.parse_optional_punctuation(",") is not None:
                position = parser.pos
                if parser.parse_optional_keyword("inner_blocks") is not None:
                    parser.raise_error(f"inner_blocks is obsolete: {NOT_BLOCKED}", position, parser.pos)
                encoding = parser.parse_attribute()
                if not isinstance(encoding, TileAttr):
                    parser.raise_error(
                        "failed to parse XeTile encoding parameter which is to be a #xetile.tile_attr<...>, got "
                        f"{encoding}",
                        position,
                        parser.pos,
                    )
        return [ArrayAttr(IntAttr(size) for size in shape), element_type, encoding]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            self.print_shape_and_element(printer)
            if not isinstance(self.encoding, NoneAttr):
                printer.print_string(", ")
                printer.print_attribute(self.encoding)

    # Verification

    def verify(self) -> None:
        if not is_element(self.element_type):
            raise VerifyException(
                "expected elements of i1, i8, i16, i32, i64 (of any signedness), f16, bf16, tf32, f32, f64 or index, "
                f"got {self.element_type}"
            )
        shape = self.get_shape()
        ranks = (1, 2) if self.is_scattered else (2,)
        if len(shape) not in ranks:
            kind, expected = ("scattered", "1 or 2") if self.is_scattered else ("block", "2")
            raise VerifyException(f"expected a {kind} tile of rank {expected}, got rank {len(shape)}")
        for size in shape:
            if size != DYNAMIC_INDEX and not 1 <= size <= MAX_I64:
                raise VerifyException(f"expected dimensions from 1 to {MAX_I64}, got {size}")
        if self.has_static_shape():
            self._verify_maps(shape)

    def _verify_maps(self, shape: tuple[int, ...]) -> None:
        if self.wg_map is not None and not self.wg_map.divides(shape):
            raise VerifyException(f"expected sg_data to divide the tile {list(shape)}, got {list(self.wg_map.data)}")
        if self.sg_map is not None:
            self._verify_sg_map(self.sg_map, shape)

    def _verify_sg_map(self, sg_map: SgMapAttr, shape: tuple[int, ...]) -> None:
        """Lanes share what one subgroup has."""
        lanes = sg_map.lane_map
        if self.wg_map is not None:
            tile: Shape2D = self.wg_map.data
        else:
            tile = (1, shape[0]) if len(shape) == 1 else (shape[0], shape[1])
        for size, layout, data in zip(tile, lanes.layout, lanes.data, strict=True):
            if size % (layout * data) != 0:
                raise VerifyException(f"cannot distribute {size} over {layout} work items with {data} elements each")
