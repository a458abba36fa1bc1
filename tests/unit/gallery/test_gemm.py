"""The products of the gallery, at every level and on every target, against numpy."""

from __future__ import annotations

import pytest

from runtime.mux import compile_module
from tests.unit.gallery.gemm_oracles import PROBLEMS, Problem
from tests.unit.gallery.support import GALLERY, Page, assert_within, launch, pages
from xegpu.diagnostics import CompileError

TILES = {
    ("wg_xetile", "pvc"): (32, 32),
    ("wg_xetile", "arc"): (32, 32),
    ("sg_xetile", "pvc"): (16, 16),
    ("sg_xetile", "arc"): (16, 16),
    ("sg_xegpu", "pvc"): (8, 16),
    ("sg_xegpu", "arc"): (8, 8),
    ("wi_xegpu", "pvc"): (8, 16),
    ("wi_xegpu", "arc"): (8, 8),
}
"""Rows and columns of C that a work-group computes."""


def grid(page: Page, problem: Problem) -> tuple[int, ...]:
    if problem.groups:
        return (problem.groups,)
    (m, n, planes), (rows, columns) = problem.extent, TILES[page.level, page.target]
    return -(-m // rows), -(-n // columns), planes


def test_every_folder_has_a_problem() -> None:
    assert {path.name for path in GALLERY.glob("gemm*")} == PROBLEMS.keys()


WITHOUT_TF32 = [page for page in pages("gemm_tf32") if page.target == "arc"]


@pytest.mark.parametrize("page", [page for page in pages(*PROBLEMS) if page not in WITHOUT_TF32], ids=str)
def test_kernel(page: Page) -> None:
    problem = PROBLEMS[page.kernel]()
    results = launch(page.path.read_text(), page.target, grid(page, problem), problem.arguments)
    assert_within(results[-1], problem.exact, problem.bound)


@pytest.mark.parametrize("page", WITHOUT_TF32, ids=str)
def test_what_a_target_lacks_is_refused(page: Page) -> None:
    with pytest.raises(
        CompileError,
        match=r"^<gallery>:\d+:\d+: error: .*(tf32, which the matrix engine of arc|a subgroup of arc has 8)",
    ):
        compile_module(page.path.read_text(), page.target, "<gallery>")
