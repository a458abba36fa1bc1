"""Rules that divide each operation into operations on blocks."""

from __future__ import annotations

from functools import reduce
from itertools import product

from xdsl.dialects.arith import ConstantOp, SubiOp
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.ir import Operation, SSAValue

from passes.support.op_builder import known
from passes.support.op_table import OpTable
from passes.support.vectors.combining import combine
from passes.support.vectors.elementwise import vector_shape
from passes.xetile.blocking.constants import constant_parts
from passes.xetile.blocking.grid import Grid, Shape
from passes.xetile.blocking.requests import before_transpose, mma_blocks, recast_block, reduced_block, repeated_block
from passes.xetile.blocking.slices import box
from passes.xetile.blocking.values import BlockedValues, part_type
from xegpu.dialects.upstream.vector import (
    BroadcastOp as VectorBroadcastOp,
    CreateMaskOp,
    ExtractStridedSliceOp,
    ShapeCastOp,
    SplatOp,
    TransposeOp as VectorTransposeOp,
    vector_type,
)
from xegpu.dialects.xegpu import integers
from xegpu.dialects.xetile import (
    AtomicRMWOp,
    BroadcastOp,
    InitTileOp,
    LoadOp,
    LoadTileOp,
    PrefetchTileOp,
    ReductionOp,
    StoreOp,
    StoreTileOp,
    TileMMAOp,
    TileType,
    TransposeOp,
    UpdateTileOffsetOp,
)

# Tiles


RULES = OpTable[BlockedValues, bool]()
"""The rules by operation. A rule returns False if the operation must work on whole vectors."""


@RULES.register(InitTileOp)
def _init_tile(values: BlockedValues, op: InitTileOp) -> bool:
    grid = Grid(op.tile.type.get_shape(), values.block(op.tile))
    type = part_type(op.tile.type, grid.block)
    assert isinstance(type, TileType)
    if op.indices is not None:
        tiles = [InitTileOp(op.source, None, type, indices=part) for part in values.cut(op.indices, grid.block)]
    else:
        *outer, row, column = op.start
        (rows, columns), (height, width) = grid.counts, grid.block
        starts = product(
            [values.builder.plus(row, number * height) for number in range(rows)],
            [values.builder.plus(column, number * width) for number in range(columns)],
        )
        tiles = [InitTileOp(op.source, [*outer, *start], type, op.mixed_sizes, op.mixed_strides) for start in starts]
    for tile in tiles:
        tile.attributes.update(op.attributes)
        values.builder.insert(tile)
    values.define(op.tile, grid.block, [tile.tile for tile in tiles])
    return True


@RULES.register(UpdateTileOffsetOp)
def _update_tile_offset(values: BlockedValues, op: UpdateTileOffsetOp) -> bool:
    block, tiles = values.block(op.tile), values.own(op.tile)
    if op.indices is None:
        moves = [list(op.moves)] * len(tiles)
    else:
        moves = [[indices] for indices in values.cut(op.indices, block)]
    moved = [values.copy(op, [tile, *move], [tile.type]).results[0] for tile, move in zip(tiles, moves, strict=True)]
    values.define(op.result, block, moved)
    return True


@RULES.register(AtomicRMWOp, LoadOp, LoadTileOp, PrefetchTileOp, StoreOp, StoreTileOp)
def _access(values: BlockedValues, op: Operation) -> bool:
    """Divides a load, store, prefetch or atomic update into one for each block of the tile."""
    (tile,) = (operand for operand in op.operands if isinstance(operand.type, TileType))
    block = values.block(tile)
    operands = [values.cut(operand, block) for operand in op.operands]
    types = [part_type(result.type, block) for result in op.results]
    parts = [values.copy(op, list(each), types) for each in zip(*operands, strict=True)]
    for index, result in enumerate(op.results):
        values.define(result, block, [made.results[index] for made in parts])
    return True


# Vectors


