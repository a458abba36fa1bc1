"""Pictures of values and of block-2D messages."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from tests.unit.tools.explore.requests import COPY, ask
from tools.explore.protocol import PageRequestKind
from tools.explore.start import examples

GEMM, _, LANES, *_ = examples()


def layouts(source, **members):
    return ask(PageRequestKind.LAYOUTS, source=source, **members)


def placed(picture):
    """The owners of each element, and its byte in their registers."""
    found = {}
    for row, column, height, width, owners, byte in picture["boxes"]:
        for i, j in product(range(height), range(width)):
            assert (row + i, column + j) not in found
            found[row + i, column + j] = owners, byte + (i * width + j) * picture["size"]
    assert set(found) == set(product(range(picture["rows"]), range(picture["columns"])))
    return found


def test_lanes_of_a_map():
    (picture,) = layouts(LANES.source)["pictures"]
    assert (picture["owners"], picture["rows"], picture["columns"], picture["size"]) == ("work-item", 8, 16, 4)
    # Sixteen lanes of four bytes fill a register of 64 bytes with each row.
    assert placed(picture) == {(i, j): ([j], 64 * i + 4 * j) for i, j in product(range(8), range(16))}


def test_tiles_without_a_map_lie_in_registers():
    pictures = layouts(GEMM.source, target="arc")["pictures"]
    b = next(each for each in pictures if "16x16xbf16" in each["title"])
    assert b["boxes"][:2] == [[0, 0, 1, 16, [0], 0], [1, 0, 1, 16, [1], 32]]
    c = next(each for each in pictures if "8x16xf32" in each["title"])
    assert c["boxes"][:3] == [[0, 0, 1, 8, [0], 0], [0, 8, 1, 8, [1], 32], [1, 0, 1, 8, [2], 64]]


def test_subgroups_of_a_work_group_map():
    tile = "!xetile.tile<64x64xf32, #xetile.tile_attr<wg_map = <sg_layout = [4, 2], sg_data = [16, 32]>>>"
    source = (
        "gpu.module @m { gpu.func @f(%a: memref<64x64xf32>) kernel attributes {gpu.known_block_size = "
        "array<i32: 1, 1, 8>} {\n"
        f"  %t = xetile.init_tile %a[0, 0] : memref<64x64xf32> -> {tile}\n"
        f"  %v = xetile.load_tile %t : {tile} -> vector<64x64xf32>\n"
        f"  xetile.store_tile %v, %t : vector<64x64xf32>, {tile}\n  gpu.return\n}} }}"
    )
    picture = layouts(source)["pictures"][0]
    assert picture["owners"] == "subgroup"
    # Each of 4x2 subgroups has 16x32 elements of four bytes, row by row.
    expected = {(i, j): ([i // 16 * 2 + j // 32], (i % 16 * 32 + j % 32) * 4) for i, j in product(range(64), range(64))}
    assert placed(picture) == expected


def layout_kernel(layout, shape="64x64"):
    """A kernel with a layout under a name, as LLVM prints those of work-groups."""
    tile = f"!xegpu.tensor_desc<{shape}xf32, #l>"
    return (
        f"#l = #xegpu.layout<{layout}>\n"
        f"gpu.module @m {{ gpu.func @f(%a: memref<{shape}xf32>) kernel {{\n"
        f"  %t = xegpu.create_nd_tdesc %a : memref<{shape}xf32> -> {tile}\n"
        f"  %v = xegpu.load_nd %t[0, 0] : {tile} -> vector<{shape}xf32>\n"
        f"  %w = arith.addf %v, %v {{layout_result_0 = #l}} : vector<{shape}xf32>\n"
        f"  xegpu.store_nd %w, %t[0, 0] : vector<{shape}xf32>, {tile}\n  gpu.return\n}} }}"
    )


def test_levels_of_a_named_layout():
    fields = "sg_layout = [4, 2], sg_data = [16, 32], inst_data = [8, 16], lane_layout = [1, 16], lane_data = [1, 1]"
    pictures = layouts(layout_kernel(fields))["pictures"]
    titles = {each["title"] for each in pictures}
    for value in ("!xegpu.tensor_desc<64x64xf32, ", "vector<64x64xf32>, "):  # descriptors say it, values have it
        (title,) = [title for title in titles if title.startswith(value)]
        subgroups, lanes = [each for each in pictures if each["title"] == title]
        assert (subgroups["owners"], lanes["owners"]) == ("subgroup", "work-item")
        assert placed(subgroups)[17, 40] == ([3], (1 * 32 + 8) * 4)
        assert (lanes["rows"], lanes["columns"]) == (16, 32)  # what one subgroup has, in pieces of 8x16
        assert {place: owners for place, (owners, _) in placed(lanes).items()} == {
            (i, j): [j % 16] for i, j in product(range(16), range(32))
        }
        assert placed(lanes)[9, 18] == ([2], 1 * 64 + 2 * 4)


def test_an_element_may_have_several_owners():
    source = layout_kernel("sg_layout = [2, 2], sg_data = [8, 32]", "16x32")
    (owners, _) = placed(layouts(source)["pictures"][0])[9, 20]
    assert owners == [2, 3]


def test_the_order_of_subgroups():
    source = layout_kernel("sg_layout = [2, 2], sg_data = [8, 16], order = [0, 1]", "16x32")
    found = placed(layouts(source)["pictures"][0])
    assert [found[place][0] for place in ((0, 0), (8, 0), (0, 16), (8, 16))] == [[0], [1], [2], [3]]


def test_layouts_that_are_no_pictures():
    fields = "sg_layout = [1048576, 2], sg_data = [1, 1]"
    assert all(
        each["owners"] == "register" for each in layouts(layout_kernel(fields, "1048576x2"))["pictures"]
    )  # more owners than a picture has boxes


def bytes_of(message):
    return np.array(message["places"]).reshape(message["rows"], message["blocks"] * message["columns"])


def test_messages_that_pack_rows():
    a, b, c = layouts(GEMM.source)["messages"]
    assert [each["access"] for each in (a, b, c)] == ["load", "load", "store"]
    assert [each["form"] for each in (a, b, c)] == ["row by row", "VNNI", "row by row"]
    rows, columns = np.indices((16, 16))
    # Two rows of bf16 share a dword.
    np.testing.assert_array_equal(bytes_of(b), (rows // 2) * 64 + columns * 4 + rows % 2 * 2)
    rows, columns = np.indices((8, 16))
    np.testing.assert_array_equal(bytes_of(c), rows * 64 + columns * 4)
    dpas = next(number for number, text in enumerate(GEMM.source.split("\n"), 1) if "xegpu.dpas" in text)
    assert [each["line"] for each in (a, b)] == [dpas - 2, dpas - 1]
    assert f" r{b['register']}:8 " in b["name"]


@pytest.mark.parametrize(
    ("text", "form", "places"),
    [
        ("load_block2d.ugm.d32t.a64 (1|M0) r8:8 flat[r2]:1 8x16x1", "transposed", lambda i, j: j * 64 + i * 4),
        (
            "load_block2d.ugm.d16.a64 (1|M0) r8:8 flat[r2]:1 16x8x2",
            "row by row",
            lambda i, j: j // 16 * 256 + i * 32 + j % 16 * 2,
        ),
        ("store_block2d.ugm.d8.a64 (1|M0) flat[r2]:1 r8:4 24x8x1", "row by row", lambda i, j: i * 32 + j),
    ],
)
def test_messages_of_assembly(text, form, places):
    (message,) = layouts(f"nop\n(W) {text}\neot\n", language="xe-asm")["messages"]
    assert (message["form"], message["register"], message["line"]) == (form, 8, 2)
    i, j = np.indices((message["rows"], message["blocks"] * message["columns"]))
    np.testing.assert_array_equal(bytes_of(message), places(i, j))


def test_prefetches_have_no_registers():
    source = COPY.replace("    %value", "    xegpu.prefetch_nd %tile : !xegpu.tensor_desc<8x16xf32>\n    %value")
    message = layouts(source)["messages"][0]
    assert (message["access"], message["register"], message["places"]) == ("prefetch", None, [])


def test_a_kernel_without_block_messages():
    assert layouts(COPY, target="arc")["messages"] == []
    assert layouts("what", language="xe-asm") == {"pictures": [], "messages": []}
