"""The products of the gallery, at every level and on every target, against numpy."""

from __future__ import annotations

import pytest

from passes.pipelines import read_module
from passes.xegpu.propagate_sg_map import XegpuPropagateSgMapPass
from runtime.mux import compile_module
from tests.unit.gallery.gemm_oracles import PROBLEMS
from tests.unit.gallery.support import GALLERY, Page, assert_within, grid, launch, pages
from tests.unit.passes.kernels.harness import ENGINES
from xegpu.diagnostics import CompileError, SourceBuffer


def test_every_folder_has_a_problem() -> None:
    assert {path.name for path in GALLERY.glob("gemm*")} == PROBLEMS.keys()


WITHOUT_TF32 = [page for page in pages("gemm_tf32") if page.target == "arc"]


LONG = [
    page
    for page in pages(*(PROBLEMS.keys() - {"gemm_transposed_b", "gemm_bias_relu"}))
    if page.target == "arc" and page.level.endswith(("xetile", "llvm22"))
]
"""Tiles that become thousands of instructions, since ARC has no block messages: LLVM takes long for them."""


@pytest.mark.sampled(every=40)
@pytest.mark.parametrize("page", [page for page in pages(*PROBLEMS) if page not in WITHOUT_TF32], ids=str)
def test_kernel(page: Page) -> None:
    problem, text = PROBLEMS[page.kernel](), page.path.read_text()
    engines = ENGINES[:1] if page in LONG else ENGINES
    for compared in [(engine,) for engine in engines] if adds_atomically(text) else [engines]:
        results = launch(text, page.target, problem.grid or grid(text), problem.arguments, compared)
        assert_within(results[-1], problem.exact, problem.bound)


def adds_atomically(text: str) -> bool:
    """Returns whether work-groups add floats to the same elements: in any order, so that runs differ in rounding."""
    return "atomic_rmw addf" in text


@pytest.mark.parametrize("page", WITHOUT_TF32, ids=str)
def test_what_a_target_lacks_is_refused(page: Page) -> None:
    with pytest.raises(
        CompileError,
        match=r"^<gallery>:\d+:\d+: error: .*(tf32, which the matrix engine of arc|a subgroup of arc has 8)",
    ):
        compile_module(page.path.read_text(), page.target, "<gallery>")


@pytest.mark.parametrize("kernel", ["gemm_transposed_a", "gemm_bias_relu", "gemm_scaled_b", "gemm_split_k"])
def test_kernels_of_subgroups_become_kernels_of_work_items(kernel: str) -> None:
    """The maps that nobody wrote down are found."""
    page, problem = Page(kernel, "sg_xegpu", "pvc"), PROBLEMS[kernel]()
    text = page.path.read_text().replace("VectorComputeFunctionINTEL, ", "")
    text = text.replace("known_block_size = array<i32: 1, 1, 1>", "known_block_size = array<i32: 16, 1, 1>")
    context, module = read_module(SourceBuffer("<gallery>", text))
    XegpuPropagateSgMapPass(page.target).apply(context, module)
    results = launch(str(module), page.target, grid(text), problem.arguments, ENGINES[-1:])
    assert_within(results[-1], problem.exact, problem.bound)
