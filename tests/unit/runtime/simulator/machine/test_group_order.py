"""The order in which the work-groups of a launch start: a table for any grid, and the same one in both engines."""

from __future__ import annotations

from itertools import pairwise, product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from runtime.simulator import Dispatch, FaultKind
from runtime.simulator.machine.group_order import PATCH, SQUARE, GroupOrder, group_order
from tests.amounts import examples
from tests.unit.runtime.simulator.jit.launches import Bench
from xegpu.isa.model import Dim3

TICKETS = """
    (W) mov (1|M0) r9.0<1>:uq r1.0<0;1,0>:uq
    atomic_iinc.ugm.d32.a64 (1|M0) r20:1 flat[r9]:1
    (W) mul (1|M0) r10.0<1>:ud r0.7<0;1,0>:ud r1.5<0;1,0>:ud
    (W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud r0.6<0;1,0>:ud
    (W) mul (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud r1.4<0;1,0>:ud
    (W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud r0.1<0;1,0>:ud
    (W) mul (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud 4:ud
    (W) add (1|M0) r11.0<1>:uq r1.1<0;1,0>:uq r10.0<0;1,0>:ud
    (W) store.ugm.d32.a64 (1|M0) flat[r11]:1 r20:1
    (W) eot (1|M0)
"""
"""Each group takes a ticket from a counter, and stores it at its place in the grid."""

PRODUCT = """
    dpas.8x8 (16|M0) r40:f r40:f r56:bf r48:bf
"""

SMALL_GRIDS: list[Dim3] = [(7, 5, 3), (66, 3, 1), (1, 20, 2)]
GRIDS: list[Dim3] = [*SMALL_GRIDS, (1, 64, 1), (64, 1, 1), (65, 17, 2), (200, 9, 1), (130, 20, 3), (1, 1, 70)]


def positions(order: GroupOrder, grid: Dim3) -> list[Dim3]:
    return [order.position(number) for number in range(prod(grid))]


@settings(max_examples=examples(60), deadline=None)
@given(
    grid=st.tuples(*[st.integers(1, 24)] * 2, st.integers(1, 3)),
    patch=st.tuples(*[st.integers(1, 30)] * 2),
)
def test_each_group_has_one_number(grid: Dim3, patch: tuple[int, int]) -> None:
    columns, rows, layers = grid
    found = positions(GroupOrder(columns, rows, *patch), grid)
    assert set(found) == set(product(range(columns), range(rows), range(layers)))
    assert [z for _, _, z in found] == sorted(z for _, _, z in found)


@pytest.mark.parametrize("patch", [PATCH, SQUARE], ids=str)
def test_groups_of_a_patch_follow_each_other(patch: tuple[int, int]) -> None:
    width, height = patch
    columns, rows = 2 * width + 3, height + 1
    dispatch = Dispatch((columns, rows, 1), (1, 1, 1))
    found = positions(group_order(dispatch, ascending=False, multiplies=patch is SQUARE), (columns, rows, 1))
    patches = [(y // height, x // width) for x, y, _ in found]
    assert patches == sorted(patches)
    for (x, y, _), (next_x, next_y, _) in pairwise(found[: width * height]):
        assert (next_x, next_y) in ((x + 1, y), (0, y + 1))


@pytest.mark.parametrize("part", [None, (5, 100)])
def test_in_ascending_order_and_in_parts_x_is_fastest(part: tuple[int, int] | None) -> None:
    dispatch = Dispatch((70, 9, 2), (1, 1, 1), part=part)
    order = group_order(dispatch, ascending=part is None, multiplies=False)
    assert positions(order, (70, 9, 2)) == [(x, y, z) for z in range(2) for y in range(9) for x in range(70)]


@pytest.mark.parametrize("multiplies", [False, True])
@pytest.mark.parametrize(
    ("engine", "grid"), [("interpreter", grid) for grid in SMALL_GRIDS] + [("jit", grid) for grid in GRIDS], ids=str
)
def test_groups_start_in_order(engine: str, grid: Dim3, multiplies: bool) -> None:
    bench = Bench((PRODUCT if multiplies else "") + TICKETS, [4, 4 * prod(grid)], values=grid[:2])
    bench.run(engine, grid, threads=1)
    columns, rows, layers = grid
    tickets = np.frombuffer(bytes(bench.buffers[1].view()), np.uint32).reshape(layers, rows, columns)
    order = group_order(Dispatch(grid, (1, 1, 1)), ascending=False, multiplies=multiplies)
    expected = np.empty_like(tickets)
    for number, (x, y, z) in enumerate(positions(order, grid)):
        expected[z, y, x] = number
    assert np.array_equal(tickets, expected)


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_each_group_runs_once_on_several_host_threads(grid: Dim3) -> None:
    bench = Bench(TICKETS, [4, 4 * prod(grid)], values=grid[:2])
    bench.run("jit", grid, threads=3)
    tickets = np.frombuffer(bytes(bench.buffers[1].view()), np.uint32)
    assert sorted(tickets) == list(range(prod(grid)))


FAULTS = """
    (W) mov (1|M0) r9.0<1>:uq r1.0<0;1,0>:uq
    (W) cmp (1|M0) (eq)f0.0 null<1>:ud r0.1<0;1,0>:ud r1.2<0;1,0>:ud
    (W&f0.0) mov (1|M0) r9.0<1>:uq 1:uq
    (W) cmp (1|M0) (eq)f0.0 null<1>:ud r0.6<0;1,0>:ud r1.3<0;1,0>:ud
    (W&f0.0) mov (1|M0) r9.0<1>:uq 1:uq
    (W) store.ugm.d8u32.a64 (1|M0) flat[r9]:1 r20:1
    (W) eot (1|M0)
"""
"""The groups of a column and of a row of the grid store where no memory is."""


def test_the_first_group_of_the_order_that_faults_is_reported() -> None:
    column, row = PATCH[0] + 1, 2
    bench = Bench(FAULTS, [4], values=[column, row])
    fault = bench.fault((2 * PATCH[0], 2 * PATCH[1], 2))
    assert fault.kind is FaultKind.OUT_OF_BOUNDS
    assert fault.group == (0, row, 0)  # in the whole grid, (column, 0, 0) would be first
