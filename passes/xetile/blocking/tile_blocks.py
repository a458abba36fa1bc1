"""Chooses the block size of tiles, whose accesses become messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from xdsl.ir import Operation, SSAValue

from passes.support.tiles.webs import TileWeb
from passes.xetile.blocking.grid import Shape, divisors
from passes.xetile.blocking.sizes import Sizes
from xegpu.dialects.xetile import AtomicRMWOp, LoadTileOp, PrefetchTileOp, StoreTileOp, TileType, TransposeOp
from xegpu.targets import BlockLimits


@dataclass(frozen=True)
class _BlockAccess:
    """The requirements and preferences of one access."""

    limits: BlockLimits
    vector: Shape | None = None
    """The block in which the vector is needed."""
    is_load: bool = True
    """True if one message may load several such blocks, one below the other."""
    exactly: bool = False
    """True if it must not, because the blocks are transposed."""

    def is_legal(self, rows: int, columns: int) -> bool:
        """Returns whether one message moves such a block; other blocks take several messages."""
        return self.limits.allows(columns, rows)

    def is_possible(self, rows: int, columns: int) -> bool:
        """Returns whether the block does not exceed the maximum size."""
        if self.exactly and self.vector is not None and rows > self.vector[0]:
            return False
        return rows <= self.limits.max_height and columns <= self.limits.max_width

    def keeps_columns(self, columns: int) -> bool:
        """Returns whether the vector is formed without dividing rows."""
        return self.vector is None or self.vector[1] % columns == 0

    def keeps_rows(self, rows: int) -> bool:
        """Returns whether the vector is formed, or stored, without joining rows."""
        return self.vector is None or self.vector[0] % rows == 0 or (self.is_load and rows % self.vector[0] == 0)


def tile_block(web: TileWeb, sizes: Sizes, vector_block: Callable[[SSAValue], Shape | None]) -> Shape:
    """Returns the block for which accesses take the fewest messages and vectors the fewest moves."""
    shape = web.type.get_shape()
    if web.type.is_scattered or any(isinstance(op, AtomicRMWOp) for op in web.accesses):
        return sizes.lanes(shape)
    accesses = [access for op in web.accesses for access in _accesses(op, web.type, sizes, vector_block)]

    def merit(block: Shape) -> tuple[bool, bool, bool, bool, int]:
        rows, columns = block
        return (
            all(access.is_possible(rows, columns) for access in accesses),
            all(access.is_legal(rows, columns) for access in accesses),
            all(access.keeps_columns(columns) for access in accesses),
            all(access.keeps_rows(rows) for access in accesses),
            rows * columns,
        )

    return max(_distributed(web.type, product(*map(divisors, shape))), key=merit)


def _distributed(tile: TileType, blocks: Iterator[Shape]) -> Iterator[Shape]:
    """Yields the blocks that can be distributed over the lanes of a subgroup."""
    if (sg_map := tile.sg_map) is None:
        return blocks
    lanes = sg_map.lane_map
    unit = [layout * data for layout, data in zip(lanes.layout, lanes.data, strict=True)]
    return (block for block in blocks if all(size % part == 0 for size, part in zip(block, unit, strict=True)))


def _accesses(
    op: Operation, tile: TileType, sizes: Sizes, vector_block: Callable[[SSAValue], Shape | None]
) -> Iterator[_BlockAccess]:
    shared, element = tile.memory_space != 0, tile.element_type
    match op:
        case LoadTileOp() if _is_transposed(op):
            yield _BlockAccess(sizes.transposed_load(element, shared=shared), vector_block(op.value), exactly=True)
        case LoadTileOp():
            yield _BlockAccess(sizes.load(element, shared=shared), vector_block(op.value))
        case StoreTileOp():
            yield _BlockAccess(sizes.store(element, shared=shared), vector_block(op.value), is_load=False)
        case PrefetchTileOp():
            yield _BlockAccess(sizes.load(element, shared=shared))
        case _:
            pass


def _is_transposed(op: LoadTileOp) -> bool:
    """Returns whether all users of a load are transposes."""
    users = [use.operation for use in op.value.uses]
    return bool(users) and all(isinstance(user, TransposeOp) for user in users)
