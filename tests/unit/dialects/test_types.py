"""What descriptor types say, and that types and attributes survive text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import IntegerType, Signedness, bf16, f16, f32, f64, i8, i32, tf32
from xdsl.ir import Attribute
from xdsl.utils.exceptions import ParseError, VerifyException

from tests.unit.dialects.support import context, parse_attribute, untimed
from xegpu.diagnostics import CompileError, Source, parse_module
from xegpu.dialects.xegpu import (
    BlockTensorDescAttr,
    CacheHint,
    CacheHintAttr,
    FenceScope,
    FenceScopeAttr,
    LaneMap,
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


@pytest.mark.parametrize(
    ("element", "bits", "factor"), [(i8, 8, 4), (f16, 16, 2), (tf32, 32, 1), (i32, 32, 1), (f64, 64, 1)]
)
def test_packing_factor_fills_32_bits_and_is_at_least_1(element, bits, factor):
    assert (element_bits(element), packing_factor(element)) == (bits, factor)


def test_wrong_parameters_are_refused_in_python_too():
    with pytest.raises(VerifyException, match="expected 1D or 2D tensor, got rank 3"):
        TensorDescType([2, 3, 4], f32)
    with pytest.raises(VerifyException, match="expected wi_layout of size 2, got 1 entries"):
        SgMapAttr([16], [1, 1])
    with pytest.raises(VerifyException, match="invalid chunk size 6"):
        ScatterTensorDescAttr(chunk_size=6)


memory_spaces = st.sampled_from([None, *MemorySpace])
blocks = st.builds(BlockTensorDescAttr, memory_spaces, st.none() | st.integers(1, MAX_I64), st.none() | st.booleans())
scatters = st.builds(ScatterTensorDescAttr, memory_spaces, st.none() | st.sampled_from(CHUNK_SIZES))
pairs = st.lists(st.integers(1, MAX_U32), min_size=2, max_size=2)
sg_maps = st.builds(SgMapAttr, pairs, pairs)
enums = (
    st.builds(CacheHintAttr, st.sampled_from(CacheHint))
    | st.builds(MemorySpaceAttr, st.sampled_from(MemorySpace))
    | st.builds(FenceScopeAttr, st.sampled_from(FenceScope))
)


@untimed
@given(blocks | scatters | sg_maps | enums)
def test_attributes_survive_text(attribute):
    assert parse_attribute(str(attribute)) == attribute


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
    return TensorDescType(shape, element, encoding, draw(st.sampled_from([None, SgMapAttr(layout, data)])))


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


@untimed
@given(block_types() | scattered_types())
def test_descriptor_types_survive_text(desc):
    assert parse_attribute(str(desc)) == desc


@untimed
@given(st.text(alphabet='<>[]{}=,x0123456789-?#!.:"abcdefgimnorstuw_ ', max_size=60))
def test_no_text_breaks_the_parser(text):
    """Whatever stands in the brackets is a type, or an error that the parser raised on purpose."""
    causes = []
    try:
        parse_module(context(), Source("test", f"func.func private @f(!xegpu.tensor_desc<{text}>)"))
    except CompileError as error:
        causes.append(error.__cause__)
    assert all(isinstance(cause, ParseError) for cause in causes)
