"""Who owns what of a work group's value: blocks, dealt out to subgroups round robin along each dimension."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, prod

from xegpu.dialects.xetile import WgMapAttr


@dataclass(frozen=True)
class Share:
    """How one dimension is shared. Equal ownership has one form only: make shares by `share` and `whole`.

    Subgroup `id` has the coordinate `c = id / stride % count`, and owns the blocks `(c + i * count) % blocks`.
    """

    size: int
    block: int
    count: int
    """How many subgroups own different blocks."""
    stride: int
    """How far apart the numbers are of two subgroups that are neighbours in this dimension."""

    @property
    def blocks(self) -> int:
        return self.size // self.block

    @property
    def parts(self) -> int:
        """How many blocks each subgroup owns."""
        return ceil(self.blocks / self.count)

    @property
    def is_whole(self) -> bool:
        """Whether every subgroup owns all of the dimension."""
        return self.count == 1

    @property
    def wraps(self) -> bool:
        """Whether coordinates run past the last block."""
        return self.blocks % self.count != 0

    @property
    def repeats(self) -> bool:
        """Whether some subgroups own a block in different rounds: a sum over subgroups would count it twice."""
        return self.wraps and self.parts > 1


def whole(size: int) -> Share:
    """Every subgroup owns all."""
    return Share(size, size, 1, 1)


def share(size: int, block: int, count: int, stride: int) -> Share:
    """The share by which `count` subgroups, `stride` apart, own blocks of `block` elements."""
    blocks = size // block
    if count % blocks == 0:  # the rest of the subgroups own what others own, too
        count = blocks
    return whole(size) if count == 1 else Share(size, block, count, stride)


@dataclass(frozen=True)
class Sharing:
    """How subgroups share a value. Each has a list of parts of equal shape, ordered row-major by their blocks."""

    dims: tuple[Share, ...]

    @staticmethod
    def of(wg_map: WgMapAttr, shape: Sequence[int]) -> Sharing:
        """What a map says about a value of rank 1 or 2, whose shape it has to divide."""
        (rows, columns), (height, width) = wg_map.layout, wg_map.data
        if len(shape) == 1:
            lies_down = width == 1  # along the dimension in which a block has more than one element
            return Sharing(
                (share(shape[0], height, rows, columns) if lies_down else share(shape[0], width, columns, 1),)
            )
        return Sharing((share(shape[0], height, rows, columns), share(shape[1], width, columns, 1)))

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
        """Whether every subgroup owns everything."""
        return all(dim.is_whole for dim in self.dims)

    def is_exclusive(self, subgroups: int) -> bool:
        """Whether no element has two owners among `subgroups`."""
        return prod(dim.count for dim in self.dims) == subgroups and not any(dim.wraps for dim in self.dims)

    def positions(self) -> Iterator[tuple[int, ...]]:
        """The place of each part in the grid of this subgroup's parts."""
        return product(*(range(dim.parts) for dim in self.dims))

    def index(self, position: Sequence[int]) -> int:
        """The place of a part in the list of parts."""
        result = 0
        for place, dim in zip(position, self.dims, strict=True):
            result = result * dim.parts + place
        return result

    def permuted(self, permutation: Sequence[int]) -> Sharing:
        """The sharing of the transposed value, whose owners stay the same."""
        return Sharing(tuple(self.dims[dim] for dim in permutation))

    def with_shape(self, shape: Sequence[int]) -> Sharing | None:
        """The sharing of the value in another shape, part by part the same elements; None if there is none."""
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
    """Runs of dimensions on both sides that hold the same number of elements."""
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
    """Several dimensions as one."""
    size = prod(dim.size for dim in dims)
    if all(dim.is_whole for dim in dims):
        return whole(size)
    outermost, *inner = [dim for dim in dims if dim.size > 1]
    if not all(dim.is_whole for dim in inner):
        return None
    return share(size, outermost.block * prod(dim.size for dim in inner), outermost.count, outermost.stride)


def _split(dim: Share, sizes: Sequence[int]) -> list[Share] | None:
    """One dimension as several."""
    if dim.is_whole:
        return [whole(size) for size in sizes]
    outermost = next(i for i, size in enumerate(sizes) if size > 1)
    inner = prod(sizes[outermost + 1 :])
    if dim.block % inner != 0:
        return None
    shares = [whole(size) for size in sizes]
    shares[outermost] = share(sizes[outermost], dim.block // inner, dim.count, dim.stride)
    return shares
