"""Pictures of layouts: every element is in the box of the one who has it."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from xdsl.ir import Attribute
from xdsl.parser import Parser

from tests.unit.xegpu.dialects.support import context
from xegpu.dialects.xegpu import Distribution, LaneMap
from xegpu.view import MAX_BOXES, LayoutPicture, layout_of, page

LAYOUTS = [
    LayoutPicture("rows", "work-item", (8, 16), LaneMap((1, 16), (1, 1))),
    LayoutPicture("pairs", "work-item", (16, 16), LaneMap((2, 8), (2, 1))),
    LayoutPicture("blocks", "work-item", (8, 8), LaneMap((2, 8), (1, 1)), blocks=2),
    LayoutPicture("round robin", "subgroup", (64, 128), LaneMap((2, 2), (16, 32))),
]


def type_of(text: str) -> Attribute:
    return Parser(context(), text).parse_type()


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.title)
def test_boxes_have_the_elements_of_their_owners(layout: LayoutPicture) -> None:
    distribution = Distribution(layout.tile, layout.map, blocks=layout.blocks)
    seen: set[tuple[int, int]] = set()
    for box in layout.boxes:
        for i in range(box.row, box.row + box.shape[0]):
            for j in range(box.column, box.column + box.shape[1]):
                block, column = divmod(j, layout.tile[1])
                place = distribution.place(i, column, block)
                assert (place.lane, place.row) == (box.owner, box.share)
                seen.add((i, j))
    assert len(seen) == layout.tile[0] * layout.tile[1] * layout.blocks
    assert layout.box_count == len(list(layout.boxes))


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.title)
def test_pictures_show_the_boxes(layout: LayoutPicture) -> None:
    """Boxes stand where their elements do, without gaps, and say whose they are."""
    (text,) = re.findall(r"<svg.*?</svg>", page([layout]), re.DOTALL)
    picture = ElementTree.fromstring(text)
    cell = float(picture.attrib["width"]) / (layout.tile[1] * layout.blocks)
    colors: dict[str, str] = {}
    for box, group in zip(layout.boxes, picture, strict=True):
        title, rectangle, label = group
        place = [float(rectangle.attrib[name]) / cell for name in ("y", "x", "height", "width")]
        assert place == pytest.approx([box.row, box.column, *box.shape], abs=1e-3)
        assert label.text == str(box.owner)
        assert f"{layout.owners} {box.owner}, row {box.share}" in str(title.text)
        assert colors.setdefault(str(label.text), rectangle.attrib["fill"]) == rectangle.attrib["fill"]
    assert len(set(colors.values())) == len(colors)


def test_layouts_of_types() -> None:
    rows = "#xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>"
    layout = layout_of(type_of(f"!xegpu.tensor_desc<8x16xf16, #xegpu.block_tdesc_attr<array_length = 2>, {rows}>"))
    assert layout is not None
    assert (layout.tile, layout.map, layout.blocks) == ((8, 16), LaneMap((1, 16), (1, 1)), 2)
    layout = layout_of(type_of(f"!xegpu.tensor_desc<32xf16, {rows}>"))
    assert layout is not None
    assert layout.tile == (1, 32)
    layout = layout_of(
        type_of("!xetile.tile<64x64xf16, #xetile.tile_attr<wg_map = <sg_layout = [2, 2], sg_data = [32, 16]>>>")
    )
    assert layout is not None
    assert (layout.owners, layout.tile, layout.map) == ("subgroup", (64, 64), LaneMap((2, 2), (32, 16)))
    layout = layout_of(
        type_of("!xetile.tile<8x16xf16, #xetile.tile_attr<sg_map = <wi_layout = [2, 8], wi_data = [1, 2]>>>")
    )
    assert layout is not None
    assert (layout.owners, layout.map) == ("work-item", LaneMap((2, 8), (1, 2)))
    for text in ("!xegpu.tensor_desc<8x16xf16>", "!xetile.tile<8x16xf16>", "vector<8x16xf16>"):
        assert layout_of(type_of(text)) is None


def test_large_layouts_are_refused() -> None:
    layout = LayoutPicture("large", "work-item", (1024, 1024), LaneMap((1, 16), (1, 1)))
    with pytest.raises(ValueError, match=f"large has 1048576 boxes, at most {MAX_BOXES} are drawn"):
        page([layout])
