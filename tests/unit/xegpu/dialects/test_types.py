"""Tests of the properties of descriptor types, and of types and attributes read back from text."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st
from xdsl.dialects.builtin import IntegerType, Signedness, bf16, f16, f32, f64, i8, i32, tf32
from xdsl.ir import Attribute
from xdsl.utils.exceptions import ParseError, VerifyException

from tests.unit.xegpu.dialects.support import context, parse_attribute
from xegpu.diagnostics import CompileError, SourceBuffer
from xegpu.dialects.fields import MAX_I32
from xegpu.dialects.xegpu import (
    BlockTensorDescAttr,
    CacheHint,
    CacheHintAttr,
    FenceScope,
    FenceScopeAttr,
    LaneMap,
    LayoutAttr,
    MemorySpace,
    MemorySpaceAttr,
    ScatterTensorDescAttr,
    SgMapAttr,
    TensorDescType,
    element_bits,
    packing_factor,
)
from xegpu.dialects.xegpu.attributes import CHUNK_SIZES, MAX_I64
from xegpu.dialects.xegpu.lane_maps import MAX_U32
from xegpu.mlir import parse_module

ELEMENTS: list[Attribute] = [
    *(IntegerType(bits, sign) for bits in (1, 8, 16, 32, 64) for sign in Signedness),
    f16,
    bf16,
    tf32,
    f32,
    f64,
]


def test_defaults_are_filled_in():
    plain = TensorDescType([8, 16], f16)
    assert not plain.is_scattered
    assert plain.memory_space is MemorySpace.GLOBAL
    assert plain.array_length == 1
    assert plain.boundary_check
    assert plain.chunk_size == 1
    assert plain.lane_map is None
    assert plain.distribution() is None
    assert plain.fragment_shape() is None


def test_fields_are_read():
    block = TensorDescType([64], f16, BlockTensorDescAttr(MemorySpace.SLM, 2, False), SgMapAttr([1, 16], [1, 2]))
    assert (block.memory_space, block.array_length, block.boundary_check) == (MemorySpace.SLM, 2, False)
    assert block.lane_map == LaneMap((1, 16), (1, 2))
    assert block.tile == (1, 64)
    scattered = TensorDescType([16, 4], f32, ScatterTensorDescAttr(MemorySpace.SLM, 4))
    assert (scattered.is_scattered, scattered.memory_space, scattered.chunk_size) == (True, MemorySpace.SLM, 4)


def test_types_that_mean_the_same_are_the_same_in_spite_of_text():
    plain = TensorDescType([8, 16], f16)
    spelt_out = TensorDescType([8, 16], f16, BlockTensorDescAttr(MemorySpace.GLOBAL, 1, True))
    assert plain != spelt_out
    assert plain.means_same_as(spelt_out)
    assert not plain.means_same_as(TensorDescType([8, 16], f16, BlockTensorDescAttr(array_length=2)))
    assert not plain.means_same_as(TensorDescType([8, 16], bf16))
    assert not TensorDescType([16], f16).means_same_as(TensorDescType([16], f16, ScatterTensorDescAttr()))


def test_without_a_map_keeps_the_rest():
    block = BlockTensorDescAttr(array_length=2)
    mapped = TensorDescType([8, 16], f16, block, SgMapAttr([1, 16], [1, 1]))
    assert mapped.with_map(None) == TensorDescType([8, 16], f16, block)


def test_layouts_mean_what_sg_maps_mean():
    mapped = TensorDescType([16, 16], f16, None, SgMapAttr([1, 16], [2, 1]))
    laid_out = mapped.with_map(LayoutAttr(lane_layout=[1, 16], lane_data=[2, 1]))
    assert laid_out != mapped
    assert laid_out.means_same_as(mapped)
    assert laid_out.lane_map == mapped.lane_map
    assert laid_out.fragment_shape() == mapped.fragment_shape() == (8, 2)
    row = TensorDescType([64], f16, None, LayoutAttr(lane_layout=[16], lane_data=[2], order=[0]))
    assert row.lane_map == LaneMap((1, 16), (1, 2))


def test_maps_without_counterpart_are_refused():
    with pytest.raises(VerifyException, match="it has more than one row"):
        SgMapAttr([2, 8], [1, 1]).as_layout(1)
    with pytest.raises(VerifyException, match="the entries of a layout are at most 2147483647"):
        SgMapAttr([1, MAX_U32], [1, 1]).as_layout()
    with pytest.raises(VerifyException, match="it has order = "):
        LayoutAttr(lane_layout=[1, 16], lane_data=[1, 1], order=[0, 1]).as_sg_map()


@pytest.mark.parametrize(
    ("element", "bits", "factor"), [(i8, 8, 4), (f16, 16, 2), (tf32, 32, 1), (i32, 32, 1), (f64, 64, 1)]
)
def test_packing_factor_fills_32_bits_and_is_at_least_1(element, bits, factor):
    assert (element_bits(element), packing_factor(element)) == (bits, factor)


def test_wrong_parameters_are_refused_in_python_too():
    with pytest.raises(VerifyException, match="an sg_map distributes 1D and 2D tensors, got rank 3"):
        TensorDescType([2, 16, 16], f32, map=SgMapAttr([1, 16], [1, 1]))
    with pytest.raises(VerifyException, match="expected wi_layout of size 2, got 1 entries"):
        SgMapAttr([16], [1, 1])
    with pytest.raises(VerifyException, match="invalid chunk size 6"):
        ScatterTensorDescAttr(chunk_size=6)


memory_spaces = st.sampled_from([None, *MemorySpace])
blocks = st.builds(BlockTensorDescAttr, memory_spaces, st.none() | st.integers(1, MAX_I64), st.none() | st.booleans())
scatters = st.builds(ScatterTensorDescAttr, memory_spaces, st.none() | st.sampled_from(CHUNK_SIZES))
pairs = st.lists(st.integers(1, MAX_U32), min_size=2, max_size=2)
sg_maps = st.builds(SgMapAttr, pairs, pairs)


@st.composite
def layouts(draw: st.DrawFn) -> LayoutAttr:
    rank = draw(st.integers(1, 4))
    sizes = st.lists(st.integers(1, MAX_I32), min_size=rank, max_size=rank)
    fields = {"lane_layout": draw(sizes)}
    optional = {
        "sg_layout": sizes,
        "inst_data": sizes,
        "lane_data": sizes,
        "order": st.permutations(range(rank)),
    }
    return LayoutAttr(**fields, **{name: draw(field) for name, field in optional.items() if draw(st.booleans())})


enums = (
    st.builds(CacheHintAttr, st.sampled_from(CacheHint))
    | st.builds(MemorySpaceAttr, st.sampled_from(MemorySpace))
    | st.builds(FenceScopeAttr, st.sampled_from(FenceScope))
)


@given(blocks | scatters | sg_maps | layouts() | enums)
def test_attributes_survive_text(attribute):
    assert parse_attribute(str(attribute)) == attribute


small_pairs = st.lists(st.integers(1, MAX_I32), min_size=2, max_size=2)


@given(st.builds(SgMapAttr, small_pairs, small_pairs))
def test_sg_maps_survive_as_layouts(sg_map):
    assert sg_map.as_layout().as_sg_map() == sg_map
    row = SgMapAttr([1, sg_map.lane_map.layout[1]], [1, sg_map.lane_map.data[1]])
    assert row.as_layout(1).as_sg_map() == row


@given(layouts())
def test_layouts_survive_as_sg_maps_or_say_why_not(layout):
    if layout.obstacle is not None:
        with pytest.raises(VerifyException, match="has no sg_map counterpart: it "):
            layout.as_sg_map()
    else:
        given = layout.given
        assert layout.as_sg_map().as_layout(layout.rank).given == {
            name: given[name] for name in given if name != "order"
        }


@st.composite
def block_types(draw: st.DrawFn) -> TensorDescType:
    element = draw(st.sampled_from(ELEMENTS))
    rank = draw(st.integers(1, 2))
    factors = [draw(st.integers(1, 4)) for _ in range(rank)]
    layout, data = draw(pairs.map(lambda p: [n % 16 + 1 for n in p])), draw(pairs.map(lambda p: [n % 4 + 1 for n in p]))
    if rank == 1:
        layout[0] = data[0] = 1
    shape = [factor * lanes * box for factor, lanes, box in zip(factors, layout[-rank:], data[-rank:], strict=True)]
    encoding = draw(st.none() | blocks)
    if encoding is not None and rank == 2:
        encoding = BlockTensorDescAttr(None, 2, draw(st.booleans()))
    sg_map = SgMapAttr(layout, data)
    return TensorDescType(shape, element, encoding, draw(st.sampled_from([None, sg_map, sg_map.as_layout(rank)])))


@st.composite
def scattered_types(draw: st.DrawFn) -> TensorDescType:
    element = draw(st.sampled_from(ELEMENTS))
    factor = packing_factor(element)
    chunk = draw(st.sampled_from([size for size in CHUNK_SIZES if size == 1 or size % factor == 0]))
    lanes = draw(st.integers(1, 32))
    space = draw(memory_spaces)
    if chunk == 1:
        return TensorDescType([lanes], element, ScatterTensorDescAttr(space, None), SgMapAttr([1, lanes], [1, 1]))
    return TensorDescType(
        [lanes, chunk], element, ScatterTensorDescAttr(space, chunk), SgMapAttr([lanes, 1], [1, factor])
    )


@given(block_types() | scattered_types())
def test_descriptor_types_survive_text(desc):
    assert parse_attribute(str(desc)) == desc


@given(st.text(alphabet='<>[]{}=,x0123456789-?#!.:"abcdefgimnorstuw_ ', max_size=60))
def test_no_text_breaks_the_parser(text):
    """Whatever stands in the brackets is a type, or an error that the parser raised on purpose."""
    causes = []
    try:
        parse_module(context(), SourceBuffer("test", f"func.func private @f(!xegpu.tensor_desc<{text}>)"))
    except CompileError as error:
        causes.append(error.__cause__)
    assert all(isinstance(cause, ParseError) for cause in causes)


def test_blocks_of_one_dimension_are_checked_by_default() -> None:
    """The RFC's types cannot ask for it, so that what upstream's say explicitly is left to the default there."""
    explicit = BlockTensorDescAttr(boundary_check=True)
    line = TensorDescType([16], f32, explicit)
    assert line.boundary_check
    assert line.with_map(SgMapAttr((1, 16), (1, 1))) == TensorDescType(
        [16], f32, BlockTensorDescAttr(), SgMapAttr((1, 16), (1, 1))
    )
    with pytest.raises(VerifyException, match="boundary_check must be false for 1D tensor, got true"):
        TensorDescType([16], f32, explicit, SgMapAttr((1, 16), (1, 1)))
