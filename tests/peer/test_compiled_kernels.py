"""Intel's Level Zero driver takes what the compiler makes of real kernels, with the properties that we claim."""

from __future__ import annotations

from pathlib import Path

import pytest

import zebin
from passes.pipelines import compile_to_kernels
from tests.peer.test_zebin_driver import claimed, load, probe
from tests.unit.compiler.gemm_kernels import Gemm
from xegpu.targets import PVC

__all__ = ["probe"]

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.mlir"))
KERNELS = {
    **{path.stem: path.read_text() for path in EXAMPLES},
    "required group size": Gemm(64, 64, 64, subgroups=(2, 2)).text(),
    "256 registers": Gemm(64, 64, 64, tiles=(4, 4)).text(),
    "spilling": Gemm(64, 64, 64, tiles=(8, 4)).text(),
    "dynamic shapes": Gemm(37, 53, 29, dynamic=True).text(),
}


@pytest.mark.parametrize("name", KERNELS)
def test_driver_reports_what_was_compiled(name: str, probe: Path, tmp_path: Path) -> None:
    kernels = compile_to_kernels(KERNELS[name], PVC, f"{name}.mlir")
    reported = load(probe, zebin.build(PVC, kernels), "pvc", tmp_path)
    assert reported == {kernel.name: claimed(kernel) for kernel in kernels}
