"""Loads and stores of 2-D tiles: every element type, odd shapes, places outside the matrix."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.unit.passes.kernels.harness import DTYPES, compile_one, random_array, run
from tests.unit.passes.kernels.tiles import TileAccess

ELEMENTS = ["i8", "bf16", "f32", "f64"]
"""One type for each size; how bits are read makes no difference here."""
SHAPES = [(8, 16), (5, 7), (1, 4), (8, 12), (3, 16), (17, 9), (1, 1), (33, 3)]
WHOLE = (40, 64)
ODD = (19, 27)
PLACES = [(0, 0), (3, 4), (1, 1), (-2, -4), (-3, -5), (36, 60), (39, 63), (100, -100)]
"""Inside, at odd columns, across each edge, and far away."""


def check_load(access: TileAccess, places: list[tuple[int, int]]) -> None:
    memory = random_array(np.random.default_rng(3), access.memory, access.element)
    kernel = compile_one(access.load_text())
    for y, x in places:
        dense = np.full(access.elements, 77).astype(DTYPES[access.element])
        after = run(kernel, *access.arguments(memory, dense, y, x))
        assert after[0].tobytes() == memory.tobytes()
        assert after[1].tobytes() == access.loaded(memory, y, x).tobytes(), (y, x)


def check_store(access: TileAccess, places: list[tuple[int, int]]) -> None:
    rng = np.random.default_rng(3)
    memory = random_array(rng, access.memory, access.element)
    dense = random_array(rng, access.elements, access.element)
    kernel = compile_one(access.store_text())
    for y, x in places:
        after = run(kernel, *access.arguments(memory, dense, y, x))
        assert after[0].tobytes() == access.stored(memory, dense, y, x).tobytes(), (y, x)


CASES = [*((shape, WHOLE) for shape in SHAPES), *((shape, ODD) for shape in SHAPES[:3])]
"""Shapes of tiles in a matrix that block-2D messages can serve, and in one that they cannot."""


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize(("shape", "memory"), CASES)
@pytest.mark.parametrize("element", ELEMENTS)
def test_load(element: str, shape: tuple[int, int], memory: tuple[int, int]) -> None:
    check_load(TileAccess(element, *shape, memory), [(0, 0), (3, 4), (-3, -5), (36, 60)])


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize(("shape", "memory"), CASES)
@pytest.mark.parametrize("element", ELEMENTS)
def test_store(element: str, shape: tuple[int, int], memory: tuple[int, int]) -> None:
    check_store(TileAccess(element, *shape, memory), [(0, 0), (3, 4), (-3, -5), (36, 60)])


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("place", PLACES, ids=str)
@pytest.mark.parametrize("element", ["i8", "f16", "f32"])
def test_constant_places(element: str, place: tuple[int, int]) -> None:
    access = TileAccess(element, 8, 16, WHOLE, at=place)
    check_load(access, [place])
    check_store(access, [place])


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("memory", [(0, 64), (4, 0), (1, 64), (64, 1), (5, 3), (16, 16), (12, 40), (8, 17)], ids=str)
def test_matrices_of_dynamic_size(memory: tuple[int, int]) -> None:
    access = TileAccess("f16", 8, 16, memory, dynamic=True)
    check_load(access, [(0, 0), (-1, -1), (4, 2)])
    check_store(access, [(0, 0), (-1, -1), (4, 2)])
    check_load(replace(access, rows=1, columns=4, element="f32"), [(0, 0), (0, 1)])


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize(
    ("shape", "memory"), [((16, 8), WHOLE), ((8, 16), WHOLE), ((33, 4), WHOLE), ((8, 6), ODD)], ids=str
)
@pytest.mark.parametrize("element", ELEMENTS)
def test_transposed_load(element: str, shape: tuple[int, int], memory: tuple[int, int]) -> None:
    check_load(TileAccess(element, *shape, memory, transposed=True), [(0, 0), (2, 3), (-1, -3)])


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(("element", "unit"), [("i8", 32), ("bf16", 32), ("i8", 64), ("f16", 64), ("f32", 64)])
def test_transposed_load_of_wider_units(element: str, unit: int) -> None:
    check_load(TileAccess(element, 16, 16, WHOLE, transposed=True, unit=unit), [(0, 0), (2, 4), (2, 3), (-1, -3)])


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("shape", [(16, 16), (8, 12), (40, 4)], ids=str)
@pytest.mark.parametrize("element", ["i8", "f16"])
def test_packed_load(element: str, shape: tuple[int, int]) -> None:
    check_load(TileAccess(element, *shape, WHOLE, packed=True), [(0, 0), (1, 4), (1, 3), (-3, -5)])


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("place", [(3, 8), (-3, 100)], ids=str)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("element", "rows", "columns", "count"),
    [
        ("i8", 8, 8, 2),
        ("i8", 8, 32, 2),
        ("i8", 40, 4, 4),
        ("f16", 8, 8, 4),
        ("f16", 8, 16, 2),
        ("f16", 8, 32, 2),
        ("f16", 4, 12, 3),
        ("f16", 40, 4, 4),
    ],
)
def test_several_blocks(
    element: str, rows: int, columns: int, count: int, packed: bool, place: tuple[int, int]
) -> None:
    access = TileAccess(element, rows, columns, (40, 128), place, count, packed)
    check_load(access, [place])


@pytest.mark.parametrize(("element", "count"), [("i8", 2), ("f16", 3), ("f32", 2), ("f32", 4), ("f64", 2)])
def test_several_blocks_anywhere(element: str, count: int) -> None:
    check_load(TileAccess(element, 5, 6, (40, 64), count=count), [(0, 0), (3, 5), (-3, 50)])


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(("element", "rows", "columns"), [("f32", 32, 64), ("f16", 64, 64), ("i8", 64, 128)])
@pytest.mark.parametrize("place", [(-7, 16), (10, 100)], ids=str)
def test_tiles_of_many_messages(element: str, rows: int, columns: int, place: tuple[int, int]) -> None:
    access = TileAccess(element, rows, columns, (70, 160), place)
    check_load(access, [place])
    check_store(access, [place])
