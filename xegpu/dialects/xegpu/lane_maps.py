"""Attributes that say how the lanes of a subgroup share a tile: `sg_map`, and `layout` of newer generations."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import ClassVar

from xdsl.dialects.builtin import I32, ArrayAttr, DenseArrayBase, IntAttr, NoneAttr, i32
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.fields import MAX_I32, FieldsAttr, integers_field
from xegpu.dialects.xegpu.distribution import LaneMap

MAX_U32 = (1 << 32) - 1


@irdl_attr_definition
class SgMapAttr(ParametrizedAttribute):
    """`#xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>`: how the lanes of a subgroup share a tile."""

    name = "xegpu.sg_map"
    wi_layout: ArrayAttr[IntAttr]
    wi_data: ArrayAttr[IntAttr]

    DATA: ClassVar = "wi_data"
    """The field that gives the box of elements of a lane."""

    def __init__(self, wi_layout: Sequence[int], wi_data: Sequence[int]):
        super().__init__(ArrayAttr(IntAttr(n) for n in wi_layout), ArrayAttr(IntAttr(n) for n in wi_data))

    @property
    def lane_map(self) -> LaneMap:
        (l0, l1), (d0, d1) = (entry.data for entry in self.wi_layout), (entry.data for entry in self.wi_data)
        return LaneMap((l0, l1), (d0, d1))

    def as_layout(self, rank: int = 2) -> LayoutAttr:
        """The layout that says the same of tiles of `rank` 1 or 2. Raises `VerifyException` where there is none."""
        lanes = self.lane_map
        if max(*lanes.layout, *lanes.data) > MAX_I32:
            raise VerifyException(f"{self} has no layout counterpart: the entries of a layout are at most {MAX_I32}")
        if rank == 1 and (lanes.layout[0], lanes.data[0]) != (1, 1):
            raise VerifyException(f"{self} has no layout counterpart for 1D tiles: it has more than one row")
        return LayoutAttr(lane_layout=lanes.layout[-rank:], lane_data=lanes.data[-rank:])

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        def number() -> IntAttr:
            position = parser.pos
            value = parser.parse_integer(allow_boolean=False)
            if not 0 <= value <= MAX_U32:
                parser.raise_error(f"expected an unsigned 32-bit integer, got {value}", position, parser.pos)
            return IntAttr(value)

        def field(name: str) -> ArrayAttr[IntAttr]:
            if parser.parse_optional_keyword(name) is None:
                parser.raise_error(f"unexpected field name. Expected {name}.")
            if parser.parse_optional_punctuation("=") is None:
                parser.raise_error("expected '=' sign.")
            return ArrayAttr(parser.parse_comma_separated_list(parser.Delimiter.SQUARE, number))

        with parser.in_angle_brackets():
            wi_layout = field("wi_layout")
            parser.parse_punctuation(",")
            wi_data = field("wi_data")
        return [wi_layout, wi_data]

    def print_parameters(self, printer: Printer) -> None:
        wi_layout, wi_data = ([entry.data for entry in field] for field in (self.wi_layout, self.wi_data))
        printer.print_string(f"<wi_layout = {wi_layout}, wi_data = {wi_data}>")

    def verify(self) -> None:
        for name, field in (("wi_layout", self.wi_layout), ("wi_data", self.wi_data)):
            if len(field) != 2:
                raise VerifyException(f"expected {name} of size 2, got {len(field)} entries")
            if any(entry.data < 1 for entry in field):
                raise VerifyException(f"expected {name} entries of at least 1, got {[e.data for e in field]}")


_Integers = DenseArrayBase[I32] | NoneAttr

_NEEDS = {"sg_data": ("sg_layout",), "lane_data": ("lane_layout",), "order": ("sg_layout", "lane_layout")}
"""Fields that mean nothing without another."""

_BEYOND_LANES = {
    "sg_layout": "it arranges the subgroups of a work-group",
    "sg_data": "it gives each subgroup of a work-group a tile",
    "inst_data": "it divides the tile of a subgroup into instructions",
}
"""Fields of levels that an sg_map does not describe."""


@irdl_attr_definition
class LayoutAttr(FieldsAttr):
    """`#xegpu.layout<lane_layout = [1, 16], lane_data = [2, 1]>`: what newer generations write for an `sg_map`.

    Fields `sg_layout`, `sg_data`, `inst_data`, `lane_layout`, `lane_data` and `order` are all optional. A descriptor or
    dpas takes a layout that says what an sg_map can say: `lane_layout` and `lane_data` alone, or with the row-major
    `order`. Of a 1D tile it has one entry a field. `xegpu-convert-layout-to-sg-map` turns it into an sg_map.
    """

    name = "xegpu.layout"
    sg_layout: DenseArrayBase[I32] | NoneAttr
    sg_data: DenseArrayBase[I32] | NoneAttr
    inst_data: DenseArrayBase[I32] | NoneAttr
    lane_layout: DenseArrayBase[I32] | NoneAttr
    lane_data: DenseArrayBase[I32] | NoneAttr
    order: DenseArrayBase[I32] | NoneAttr

    DATA: ClassVar = "lane_data"
    """The field that gives the box of elements of a lane."""

    FIELDS: ClassVar = {
        name: integers_field(NoneAttr())
        for name in ("sg_layout", "sg_data", "inst_data", "lane_layout", "lane_data", "order")
    }

    def __init__(
        self,
        *,
        sg_layout: Sequence[int] | None = None,
        sg_data: Sequence[int] | None = None,
        inst_data: Sequence[int] | None = None,
        lane_layout: Sequence[int] | None = None,
        lane_data: Sequence[int] | None = None,
        order: Sequence[int] | None = None,
    ):
        fields = (sg_layout, sg_data, inst_data, lane_layout, lane_data, order)
        super().__init__(*(NoneAttr() if f is None else DenseArrayBase.from_list(i32, f) for f in fields))

    @property
    def given(self) -> dict[str, tuple[int, ...]]:
        """The entries of the fields that are there."""
        fields: dict[str, _Integers] = {
            "sg_layout": self.sg_layout,
            "sg_data": self.sg_data,
            "inst_data": self.inst_data,
            "lane_layout": self.lane_layout,
            "lane_data": self.lane_data,
            "order": self.order,
        }
        return {name: tuple(f.get_values()) for name, f in fields.items() if not isinstance(f, NoneAttr)}

    @property
    def rank(self) -> int:
        """Dimensions of the tiles that the layout is for."""
        return len(next(iter(self.given.values())))

    @property
    def obstacle(self) -> str | None:
        """Returns the reason why no sg_map has the same meaning, or None if one has."""
        given = self.given
        for name, meaning in _BEYOND_LANES.items():
            if name in given:
                return f"it has field '{name}', and an sg_map knows lanes only: {meaning}"
        for name in ("lane_layout", "lane_data"):
            if name not in given:
                return f"it has no field '{name}'"
        if self.rank not in (1, 2):
            return f"it is for tiles of rank {self.rank}, expected 1 or 2"
        row_major = tuple(reversed(range(self.rank)))
        if (order := given.get("order", row_major)) != row_major:
            return f"it has order = {list(order)}, and lanes of an sg_map are counted in order {list(row_major)}"
        return None

    @property
    def lane_map(self) -> LaneMap:
        return self.as_sg_map().lane_map

    def as_sg_map(self) -> SgMapAttr:
        """The sg_map that says the same. Raises `VerifyException` with the reason where there is none."""
        if (obstacle := self.obstacle) is not None:
            raise VerifyException(f"{self} has no sg_map counterpart: {obstacle}")
        given = self.given
        outer = (1,) * (2 - self.rank)
        return SgMapAttr(outer + given["lane_layout"], outer + given["lane_data"])

    def verify(self) -> None:
        given = self.given
        levels = [name for name in ("sg_layout", "inst_data", "lane_layout") if name in given]
        if not levels:
            raise VerifyException("expected at least one of sg_layout, inst_data or lane_layout")
        for name, needed in _NEEDS.items():
            if name in given and not any(other in given for other in needed):
                raise VerifyException(f"expected {'/'.join(needed)} being used with {name}")
        for first, second in combinations(given, 2):
            if (sizes := (len(given[first]), len(given[second])))[0] != sizes[1]:
                raise VerifyException(
                    f"expected {first} and {second} to have the same rank, got {first} {sizes[0]}, {second} {sizes[1]}"
                )
        if self.rank == 0:
            raise VerifyException(f"expected {levels[0]} to have entries, got none")
        for name, entries in given.items():
            if name == "order":
                if sorted(entries) != list(range(self.rank)):
                    raise VerifyException(
                        f"expected order to be a permutation of 0 to {self.rank - 1}, got {list(entries)}"
                    )
            elif min(entries) < 1:
                raise VerifyException(f"expected {name} entries of at least 1, got {list(entries)}")


LaneMapAttr = SgMapAttr | LayoutAttr
"""Either spelling."""
