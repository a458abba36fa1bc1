"""The first contents of the page: a kernel, menus and examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.cli import CHECKS
from tools.explore.protocol import OP_LEVELS, SOURCE_LANGUAGES, Json
from xegpu import __version__
from xegpu.targets import DEFAULT_TARGET, TARGETS

_GEMM = ("random:64x64xbf16:1", "random:64x64xbf16:2", "zeros:64x64xf32")
_LANES = ("arange:32x16xf32", "zeros:32x16xf32")
_TWICE = ("arange:64x64xf32", "zeros:64x64xf32")
_SAXPY = ("arange:1024xf32", "ones:1024xf32", "f32:2")

_FOLDER = Path(__file__).parent / "examples"


@dataclass(frozen=True)
class Example:
    """A kernel, and how to run it: the sizes of the grid and of a group, and the arguments of `xegpu-run --arg`.

    Sizes and arguments that are left out are those that the kernel states and the page proposes.
    """

    title: str
    language: str
    source: str
    grid: Sequence[int] = ()
    group: Sequence[int] = ()
    arguments: Sequence[str] = ()

    def json(self) -> dict[str, Json]:
        """Returns the example as the page reads it."""
        return {
            "title": self.title,
            "language": self.language,
            "source": self.source,
            "grid": list(self.grid),
            "group": list(self.group),
            "arguments": list(self.arguments),
        }


def examples() -> list[Example]:
    """Returns the kernels that come with the explorer, the first of which it begins with."""
    return [
        Example("GEMM (XeGPU)", "mlir", _text("gemm.mlir"), (8, 4), (), _GEMM),
        Example("GEMM of tiles (XeTile)", "mlir", _text("tile.mlir"), (4, 4), (), _GEMM),
        Example("Lanes with a map (XeGPU)", "mlir", _text("lanes.mlir"), (4,), (16,), _LANES),
        Example("Layout of a work-group (XeGPU)", "mlir", _text("work_group.mlir"), (1,), (), _TWICE),
        Example("SAXPY (OpenCL C)", "opencl", _text("saxpy.cl"), (16,), (64,), _SAXPY),
        Example("A store (SPIR-V)", "spirv", _text("store.spvasm"), (1,), (1,), ("zeros:16xi32",)),
        Example("A sum (Xe assembly)", "xe-asm", _text("sum.xeasm"), (1,)),
    ]


def start_document(kernel: Example | None) -> dict[str, Json]:
    """Returns what the page asks for first: the kernel to begin with, and the choices of the menus."""
    known = examples()
    return {
        "version": __version__,
        "kernel": (kernel or known[0]).json(),
        "examples": [each.json() for each in known],
        "languages": list(SOURCE_LANGUAGES),
        "target": DEFAULT_TARGET,
        "targets": {name: list(target.platform.grf_counts) for name, target in TARGETS.items()},
        "op_levels": list(OP_LEVELS),
        "checks": list(CHECKS),
    }


def _text(file: str) -> str:
    return (_FOLDER / file).read_text(encoding="utf-8")
