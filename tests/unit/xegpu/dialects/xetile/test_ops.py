"""Ops made in Python, alone and in random chains, verify and survive both forms of text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from xdsl.dialects.builtin import (
    FloatAttr,
    IndexType,
    IntegerAttr,
    MemRefType,
    ModuleOp,
    VectorType,
    f16,
    f32,
    i32,
    i64,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.dialects.vector import CombiningKindFlag
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.test_value import create_ssa_value

from tests.amounts import examples
from tests.unit.xegpu.dialects.support import context, generic, parse
from xegpu.dialects import dialects
from xegpu.dialects.xegpu import CacheHint, CacheHints
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
    StoreOp,
    StoreTileOp,
    TileAttr,
    TileMMAOp,
    TileType,
    TransposeOp,
    UpdateTileOffsetOp,
    WgMapAttr,
)
from xegpu.mlir import verify

NAMES = [
    *("init_tile", "update_tile_offset", "load_tile", "store_tile", "prefetch_tile"),
    *("load", "load_gather", "store", "store_scatter", "atomic_rmw"),
    *("tile_mma", "transpose", "reduction", "broadcast", "convert_layout"),
    *("tile_pack", "tile_unpack", "reduce", "init_coop_tile"),  # refused
]
BLOCK = TileType([32, 64], f16)
SCATTERED = TileType([4, 16], f32, TileAttr(scattered=True))


def value(type_: Attribute) -> SSAValue:
    return create_ssa_value(type_)


def test_all_ops_are_registered_under_their_names():
    names = {op.name for op in context().get_dialect("xetile").operations}
    assert "xetile" in dialects()
    assert names == {f"xetile.{name}" for name in NAMES}


def test_init_tile_of_block():
    i = value(IndexType())
    op = InitTileOp(value(i64), [i, 8], TileType([32, 64], f32), [i, 64], [i, 1])
    op.verify()
    assert op.mixed_offsets == [i, 8]
    assert op.mixed_sizes == [i, 64]
    assert op.mixed_strides == [i, 1]
    assert op.indices is None


def test_init_tile_of_static_memref_has_no_lists():
    op = InitTileOp(value(MemRefType(f16, [64, 64])), [0, 0], BLOCK)
    op.verify()
    assert op.mixed_offsets == [0, 0]
    assert op.mixed_sizes is None
    assert op.mixed_strides is None


def test_init_tile_of_indices():
    indices = value(VectorType(IndexType(), [4, 16]))
    op = InitTileOp(value(MemRefType(f32, [4096])), None, SCATTERED, indices=indices)
    op.verify()
    assert op.mixed_offsets is None
    assert op.indices is indices


def test_update_tile_offset_keeps_the_type():
    i = value(IndexType())
    op = UpdateTileOffsetOp(value(BLOCK), (i, i))
    op.verify()
    assert op.result.type == BLOCK
    op = UpdateTileOffsetOp(value(SCATTERED), None, value(VectorType(IndexType(), [4, 16])))
    op.verify()
    assert op.result.type == SCATTERED


def test_loads_have_the_shape_of_their_tile():
    hints = CacheHints(CacheHint.CACHED, None, CacheHint.STREAMING)
    op = LoadTileOp(value(BLOCK), padding=FloatAttr(1.0, f32), hints=hints)
    op.verify()
    assert op.value.type == VectorType(f16, [32, 64])
    assert op.hints == hints
    assert op.padding == FloatAttr(1.0, f32)
    from_indices = LoadOp(value(SCATTERED), value(VectorType(IntegerAttr.from_bool(True).type, [4, 16])))
    from_indices.verify()
    assert from_indices.value.type == VectorType(f32, [4, 16])
    assert from_indices.padding is None


@pytest.mark.parametrize("kind", list(AtomicKind))
def test_atomic_kinds_survive_text(kind):
    element = i32 if kind.fits(i32) else f32
    block = Block(arg_types=[VectorType(element, [8, 16]), TileType([8, 16], element)])
    op = AtomicRMWOp(kind, *block.args)
    assert op.atomic_kind is kind
    assert op.result.type == VectorType(element, [8, 16])
    module = function(block, [op])
    assert parse(str(module)).is_structurally_equivalent(module)
    assert f" {kind.keyword} " in str(module)


def test_shapes_of_results():
    x = value(VectorType(f32, [32, 64]))
    assert TransposeOp(x).result.type == VectorType(f32, [64, 32])
    assert ReductionOp(CombiningKindFlag.ADD, x, [1]).result.type == VectorType(f32, [32, 1])
    assert ReductionOp(CombiningKindFlag.ADD, x, [0, 1]).result.type == VectorType(f32, [1, 1])
    assert ConvertLayoutOp(x, WgMapAttr((1, 1), (32, 64))).result.type == x.type


def function(block: Block, ops: list[Operation]) -> ModuleOp:
    """A verified module with one function of the arguments of `block`."""
    block.add_ops([*ops, ReturnOp()])
    module = ModuleOp([FuncOp("f", (block.arg_types, []), Region(block))])
    verify(module)
    return module


hints = st.builds(CacheHints, *[st.sampled_from([None, CacheHint.CACHED, CacheHint.UNCACHED, CacheHint.STREAMING])] * 3)
constants = st.integers(-(1 << 63) + 1, (1 << 63) - 1)
counts = st.integers(1, 3)


@st.composite
def modules(draw: st.DrawFn) -> ModuleOp:
    """A function with random chains of tiles, loads, computation and stores, for subgroups or for work groups."""
    m, n, k = (16 * draw(counts) for _ in range(3))
    maps = [WgMapAttr((draw(counts), draw(counts)), (8, 16)) for _ in range(2)]
    store_map = WgMapAttr((m // 8, 1), (8, n))
    at_work_group = draw(st.booleans())
    block = Block(
        arg_types=[
            MemRefType(f16, [64, 64]),
            MemRefType(f32, [64, 64]),
            IndexType(),
            IndexType(),
        ]
    )
    halves, singles, *indices = block.args
    offset = st.sampled_from(indices) | constants
    ops: list[Operation] = []

    def add(op: Operation) -> SSAValue:
        ops.append(op)
        return op.results[0]

    def tile(source: SSAValue, element: Attribute, shape: list[int], wg_map: WgMapAttr) -> SSAValue:
        encoding = TileAttr(wg_map=wg_map) if at_work_group else draw(st.sampled_from([None, TileAttr()]))
        type_ = TileType(shape, element, encoding)
        result = add(InitTileOp(source, [draw(offset), draw(offset)], type_))
        for _ in range(draw(st.integers(0, 2))):
            result = add(UpdateTileOffsetOp(result, (draw(st.sampled_from(indices)), draw(st.sampled_from(indices)))))
            ops.append(PrefetchTileOp(result, draw(hints)))
        return result

    a = add(LoadTileOp(tile(halves, f16, [m, k], maps[0]), hints=draw(hints)))
    b = add(LoadTileOp(tile(halves, f16, [k, n], maps[1]), padding=draw(st.sampled_from([None, FloatAttr(0.5, f32)]))))
    if draw(st.booleans()):
        b = add(TransposeOp(add(TransposeOp(b))))
    target = tile(singles, f32, [m, n], store_map)
    c = draw(st.sampled_from([None, add(LoadTileOp(target))]))
    wg_maps = (maps[0], maps[1], store_map) if at_work_group else None
    result = add(TileMMAOp(a, b, c, VectorType(f32, [m, n]), wg_maps))
    if at_work_group:
        result = add(ConvertLayoutOp(result, store_map, draw(st.sampled_from([None, store_map]))))
    dim = draw(st.integers(0, 1))
    kind = draw(st.sampled_from([CombiningKindFlag.ADD, CombiningKindFlag.MAXIMUMF]))
    result = add(BroadcastOp(add(ReductionOp(kind, result, [dim])), [dim], VectorType(f32, [m, n])))
    ops.append(StoreTileOp(result, target, draw(hints)))
    return function(block, ops)


def assert_survives_text(module: ModuleOp) -> None:
    assert parse(str(module)).is_structurally_equivalent(module)
    assert parse(generic(module)).is_structurally_equivalent(module)
    assert str(parse(generic(module))) == str(module)


@settings(max_examples=examples(40), deadline=None)
@given(modules())
def test_random_modules_survive_both_forms(module):
    assert_survives_text(module)


@settings(max_examples=examples(20), deadline=None)
@given(st.lists(counts, min_size=1, max_size=2), hints, st.booleans())
def test_random_gathers_survive_both_forms(shape, some_hints, atomic):
    tile = TileType(shape, f32, TileAttr(scattered=True))
    index, mask = VectorType(IndexType(), shape), VectorType(IntegerAttr.from_bool(True).type, shape)
    block = Block(arg_types=[MemRefType(f32, [4096]), index, mask])
    source, indices, lanes = block.args
    init = InitTileOp(source, None, tile, indices=indices)
    update = UpdateTileOffsetOp(init, None, indices)
    load = LoadOp(update, lanes, padding=FloatAttr(2.0, f32), hints=some_hints)
    ops: list[Operation] = [init, update, load, StoreOp(load, init, lanes, some_hints)]
    if atomic and len(shape) == 2:
        ops.append(AtomicRMWOp(AtomicKind.ADDF, load, init))
    assert_survives_text(function(block, ops))
