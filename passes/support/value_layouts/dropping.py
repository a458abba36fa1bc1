"""Layouts without the level that a pass has carried out."""

from __future__ import annotations

from xdsl.ir import Attribute

from xegpu.dialects.xegpu import LayoutAttr, SliceAttr, TensorDescType

_LEVELS = ("sg_layout", "inst_data", "lane_layout")
_DATA = {"sg_layout": "sg_data", "lane_layout": "lane_data"}


def without_level(attribute: Attribute, field: str) -> Attribute | None:
    """Returns a layout, or the type of a descriptor with one, without a level; None if no other level remains."""
    if isinstance(attribute, TensorDescType):
        if not isinstance(attribute.map, LayoutAttr | SliceAttr):
            return attribute
        rest = without_level(attribute.map, field)
        return attribute.with_map(rest if isinstance(rest, LayoutAttr | SliceAttr) else None)
    if isinstance(attribute, SliceAttr):
        parent = without_level(attribute.parent, field)
        dims = attribute.dims.get_values()
        return SliceAttr(parent, dims) if isinstance(parent, LayoutAttr | SliceAttr) else None
    if not isinstance(attribute, LayoutAttr):
        return attribute
    given = {name: entries for name, entries in attribute.given.items() if name not in (field, _DATA.get(field))}
    if given.keys().isdisjoint(_LEVELS):
        return None
    if given.keys().isdisjoint(("sg_layout", "lane_layout")):
        given.pop("order", None)
    return LayoutAttr(**given)


def drop_level(attributes: dict[str, Attribute], field: str) -> dict[str, Attribute]:
    """Returns attributes of an operation without a level of the layouts among them."""
    kept = {name: without_level(value, field) for name, value in attributes.items()}
    return {name: value for name, value in kept.items() if value is not None}
