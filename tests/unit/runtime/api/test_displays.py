"""Displays in notebooks: well-formed HTML that says what the objects are."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from passes.pipelines import read_module
from runtime import Device
from xegpu.diagnostics import SourceBuffer
from xegpu.dialects.xegpu import LaneMap
from xegpu.view import LayoutPicture, layouts_in

SOURCE = """
gpu.module @m {
  gpu.func @empty() kernel { gpu.return }
  gpu.func @double(%x: memref<64xf32>, %n: i32) kernel attributes {known_block_size = array<i32: 16, 1, 1>} {
    %id = gpu.global_id x
    %v = memref.load %x[%id] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %x[%id] : memref<64xf32>
    gpu.return
  }
}
"""


def text_of(html: str) -> str:
    """Returns the text of HTML, which has to be well formed and must not run anything."""
    tree = ElementTree.fromstring(f"<div>{html}</div>")
    assert not [element.tag for element in tree.iter() if element.tag in ("script", "style", "link")]
    return " ".join(" ".join(tree.itertext()).split())


@pytest.mark.parametrize("target", ["pvc", "arc"])
def test_modules_and_kernels(target: str) -> None:
    module = Device(target).compile(SOURCE)
    shown = text_of(module._repr_html_())
    assert f"ZEBIN of {len(module.binary)} bytes" in shown
    assert "empty()" in shown
    assert "double(x: memref<64xf32>, n: i32)" in shown
    kernel = text_of(module["double"]._repr_html_())
    assert f"target {target} " in kernel
    assert "work-group 16x1x1" in kernel
    assert "x memref<64xf32> global readwrite 8 n i32 value 4" in kernel
    assert " add (" in kernel
    assert "Arguments: none" in text_of(module["empty"]._repr_html_())


def test_results_with_and_without_a_profile() -> None:
    for profile in (False, True):
        module = Device("pvc", profile=profile).compile(SOURCE, "double.mlir")
        result = module["double"][4](np.ones(64, np.float32), 1)
        shown = text_of(result._repr_html_())
        assert f"instructions {result.instructions} " in shown
        assert ("estimated cycles" in shown) is profile
        assert ("double.mlir:7" in shown) is profile
        if result.profile is not None:
            assert repr(result.profile) == f"<Profile of double on pvc: {result.instructions} instructions>"


def test_a_profile_of_no_work_groups() -> None:
    module = Device("pvc", profile=True).compile(SOURCE)
    shown = text_of(module["empty"][0]()._repr_html_())
    assert "grid 0x1x1" in shown
    assert "no arithmetic was executed" in shown


def test_layouts_of_a_module() -> None:
    tile = "!xegpu.tensor_desc<8x16xf16, #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>>"
    text = f"func.func private @f({tile}, {tile}, !xegpu.tensor_desc<8x16xf16>)"
    (layout,) = layouts_in(read_module(SourceBuffer("tile.mlir", text))[1])
    shown = text_of(layout._repr_html_())
    assert shown.startswith(f"{tile} 8x16 elements; each box shows its work-item.")
    assert "row 7, column 15, work-item 15, row 7 of its fragment" in shown


def test_a_layout_that_is_too_large_says_so() -> None:
    layout = LayoutPicture("large", "work-item", (1 << 10, 1 << 10), LaneMap((1, 16), (1, 1)))
    assert text_of(layout._repr_html_()) == "large : 1048576 boxes are too many to draw"
