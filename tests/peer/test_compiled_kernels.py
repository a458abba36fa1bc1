"""Intel's Level Zero driver takes what the compiler makes of real kernels, with the properties that we claim."""

from __future__ import annotations

from pathlib import Path

import pytest

import zebin
from passes.pipelines import compile_to_kernels
from tests.paths import EXAMPLES
from tests.peer.test_zebin_driver import claimed, load, probe
from tests.unit.passes.kernels.gemm import Gemm
from tests.unit.runtime.api.test_variables import BLOCK, COUNTER, TABLE
from xegpu.diagnostics import CompileError
from xegpu.targets import ARC, PVC, Target

__all__ = ["probe"]

PROGRAMS = sorted(EXAMPLES.glob("*.mlir"))
ONLY_PVC = {"gemm_sg_map"}
"""Examples written for subgroups that the other target does not have."""

PRINTS = """
gpu.module @m {
  gpu.func @k(%n: i32) kernel {
    gpu.printf "n = %d\\0A", %n : i32
    gpu.return
  }
}
"""
KERNELS = {
    **{path.stem: path.read_text() for path in PROGRAMS},
    "constants": TABLE.format(shape="4x2", type="f32", values="1.0"),
    "variables": COUNTER,
    "a block of constants": BLOCK,
    "prints": PRINTS,
}
FOR_PVC = {
    "required group size": Gemm(64, 64, 64, subgroups=(2, 2)).text(),
    "256 registers": Gemm(64, 64, 64, tiles=(4, 4)).text(),
    "spilling": Gemm(64, 64, 64, tiles=(8, 4)).text(),
    "dynamic shapes": Gemm(37, 53, 29, dynamic=True).text(),
}
CASES = [
    *[(PVC, name, text) for name, text in (KERNELS | FOR_PVC).items()],
    *[(ARC, name, text) for name, text in KERNELS.items() if name not in ONLY_PVC],
]


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(("target", "name", "text"), CASES, ids=[f"{target.name}-{name}" for target, name, _ in CASES])
def test_driver_reports_what_was_compiled(target: Target, name: str, text: str, probe: Path, tmp_path: Path) -> None:
    kernels = compile_to_kernels(text, target, f"{name}.mlir")
    reported = load(probe, zebin.build(target, kernels), target.name, tmp_path)
    assert reported == {kernel.name: claimed(kernel) for kernel in kernels}


def test_the_exceptions_are_some() -> None:
    for path in PROGRAMS:
        if path.stem in ONLY_PVC:
            with pytest.raises(CompileError, match="work-items"):
                compile_to_kernels(path.read_text(), ARC)
