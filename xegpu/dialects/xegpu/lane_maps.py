"""Attributes that distribute a value: `sg_map` over the lanes of a subgroup, `layout` over subgroups and lanes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import ClassVar

from xdsl.dialects.builtin import I32, I64, ArrayAttr, DenseArrayBase, IntAttr, NoneAttr, i32, i64
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.irdl import AnyOf, AttrConstraint, base, irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from xegpu.dialects.fields import MAX_I32, FieldsAttr, integers_field
from xegpu.dialects.xegpu.distribution import LaneMap

MAX_U32 = (1 << 32) - 1
LLVM22_LANES = 16
"""The subgroup size that operations of lanes in LLVM 22 assume: a rule of the dialect, whatever subgroups a GPU has."""


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

_BEYOND_LANES = {
    "sg_layout": "it arranges the subgroups of a work-group",
    "sg_data": "it gives each subgroup of a work-group a tile",
    "inst_data": "it divides the tile of a subgroup into instructions",
}
"""Fields of levels that an sg_map does not describe."""


@irdl_attr_definition
class LayoutAttr(FieldsAttr):
    """`#xegpu.layout<sg_layout = [8, 4], sg_data = [32, 64], inst_data = [8, 16], lane_layout = [1, 16]>`.

    Distributes a value of any rank over the subgroups of a work-group (`sg_layout`, `sg_data`), the instructions of a
    subgroup (`inst_data`) and the lanes of an instruction (`lane_layout`, `lane_data`). Each level is optional, and
    each field has one entry per dimension. `order` lists the dimensions from the one in which subgroups, and lanes, are
    numbered fastest.
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
        """The number of dimensions of the values that the layout is for."""
        return len(next(iter(self.given.values()), ()))

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
    def lane_map(self) -> LaneMap | None:
        """The distribution over lanes, or None unless it is all that the layout says and an sg_map can say it."""
        return self.as_sg_map().lane_map if self.obstacle is None else None

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
        if not given:
            return  # a layout for a scalar, as LLVM 23 has it
        if not levels:
            raise VerifyException("expected at least one of sg_layout, inst_data or lane_layout")
        for first, second in combinations(levels, 2):
            _same_rank(given, first, second)
        for level in ("sg", "lane"):
            if f"{level}_data" in given:
                if f"{level}_layout" not in given:
                    raise VerifyException(f"expected {level}_layout being used with {level}_data")
                _same_rank(given, f"{level}_data", f"{level}_layout")
        if "order" in given:
            layouts = [name for name in ("sg_layout", "lane_layout") if name in given]
            if not layouts:
                raise VerifyException("expected sg_layout/lane_layout being used with order")
            _same_rank(given, "order", layouts[0])
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


def _same_rank(fields: Mapping[str, Sequence[int]], first: str, second: str) -> None:
    if (sizes := (len(fields[first]), len(fields[second])))[0] != sizes[1]:
        raise VerifyException(
            f"expected {first} and {second} to have the same rank, got {first} {sizes[0]}, {second} {sizes[1]}"
        )


@irdl_attr_definition
class SliceAttr(ParametrizedAttribute):
    """`#xegpu.slice<#xegpu.layout<sg_layout = [4, 8], sg_data = [16, 16]>, dims = [1]>`.

    The layout of a value that lacks the dimensions `dims` of `parent`, for example of a reduction's result. Subgroups
    and lanes whose coordinates in the parent differ only in `dims` own the same elements.
    """

    name = "xegpu.slice"
    parent: ParametrizedAttribute
    dims: DenseArrayBase[I64]

    def __init__(self, parent: LayoutAttr | SliceAttr, dims: Sequence[int]):
        super().__init__(parent, DenseArrayBase.from_list(i64, dims))

    @property
    def parent_layout(self) -> DistributionAttr:
        """The layout or slice that this is a slice of."""
        assert isinstance(self.parent, LayoutAttr | SliceAttr)
        return self.parent

    @property
    def lane_map(self) -> None:
        """None: no block of lanes has the parts of a slice."""
        return None

    @property
    def kept_dims(self) -> tuple[int, ...]:
        """The dimensions of `root` that remain, in ascending order."""
        parent = self.parent_layout
        kept = parent.kept_dims if isinstance(parent, SliceAttr) else tuple(range(parent.rank))
        dropped = set(self.dims.get_values())
        return tuple(dim for position, dim in enumerate(kept) if position not in dropped)

    @property
    def root(self) -> LayoutAttr:
        """The layout that the outermost slice is taken from."""
        parent = self.parent_layout
        return parent.root if isinstance(parent, SliceAttr) else parent

    @property
    def rank(self) -> int:
        """The number of dimensions of the values that the slice is for."""
        return len(self.kept_dims)

    def flattened(self) -> SliceAttr:
        """Returns the slice of `root` with the same meaning."""
        kept = self.kept_dims
        return SliceAttr(self.root, [dim for dim in range(self.root.rank) if dim not in kept])

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            parent = parser.parse_attribute()
            parser.parse_punctuation(",")
            parser.parse_keyword("dims")
            parser.parse_punctuation("=")
            dims = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
        return [parent, DenseArrayBase.from_list(i64, dims)]

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.parent)
            printer.print_string(f", dims = {list(self.dims.get_values())}")

    def verify(self) -> None:
        if not isinstance(self.parent, LayoutAttr | SliceAttr):
            raise VerifyException(f"expected #xegpu.layout or #xegpu.slice, got {self.parent}")
        rank = self.parent.rank
        seen: set[int] = set()
        for dim in self.dims.get_values():
            if not 0 <= dim < rank:
                raise VerifyException(f"invalid dim ({dim}) in slice attribute.")
            if dim in seen:
                raise VerifyException(f"repeated dim ({dim}) in slice attribute.")
            seen.add(dim)


LaneMapAttr = SgMapAttr | LayoutAttr | SliceAttr
"""The attributes that the type of a descriptor may have."""

DistributionAttr = LayoutAttr | SliceAttr
"""The attributes that operations have for their values."""

DISTRIBUTION: AttrConstraint[DistributionAttr] = AnyOf((base(LayoutAttr), base(SliceAttr)))
"""Accepts the attributes that operations have for their values."""
