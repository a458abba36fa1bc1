"""XeTile's operations."""

from __future__ import annotations

from hypothesis import strategies as st
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    FloatAttr,
    IntegerAttr,
    MemRefType,
    VectorType,
    bf16,
    f16,
    f32,
    i1,
    i8,
    i32,
    i64,
)
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Attribute

from tests.unit.xegpu.dialects.generators.blocks import PRODUCTS, READ_HINTS, UNSIGNED, WRITE_HINTS
from tests.unit.xegpu.dialects.generators.scope import Production, Scope, index
from xegpu.dialects.xetile import (
    AtomicKind,
    AtomicRMWOp,
    BroadcastOp,
    ConvertLayoutOp,
    InitTileOp,
    LoadOp,
    LoadTileOp,
    PrefetchTileOp,
    ReductionOp,
    SgMapAttr,
    StoreOp,
    StoreTileOp,
    TileAttr,
    TileMMAOp,
    TileType,
    TransposeOp,
    UpdateTileOffsetOp,
    WgMapAttr,
)

ELEMENTS = (i8, i32, f16, bf16, f32)
SIZES = (16, 32, 64, 256)
LANES = SgMapAttr((1, 16), (1, 1))
SCATTERED = TileAttr(scattered=True)
SHARED = WgMapAttr((4, 4), (4, 4))
"""A map that divides every tile here."""


def block(scope: Scope) -> TileType:
    shape = [scope.one_of(SIZES), scope.one_of(SIZES)]
    attribute = None
    if scope.flip():
        lanes, shared = scope.one_of(((None, None), (LANES, None), (None, SHARED)))
        attribute = TileAttr(lanes, shared, scope.one_of(((1, 0), (0, 1))))
    return TileType(shape, scope.one_of(ELEMENTS), attribute)


def places(scope: Scope) -> TileType:
    return TileType([scope.one_of((1, 4)), 16], scope.one_of(ELEMENTS), SCATTERED)


def vector_of(tile: TileType, element: Attribute | None = None) -> VectorType:
    return VectorType(element or tile.element_type, tile.get_shape())


def matrix(scope: Scope) -> VectorType:
    return VectorType(scope.one_of(ELEMENTS), [scope.one_of(SIZES), scope.one_of(SIZES)])


def padding(scope: Scope, element: Attribute) -> Attribute | None:
    if scope.flip():
        return None
    return FloatAttr(scope.one_of((0.0, 1.5)), f32) if element in (f16, bf16, f32) else IntegerAttr(7, i32)


def init_block(scope: Scope) -> None:
    tile = block(scope)
    outer = [4] * scope.draw(st.integers(0, 2))
    source = scope.value(MemRefType(tile.element_type, [*outer, DYNAMIC_INDEX, DYNAMIC_INDEX]))
    rank = len(outer) + 2
    sizes = [scope.value(index) for _ in range(rank)]
    scope.add(InitTileOp(source, scope.list_of(rank), tile, sizes, [*sizes[1:], 1]))


def init_block_of_static_memref(scope: Scope) -> None:
    tile = TileType([32, 16], scope.one_of(ELEMENTS))
    scope.add(InitTileOp(scope.value(MemRefType(tile.element_type, [1024, 512])), scope.list_of(2), tile))


def init_block_of_address(scope: Scope) -> None:
    tile = TileType([32, 16], scope.one_of(ELEMENTS))
    source = scope.value(scope.one_of((i64, UNSIGNED)))
    sizes = [scope.value(index), scope.value(index)]
    scope.add(InitTileOp(source, scope.list_of(2), tile, sizes, [sizes[1], 1]))


def init_places(scope: Scope) -> None:
    tile = places(scope)
    source = scope.value(MemRefType(tile.element_type, [4096]))
    scope.add(InitTileOp(source, None, tile, indices=scope.value(vector_of(tile, index))))


def load_tile(scope: Scope) -> None:
    tile = block(scope)
    pad = padding(scope, tile.element_type)
    scope.add(LoadTileOp(scope.value(tile), padding=pad, hints=scope.draw(READ_HINTS)))


def store_tile(scope: Scope) -> None:
    tile = block(scope)
    scope.add(StoreTileOp(scope.value(vector_of(tile)), scope.value(tile), scope.draw(WRITE_HINTS)))


def prefetch_tile(scope: Scope) -> None:
    scope.add(PrefetchTileOp(scope.value(block(scope)), scope.draw(READ_HINTS)))


def load_places(scope: Scope) -> None:
    tile = places(scope)
    pad = padding(scope, tile.element_type)
    mask = scope.value(vector_of(tile, i1))
    scope.add(LoadOp(scope.value(tile), mask, padding=pad, hints=scope.draw(READ_HINTS)))


def store_places(scope: Scope) -> None:
    tile = places(scope)
    value, mask = scope.value(vector_of(tile)), scope.value(vector_of(tile, i1))
    scope.add(StoreOp(value, scope.value(tile), mask, scope.draw(WRITE_HINTS)))


def update_block(scope: Scope) -> None:
    scope.add(UpdateTileOffsetOp(scope.value(block(scope)), (scope.value(index), scope.value(index))))


def update_places(scope: Scope) -> None:
    tile = places(scope)
    scope.add(UpdateTileOffsetOp(scope.value(tile), None, scope.value(vector_of(tile, index))))


def multiply(scope: Scope) -> None:
    types = scope.one_of(PRODUCTS)
    m, n, k = (scope.one_of(SIZES) for _ in range(3))
    left, right = scope.value(VectorType(types.factor, [m, k])), scope.value(VectorType(types.factor, [k, n]))
    result = VectorType(types.sum, [m, n])
    maps = (SHARED, SHARED, SHARED) if scope.flip() else None
    scope.add(TileMMAOp(left, right, scope.value(result) if scope.flip() else None, result, maps))


def atomic(scope: Scope) -> None:
    tile = TileType([8, 16], scope.one_of((i32, f32)))
    kind = scope.draw(st.sampled_from(AtomicKind).filter(lambda kind: kind.fits(tile.element_type)))
    scope.add(AtomicRMWOp(kind, scope.value(vector_of(tile)), scope.value(tile)))


def transpose(scope: Scope) -> None:
    scope.add(TransposeOp(scope.value(matrix(scope))))


def reduce(scope: Scope) -> None:
    source = scope.value(VectorType(f32, [scope.one_of(SIZES), scope.one_of(SIZES)]))
    kind = scope.one_of((CombiningKindFlag.ADD, CombiningKindFlag.MUL, CombiningKindFlag.MAXIMUMF))
    scope.add(ReductionOp(kind, source, [scope.one_of((0, 1))]))


def broadcast(scope: Scope) -> None:
    result = matrix(scope)
    dim = scope.one_of((0, 1))
    shape = [1 if number == dim else size for number, size in enumerate(result.get_shape())]
    scope.add(BroadcastOp(scope.value(VectorType(result.element_type, shape)), [dim], result))


def convert_layout(scope: Scope) -> None:
    scope.add(ConvertLayoutOp(scope.value(matrix(scope)), SHARED, scope.one_of((None, SHARED))))


TILES: tuple[Production, ...] = (
    init_block,
    init_block_of_static_memref,
    init_block_of_address,
    init_places,
    load_tile,
    store_tile,
    prefetch_tile,
    load_places,
    store_places,
    update_block,
    update_places,
    multiply,
    atomic,
    transpose,
    reduce,
    broadcast,
    convert_layout,
)
