"""Every kernel of the gallery as a whole program: host code that copies, launches and copies back."""

from __future__ import annotations

import re

import numpy as np
import pytest

from runtime import Device, run
from tests.unit.gallery import gemm_oracles, problems
from tests.unit.gallery.support import Page, assert_within, grid
from tests.unit.passes.kernels.harness import Array

LEVELS = {"wg_xetile": "pvc", "wi_xegpu": "pvc"}
"""Levels that are run, and on which GPU: kernels that differ most in how they are launched."""


def program(text: str, counts: tuple[int, ...]) -> str:
    """A program whose function `run` takes what the kernel takes."""
    start = text.index("gpu.module")
    signature = re.search(r"gpu\.func @(\w+)\((.*?)\)\s+kernel", text, re.DOTALL)
    block = re.search(r"known_block_size = array<i32: ([\d, ]+)>", text)
    assert signature is not None
    assert block is not None
    types = [argument.partition(":")[2].strip() for argument in re.split(r",\s*(?=%)", signature[2])]
    sizes = [*counts, *(1,) * (3 - len(counts)), *map(int, block[1].split(","))]
    lines = [f"%n{number} = arith.constant {size} : index" for number, size in enumerate(sizes)]
    lines += ["%d0 = arith.constant 0 : index", "%d1 = arith.constant 1 : index"]
    for number, type in enumerate(types):
        extents = [f"%s{number}_{dimension}" for dimension in range(type.count("?"))]
        lines += [f"{extent} = memref.dim %h{number}, %d{d} : {type}" for d, extent in enumerate(extents)]
        lines.append(f"%g{number} = gpu.alloc ({', '.join(extents)}) : {type}")
        lines.append(f"gpu.memcpy %g{number}, %h{number} : {type}, {type}")
    passed = ", ".join(f"%g{number} : {type}" for number, type in enumerate(types))
    lines.append(
        f"gpu.launch_func @kernels::@{signature[1]} blocks in (%n0, %n1, %n2) threads in (%n3, %n4, %n5) args({passed})"
    )
    for number, type in enumerate(types):
        lines += [f"gpu.memcpy %h{number}, %g{number} : {type}, {type}", f"gpu.dealloc %g{number} : {type}"]
    parameters = ", ".join(f"%h{number}: {type}" for number, type in enumerate(types))
    body = "\n    ".join(lines)
    return (
        f"{text[:start]}module attributes {{gpu.container_module}} {{\n  func.func @run({parameters}) {{\n    {body}\n"
        f"    return\n  }}\n{text[start:]}}}\n"
    )


def arrays_after(page: Page, counts: tuple[int, ...], arguments: list[Array]) -> list[Array]:
    passed = [np.array(value) for value in arguments]
    run(program(page.path.read_text(), counts), "run", passed, device=Device(page.target))
    return passed


@pytest.mark.sampled(every=14)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kernel", problems.PROBLEMS)
def test_kernels(kernel: str, level: str) -> None:
    page, problem = Page(kernel, level, LEVELS[level]), problems.PROBLEMS[kernel]()
    found = arrays_after(page, grid(page.path.read_text()), list(problem.arguments))
    for position, result in problem.results.items():
        assert_within(found[position], result.exact, result.bound)


@pytest.mark.sampled(every=14)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kernel", gemm_oracles.PROBLEMS)
def test_products(kernel: str, level: str) -> None:
    page, problem = Page(kernel, level, LEVELS[level]), gemm_oracles.PROBLEMS[kernel]()
    arguments = [value for value in problem.arguments if isinstance(value, np.ndarray)]
    found = arrays_after(page, problem.grid or grid(page.path.read_text()), arguments)
    assert_within(found[-1], problem.exact, problem.bound)
