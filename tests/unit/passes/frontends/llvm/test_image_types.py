"""Types of images in LLVM IR: each shape and access that kernels have, and what is refused."""

from __future__ import annotations

import re

import pytest

from passes.frontends.llvm import import_kernels
from xegpu.diagnostics import CompileError

SHAPES = {
    (0, 0, 0): "image1d",
    (0, 0, 1): "image1d_array",
    (5, 0, 0): "image1d_buffer",
    (1, 0, 0): "image2d",
    (1, 0, 1): "image2d_array",
    (1, 1, 0): "image2d_depth",
    (1, 1, 1): "image2d_array_depth",
    (2, 0, 0): "image3d",
}


def imported(type: str) -> str:
    return str(import_kernels(f"define spir_kernel void @k({type} %a) {{\n  ret void\n}}\n"))


@pytest.mark.parametrize("numbers", SHAPES, ids=SHAPES.values())
def test_shapes(numbers: tuple[int, int, int]) -> None:
    dimension, depth, array = numbers
    for access, word in enumerate(("readonly", "writeonly", "readwrite")):
        text = imported(f'target("spirv.Image", void, {dimension}, {depth}, {array}, 0, 0, 0, {access})')
        assert f"!image.surface<{SHAPES[numbers]}, {word}>" in text


def test_a_sampler() -> None:
    assert "!image.sampler" in imported('target("spirv.Sampler")')


@pytest.mark.parametrize(
    ("type", "why"),
    [
        ('target("spirv.Image", void, 1, 0, 0, 1, 0, 0, 0)', "an image with several samples a texel, which is not"),
        ('target("spirv.Image", void, 3, 0, 0, 0, 0, 0, 0)', "an image of dimension 3, depth 0, array 0 and access 0"),
        ('target("spirv.Image", void, 2, 0, 1, 0, 0, 0, 0)', "an image of dimension 2, depth 0, array 1"),
        ('target("spirv.Image", void, 1, 0, 0, 0, 0, 0, 7)', "an image of dimension 1, depth 0, array 0 and access 7"),
        ('target("spirv.Image", void, 1, 2, 0, 0, 0, 0, 0)', "an image of dimension 1, depth 2, array 0 and access 0"),
        ('target("spirv.Image", void, 1, 0, 0)', "has an image that 3 numbers describe: expected 7"),
        ('target("spirv.Image", float, 1, 0, 0, 0, 0, 0, 0)', "'void'"),
        ('target("spirv.Pipe")', "takes a pipe, which is not supported"),
    ],
)
def test_refusals(type: str, why: str) -> None:
    with pytest.raises(CompileError, match=re.escape(why)):
        imported(type)
