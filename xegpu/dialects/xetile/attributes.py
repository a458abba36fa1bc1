"""Attributes of the XeTile dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import I32, BoolAttr, DenseArrayBase, IntegerAttr, NoneAttr, i32
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute
from xdsl.irdl import irdl_attr_definition
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.fields import ANY_FIELD, BOOL_FIELD, FieldsAttr, integers_field
from xegpu.dialects.upstream.enums import InAngleBrackets
from xegpu.dialects.xegpu.attributes import CacheHint
from xegpu.dialects.xegpu.distribution import LaneMap, Shape2D
from xegpu.dialects.xegpu.memory import memory_space_number
from xegpu.dialects.xetile.fields import nested_field, pair, verify_pair
from xegpu.dialects.xetile.obsolete import NOT_BLOCKED

ROW_MAJOR: Shape2D = (1, 0)
COLUMN_MAJOR: Shape2D = (0, 1)


@irdl_attr_definition
class CacheHintAttr(InAngleBrackets[CacheHint], EnumAttribute[CacheHint]):
    """`#xetile.cache_hint<cached>`: how a level of the caches treats an access."""

    name = "xetile.cache_hint"


def _shape(value: DenseArrayBase[I32]) -> Shape2D:
    first, second = value.get_values()
    return (first, second)


@irdl_attr_definition
class SgMapAttr(FieldsAttr):
    """`#xetile.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>`: how the lanes of a subgroup share a tile."""

    name = "xetile.sg_map"
    wi_layout: DenseArrayBase[I32]
    wi_data: DenseArrayBase[I32]

    FIELDS: ClassVar = {"wi_layout": integers_field(), "wi_data": integers_field()}
    OBSOLETE: ClassVar = {"mma_block_size": NOT_BLOCKED}

    def __init__(self, wi_layout: Shape2D, wi_data: Shape2D):
        super().__init__(pair(*wi_layout), pair(*wi_data))

    @property
    def lane_map(self) -> LaneMap:
        return LaneMap(_shape(self.wi_layout), _shape(self.wi_data))

    def verify(self) -> None:
        verify_pair("wi_layout", self.wi_layout, 1)
        verify_pair("wi_data", self.wi_data, 1)


@irdl_attr_definition
class WgMapAttr(FieldsAttr):
    """`#xetile.wg_map<sg_layout = [4, 4], sg_data = [32, 128]>`: how the subgroups of a work group share a tile.

    Subgroups are numbered row-major over `sg_layout`; blocks of `sg_data` elements are assigned to them round robin,
    along each dimension for itself.
    """

    name = "xetile.wg_map"
    sg_layout: DenseArrayBase[I32]
    sg_data: DenseArrayBase[I32]

    FIELDS: ClassVar = {"sg_layout": integers_field(), "sg_data": integers_field()}

    def __init__(self, sg_layout: Shape2D, sg_data: Shape2D):
        super().__init__(pair(*sg_layout), pair(*sg_data))

    @property
    def layout(self) -> Shape2D:
        """The arrangement of the subgroups: `[rows, columns]`."""
        return _shape(self.sg_layout)

    @property
    def data(self) -> Shape2D:
        """Shape of the block that one subgroup owns."""
        return _shape(self.sg_data)

    def divides(self, shape: Sequence[int]) -> bool:
        """Returns whether blocks fill `shape`, of rank 1 or 2, exactly."""
        return all(size % block == 0 for size, block in zip(self._as_2d(shape), self.data, strict=True))

    def spreads_evenly(self, shape: Sequence[int]) -> bool:
        """Returns whether blocks fill `shape`, and every subgroup owns equally many and shares none."""
        return self.divides(shape) and all(
            size // block % subgroups == 0
            for size, block, subgroups in zip(self._as_2d(shape), self.data, self.layout, strict=True)
        )

    def _as_2d(self, shape: Sequence[int]) -> Sequence[int]:
        """A shape of rank 1 lies along the dimension in which a block has more than one element."""
        if len(shape) == 2:
            return shape
        return (shape[0], 1) if self.data[1] == 1 else (1, shape[0])

    def verify(self) -> None:
        verify_pair("sg_layout", self.sg_layout, 1)
        verify_pair("sg_data", self.sg_data, 1)


@irdl_attr_definition
class TileAttr(FieldsAttr):
    """The distribution of a tile over subgroups and lanes, and its layout in memory.

    `#xetile.tile_attr<wg_map = <sg_layout = [4, 4], sg_data = [32, 128]>, order = [0, 1], memory_space = 3 : i32>`

    `#xetile.tile_attr<scattered = true>`

    Absent fields mean: no distribution over lanes or subgroups, rows that run through memory, global memory, a dense
    block.
    """

    name = "xetile.tile_attr"
    sg_map: SgMapAttr | NoneAttr
    wg_map: WgMapAttr | NoneAttr
    order: DenseArrayBase[I32]
    memory_space: Attribute
    scattered: BoolAttr | NoneAttr

    FIELDS: ClassVar = {
        "sg_map": nested_field(SgMapAttr),
        "wg_map": nested_field(WgMapAttr),
        "order": integers_field(pair(*ROW_MAJOR)),
        "memory_space": ANY_FIELD,
        "scattered": BOOL_FIELD,
    }
    OBSOLETE: ClassVar = {"inner_blocks": NOT_BLOCKED, "wg": "it is called wg_map", "sg": "it is called sg_map"}

    def __init__(
        self,
        sg_map: SgMapAttr | None = None,
        wg_map: WgMapAttr | None = None,
        order: Shape2D = ROW_MAJOR,
        memory_space: int | None = None,
        scattered: bool | None = None,
    ):
        super().__init__(
            NoneAttr() if sg_map is None else sg_map,
            NoneAttr() if wg_map is None else wg_map,
            pair(*order),
            NoneAttr() if memory_space is None else IntegerAttr(memory_space, i32),
            NoneAttr() if scattered is None else BoolAttr.from_bool(scattered),
        )

    def verify(self) -> None:
        verify_pair("order", self.order, 0)
        if (order := _shape(self.order)) not in (ROW_MAJOR, COLUMN_MAJOR):
            raise VerifyException(f"expected order to be [1, 0] or [0, 1], got {list(order)}")
        memory_space_number(self.memory_space)
