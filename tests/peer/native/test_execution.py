"""Kernels as native code of Intel's compiler, in both engines, and on the CPU."""

from __future__ import annotations

import warnings
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from runtime import Device
from tests.peer.generations import GENERATIONS
from tests.peer.native.ocloc import NotBuilt, compiled
from tests.peer.opencl import cpu, producers
from tests.peer.opencl.cases import Array, Case, cases
from tests.peer.opencl.refusals import known_of_cpu, known_of_ocloc

pytestmark = [
    pytest.mark.skipif(cpu.driver() is None, reason="needs OpenCL for CPUs: intel-opencl-rt of PyPI or PoCL"),
    pytest.mark.skipif(find_spec("pyopencl") is None, reason="needs pyopencl"),
]
OPTIONS = {"default": "", "O0": "-cl-opt-disable", "large": "-cl-intel-256-GRF-per-thread"}
INEXACT = {"double_parts"}
"""Kernels whose functions Intel's library computes with less precision: its `lgamma_r` of doubles uses floats."""

IMAGES_WITHOUT_A_PEER = {"depths"}
"""Kernels whose results differ that the CPU does not run: our compiler knows depths from the types of images."""

COMPILED_FOR = {"pvc": ("pvc", "dg2"), "arc": ("dg2",)}
"""The devices that kernels are compiled for: DG2 has images, and no doubles."""

CASES = [
    (case, gpu, options, generation)
    for generation in GENERATIONS
    for case in cases()
    for gpu in COMPILED_FOR[case.target]
    for options in OPTIONS
    if case.name not in INEXACT and (gpu, options) != ("dg2", "large")
]


@cache
def device(gpu: str, engine: str) -> Device:
    return Device({"pvc": "pvc", "dg2": "arc"}[gpu], engine=engine)


def expected(case: Case) -> list[Array]:
    """Returns what a case computes on the CPU, or else what it does when our compiler has compiled it."""
    (answer,) = cpu.run([case])
    if not isinstance(answer, str):
        return answer
    assert known_of_cpu(case.name) is not None, f"the CPU does not run it: {answer}"
    if case.name in IMAGES_WITHOUT_A_PEER:
        pytest.skip("the CPU does not run it, and our compiler gives other results")
    ours = device({"pvc": "pvc", "arc": "dg2"}[case.target], "jit")
    return producers.launched(case, producers.compiled(case, "llvm", ours), ours)


@pytest.mark.sampled(every=240, all=12)
@pytest.mark.parametrize(
    ("case", "gpu", "options", "generation"), CASES, ids=lambda value: getattr(value, "name", value)
)
def test_a_native_kernel_gives_what_the_cpu_gives(
    case: Case, gpu: str, options: str, generation: str, tmp_path: Path
) -> None:
    (tmp_path / "k.cl").write_text(case.text)
    try:
        binary = compiled(tmp_path / "k.cl", gpu, tmp_path, generation, OPTIONS[options])
    except NotBuilt:
        if (reason := known_of_ocloc(case.text, gpu)) is None:
            raise
        pytest.skip(f"ocloc does not compile it: {reason}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        devices = [device(gpu, engine) for engine in ("interpreter", "jit")]
        found = [producers.launched(case, each.load(binary), each) for each in devices]
        wanted = expected(case)
    for first, second in zip(*found, strict=True):
        assert first.tobytes() == second.tobytes()
    assert case.difference(found[0], wanted) is None
