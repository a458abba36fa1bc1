"""Runs the example kernels from their ZEBINs and compares them with numpy.

Usage: `run_examples.py VECTOR_ADD.zebin GEMM.zebin GEMM_SG_MAP.zebin MANDELBROT.zebin`
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import ml_dtypes
import numpy as np
from numpy.typing import NDArray
from rich.box import SIMPLE
from rich.console import Console
from rich.table import Column, Table

from runtime import Device, LaunchResult

Array = NDArray[np.generic]
Outcome = tuple[LaunchResult, float, float, int]
"""Launch, largest error, largest error that the arithmetic allows, floating-point operations."""

UNIT_ROUNDOFF = 2.0**-24
"""Half a unit in the last place of float32, relative."""


def vector_add(device: Device, binary: Path, random: np.random.Generator) -> Outcome:
    """Adds vectors of float32: one rounding, the same as numpy's, so nothing may differ."""
    a, b = random.standard_normal((2, 4096), dtype=np.float32)
    c = np.zeros_like(a)
    launch = device.load(binary)["vector_add"][a.size // 64](a, b, c)
    return launch, float(np.abs(c - (a + b)).max()), 0.0, a.size


def gemm(device: Device, binary: Path, random: np.random.Generator) -> Outcome:
    """C = A x B with bf16 inputs and float32 accumulation, against float64.

    Products are exact in float32; a sum of K of them by any tree has at most K roundings on each path.
    """
    m = n = k = 256
    a = random.standard_normal((m, k)).astype(ml_dtypes.bfloat16)
    b = random.standard_normal((k, n)).astype(ml_dtypes.bfloat16)
    c = np.zeros((m, n), np.float32)
    (kernel,) = device.load(binary).values()
    launch = kernel[(m // 8, n // 16)](a, b, c)
    wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
    error = np.abs(c - wide_a @ wide_b)
    bound = k * UNIT_ROUNDOFF / (1 - k * UNIT_ROUNDOFF) * (np.abs(wide_a) @ np.abs(wide_b))
    worst = np.unravel_index(np.argmax(error / bound), error.shape)
    return launch, float(error[worst]), float(bound[worst]), 2 * m * n * k


def mandelbrot(device: Device, binary: Path, random: np.random.Generator) -> Outcome:
    """Rounds until each point has escaped, at most 64: the same roundings as numpy's, so nothing may differ."""
    size, limit = 128, 64
    step, corner = np.float32(2.5 / size), random.uniform(-2.0, -1.5)
    left, top = np.float32(corner), np.float32(-1.25)
    counts = np.zeros((size, size), np.int32)
    launch = device.load(binary)["mandelbrot"][(size // 16, size), (16,)](counts, left, top, step, np.int32(limit))
    numbers = np.arange(size, dtype=np.float32)
    cx, cy = left + numbers * step, (top + numbers * step)[:, None]
    x, y = np.zeros((2, size, size), np.float32)
    expected = np.zeros((size, size), np.int32)
    for _ in range(limit):
        near = x * x + y * y <= 4
        x, y = np.where(near, x * x - y * y + cx, x), np.where(near, x * y + x * y + cy, y)
        expected += near
    return launch, float(np.abs(counts - expected).max()), 0.0, 10 * int(expected.sum())


EXAMPLES: tuple[Callable[[Device, Path, np.random.Generator], Outcome], ...] = (vector_add, gemm, gemm, mandelbrot)


def main(binaries: list[str]) -> int:
    if len(binaries) != len(EXAMPLES):
        print(
            f"usage: {Path(__file__).name} VECTOR_ADD.zebin GEMM.zebin GEMM_SG_MAP.zebin MANDELBROT.zebin",
            file=sys.stderr,
        )
        return 2
    device = Device("pvc")
    random = np.random.default_rng(2024)
    columns = ("kernel", "grid", "max error", "allowed", "", "instructions", "time", "GFLOP/s")
    table = Table(*(Column(name, no_wrap=True) for name in columns), box=SIMPLE, padding=(0, 1, 0, 0))
    passed = True
    for example, binary in zip(EXAMPLES, binaries, strict=True):
        example(device, Path(binary), random)  # compiles for the host; the run below is what is shown
        launch, error, allowed, operations = example(device, Path(binary), random)
        good = error <= allowed
        passed &= good
        table.add_row(
            launch.kernel,
            "x".join(map(str, launch.grid)),
            f"{error:.2e}",
            f"{allowed:.2e}",
            "[green]ok[/]" if good else "[red]WRONG[/]",
            f"{launch.instructions:,}",
            f"{launch.seconds * 1e3:.2f} ms",
            f"{operations / launch.seconds / 1e9:.2f}",
        )
    console = Console()
    console.print(device.target.title, "against numpy:", highlight=False)
    console.print(table)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
