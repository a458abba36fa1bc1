"""Strides of memrefs: each must predict where the layout puts an element."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

import pytest
from hypothesis import given, strategies as st
from xdsl.dialects.builtin import AffineMapAttr, MemRefType, NoneAttr, StridedLayoutAttr, f32
from xdsl.ir.affine import AffineExpr, AffineMap

from tests.unit.xegpu.dialects.support import parse_attribute
from xegpu.dialects.upstream.memref import memref_strides


def predicted(memref: MemRefType, shape: Sequence[int]) -> list[int]:
    """Offsets of elements from the first one, in row-major order of their indices."""
    layout = memref_strides(memref)
    assert layout is not None
    known = [stride for stride in layout[0] if stride is not None]
    return [sum(map(int.__mul__, known, index)) for index in product(*map(range, shape))]


@given(st.lists(st.integers(1, 4), min_size=1, max_size=3))
def test_dense_memref(shape):
    memref = MemRefType(f32, shape)
    assert predicted(memref, shape) == list(range(memref.element_count()))


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_permuted_dimensions_are_dense_in_their_order(order):
    shape = (2, 3, 4)
    layout = AffineMapAttr(AffineMap(3, 0, tuple(AffineExpr.dimension(dim) for dim in order)))
    stored = [shape[dim] for dim in order]
    expected = []
    for index in product(*map(range, shape)):
        place = 0
        for size, dim in zip(stored, order, strict=True):
            place = place * size + index[dim]
        expected.append(place)
    assert predicted(MemRefType(f32, shape, layout), shape) == expected


@given(st.lists(st.integers(-9, 99), min_size=2, max_size=2), st.integers(0, 99))
def test_linear_map(strides, offset):
    map_ = AffineMap.from_callable(lambda i, j: (i * strides[0] + j * strides[1] + offset,))
    memref = MemRefType(f32, [3, 5], AffineMapAttr(map_))
    places = [map_.eval(index, [])[0] - offset for index in product(range(3), range(5))]
    assert predicted(memref, [3, 5]) == places


def test_strided_layout_keeps_what_only_the_run_time_knows():
    memref = MemRefType(f32, [8, 16], StridedLayoutAttr([NoneAttr(), 1], NoneAttr()))
    assert memref_strides(memref) == ([None, 1], None)


def test_symbols_are_offsets():
    memref = parse_attribute("memref<8x16xf32, affine_map<(d0, d1)[s0] -> (d0 * 64 + d1 * 2 + s0 * 3)>>")
    assert isinstance(memref, MemRefType)
    assert memref_strides(memref) == ([64, 2], None)


@pytest.mark.parametrize(
    "layout",
    [
        "affine_map<(d0, d1) -> (d0 floordiv 8, d1)>",
        "affine_map<(d0, d1) -> (d0 * 64 + d1 mod 8)>",
        "affine_map<(d0, d1) -> (d0 * 64 + d1 ceildiv 2)>",
        "affine_map<(d0, d1) -> (d0, d0)>",
        "affine_map<(d0) -> (d0)>",
        "affine_map<(d0, d1) -> (d0, d1, 0)>",
        "strided<[1]>",
    ],
)
def test_what_has_no_strides_has_none(layout):
    memref = parse_attribute(f"memref<8x16xf32, {layout}>")
    assert isinstance(memref, MemRefType)
    assert memref_strides(memref) is None
