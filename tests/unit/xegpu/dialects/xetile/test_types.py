"""Tests of the properties of tiles and maps, and of types and attributes read back from text."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, strategies as st
from xdsl.dialects.builtin import DYNAMIC_INDEX, IndexType, IntegerType, Signedness, bf16, f16, f32, f64, tf32
from xdsl.ir import Attribute
from xdsl.utils.exceptions import ParseError, VerifyException

from tests.unit.xegpu.dialects.support import context, parse_attribute
from xegpu.diagnostics import CompileError, SourceBuffer
from xegpu.dialects.fields import MAX_I32
from xegpu.dialects.xegpu import CacheHint, LaneMap
from xegpu.dialects.xegpu.attributes import MAX_I64
from xegpu.dialects.xetile import CacheHintAttr, SgMapAttr, TileAttr, TileType, WgMapAttr
from xegpu.dialects.xetile.attributes import COLUMN_MAJOR, ROW_MAJOR
from xegpu.mlir import parse_module

ELEMENTS: list[Attribute] = [
    *(IntegerType(bits, sign) for bits in (1, 8, 16, 32, 64) for sign in Signedness),
    IndexType(),
    f16,
    bf16,
    tf32,
    f32,
    f64,
]


def test_defaults_are_filled_in():
    for plain in (TileType([8, 16], f16), TileType([8, 16], f16, TileAttr())):
        assert not plain.is_scattered
        assert not plain.is_column_major
        assert plain.memory_space == 0
        assert plain.wg_map is None
        assert plain.sg_map is None


def test_fields_are_read():
    lanes, subgroups = SgMapAttr((1, 16), (2, 1)), WgMapAttr((4, 2), (32, 16))
    tile = TileType([128, 32], f16, TileAttr(lanes, subgroups, COLUMN_MAJOR, 3, False))
    assert (tile.get_shape(), tile.element_type) == ((128, 32), f16)
    assert (tile.is_column_major, tile.memory_space, tile.is_scattered) == (True, 3, False)
    assert tile.wg_map == subgroups
    assert (subgroups.layout, subgroups.data) == ((4, 2), (32, 16))
    assert tile.sg_map == lanes
    assert lanes.lane_map == LaneMap((1, 16), (2, 1))
    assert TileType([16], f32, TileAttr(scattered=True)).is_scattered


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("3", 3),
        ("3 : i32", 3),
        ("0 : i64", 0),
        ("#xegpu<memory_space slm>", 3),
        ("#gpu.address_space<workgroup>", 3),
        ("#gpu.address_space<global>", 0),
    ],
)
def test_memory_spaces_are_compared_by_number(text, number):
    tile = parse_attribute(f"!xetile.tile<8x16xf16, #xetile.tile_attr<memory_space = {text}>>")
    assert isinstance(tile, TileType)
    assert tile.memory_space == number


def test_row_major_order_is_the_same_written_out_or_not():
    written = parse_attribute("#xetile.tile_attr<order = [1, 0]>")
    assert written == TileAttr()
    assert str(written) == "#xetile.tile_attr<>"


def test_wrong_parameters_are_refused_in_python_too():
    with pytest.raises(VerifyException, match="expected a block tile of rank 2, got rank 3"):
        TileType([2, 3, 4], f32)
    with pytest.raises(VerifyException, match="expected sg_layout entries of at least 1"):
        WgMapAttr((0, 1), (8, 8))
    with pytest.raises(VerifyException, match="expected wi_layout entries of at least 1"):
        SgMapAttr((1, -1), (8, 8))
    with pytest.raises(VerifyException, match="expected order to be"):
        TileAttr(order=(0, 0))


# The shares of subgroups


def owners(wg_map: WgMapAttr, shape: tuple[int, int]) -> Counter[tuple[int, ...]] | None:
    """Returns how many subgroups own each block, dealt out round robin; None if blocks do not fill `shape`."""
    if any(size % block for size, block in zip(shape, wg_map.data, strict=True)):
        return None
    counts = [size // block for size, block in zip(shape, wg_map.data, strict=True)]
    result: Counter[tuple[int, ...]] = Counter()
    for place in product(*map(range, wg_map.layout)):
        owned = [
            [(start + coordinate) % count for start in range(0, count, subgroups)]
            for coordinate, count, subgroups in zip(place, counts, wg_map.layout, strict=True)
        ]
        result.update(product(*owned))
    assert len(result) == counts[0] * counts[1]  # every block has an owner
    return result


small = st.tuples(st.integers(1, 4), st.integers(1, 4))


@given(small, small, st.tuples(st.integers(1, 16), st.integers(1, 16)))
def test_a_map_is_even_if_every_block_has_one_owner(layout, data, shape):
    wg_map = WgMapAttr(layout, data)
    found = owners(wg_map, shape)
    assert wg_map.divides(shape) == (found is not None)
    assert wg_map.spreads_evenly(shape) == (found is not None and set(found.values()) == {1})


def test_one_dimension_lies_where_blocks_are_longer_than_one():
    assert WgMapAttr((1, 4), (1, 16)).spreads_evenly([64])
    assert WgMapAttr((4, 1), (16, 1)).spreads_evenly([64])
    assert WgMapAttr((4, 1), (16, 1)).divides([32])
    assert not WgMapAttr((4, 1), (16, 1)).spreads_evenly([32])
    assert not WgMapAttr((4, 1), (16, 1)).divides([24])
    assert not WgMapAttr((2, 2), (16, 16)).divides([64])


# Text

large = st.tuples(st.integers(1, MAX_I32), st.integers(1, MAX_I32))
sg_maps = st.builds(SgMapAttr, large, large)
wg_maps = st.builds(WgMapAttr, large, large)
tile_attrs = st.builds(
    TileAttr,
    st.none() | sg_maps,
    st.none() | wg_maps,
    st.sampled_from([ROW_MAJOR, COLUMN_MAJOR]),
    st.none() | st.integers(0, 3),
    st.none() | st.booleans(),
)
hints = st.builds(CacheHintAttr, st.sampled_from(CacheHint))


@given(sg_maps | wg_maps | tile_attrs | hints)
def test_attributes_survive_text(attribute):
    assert parse_attribute(str(attribute)) == attribute


@st.composite
def tiles(draw: st.DrawFn) -> TileType:
    """Tiles whose maps fit: lanes share a subgroup's block, subgroups share the tile."""
    layout, box, factors, subgroups, blocks = (draw(small) for _ in range(5))
    subgroup = [lanes * size * factor for lanes, size, factor in zip(layout, box, factors, strict=True)]
    work_group = [size * count for size, count in zip(subgroup, blocks, strict=True)]
    with_sg_map, with_wg_map = draw(st.booleans()), draw(st.booleans())
    encoding = TileAttr(
        SgMapAttr(layout, box) if with_sg_map else None,
        WgMapAttr(subgroups, (subgroup[0], subgroup[1])) if with_wg_map else None,
        draw(st.sampled_from([ROW_MAJOR, COLUMN_MAJOR])),
        draw(st.sampled_from([None, 0, 3])),
        draw(st.sampled_from([None, False, True])),
    )
    return TileType(work_group, draw(st.sampled_from(ELEMENTS)), draw(st.sampled_from([None, encoding])))


