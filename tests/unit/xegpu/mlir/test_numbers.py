"""Numbers in the text and the values that they become."""

from __future__ import annotations

import math

import pytest
from xdsl.dialects.builtin import ArrayAttr, FloatAttr
from xdsl.ir import Attribute

from tests.unit.xegpu.dialects.support import context
from xegpu.diagnostics import CompileError, SourceBuffer
from xegpu.mlir import parse_module


def value(text: str) -> Attribute:
    """The attribute that `text` is."""
    attribute = parse_module(context(), SourceBuffer("t", f"module attributes {{x.a = [{text}]}} {{}}")).attributes[
        "x.a"
    ]
    assert isinstance(attribute, ArrayAttr)
    element = attribute.data[0]
    assert isinstance(element, Attribute)
    return element


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.5 : f32", 1.5),
        ("-2.5e1 : f64", -25.0),
        ("1.0e999 : f64", math.inf),
        ("1.0e39 : f32", math.inf),
        ("-1.0e39 : bf16", -math.inf),
        ("70000.0 : f16", math.inf),
        ("65504.0 : f16", 65504.0),
        ("1.0e999999999 : f32", math.inf),
        ("0x7FC0 : bf16", math.nan),
        ("0xC2280000 : f32", -42.0),
    ],
)
def test_floats(text: str, expected: float) -> None:
    attribute = value(text)
    assert isinstance(attribute, FloatAttr)
    assert attribute.value.data == pytest.approx(expected, abs=0, nan_ok=True)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("dense<[1.0e39, -1.0e39]> : vector<2xf32>", "dense<[0x7F800000, 0xFF800000]> : vector<2xf32>"),
        ("dense<70000.0> : vector<2xf16>", "dense<0x7C00> : vector<2xf16>"),
        ("-5", "-5 : i64"),
        ("-0x80 : i8", "-128 : i8"),
        ("2.0", "2.0 : f64"),
    ],
)
def test_two_spellings_of_a_value(text: str, same: str) -> None:
    assert value(text) == value(same)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("64 : f64", "unexpected decimal integer literal for a floating point value, write 64.0"),
        ("-64 : f64", "unexpected decimal integer literal for a floating point value, write -64.0"),
        ("dense<0> : vector<4xf32>", "unexpected decimal integer literal for a floating point value, write 0.0"),
        (
            "dense<[0.0, 1]> : vector<2xbf16>",
            "unexpected decimal integer literal for a floating point value, write 1.0",
        ),
        ("dense<true> : vector<4xf32>", "expected a floating point literal, got true"),
        ("-0x10 : f32", "the bits of a floating point value have no sign"),
        ("dense<-0x10> : vector<4xf32>", "the bits of a floating point value have no sign"),
        ("0x1FFFF : f16", "0x1FFFF has more than the 16 bits of f16"),
        ("dense<0x1FFFF> : vector<4xf16>", "0x1FFFF has more than the 16 bits of f16"),
        ("1.0 : i32", "floating point value not valid for type i32"),
        ("1 : vector<4xf32>", "a number has an integer, index or float type, got vector<4xf32>"),
        ("256 : i8", "Integer value 256 is out of range for type i8"),
        ("1 : i99999999", "integer bitwidth is limited to 16777215 bits"),
        (f"1 : i{'9' * 10_000}", "type expected"),
        (f"{'9' * 10_000} : i32", "an integer has at most 4300 digits, got 10000"),
    ],
)
def test_refused_numbers(text: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        value(text)
    (diagnostic,) = caught.value.diagnostics
    assert message in diagnostic.message