@RULES.register(TileMMAOp)
def _tile_mma(values: BlockedValues, op: TileMMAOp) -> bool:
    """Divides a product: each block of C accumulates the products along K, in order."""
    block_a, block_b, block_c = mma_blocks(op, values.sizes)
    a, b = values.cut(op.a, block_a), values.cut(op.b, block_b)
    grid_a = Grid(vector_type(op.a).get_shape(), block_a)
    grid_b = Grid(vector_type(op.b).get_shape(), block_b)
    grid_c = Grid(vector_type(op.output).get_shape(), block_c)
    starts = [None] * grid_c.count if op.c is None else values.cut(op.c, block_c)
    type = part_type(op.output.type, block_c)
    sums: list[SSAValue] = []
    for (row, column), start in zip(grid_c.positions, starts, strict=True):
        total = start
        for step in range(grid_a.counts[1]):
            operands = [a[grid_a.index((row, step))], b[grid_b.index((step, column))]]
            if total is not None:
                operands.append(total)
            total = values.copy(op, operands, [type]).results[0]
        assert total is not None
        sums.append(total)
    values.define(op.output, block_c, sums)
    return True


@RULES.register(ReductionOp)
def _reduction(values: BlockedValues, op: ReductionOp) -> bool:
    """Divides a reduction: combines blocks element by element, then the elements of the remaining block."""
    dims, kind = integers(op.reduction_dims), op.kind.data
    parts, grid = values.own(op.source), Grid(vector_type(op.source).get_shape(), values.block(op.source))
    block = reduced_block(grid.block, dims)
    reduced: list[SSAValue] = []
    for position in Grid(vector_type(op.result).get_shape(), block).positions:
        along = (range(grid.counts[dim]) if dim in dims else (number,) for dim, number in enumerate(position))
        terms = [parts[grid.index(term)] for term in product(*along)]
        total = reduce(lambda x, y: values.builder.add(combine(kind, x, y)), terms)
        reduced.append(
            total if grid.block == block else values.copy(op, [total], [part_type(op.result.type, block)]).results[0]
        )
    values.define(op.result, block, reduced)
    return True


@RULES.register(BroadcastOp, SplatOp, VectorBroadcastOp)
def _broadcast(values: BlockedValues, op: BroadcastOp | SplatOp | VectorBroadcastOp) -> bool:
    """Divides a broadcast: blocks along the repeated dimensions are the same value."""
    (source,), (result,) = op.operands, op.results
    grid, shape = Grid(vector_type(result).get_shape(), values.block(result)), vector_shape(source)
    block = () if shape is None else repeated_block(shape, grid.block)
    parts = [source] if shape is None else values.cut(source, block)
    sources, type = Grid(shape or (), block), part_type(result.type, grid.block)
    made: dict[Shape, SSAValue] = {}
    repeated: list[SSAValue] = []
    for position in grid.positions:
        counts, inner = sources.counts, position[len(position) - len(block) :]
        origin = tuple(0 if count == 1 else number for count, number in zip(counts, inner, strict=True))
        if origin not in made:
            piece = parts[sources.index(origin)]
            made[origin] = piece if piece.type == type else values.copy(op, [piece], [type]).results[0]
        repeated.append(made[origin])
    values.define(result, grid.block, repeated)
    return True


@RULES.register(TransposeOp, VectorTransposeOp)
def _transpose(values: BlockedValues, op: TransposeOp | VectorTransposeOp) -> bool:
    """Divides a transpose: blocks are permuted, and each is transposed."""
    permutation, (result,) = integers(op.permutation), op.results
    grid = Grid(vector_type(result).get_shape(), values.block(result))
    source = Grid(vector_type(op.vector).get_shape(), before_transpose(grid.block, permutation))
    parts, type = values.cut(op.vector, source.block), part_type(result.type, grid.block)
    transposed = [
        values.copy(op, [parts[source.index(before_transpose(position, permutation))]], [type]).results[0]
        for position in grid.positions
    ]
    values.define(result, grid.block, transposed)
    return True