dimensions = st.just(DYNAMIC_INDEX) | st.integers(1, MAX_I64)
dynamic_tiles = st.builds(TileType, st.lists(dimensions, min_size=2, max_size=2), st.sampled_from(ELEMENTS))
lists_of_elements = st.builds(
    TileType,
    st.lists(dimensions, min_size=1, max_size=1),
    st.sampled_from(ELEMENTS),
    st.builds(TileAttr, scattered=st.just(True)),
)


@given(tiles() | dynamic_tiles | lists_of_elements)
def test_tile_types_survive_text(tile):
    assert parse_attribute(str(tile)) == tile


ALPHABET = '<>[]{}=,x0123456789-?#!.:"abcdefgimnorstuw_ '


@given(
    st.sampled_from(["!xetile.tile<{}>", "!xetile.tile<8x16xf16, #xetile.tile_attr<{}>>"]),
    st.text(alphabet=ALPHABET, max_size=60),
)
def test_no_text_breaks_the_parser(form, text):
    """Whatever stands in the brackets is a type, or an error that the parser raised on purpose."""
    causes = []
    try:
        parse_module(context(), SourceBuffer("test", f"func.func private @f({form.format(text)})"))
    except CompileError as error:
        causes.append(error.__cause__)
    assert all(isinstance(cause, ParseError) for cause in causes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("memory_space = " + "[" * 100_000, "nested too deeply"),
        ("order = [" + "1, " * 300_000 + "0]", "expect integer array of size 2 for order, got [1, 1, 1"),
        ("order = [" + "9" * 4000 + ", 0]", "expected a 32-bit integer, got 999"),
        ("wg_map = <" * 50_000, "unknown field 'wg_map', expected one of 'sg_layout', 'sg_data'"),
        ("x" * 1_000_000 + " = 1", "unknown field 'xxx"),
    ],
    ids=["nesting", "long list", "long number", "maps in maps", "long name"],
)
def test_hostile_text_gives_one_short_error(text, message):
    source = SourceBuffer("test", f"func.func private @f(!xetile.tile<8x16xf16, #xetile.tile_attr<{text}>>)")
    with pytest.raises(CompileError) as caught:
        parse_module(context(), source)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.message.startswith(message)
    assert len(diagnostic.message) < 400
