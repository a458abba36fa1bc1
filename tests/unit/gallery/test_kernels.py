"""The kernels of the gallery that are no plain products: at every level, on every target, in every engine."""

from __future__ import annotations

import pytest

from tests.unit.gallery.problems import PROBLEMS
from tests.unit.gallery.support import Page, assert_within, grid, launch, pages


@pytest.mark.parametrize("page", pages(*PROBLEMS), ids=str)
def test_gallery(page: Page) -> None:
    """Results are within their bounds, and nothing else changes."""
    problem = PROBLEMS[page.kernel]()
    text = page.path.read_text()
    arrays = launch(text, page.target, grid(text), problem.arguments)
    for position, (before, after) in enumerate(zip(problem.arguments, arrays, strict=True)):
        if position in problem.results:
            assert_within(after, problem.results[position].exact, problem.results[position].bound)
        else:
            assert after.tobytes() == before.tobytes(), f"argument {position} has changed"
