"""Immediates, regions and data types."""

from __future__ import annotations

import math
import struct

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, strategies as st

from xegpu.isa import DataType, Immediate, Region
from xegpu.isa.model.operands import float_bits, float_value, strided
from xegpu.isa.model.types import INTEGERS, integer

SCALARS = {DataType.HF: np.float16, DataType.F: np.float32, DataType.BF: ml_dtypes.bfloat16}
"""Types that numpy rounds to from a double with one rounding."""

DOUBLES = st.floats() | st.floats(width=32) | st.floats(width=16) | st.floats(-1e-37, 1e-37)


def bits_of(value: np.generic) -> int:
    return int.from_bytes(value.tobytes(), "little")


@pytest.mark.parametrize("type", [DataType.HF, DataType.F], ids=lambda t: t.text)
def test_rounding_is_that_of_numpy(type):
    @given(DOUBLES)
    def check(value):
        with np.errstate(over="ignore", under="ignore"):
            expected = SCALARS[type](value)
        if math.isnan(value):
            assert math.isnan(float_value(float_bits(value, type), type))
        else:
            assert float_bits(value, type) == bits_of(expected)

    check()


@given(DOUBLES)
def test_bf_is_the_nearest_of_its_neighbours(value):
    """ml_dtypes rounds doubles to bf by way of f, so the oracle is the distance to the candidates."""
    bits = float_bits(value, DataType.BF)
    if math.isnan(value):
        assert bits & 0x7FFF == 0x7FC0
        return
    if abs(value) >= float.fromhex("0x1.ffp127"):
        assert bits & 0x7FFF == 0x7F80
        return
    result = float_value(bits, DataType.BF)
    neighbours = [
        float_value((bits & 0x8000) | (bits & 0x7FFF) + step, DataType.BF) for step in (-1, 1) if bits & 0x7FFF
    ]
    for neighbour in neighbours:
        if math.isinf(neighbour):
            continue
        near, far = abs(result - value), abs(neighbour - value)
        assert near < far or (near == far and bits & 1 == 0)


@given(st.integers(0, 0xFFFF))
def test_values_are_those_of_the_formats(bits):
    for type, scalar in ((DataType.HF, np.float16), (DataType.BF, ml_dtypes.bfloat16)):
        expected = float(np.array(bits, np.uint16).view(scalar))
        value = float_value(bits, type)
        assert value == expected or (math.isnan(value) and math.isnan(expected))


@given(st.floats())
def test_doubles_are_kept(value):
    expected = struct.unpack("<Q", struct.pack("<d", value))[0]
    if not math.isnan(value):
        assert float_bits(value, DataType.DF) == expected
    assert math.isnan(float_value(expected, DataType.DF)) == math.isnan(value)


@pytest.mark.parametrize(
    ("value", "type", "bits"),
    [
        (1.0, DataType.TF32, 0x3F800000),
        (1 + 2**-10, DataType.TF32, 0x3F802000),
        (1 + 2**-11, DataType.TF32, 0x3F800000),  # a tie, to even
        (1 + 3 * 2**-11, DataType.TF32, 0x3F804000),  # a tie, to even
        (-math.inf, DataType.TF32, 0xFF800000),
        (math.nan, DataType.TF32, 0x7FC00000),
        (math.nan, DataType.F, 0x7FC00000),
        (math.nan, DataType.HF, 0x7E00),
        (math.nan, DataType.BF, 0x7FC0),
        (math.nan, DataType.DF, 0x7FF8000000000000),
        (-0.0, DataType.F, 0x80000000),
        (65520.0, DataType.HF, 0x7C00),
        (65519.9, DataType.HF, 0x7BFF),
        (2.0**-24, DataType.HF, 1),
        (2.0**-25, DataType.HF, 0),
        (5e-324, DataType.DF, 1),
    ],
)
def test_float_bits(value, type, bits):
    assert float_bits(value, type) == bits
    assert Immediate.of(value, type).bits == bits


def test_integers_wrap_and_read_back():
    assert Immediate.of(-1, DataType.UW) == Immediate(DataType.UW, 0xFFFF)
    assert Immediate.of(300, DataType.UB).value() == 44
    assert Immediate.of(-5, DataType.B).value() == -5
    assert Immediate(DataType.Q, 1 << 63).value() == -(1 << 63)
    assert Immediate(DataType.UQ, 1 << 63).value() == 1 << 63


def test_packed_immediates_give_each_channel_its_nibble():
    lanes = Immediate(DataType.V, 0x76543210)
    assert [lanes.lane(channel) for channel in range(16)] == [*range(8), *range(8)]
    mixed = 0x8F000007
    assert [Immediate(DataType.V, mixed).lane(c) for c in (0, 6, 7)] == [7, -1, -8]
    assert [Immediate(DataType.UV, mixed).lane(c) for c in (0, 6, 7)] == [7, 15, 8]
    assert Immediate.of(3, DataType.D).lane(5) == 3


@pytest.mark.parametrize(
    ("region", "elements"),
    [
        (Region(1, 1, 0), [0, 1, 2, 3, 4, 5, 6, 7]),
        (Region(0, 1, 0), [0, 0, 0, 0, 0, 0, 0, 0]),
        (Region(4, 1, 0), [0, 4, 8, 12, 16, 20, 24, 28]),
        (Region(8, 8, 1), [0, 1, 2, 3, 4, 5, 6, 7]),
        (Region(0, 4, 1), [0, 1, 2, 3, 0, 1, 2, 3]),
        (Region(1, 4, 0), [0, 0, 0, 0, 1, 1, 1, 1]),
        (Region(16, 2, 4), [0, 4, 16, 20, 32, 36, 48, 52]),
    ],
)
def test_regions(region, elements):
    assert [region.element(channel) for channel in range(8)] == elements
    assert region.span(8) == 1 + max(elements)


@given(
    st.sampled_from((0, 1, 2, 4, 8, 16, 32)),
    st.sampled_from((1, 2, 4, 8, 16)),
    st.sampled_from((0, 1, 2, 4)),
    st.sampled_from((1, 2, 4, 8, 16, 32)),
)
def test_the_span_of_a_region_reaches_its_last_element(vertical, width, horizontal, channels):
    region = Region(vertical, width, horizontal)
    assert region.span(channels) == 1 + max(region.element(channel) for channel in range(channels))


def test_strided_regions():
    assert [strided(2).element(c) for c in range(4)] == [0, 2, 4, 6]
    assert [strided(0).element(c) for c in range(4)] == [0, 0, 0, 0]


def test_integer_types_by_width():
    assert {integer(bits, signed) for bits in (8, 16, 32, 64) for signed in (False, True)} == INTEGERS
    assert integer(64, True) is DataType.Q
