"""The lanes' share of a tile: RFC tables, bijection, and what bytes both views of a tile agree on."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, strategies as st
from xdsl.dialects.builtin import f16

from tests.unit.xegpu.dialects.support import parse_attribute
from xegpu.dialects.xegpu import BlockTensorDescAttr, Distribution, FragmentPosition, LaneMap, SgMapAttr, TensorDescType
from xegpu.dialects.xegpu.distribution import gather_fragment

# Target and role, tile, wi_layout, wi_data, fragment, fragment row 0 of lanes 1 and 9, last element of lane 0.
OPERANDS = [
    ("PVC A 16-bit", (8, 16), (1, 16), (1, 1), (8, 1), [(0, 1)], [(0, 9)], (7, 0)),
    ("PVC A tf32", (8, 8), (2, 8), (1, 1), (4, 1), [(0, 1)], [(1, 1)], (6, 0)),
    ("PVC A 8-bit", (8, 32), (1, 16), (1, 2), (8, 2), [(0, 2), (0, 3)], [(0, 18), (0, 19)], (7, 1)),
    ("PVC B 16-bit", (16, 16), (1, 16), (2, 1), (8, 2), [(0, 1), (1, 1)], [(0, 9), (1, 9)], (15, 0)),
    ("PVC B tf32", (8, 16), (1, 16), (1, 1), (8, 1), [(0, 1)], [(0, 9)], (7, 0)),
    (
        "PVC B 8-bit",
        (32, 16),
        (1, 16),
        (4, 1),
        (8, 4),
        [(0, 1), (1, 1), (2, 1), (3, 1)],
        [(0, 9), (1, 9), (2, 9), (3, 9)],
        (31, 0),
    ),
    ("PVC C", (8, 16), (1, 16), (1, 1), (8, 1), [(0, 1)], [(0, 9)], (7, 0)),
    ("PVC transposed tf32", (16, 8), (16, 1), (1, 1), (8, 1), [(1, 0)], [(9, 0)], (0, 7)),
    ("ARC A 16-bit", (8, 16), (1, 8), (1, 2), (8, 2), [(0, 2), (0, 3)], None, (7, 1)),
    ("ARC A tf32", (8, 8), (1, 8), (1, 1), (8, 1), [(0, 1)], None, (7, 0)),
    ("ARC A 8-bit", (8, 32), (1, 8), (1, 4), (8, 4), [(0, 4), (0, 5), (0, 6), (0, 7)], None, (7, 3)),
    ("ARC B 16-bit", (16, 8), (1, 8), (2, 1), (8, 2), [(0, 1), (1, 1)], None, (15, 0)),
    ("ARC B tf32", (8, 8), (1, 8), (1, 1), (8, 1), [(0, 1)], None, (7, 0)),
    ("ARC B 8-bit", (32, 8), (1, 8), (4, 1), (8, 4), [(0, 1), (1, 1), (2, 1), (3, 1)], None, (31, 0)),
    ("ARC C", (8, 8), (1, 8), (1, 1), (8, 1), [(0, 1)], None, (7, 0)),
    ("ARC transposed tf32", (8, 8), (8, 1), (1, 1), (8, 1), [(1, 0)], None, (0, 7)),
]


def fragment_row(distribution: Distribution, lane: int, row: int) -> list[tuple[int, int]]:
    places = [FragmentPosition(lane, row, column) for column in range(distribution.map.data_size)]
    return [distribution.element(place)[1:] for place in places]


@pytest.mark.parametrize("case", OPERANDS, ids=lambda case: case[0])
def test_matrix_operands_are_distributed_as_the_tables_say(case):
    _, tile, layout, data, fragment, lane1, lane9, last = case
    distribution = Distribution(tile, LaneMap(layout, data), transposed="transposed" in case[0])
    assert distribution.fragment == fragment
    assert fragment_row(distribution, 1, 0) == lane1
    if lane9 is not None:
        assert fragment_row(distribution, 9, 0) == lane9
    assert distribution.element(FragmentPosition(0, fragment[0] - 1, fragment[1] - 1))[1:] == last


# Descriptor, whether it is transposed, and the element of a block at fragment entry [f][e] of a lane.
WORKED = [
    ("64xf32, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>", False, lambda f, e, lane: (0, 16 * f + lane)),
    (
        "64xf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 2]>",
        False,
        lambda f, e, lane: (0, 32 * f + 2 * lane + e),
    ),
    ("16x16xbf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [2, 1]>", False, lambda f, e, lane: (2 * f + e, lane)),
    ("32x16xi8, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [4, 1]>", False, lambda f, e, lane: (4 * f + e, lane)),
    ("16x8xf32, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>", True, lambda f, e, lane: (lane, f)),
    ("16x16xbf16, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 2]>", True, lambda f, e, lane: (lane, 2 * f + e)),
    (
        "12x32xbf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>",
        False,
        lambda f, e, lane: (f // 2, 16 * (f % 2) + lane),
    ),
    ("12x32xbf16, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 2]>", False, lambda f, e, lane: (f, 2 * lane + e)),
]


@pytest.mark.parametrize("case", WORKED, ids=lambda case: case[0])
def test_worked_cases(case):
    text, transposed, element = case
    desc = parse_attribute(f"!xegpu.tensor_desc<{text}>")
    assert isinstance(desc, TensorDescType)
    distribution = desc.distribution(transposed)
    assert distribution is not None
    assert distribution.fragment == desc.fragment_shape()
    rows, columns = distribution.fragment
    for f, e, lane in product(range(rows), range(columns), range(16)):
        assert distribution.element(FragmentPosition(lane, f, e)) == (0, *element(f, e, lane))


def test_blocks_of_an_array_follow_each_other():
    desc = TensorDescType([8, 16], f16, BlockTensorDescAttr(array_length=2), SgMapAttr([1, 16], [1, 1]))
    distribution = desc.distribution()
    assert distribution is not None
    assert distribution.fragment == desc.fragment_shape() == (16, 1)
    for block, row, lane in product(range(2), range(8), range(16)):
        assert distribution.place(row, lane, block) == FragmentPosition(lane, 8 * block + row, 0)
        assert distribution.element(FragmentPosition(lane, 8 * block + row, 0)) == (block, row, lane)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("16xf32, #xegpu.scatter_tdesc_attr<>, #xegpu.sg_map<wi_layout = [1, 16], wi_data = [1, 1]>", (1,)),
        (
            "16x4xf32, #xegpu.scatter_tdesc_attr<chunk_size = 4>, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 1]>",
            (4, 1),
        ),
        (
            "16x8xf16, #xegpu.scatter_tdesc_attr<chunk_size = 8>, #xegpu.sg_map<wi_layout = [16, 1], wi_data = [1, 2]>",
            (4, 2),
        ),
        ("16xf32", None),
    ],
)
def test_fragments_of_gathers(text, shape):
    desc = parse_attribute(f"!xegpu.tensor_desc<{text}>")
    assert isinstance(desc, TensorDescType)
    assert desc.fragment_shape() == shape


def test_gather_fragment_has_rank_1_without_chunks():
    assert gather_fragment(1, LaneMap((1, 16), (1, 1))) == (1,)


sizes = st.integers(1, 4)


@st.composite
def distributions(draw: st.DrawFn) -> Distribution:
    lanes = LaneMap((draw(sizes), draw(sizes)), (draw(sizes), draw(sizes)))
    tile = (lanes.unit[0] * draw(sizes), lanes.unit[1] * draw(sizes))
    return Distribution(tile, lanes, draw(st.booleans()), draw(st.integers(1, 2)))


@given(distributions())
def test_every_element_has_one_place_and_every_place_one_element(distribution):
    elements = list(product(range(distribution.blocks), range(distribution.tile[0]), range(distribution.tile[1])))
    places = [distribution.place(i, j, block) for block, i, j in elements]
    rows, columns = distribution.fragment
    assert set(places) == {
        FragmentPosition(*entry) for entry in product(range(distribution.map.lanes), range(rows), range(columns))
    }
    assert len(set(places)) == len(elements)
    assert [distribution.element(place) for place in places] == elements


@given(distributions())
def test_a_lane_owns_boxes_of_wi_data(distribution):
    """Entries of one fragment row are neighbours: they fill one box of the shape of wi_data."""
    rows, columns = distribution.fragment
    for lane, row in product(range(distribution.map.lanes), range(rows)):
        box = {distribution.element(FragmentPosition(lane, row, column))[1:] for column in range(columns)}
        top, left = min(i for i, _ in box), min(j for _, j in box)
        assert box == {(top + i, left + j) for i, j in product(*map(range, distribution.map.data))}
        assert (top % distribution.map.data[0], left % distribution.map.data[1]) == (0, 0)


def test_units_must_divide_the_tile():
    with pytest.raises(ValueError, match="cannot be divided into units"):
        Distribution((8, 24), LaneMap((1, 16), (1, 1)))