@RULES.register(ShapeCastOp)
def _shape_cast(values: BlockedValues, op: ShapeCastOp) -> bool:
    """Divides a cast that adds or removes unit dimensions; other casts work on whole vectors."""
    if vector_shape(op.result) is None or vector_shape(op.source) is None:
        return False
    block = values.block(op.result)
    if (source := recast_block(op.result, op.source, block)) is None:
        return False
    type = part_type(op.result.type, block)
    parts = [values.copy(op, [piece], [type]).results[0] for piece in values.cut(op.source, source)]
    values.define(op.result, block, parts)
    return True


@RULES.register(ExtractStridedSliceOp)
def _extract_strided_slice(values: BlockedValues, op: ExtractStridedSliceOp) -> bool:
    """Divides a slice: its blocks are boxes of the source's blocks."""
    shape, (result,) = vector_shape(op.vector), op.results
    if shape is None:
        return False
    source, grid = Grid(shape, values.block(op.vector)), Grid(vector_type(result).get_shape(), values.block(result))
    parts, offsets = values.own(op.vector), [entry.value.data for entry in op.offsets]
    offsets += [0] * (len(shape) - len(offsets))
    slices = [
        box(values.builder, parts, source, tuple(a + b for a, b in zip(origin, offsets, strict=True)), grid.block)
        for origin in grid.origins
    ]
    values.define(result, grid.block, slices)
    return True


@RULES.register(ConstantOp)
def _constant(values: BlockedValues, op: ConstantOp) -> bool:
    shape = vector_shape(op.result)
    if shape is None or shape == values.block(op.result) or not isinstance(op.value, DenseIntOrFPElementsAttr):
        return False
    grid = Grid(shape, values.block(op.result))
    made: dict[DenseIntOrFPElementsAttr, SSAValue] = {}
    for part in (parts := constant_parts(op.value, grid)):
        if part not in made:
            made[part] = values.builder.add(ConstantOp(part))
    values.define(op.result, grid.block, [made[part] for part in parts])
    return True


@RULES.register(CreateMaskOp)
def _create_mask(values: BlockedValues, op: CreateMaskOp) -> bool:
    """Divides a mask: bounds count from the first element of each block; `vector.create_mask` clamps them."""
    shape = vector_shape(op.mask_vector)
    if shape is None:
        return False
    grid = Grid(shape, values.block(op.mask_vector))
    type = part_type(op.mask_vector.type, grid.block)
    bounds = [
        [_less(values, bound, number * size) for number in range(count)]
        for bound, count, size in zip(op.mask_dim_sizes, grid.counts, grid.block, strict=True)
    ]
    masks = [
        values.copy(op, [row[number] for row, number in zip(bounds, position, strict=True)], [type]).results[0]
        for position in grid.positions
    ]
    values.define(op.mask_vector, grid.block, masks)
    return True


def _less(values: BlockedValues, bound: SSAValue, origin: int) -> SSAValue:
    """Returns a bound relative to `origin`."""
    if origin == 0:
        return bound
    constant = known(bound)
    if isinstance(constant, int):
        return values.builder.value(max(constant - origin, 0))
    return values.builder.add(SubiOp(bound, values.builder.value(origin)))


def elementwise(values: BlockedValues, op: Operation) -> None:
    """Divides an operation that works block by block."""
    block = values.block(op.results[0])
    types = [part_type(result.type, block) for result in op.results]
    count = Grid(vector_type(op.results[0]).get_shape(), block).count
    operands = [
        [operand] * count if vector_shape(operand) is None else values.cut(operand, block) for operand in op.operands
    ]
    parts = [values.copy(op, list(each), types) for each in zip(*operands, strict=True)]
    for index, result in enumerate(op.results):
        values.define(result, block, [made.results[index] for made in parts])
