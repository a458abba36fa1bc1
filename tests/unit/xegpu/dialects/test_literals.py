"""Literals mean what they mean to MLIR."""

from __future__ import annotations

import math
import struct

import pytest
from hypothesis import given, strategies as st
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr
from xdsl.utils.exceptions import ParseError

from tests.unit.xegpu.dialects.support import parse_attribute


def elements(text: str) -> list[float]:
    attribute = parse_attribute(text)
    assert isinstance(attribute, DenseIntOrFPElementsAttr)
    return [float(value) for value in attribute.get_values()]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dense<0xFF800000> : vector<2xf32>", [-math.inf, -math.inf]),
        ("dense<[0x3F800000, 2.5]> : vector<2xf32>", [1.0, 2.5]),
        ("dense<0xFC00> : vector<1xf16>", [-math.inf]),
        ("dense<0x3FC0> : vector<1xbf16>", [1.5]),
        ("dense<0xC000000000000000> : vector<1xf64>", [-2.0]),
        ("dense<0x10> : vector<1xi32>", [16.0]),
    ],
)
def test_hexadecimal_digits_are_bits_of_floats(text, expected):
    assert elements(text) == expected


@given(st.floats(width=32))
def test_constants_of_any_float_survive(number):
    bits = struct.unpack("<I", struct.pack("<f", number))[0]
    attribute = parse_attribute(f"dense<0x{bits:08X}> : vector<4xf32>")
    assert parse_attribute(str(attribute)) == attribute
    assert elements(str(attribute))[0] == pytest.approx(number, rel=0, abs=0, nan_ok=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dense<0x1FFFF> : vector<1xf16>", "0x1FFFF has more than the 16 bits of f16"),
        ("dense<[1, 300]> : vector<2xi8>", "300 is out of range for i8, expected -128 to 255"),
        ("dense<-1> : vector<2xui8>", "Expected non-negative integer values"),
        ("dense<255> : vector<2xsi8>", "255 is out of range for si8, expected -128 to 127"),
        (f"dense<{1 << 64}> : vector<2xindex>", "18446744073709551616 is out of range for index"),
    ],
)
def test_values_that_the_type_has_not_are_refused(text, message):
    with pytest.raises(ParseError, match=message):
        elements(text)
