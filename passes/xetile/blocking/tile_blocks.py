"""Picks the block size of tiles, whose accesses become messages."""

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
    """What one access allows and wants."""

    limits: BlockLimits
    vector: Shape | None = None
    """The block in which the vector is wanted."""
    is_load: bool = True
    """Whether one message may bring several of those, one above the other."""
    exactly: bool = False
    """Whether it may not after all: they are transposed on the way."""

    def is_legal(self, rows: int, columns: int) -> bool:
        """Whether one message moves such a block; what no message moves takes several, or lanes."""
        return self.limits.allows(columns, rows)

    def is_possible(self, rows: int, columns: int) -> bool:
        """Whether the block is not too large."""
        if self.exactly and self.vector is not None and rows > self.vector[0]:
            return False
        return rows <= self.limits.max_height and columns <= self.limits.max_width

    def keeps_columns(self, columns: int) -> bool:
        """Whether the vector is made without cutting rows."""
        return self.vector is None or self.vector[1] % columns == 0

    def keeps_rows(self, rows: int) -> bool:
        """Whether the vector is made, or stored, without putting rows together."""
        return self.vector is None or self.vector[0] % rows == 0 or (self.is_load and rows % self.vector[0] == 0)


def tile_block(web: TileWeb, sizes: Sizes, vector_block: Callable[[SSAValue], Shape | None]) -> Shape:
    """The block that serves every access with as few messages as possible, and the vectors with as few moves."""
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
    """The blocks that the lanes of a subgroup can share."""
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
    """Whether nothing but its transpose is wanted of a load."""
    users = [use.operation for use in op.value.uses]
    return bool(users) and all(isinstance(user, TransposeOp) for user in users)
