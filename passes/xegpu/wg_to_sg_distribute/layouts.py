"""Layouts that distribute over subgroups: the sharing that they state, and their remainder afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import prod

from xdsl.ir import Attribute, Operation

from passes.support.work_groups.sharing import Sharing, share
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.gpu import FuncOp
from xegpu.dialects.upstream.scf import IfOp
from xegpu.dialects.xegpu import DistributionAttr, LayoutAttr, RangeAttr, SliceAttr, TensorDescType, subgroup_grid

_RANGE = "sg_id_range"
"""The attribute of an `scf.if` that names the subgroups which execute it."""

_OF_SUBGROUPS = ("sg_layout", "sg_data")


def sharing_by(op: Operation, layout: DistributionAttr, shape: Sequence[int]) -> Sharing:
    """Returns the sharing that a layout over subgroups states for a value of `op`.

    A layout for values with one dimension less leaves the last dimension whole. Raises `CompileError` if it does not
    fit.
    """
    if layout.rank == len(shape) - 1:
        return Sharing((*sharing_by(op, layout, shape[:-1]).dims, share(shape[-1], shape[-1], 1, 1)))
    if layout.rank != len(shape):
        raise CompileError(op, f"expected a layout of rank {len(shape)} for the shape {list(shape)}, got {layout}")
    grid = subgroup_grid(layout, shape)
    assert grid is not None
    base = subgroups_at(op, 0).start
    dims = []
    for size, dim, stride, block in zip(shape, grid.dims, grid.strides(), grid.block, strict=True):
        count = grid.counts[dim]
        blocks = size // block if block else 0
        if not blocks or size % block != 0 or (blocks % count != 0 and count % blocks != 0):
            raise CompileError(
                op,
                f"cannot distribute the shape {list(shape)} using {layout}: {size} elements over {count} subgroups in "
                f"blocks of {block}",
            )
        dims.append(share(size, block, count, stride, base))
    return Sharing(tuple(dims))


def subgroups_at(op: Operation, count: int) -> range:
    """Returns the subgroups, of `count`, that execute an operation according to the `sg_id_range` around it."""
    around = op.parent_op()
    while around is not None:
        if isinstance(around, IfOp) and isinstance(found := around.attributes.get(_RANGE), RangeAttr):
            return range(found.start.value.data, found.end.value.data)
        around = around.parent_op()
    return range(count)


def forget_ranges(function: FuncOp) -> None:
    """Removes each `sg_id_range`, which means nothing without layouts over subgroups."""
    for op in function.walk():
        op.attributes.pop(_RANGE, None)


def over_subgroups(attribute: Attribute | None) -> DistributionAttr | None:
    """Returns the attribute if it is a layout that distributes over subgroups, else None."""
    if not isinstance(attribute, LayoutAttr | SliceAttr):
        return None
    return attribute if "sg_layout" in _root(attribute).given else None


def without_subgroups(attribute: DistributionAttr) -> DistributionAttr | None:
    """Returns a layout without its distribution over subgroups; None if nothing remains."""
    root = _root(attribute)
    given = {name: entries for name, entries in root.given.items() if name not in _OF_SUBGROUPS}
    if "lane_layout" not in given:
        given.pop("order", None)
    if not given:
        return None
    rest = LayoutAttr(**given)
    if isinstance(attribute, LayoutAttr):
        return rest
    return SliceAttr(rest, list(attribute.flattened().dims.get_values()))


def kept_attributes(attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """Returns the attributes of an operation that hold for its parts, too."""
    result: dict[str, Attribute] = {}
    for name, attribute in attributes.items():
        if isinstance(attribute, LayoutAttr | SliceAttr):
            rest = without_subgroups(attribute)
            if rest is not None:
                result[name] = rest
        else:
            result[name] = attribute
    return result


def subgroups_of(function: FuncOp) -> int | None:
    """Returns the number of subgroups that the layouts of a kernel need; None without layouts over subgroups.

    Raises `CompileError` for a layout of more subgroups than its `sg_id_range` names.
    """
    needed: int | None = None
    for op in function.walk():
        for layout in _layouts(op):
            count = prod(_root(layout).given["sg_layout"])
            among = subgroups_at(op, count)
            if count > len(among):
                raise CompileError(
                    op, f"{layout} distributes over {count} subgroups, but sg_id_range names {len(among)} of them"
                )
            needed = max(needed or 0, among.stop)
    return needed


def _layouts(op: Operation) -> Iterator[DistributionAttr]:
    attributes = [*op.properties.values(), *op.attributes.values()]
    types = [value.type for value in op.results]
    types.extend(argument.type for region in op.regions for block in region.blocks for argument in block.args)
    attributes.extend(type_.map for type_ in types if isinstance(type_, TensorDescType))
    for attribute in attributes:
        if (layout := over_subgroups(attribute)) is not None:
            yield layout


def _root(layout: DistributionAttr) -> LayoutAttr:
    return layout.root if isinstance(layout, SliceAttr) else layout
