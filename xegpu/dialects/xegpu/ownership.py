"""The meaning of `#xegpu.layout` and `#xegpu.slice`: the elements of a value that each subgroup or lane owns.

A level of a layout arranges its owners, subgroups or lanes, as a grid of `layout` entries and gives each of them blocks
of `data` elements. The blocks of a dimension are assigned round robin along the grid; where the grid has more owners
than the value has blocks, several owners have the same block. A layout determines which owner computes an element,
never the element's value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from xegpu.dialects.xegpu.lane_maps import DistributionAttr, LayoutAttr, SliceAttr


@dataclass(frozen=True)
class OwnerGrid:
    """A grid of owners, and the blocks that each owns of a value of a given shape."""

    counts: tuple[int, ...]
    """The number of owners along each dimension of the grid."""
    order: tuple[int, ...]
    """The dimensions of the grid, from the one in which owners are numbered fastest."""
    dims: tuple[int, ...]
    """The dimension of the grid that belongs to each dimension of the value; a slice omits some."""
    shape: tuple[int, ...]
    """The shape of the value."""
    block: tuple[int, ...]
    """The shape of one block."""

    @property
    def owner_count(self) -> int:
        return prod(self.counts)

    @property
    def unit(self) -> tuple[int, ...]:
        """The shape of the part of the value that all owners cover in one round."""
        return tuple(
            min(size, self.counts[dim] * data)
            for size, dim, data in zip(self.shape, self.dims, self.block, strict=True)
        )

    def strides(self) -> tuple[int, ...]:
        """Returns, per dimension of the value, the difference of the numbers of two neighbouring owners."""
        stride = 1
        by_dim: dict[int, int] = {}
        for dim in self.order:
            by_dim[dim] = stride
            stride *= self.counts[dim]
        return tuple(by_dim[dim] for dim in self.dims)

    def coordinate(self, owner: int) -> tuple[int, ...]:
        """Returns the coordinate of an owner along each dimension of the value."""
        return tuple(owner // stride % self.counts[dim] for stride, dim in zip(self.strides(), self.dims, strict=True))

    def starts(self, owner: int) -> list[tuple[int, ...]]:
        """Returns the first element of each block that an owner has, by rounds in row-major order."""
        coordinate = self.coordinate(owner)
        rounds = product(*(range(size // unit) for size, unit in zip(self.shape, self.unit, strict=True)))
        return [
            tuple(
                (number * unit + own * data) % size
                for number, unit, own, data, size in zip(
                    position, self.unit, coordinate, self.block, self.shape, strict=True
                )
            )
            for position in rounds
        ]


def subgroup_grid(layout: DistributionAttr, shape: Sequence[int]) -> OwnerGrid | None:
    """Returns the distribution of a value over the subgroups of its work-group, or None without `sg_layout`."""
    return _grid(layout, shape, "sg")


def lane_grid(layout: DistributionAttr, shape: Sequence[int]) -> OwnerGrid | None:
    """Returns the distribution of a value of one subgroup over its lanes, or None without `lane_layout`."""
    return _grid(layout, shape, "lane")


def instruction_shape(layout: DistributionAttr) -> tuple[int, ...] | None:
    """Returns the shape of the data that one instruction handles, or None without `inst_data`."""
    return _entries(layout, "inst_data")


def distribution_obstacle(layout: DistributionAttr, shape: Sequence[int]) -> str | None:
    """Returns the reason why a value of `shape` cannot be distributed by `layout`, or None if it can be."""
    if layout.rank != len(shape):
        return f"the layout has rank {layout.rank}"
    part = tuple(shape)
    if (grid := subgroup_grid(layout, part)) is not None:
        for size, dim, data in zip(part, grid.dims, grid.block, strict=True):
            count = grid.counts[dim]
            share = size // count
            if size == data == 1:  # all have the same element
                continue
            if size % count != 0 or data < 1 or data > size or (share % data != 0 and data % share != 0):
                return f"{size} elements over {count} subgroups in blocks of {data}"
        part = grid.block
    if (instruction := instruction_shape(layout)) is not None:
        for size, data in zip(part, instruction, strict=True):
            if size % data != 0:
                return f"instructions of {data} elements do not divide {size}"
        part = instruction
    if (grid := lane_grid(layout, part)) is not None:
        for size, dim, data in zip(part, grid.dims, grid.block, strict=True):
            count = grid.counts[dim]
            if size == data == 1:
                continue
            if size % count != 0 or data < 1 or size // count % data != 0:
                return f"{size} elements over {count} lanes with {data} each"
    return None


def _root(layout: DistributionAttr) -> tuple[LayoutAttr, tuple[int, ...]]:
    """Returns the layout that a slice is taken from, and the dimensions of it that remain."""
    if isinstance(layout, SliceAttr):
        return layout.root, layout.kept_dims
    return layout, tuple(range(layout.rank))


def _entries(layout: DistributionAttr, field: str) -> tuple[int, ...] | None:
    root, dims = _root(layout)
    entries = root.given.get(field)
    return None if entries is None else tuple(entries[dim] for dim in dims)


def _grid(layout: DistributionAttr, shape: Sequence[int], level: str) -> OwnerGrid | None:
    root, dims = _root(layout)
    counts = root.given.get(f"{level}_layout")
    if counts is None:
        return None
    data = _entries(layout, f"{level}_data")
    if data is None:
        one_each = (1,) * len(dims)
        data = one_each if level == "lane" else tuple(n // counts[d] for n, d in zip(shape, dims, strict=True))
    order = root.given.get("order", tuple(reversed(range(root.rank))))
    return OwnerGrid(counts, order, dims, tuple(shape), data)
