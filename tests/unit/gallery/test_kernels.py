"""The kernels of the gallery that are no plain products: at every level, on every target, in every engine."""

from __future__ import annotations

from itertools import product

import pytest

from tests.unit.gallery.problems import PROBLEMS
from tests.unit.gallery.support import (
    GALLERY,
    LEVELS,
    TARGETS,
    UPSTREAM_LEVELS,
    Page,
    assert_within,
    grid,
    launch,
    pages,
)
from tests.unit.passes.kernels.harness import ENGINES


@pytest.mark.sampled(every=18)
@pytest.mark.parametrize("page", pages(*PROBLEMS), ids=str)
def test_gallery(page: Page) -> None:
    """Results are within their bounds, and nothing else changes.

    Programs for ARC are long, and the JIT takes its time. What a subgroup does in a work-group, it does in kernels of
    subgroups, and attention does it again with a mask: there the interpreter is enough.
    """
    problem = PROBLEMS[page.kernel]()
    text = page.path.read_text()
    is_again = page.target == "arc" and (page.level == "wg_xetile" or page.kernel == "flash_attention")
    arrays = launch(text, page.target, grid(text), problem.arguments, ENGINES[:1] if is_again else ENGINES)
    for position, (before, after) in enumerate(zip(problem.arguments, arrays, strict=True)):
        if position in problem.results:
            assert_within(after, problem.results[position].exact, problem.results[position].bound)
        else:
            assert after.tobytes() == before.tobytes(), f"argument {position} has changed"


def test_every_kernel_is_here_at_every_level() -> None:
    """No folder is left out, and none lacks a level."""
    folders = {path.name for path in GALLERY.iterdir() if path.is_dir()}
    assert set(PROBLEMS) == {folder for folder in folders if not folder.startswith("gemm")}
    written = [page for page in pages(*PROBLEMS) if page.level in LEVELS]
    assert written == [Page(*each) for each in product(PROBLEMS, LEVELS, TARGETS)]
    upstream = [page for page in pages(*folders) if page.level in UPSTREAM_LEVELS]
    assert upstream == [
        Page(folder, level, target)
        for folder, level, target in product(folders, UPSTREAM_LEVELS, TARGETS)
        if level != "lane_llvm22" or target == "pvc"  # lanes are those of subgroups of 16
    ]
