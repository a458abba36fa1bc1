"""Literals and shapes that are longer than anybody can mean are refused at once."""

from __future__ import annotations

import pytest
from xdsl.context import Context

from xegpu.diagnostics import CompileError, SourceBuffer
from xegpu.dialects import register_dialects
from xegpu.mlir import parse_module


def refusal(text: str) -> str:
    context = Context()
    register_dialects(context)
    with pytest.raises(CompileError) as caught:
        parse_module(context, SourceBuffer("test", text))
    (diagnostic,) = caught.value.diagnostics
    return str(diagnostic)


@pytest.mark.parametrize(
    ("type", "dimension"),
    [
        ("vector<{}f32>", "1x"),
        ("vector<{}f32>", "[16]x"),
        ("memref<{}f32>", "?x"),
        ("tensor<{}f32>", "1x"),
        ("!xegpu.tensor_desc<{}f32>", "16x"),
        ("!xetile.tile<{}f32>", "16x"),
    ],
)
def test_dimensions(type: str, dimension: str) -> None:
    text = f"func.func private @f({type.format(dimension * 200_000)})"
    assert "error: a shape has at most 1024 dimensions" in refusal(text)


def test_as_many_dimensions_as_are_allowed() -> None:
    context = Context()
    register_dialects(context)
    module = parse_module(context, SourceBuffer("test", f"func.func private @f(memref<{'1x' * 1024}f32>)"))
    assert f"memref<{'1x' * 1024}f32>" in str(module)


@pytest.mark.parametrize(
    "text",
    ["func.func private @f(i32 {{a = {} : i32}})", "func.func private @f(memref<{}xf32>)"],
    ids=["attribute", "dimension"],
)
def test_digits(text: str) -> None:
    message = refusal(text.format("9" * 500_000))
    assert "error: an integer has at most 4300 digits, got 500000" in message
