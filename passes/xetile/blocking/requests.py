"""Requests: the block sizes in which operations need their operands and results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from xdsl.ir import Operation, SSAValue

from passes.support.op_table import OpTable
from passes.support.vectors.elementwise import vector_shape
from passes.xetile.blocking.grid import Shape, largest_divisor
from passes.xetile.blocking.sizes import Sizes
from xegpu.diagnostics import CompileError
from xegpu.dialects.upstream.vector import (
    BroadcastOp as VectorBroadcastOp,
    ShapeCastOp,
    TransposeOp as VectorTransposeOp,
    vector_type,
)
from xegpu.dialects.xegpu import integers
from xegpu.dialects.xetile import (
    AtomicRMWOp,
    BroadcastOp,
    InitTileOp,
    LoadOp,
    ReductionOp,
    StoreOp,
    StoreTileOp,
    TileMMAOp,
    TransposeOp,
    UpdateTileOffsetOp,
    tile_type,
)

Known = Callable[[SSAValue], Shape | None]
"""Returns the block of a vector, as far as it is decided."""
Request = tuple[SSAValue, Shape]


class _Blocks(NamedTuple):
    """The blocks that the target has, and those that are decided."""

    sizes: Sizes
    known: Known


_RULES = OpTable[_Blocks, Iterator[Request]]()


def requests(op: Operation, sizes: Sizes, known: Known) -> Iterator[Request]:
    """Yields the blocks that an operation requests, given those that are decided.

    Raises `CompileError` for a product that the target's blocks do not fill.
    """
    if (rule := _RULES.get(op)) is not None:
        yield from rule(_Blocks(sizes, known), op)


def mma_blocks(op: TileMMAOp, sizes: Sizes) -> tuple[Shape, Shape, Shape]:
    """Returns the blocks of A, B and C. Raises `CompileError` if they do not fill the operands."""
    a, b = vector_type(op.a), vector_type(op.b)
    (m, k), (_, n) = a.get_shape(), b.get_shape()
    depth, columns = sizes.depth(a.element_type), sizes.columns
    if k % depth or n % columns:
        raise CompileError(
            op,
            f"multiplies {m}x{k} by {k}x{n} elements of {a.element_type}: {sizes.target.name} needs a multiple of "
            f"{depth} along K and of {columns} along N",
        )
    rows = sizes.rows(m)
    return (rows, depth), (depth, columns), (rows, columns)


@_RULES.register(TileMMAOp)
def _mma(blocks: _Blocks, op: TileMMAOp) -> Iterator[Request]:
    a, b, c = mma_blocks(op, blocks.sizes)
    yield from ((op.a, a), (op.b, b), (op.output, c))
    if op.c is not None:
        yield op.c, c


@_RULES.register(StoreTileOp)
def _store(blocks: _Blocks, op: StoreTileOp) -> Iterator[Request]:
    tile = tile_type(op.tile)
    limits = blocks.sizes.store(tile.element_type, shared=tile.memory_space != 0)
    rows, columns = tile.get_shape()
    yield op.value, (blocks.sizes.rows(rows), largest_divisor(columns, limits.max_width))


@_RULES.register(LoadOp, StoreOp, AtomicRMWOp, InitTileOp, UpdateTileOffsetOp)
def _by_lanes(blocks: _Blocks, op: Operation) -> Iterator[Request]:
    """Requests blocks of elements with an address each."""
    for value in (*op.operands, *op.results):
        if (shape := vector_shape(value)) is not None:
            yield value, blocks.sizes.lanes(shape)


@_RULES.register(BroadcastOp, VectorBroadcastOp)
def _broadcast(blocks: _Blocks, op: BroadcastOp | VectorBroadcastOp) -> Iterator[Request]:
    shape, block = vector_shape(op.source), blocks.known(op.results[0])
    if shape is not None and block is not None:
        yield op.source, repeated_block(shape, block)


def repeated_block(shape: Shape, block: Shape) -> Shape:
    """Returns the part of a source of `shape` whose repetition gives a block."""
    return tuple(min(size, part) for size, part in zip(shape, block[len(block) - len(shape) :], strict=True))


@_RULES.register(TransposeOp, VectorTransposeOp)
def _transpose(blocks: _Blocks, op: TransposeOp | VectorTransposeOp) -> Iterator[Request]:
    permutation, (result,) = integers(op.permutation), op.results
    if (block := blocks.known(result)) is not None:
        # A block of one row would become a column, the worst shape: it is cheaper to slice it from another block.
        if not _is_one_row(result, block):
            yield op.vector, before_transpose(block, permutation)
    elif (block := blocks.known(op.vector)) is not None and not _is_one_row(op.vector, block):
        yield result, tuple(block[dim] for dim in permutation)


def _is_one_row(value: SSAValue, block: Shape) -> bool:
    """Returns whether a block is one row out of several."""
    shape = vector_shape(value)
    return shape is not None and len(shape) == 2 and block[0] == 1 < shape[0]


def before_transpose(block: Sequence[int], permutation: Sequence[int]) -> Shape:
    """Returns the block that a permutation takes to `block`."""
    sizes = dict(zip(permutation, block, strict=True))
    return tuple(sizes[dim] for dim in range(len(sizes)))


@_RULES.register(ReductionOp)
def _reduction(blocks: _Blocks, op: ReductionOp) -> Iterator[Request]:
    if (block := blocks.known(op.source)) is not None:
        yield op.result, reduced_block(block, integers(op.reduction_dims))


def reduced_block(block: Shape, dims: Sequence[int]) -> Shape:
    """Returns the shape of a block after its reduction."""
    return tuple(1 if dim in dims else size for dim, size in enumerate(block))


@_RULES.register(ShapeCastOp)
def _shape_cast(blocks: _Blocks, op: ShapeCastOp) -> Iterator[Request]:
    for value, other in ((op.source, op.result), (op.result, op.source)):
        block = blocks.known(other)
        if block is not None and (recast := recast_block(other, value, block)) is not None:
            yield value, recast


def recast_block(old: SSAValue, new: SSAValue, block: Shape) -> Shape | None:
    """Returns the block of `new` for a block of `old`, which may only differ in unit dimensions; else None."""
    old_shape, new_shape = vector_shape(old), vector_shape(new)
    if old_shape is None or new_shape is None or _long(old_shape) != _long(new_shape):
        return None
    parts = iter(part for size, part in zip(old_shape, block, strict=True) if size != 1)
    return tuple(1 if size == 1 else next(parts) for size in new_shape)


def _long(shape: Shape) -> list[int]:
    return [size for size in shape if size != 1]
