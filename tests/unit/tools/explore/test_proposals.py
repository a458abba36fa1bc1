"""The page proposes sizes for the launch of a kernel."""

from __future__ import annotations

import pytest

from tests.unit.tools.explore.requests import COPY, ask
from tools.explore.protocol import PageRequestKind
from tools.explore.service.proposals import proposal


@pytest.mark.parametrize(
    ("type_name", "access", "is_last", "expected"),
    [
        ("memref<8x?xbf16>", "readonly", False, "random:8x64xbf16"),
        ("memref<8x?xbf16>", "writeonly", False, "zeros:8x64xbf16"),
        ("memref<8xf32>", "readonly", True, "random:8xf32"),
        ("memref<8xf32>", "readwrite", True, "zeros:8xf32"),
        ("memref<8xf32>", None, False, "random:8xf32"),
        ("int*;8", "readwrite", False, "zeros:1024xi32"),
        ("const uint *;8", "readonly", False, "zeros:1024xui32"),
        ("uchar4*;8", "readonly", False, "zeros:1024xui8"),
        ("half16*;8", "readonly", False, "zeros:1024xf16"),
        ("float*;8", "readwrite", True, "zeros:1024xf32"),
        ("!llvm.ptr<1>", "readwrite", True, "zeros:1024xf32"),
        ("!llvm.ptr<3>", "readwrite", True, "local:1024"),
        ("image2d_array_t", "readonly", False, "image:rgba8unorm,2d_array:arange:4x64x64x4xui8"),
        ("image2d_t", "writeonly", False, "image:rgba8unorm:zeros:64x64x4xui8"),
        ("sampler_t;8", None, False, "sampler:clamp_edge:nearest"),
        ("uint;4", None, True, "uint:1"),
        ("f32;4", None, True, "f32:1"),
    ],
)
def test_proposal(type_name: str, access: str | None, is_last: bool, expected: str) -> None:
    assert proposal(type_name, access, is_last=is_last) == expected


def test_what_is_only_written_is_a_result_wherever_it_stands() -> None:
    text = COPY.replace(
        "%source: memref<8x16xf32>, %target: memref<8x16xf32>", "%target: memref<8x16xf32>, %source: memref<8x16xf32>"
    )
    text = text.replace(" kernel {", " kernel attributes {known_grid_size = array<i32: 3, 2, 1>} {")
    (kernel,) = ask(PageRequestKind.COMPILE, source=text)["binary"]["kernels"]
    assert kernel["proposals"] == ["zeros:8x16xf32", "random:8x16xf32"]
    assert (kernel["grid"], kernel["group"]) == ([3, 2, 1], [])
