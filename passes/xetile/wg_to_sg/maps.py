"""Maps of work-groups, and the sharing of values that they state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.ir import Attribute, Operation, SSAValue

from passes.support.work_groups.sharing import Sharing, share
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.vector import vector_type
from xegpu.dialects.xetile import TileType, WgMapAttr

_MAP = "map"
"""The discardable attribute that states how the result of an operation is shared."""


def sharing_by(wg_map: WgMapAttr, shape: Sequence[int]) -> Sharing:
    """Returns the sharing that a map states for a value of rank 1 or 2, whose shape it must divide."""
    (rows, columns), (height, width) = wg_map.layout, wg_map.data
    if len(shape) == 1:
        lies_down = width == 1  # along the dimension in which a block has more than one element
        return Sharing((share(shape[0], height, rows, columns) if lies_down else share(shape[0], width, columns, 1),))
    return Sharing((share(shape[0], height, rows, columns), share(shape[1], width, columns, 1)))


def sharing_of(op: Operation, name: str, wg_map: WgMapAttr, value: SSAValue) -> Sharing:
    """Returns the sharing that the map `name` of an operation states. Raises `CompileError` if it does not fit."""
    shape = vector_type(value).get_shape()
    if len(shape) not in (1, 2) or not wg_map.divides(shape):
        raise CompileError(op, f"expected sg_data of {name} to divide the shape {list(shape)}, got {list(wg_map.data)}")
    return sharing_by(wg_map, shape)


def map_of(op: Operation) -> WgMapAttr | None:
    """Returns the map that the user gave the result."""
    return wg_map if isinstance(wg_map := op.attributes.get(_MAP), WgMapAttr) else None


def without_maps(attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """Returns the attributes without the maps of work-groups."""
    return {name: value for name, value in attributes.items() if not isinstance(value, WgMapAttr)}


def subgroups_of(function: FuncOp) -> int | None:
    """Returns the number of subgroups that the maps of a kernel distribute over; None without maps.

    Raises `CompileError` if the maps disagree.
    """
    found: dict[int, WgMapAttr] = {}
    for op in function.walk():
        for wg_map in _maps(op):
            rows, columns = wg_map.layout
            found.setdefault(rows * columns, wg_map)
            if len(found) > 1:
                (one, first), (two, second) = found.items()
                raise CompileError(
                    op,
                    "expected all maps of a kernel to distribute over the same number of subgroups: "
                    f"{first} distributes over {one}, {second} over {two}",
                )
    return next(iter(found), None)


def _maps(op: Operation) -> Iterator[WgMapAttr]:
    yield from (value for value in (*op.properties.values(), *op.attributes.values()) if isinstance(value, WgMapAttr))
    types: list[Attribute] = [value.type for value in op.results]
    types.extend(argument.type for region in op.regions for block in region.blocks for argument in block.args)
    for type_ in types:
        if isinstance(type_, TileType) and type_.wg_map is not None:
            yield type_.wg_map
