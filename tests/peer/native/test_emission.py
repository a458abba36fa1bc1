"""Intel's tools accept what kernels of the gallery become, in either form of code."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from passes.pipelines import read_module, run_to_kernels, xe_passes
from passes.xe.select_code import NATIVE, VIRTUAL
from tests.paths import ROOT
from tests.peer.generations import GENERATIONS
from tests.peer.native.test_iga64 import theirs, words_of
from tests.peer.test_zebin_driver import load, probe
from xegpu.diagnostics import SourceBuffer
from xegpu.isa import CompiledKernel
from xegpu.isa.native import format_native, native_instructions
from xegpu.targets import ARC, PVC, Target
from zebin import build

__all__ = ["probe"]

EXAMPLES = ROOT / "examples"
WITHOUT_MACROS = {"flash_attention", "flash_attention_causal", "gemm_gelu", "layer_norm", "softmax"}
"""The folders of kernels that divide floats, which there is no native code for on ARC."""

EXAMPLE_FILES = [
    (target, path)
    for path in sorted(EXAMPLES.rglob("*.mlir"))
    for target in (PVC, ARC)
    if (".arc." in path.name) == (target is ARC) and "programs" not in path.parts
]
PATHS = [(target, path) for target, path in EXAMPLE_FILES if target is PVC or path.parent.name not in WITHOUT_MACROS]
NAMES = [f"{path.parent.name}-{path.name}" for _, path in PATHS]
FORMS = [
    (target, path, code)
    for target, path in EXAMPLE_FILES
    for code in (VIRTUAL, NATIVE)
    if code == VIRTUAL or (target, path) in PATHS
]
DEVICES = {PVC.name: "pvc", ARC.name: "dg2"}


@cache
def compiled(path: Path, target: Target, code: str = NATIVE) -> list[CompiledKernel]:
    context, module = read_module(SourceBuffer(str(path), path.read_text()))
    return run_to_kernels(context, module, xe_passes(target.name, code=code))


@pytest.mark.sampled(every=30)
@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize(("target", "path"), PATHS, ids=NAMES)
def test_text_is_that_of_iga64(target: Target, path: Path, generation: str, tmp_path: Path) -> None:
    for kernel in compiled(path, target):
        text, refused = theirs(kernel.code, target.platform, tmp_path, generation)
        assert not refused
        for offset, instruction in native_instructions(target.platform, kernel.code):
            assert words_of(format_native(instruction)) == text[offset]


@pytest.mark.sampled(every=200)
@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize(
    ("target", "path", "code"), FORMS, ids=[f"{path.parent.name}-{path.name}-{code}" for _, path, code in FORMS]
)
def test_the_driver_takes_the_zebin(
    target: Target, path: Path, code: str, generation: str, probe: Path, tmp_path: Path
) -> None:
    kernels = compiled(path, target, code)
    understood = load(probe, build(target, kernels), DEVICES[target.name], tmp_path, generation)
    assert {name: properties.arguments for name, properties in understood.items()} == {
        kernel.name: len(kernel.facts.arguments) for kernel in kernels
    }
