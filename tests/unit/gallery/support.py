"""Runs the kernels of the gallery: text to ZEBIN to results, in every engine, against exact results and bounds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from runtime import Device
from runtime.mux import compile_module
from tests.paths import GALLERY
from tests.unit.passes.kernels.harness import ENGINES, Array

LEVELS = ("wg_xetile", "sg_xetile", "sg_xegpu", "wi_xegpu")
"""The levels of the RFC, at which every kernel is written."""

UPSTREAM_LEVELS = ("wg_llvm22", "sg_llvm22", "lane_llvm22")
"""The levels of XeGPU in LLVM 22, at which every kernel is written for PVC, too."""

TARGETS = ("pvc", "arc")

Argument = Array | np.generic | int | float


@dataclass(frozen=True)
class Page:
    """A kernel of the gallery, written at a level, on a target."""

    kernel: str
    level: str
    target: str

    def __str__(self) -> str:
        return f"{self.kernel}-{self.level}-{self.target}"

    @property
    def path(self) -> Path:
        """`<level>.<target>.mlir` where the target needs a text of its own, else `<level>.mlir`."""
        folder = GALLERY / self.kernel
        own = folder / f"{self.level}.{self.target}.mlir"
        return own if own.exists() else folder / f"{self.level}.mlir"


def pages(*kernels: str) -> list[Page]:
    """Returns the pages in the folders of these kernels."""
    levels = (*LEVELS, *UPSTREAM_LEVELS)
    every = (Page(kernel, level, target) for kernel in kernels for level in levels for target in TARGETS)
    return [page for page in every if page.path.exists()]


def grid(text: str) -> tuple[int, ...]:
    """The number of work-groups that the kernel says it is launched with."""
    sizes = re.search(r"known_grid_size = array<i32: (.*?)>", text)
    assert sizes, "the kernel names no grid"
    return tuple(map(int, sizes[1].split(",")))


def launch(
    text: str, target: str, grid: tuple[int, ...], arguments: Sequence[Argument], engines: Sequence[str] = ENGINES
) -> list[Array]:
    """The arrays among the arguments as the text's only kernel leaves them; the caller's arrays stay as they are.

    Fails unless all engines write the same bytes.
    """
    binary = compile_module(text, target, "<gallery>")
    outcomes: list[list[Array]] = []
    for engine in engines:
        (kernel,) = Device(target, engine).load(binary).values()
        passed = [value.copy() if isinstance(value, np.ndarray) else value for value in arguments]
        kernel[grid](*passed)
        outcomes.append([value for value in passed if isinstance(value, np.ndarray)])
    for engine, outcome in zip(engines[1:], outcomes[1:], strict=True):
        for number, (first, other) in enumerate(zip(outcomes[0], outcome, strict=True)):
            assert first.tobytes() == other.tobytes(), f"array {number} differs between {engines[0]} and {engine}"
    return outcomes[0]


def assert_within(result: Array, exact: NDArray[np.float64], bound: NDArray[np.float64] | float) -> None:
    """Fails where an element is further from the exact one than the arithmetic allows."""
    error = np.abs(result.astype(np.float64) - exact)
    inside = error <= bound  # false for NaN, too
    if not inside.all():
        worst = np.unravel_index(np.argmax(np.where(inside, 0, np.nan_to_num(error, nan=np.inf))), error.shape)
        allowed = np.broadcast_to(np.asarray(bound, np.float64), error.shape)[worst]
        raise AssertionError(
            f"{np.count_nonzero(~inside)} of {error.size} elements are wrong; at {tuple(map(int, worst))}: "
            f"{result[worst]}, expected {exact[worst]} within {allowed}"
        )
