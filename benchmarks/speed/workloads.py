"""The workloads of `kernels.py`: arguments, grids and expected results; the kernels are files in `kernels/`.

Each kernel exists as OpenCL C and, with the same algorithm, as MLIR, if no other benchmark has it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

KERNELS = Path(__file__).parents[1] / "kernels"

Size = tuple[int, ...]
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Workload:
    """One launch.

    `arrays` are passed first, the last of them is the result; then come `scalars` (for OpenCL: `opencl_scalars`). The
    grid counts work-groups of `group` threads, as each form of the kernel takes them. `expected` computes the result
    from the arrays; `tolerance` is relative. `bytes` is what one launch moves at least, for kernels that memory bounds.
    `edge` is that of the square matrices whose size the MLIR states.
    """

    name: str
    arrays: tuple[NDArray[np.generic], ...]
    scalars: tuple[np.generic, ...]
    opencl_scalars: tuple[np.generic, ...]
    grid: Size
    group: Size
    opencl_grid: Size
    opencl_group: Size
    expected: Callable[[], NDArray[np.generic]]
    tolerance: float
    bytes: int
    edge: int = 4096

    @property
    def has_mlir(self) -> bool:
        """Returns whether the kernel exists as MLIR."""
        return (KERNELS / f"{self.name}.mlir").exists()

    @property
    def mlir(self) -> str:
        """The kernel as MLIR text."""
        return (KERNELS / f"{self.name}.mlir").read_text().replace("4096x4096", f"{self.edge}x{self.edge}")

    @property
    def opencl(self) -> str:
        """The kernel as OpenCL C."""
        return (KERNELS / f"{self.name}.cl").read_text()

    def error(self) -> float:
        """Largest difference of the result from the expected one, in tolerances; below 1 is right."""
        expected = self.expected().astype(np.float64)
        difference = np.abs(self.arrays[-1] - expected)
        return float((difference / (self.tolerance * np.abs(expected) + 1e-30)).max())


def aligned(shape: Size, dtype: type[np.generic] = np.float32) -> NDArray[np.generic]:
    """A zero array whose first byte lies at a multiple of 64, so that kernels use it in place."""
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + 63, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + size].view(dtype).reshape(shape)


def _random(shape: Size) -> NDArray[np.generic]:
    array = aligned(shape)
    array[...] = np.random.default_rng(1).random(shape, np.float32)
    return array


def vector_add(scale: int) -> Workload:
    """2^20 elements times `scale`."""
    size = scale << 20
    a, b, c = _random((size,)), _random((size,)), aligned((size,))
    return Workload(
        "vector_add",
        (a, b, c),
        (),
        (),
        (size // 64,),
        (1,),
        (size // 256,),
        (256,),
        lambda: np.add(a, b),
        1e-7,
        12 * size,
    )


def transpose(scale: int) -> Workload:
    """4096x4096 elements (512x512 below scale 4)."""
    size = 4096 if scale >= 4 else 512
    a, c = _random((size, size)), aligned((size, size))
    tiles = (size // 16, size // 16)
    return Workload(
        "transpose",
        (a, c),
        (),
        (np.int32(size),),
        (size // 8, size // 16),
        (1,),
        tiles,
        (16, 16),
        lambda: a.T,
        1e-7,
        8 * size * size,
        size,
    )


def reduction(scale: int) -> Workload:
    """Sums of 256 times `scale` runs of 4096 elements."""
    groups = scale << 8
    a, c = _random((groups * 4096,)), aligned((groups,))
    return Workload(
        "reduction",
        (a, c),
        (),
        (),
        (groups,),
        (256,),
        (groups,),
        (256,),
        lambda: a.astype(np.float64).reshape(groups, 4096).sum(1),
        24 * 2.0**-24,  # 16 additions a work-item, 8 in the tree
        4 * a.size,
    )


def softmax(scale: int) -> Workload:
    """Softmax of 512 times `scale` rows of 1024 elements."""
    rows = scale << 9
    a, c = _random((rows * 1024,)), aligned((rows * 1024,))

    def expected() -> NDArray[np.generic]:
        x = a.astype(np.float64).reshape(rows, 1024)
        e = np.exp(x - x.max(1, keepdims=True))
        return (e / e.sum(1, keepdims=True)).reshape(-1)

    # exp within 4 ulp, 10 additions, a division within 2.5 ulp, and the rounding of its argument, at most 1.
    return Workload("softmax", (a, c), (), (), (rows,), (256,), (rows,), (256,), expected, 20 * 2.0**-23, 8 * a.size)


def mandelbrot(scale: int) -> Workload:
    """A picture of 256 times `scale` rows and columns, at most 256 iterations a point."""
    size, limit = scale << 8, 256
    step = np.float32(3.0 / size)
    out = aligned((size, size), np.int32)

    def expected() -> NDArray[np.generic]:
        columns, rows = np.meshgrid(np.arange(size), np.arange(size))
        # Products and sums are exact enough in f64 to be rounded once, which is what a fused operation does.
        cr = (columns * np.float64(step) - 2.25).astype(np.float32)
        ci = (rows * np.float64(step) - 1.5).astype(np.float32)
        zr, zi = np.zeros_like(cr), np.zeros_like(ci)
        count = np.zeros((size, size), np.int32)
        for _ in range(limit):
            rr, ii = zr * zr, zi * zi
            active = rr + ii <= 4
            if not active.any():
                break
            count += active
            zi = np.where(active, ((2 * zr).astype(np.float64) * zi + ci).astype(np.float32), zi)
            zr = np.where(active, rr - ii + cr, zr)
        return count

    grid, group = (size // 64, size), (64, 1)
    return Workload(
        "mandelbrot",
        (out,),
        (step, np.int32(limit)),
        (np.int32(size), step, np.int32(limit)),
        grid,
        group,
        grid,
        group,
        expected,
        1e-9,
        4 * size * size,
    )


def matmul(scale: int) -> Workload:
    """A product of matrices of 512 rows and columns (256 below scale 4), in OpenCL C only."""
    size = 512 if scale >= 4 else 256
    a, b, c = _random((size, size)), _random((size, size)), aligned((size, size))
    tiles = (size // 16, size // 16)
    return Workload(
        "matmul",
        (a, b, c),
        (),
        (np.int32(size),),
        tiles,
        (16, 16),
        tiles,
        (16, 16),
        lambda: a.astype(np.float64) @ b.astype(np.float64),
        size * 2.0**-24,
        12 * size * size,
    )


WORKLOADS: Mapping[str, Callable[[int], Workload]] = {
    make.__name__: make for make in (vector_add, transpose, reduction, softmax, mandelbrot, matmul)
}
"""Name to what makes it, at a scale."""
