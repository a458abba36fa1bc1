"""The kernels that go through upstream's pipeline: the gallery's, with what they compute."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from passes.pipelines import read_module
from passes.xegpu.propagate_layout import XegpuPropagateLayoutPass
from tests.paths import GALLERY
from tests.unit.gallery import gemm_oracles, problems
from tests.unit.gallery.support import Argument, Page, grid
from xegpu.diagnostics import SourceBuffer

LEVELS: Mapping[str, str] = {"wg": "workgroup", "sg": "subgroup", "lane": "lane"}
"""The levels of kernels, as files of the gallery and the pipeline call them."""

Bound = NDArray[np.float64] | float


@dataclass(frozen=True)
class Program:
    """A kernel at a level, with its launch and its exact results: position, numbers, and how far off each may be."""

    kernel: str
    level: str
    text: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: Sequence[Argument]
    results: Sequence[tuple[int, NDArray[np.float64], Bound]]

    def __str__(self) -> str:
        return f"{self.kernel}-{self.level}"


def names() -> list[tuple[str, str]]:
    """Returns the kernels and levels that there are."""
    kernels = sorted(path.name for path in GALLERY.iterdir() if path.is_dir())
    return [(kernel, level) for kernel in kernels for level in LEVELS]


@cache
def program(kernel: str, level: str) -> Program:
    """Returns a kernel of the gallery at a level."""
    text = Page(kernel, f"{level}_llvm22", "pvc").path.read_text()
    sizes = re.search(r"known_block_size = array<i32: (.*?)>", text)
    assert sizes, "the kernel names no sizes of its work-groups"
    block = tuple(map(int, sizes[1].split(",")))
    if kernel in gemm_oracles.PROBLEMS:
        gemm = gemm_oracles.PROBLEMS[kernel]()
        arrays = [n for n, value in enumerate(gemm.arguments) if isinstance(value, np.ndarray)]
        results = [(arrays[-1], gemm.exact, gemm.bound)]
        return Program(kernel, level, text, gemm.grid or grid(text), block, gemm.arguments, results)
    problem = problems.PROBLEMS[kernel]()
    results = [(position, each.exact, each.bound) for position, each in problem.results.items()]
    return Program(kernel, level, text, grid(text), block, problem.arguments, results)


def with_layouts(text: str) -> str:
    """Returns a kernel of a work-group with the layouts of all its values: LLVM 22 has no pass that spreads them."""
    context, module = read_module(SourceBuffer("kernel.mlir", text))
    XegpuPropagateLayoutPass("pvc", "subgroup").apply(context, module)
    return str(module)
