"""Layouts of operands, given the layout of a result whose elements are in other places."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xegpu.dialects.xegpu import DistributionAttr, LayoutAttr, SliceAttr

_FIELDS = ("sg_layout", "sg_data", "inst_data", "lane_layout", "lane_data")


def _mapped(layout: LayoutAttr, change: Callable[[str, tuple[int, ...]], Sequence[int]]) -> LayoutAttr:
    given = {name: list(change(name, entries)) for name, entries in layout.given.items()}
    return LayoutAttr(
        sg_layout=given.get("sg_layout"),
        sg_data=given.get("sg_data"),
        inst_data=given.get("inst_data"),
        lane_layout=given.get("lane_layout"),
        lane_data=given.get("lane_data"),
        order=given.get("order"),
    )


def permuted(layout: DistributionAttr, permutation: Sequence[int]) -> DistributionAttr | None:
    """Returns the layout of the source of a transposition: result dimension i is source dimension permutation[i]."""
    if not isinstance(layout, LayoutAttr):
        return None
    rank = layout.rank
    order = layout.given.get("order", tuple(reversed(range(rank))))

    def change(name: str, entries: tuple[int, ...]) -> Sequence[int]:
        if name == "order":
            return entries
        source = [0] * rank
        for result, dim in enumerate(permutation):
            source[dim] = entries[result]
        return source

    moved = _mapped(layout, change)
    given = moved.given
    own = [permutation[dim] for dim in order]
    is_default = own == list(reversed(range(rank))) or not ("sg_layout" in given or "lane_layout" in given)
    return LayoutAttr(**{name: given.get(name) for name in _FIELDS}, order=None if is_default else own)


def with_unit_dims(layout: DistributionAttr, dims: Sequence[int]) -> DistributionAttr | None:
    """Returns the layout of a value with more dimensions: nobody divides those at `dims` in it."""
    if isinstance(layout, SliceAttr) and tuple(layout.dims.get_values()) == tuple(dims):
        return layout.parent_layout
    if not isinstance(layout, LayoutAttr) or "order" in layout.given:
        return None
    rank = layout.rank + len(dims)

    def change(_: str, entries: tuple[int, ...]) -> Sequence[int]:
        rest = iter(entries)
        return [1 if dim in dims else next(rest) for dim in range(rank)]

    return _mapped(layout, change)


def scaled(layout: DistributionAttr, source_bits: int, result_bits: int) -> DistributionAttr | None:
    """Returns the layout of the source of a bitcast to elements of another size along the last dimension."""
    if not isinstance(layout, LayoutAttr):
        return None

    def change(name: str, entries: tuple[int, ...]) -> Sequence[int]:
        if not name.endswith("_data"):
            return entries
        return [*entries[:-1], max(1, entries[-1] * result_bits // source_bits)]

    return _mapped(layout, change)


def without_dims(layout: DistributionAttr, dims: Sequence[int]) -> DistributionAttr:
    """Returns the layout of a value that lacks dimensions of another one."""
    return SliceAttr(layout, dims) if dims else layout
