"""Sharing of a work-group's value: blocks that are assigned to subgroups round robin along each dimension."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, prod


@dataclass(frozen=True)
class Share:
    """The sharing of one dimension. Create it with `share` and `whole`, so that equal ownership compares equal.

    Subgroup `id` has the coordinate `c = (id - base) / stride % count`, and owns the blocks
    `(c + i * count) % blocks`.
    """

    size: int
    block: int
    count: int
    """The number of subgroups that own different blocks."""
    stride: int
    """The difference of the numbers of two subgroups that are neighbours in this dimension."""
    base: int = 0
    """The number of the first subgroup."""

    @property
    def blocks(self) -> int:
        return self.size // self.block

    @property
    def parts(self) -> int:
        """The number of blocks that each subgroup owns."""
        return ceil(self.blocks / self.count)

    @property
    def is_whole(self) -> bool:
        """True if every subgroup owns all of the dimension."""
        return self.count == 1

    @property
    def wraps(self) -> bool:
        """True if coordinates run past the last block."""
        return self.blocks % self.count != 0

    @property
    def repeats(self) -> bool:
        """True if some subgroups own a block in different rounds: a sum over subgroups would count it twice."""
        return self.wraps and self.parts > 1


def whole(size: int) -> Share:
    """Returns the share by which every subgroup owns all."""
    return Share(size, size, 1, 1)


def share(size: int, block: int, count: int, stride: int, base: int = 0) -> Share:
    """Returns the share by which `count` subgroups from `base` on, `stride` apart, own blocks of `block` elements."""
    blocks = size // block
    if count % blocks == 0:  # the remaining subgroups share the parts of others
        count = blocks
    return whole(size) if count == 1 else Share(size, block, count, stride, base)


@dataclass(frozen=True)
class Sharing:
    """The sharing of a value. Each subgroup has a list of parts of one shape, ordered row-major by their blocks."""

    dims: tuple[Share, ...]

    @staticmethod
    def replicated(shape: Sequence[int]) -> Sharing:
        """Returns the sharing by which every subgroup owns everything."""
        return Sharing(tuple(map(whole, shape)))

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(dim.size for dim in self.dims)

    @property
    def part_shape(self) -> tuple[int, ...]:
        return tuple(dim.block for dim in self.dims)

    @property
    def part_count(self) -> int:
        return prod(dim.parts for dim in self.dims)

    @property
    def is_whole(self) -> bool:
        """True if every subgroup owns everything."""
        return all(dim.is_whole for dim in self.dims)

    def is_exclusive(self, subgroups: int) -> bool:
        """Returns whether no element has two owners among `subgroups`."""
        return prod(dim.count for dim in self.dims) == subgroups and not any(dim.wraps for dim in self.dims)

    def positions(self) -> Iterator[tuple[int, ...]]:
        """Yields the position of each part in the grid of a subgroup's parts."""
        return product(*(range(dim.parts) for dim in self.dims))

    def index(self, position: Sequence[int]) -> int:
        """Returns the index of a part in the list of parts."""
        result = 0
        for number, dim in zip(position, self.dims, strict=True):
            result = result * dim.parts + number
        return result

    def permuted(self, permutation: Sequence[int]) -> Sharing:
        """Returns the sharing of the transposed value, whose owners stay the same."""
        return Sharing(tuple(self.dims[dim] for dim in permutation))

    def with_shape(self, shape: Sequence[int]) -> Sharing | None:
        """Returns the sharing of the value in another shape, part by part the same elements; None if impossible."""
        dims: list[Share] = []
        for ours, sizes in _groups(self.dims, shape):
            merged = _merged(ours)
            split = None if merged is None else _split(merged, sizes)
            if split is None:
                return None
            dims.extend(split)
        return Sharing(tuple(dims))

    def __str__(self) -> str:
        parts = "x".join(map(str, self.part_shape))
        owners = ", ".join("all" if dim.is_whole else f"{dim.count} by {dim.stride}" for dim in self.dims)
        return f"{parts} parts of {'x'.join(map(str, self.shape))} (subgroups: {owners})"


def _groups(dims: Sequence[Share], shape: Sequence[int]) -> Iterator[tuple[list[Share], list[int]]]:
    """Yields runs of dimensions on both sides that hold the same number of elements."""
    left, right = list(dims), list(shape)
    while left or right:
        ours, sizes = left[:1], right[:1]
        del left[:1], right[:1]
        while (have := prod(dim.size for dim in ours)) != (want := prod(sizes)):
            if have < want:
                ours.append(left.pop(0))
            else:
                sizes.append(right.pop(0))
        yield ours, sizes


def _merged(dims: Sequence[Share]) -> Share | None:
    """Merges several dimensions into one."""
    size = prod(dim.size for dim in dims)
    if all(dim.is_whole for dim in dims):
        return whole(size)
    outermost, *inner = [dim for dim in dims if dim.size > 1]
    if not all(dim.is_whole for dim in inner):
        return None
    return share(
        size, outermost.block * prod(dim.size for dim in inner), outermost.count, outermost.stride, outermost.base
    )


def _split(dim: Share, sizes: Sequence[int]) -> list[Share] | None:
    """Splits one dimension into several."""
    if dim.is_whole:
        return [whole(size) for size in sizes]
    outermost = next(i for i, size in enumerate(sizes) if size > 1)
    inner = prod(sizes[outermost + 1 :])
    if dim.block % inner != 0:
        return None
    shares = [whole(size) for size in sizes]
    shares[outermost] = share(sizes[outermost], dim.block // inner, dim.count, dim.stride, dim.base)
    return shares
