"""Intel's tools accept the native code that kernels of the gallery become."""

from __future__ import annotations

from pathlib import Path

import pytest

from passes.pipelines import read_module, run_to_kernels, xe_passes
from passes.xe.select_code import NATIVE
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

PATHS = [
    (target, path)
    for path in sorted(EXAMPLES.rglob("*.mlir"))
    for target in (PVC, ARC)
    if (".arc." in path.name) == (target is ARC) and "programs" not in path.parts
    if target is PVC or path.parent.name not in WITHOUT_MACROS
]
NAMES = [f"{path.parent.name}-{path.name}" for _, path in PATHS]
DEVICES = {PVC.name: "pvc", ARC.name: "dg2"}


def compiled(path: Path, target: Target) -> list[CompiledKernel]:
    context, module = read_module(SourceBuffer(str(path), path.read_text()))
    return run_to_kernels(context, module, xe_passes(target.name, code=NATIVE))


@pytest.mark.sampled(every=30)
@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize(("target", "path"), PATHS, ids=NAMES)
def test_text_is_that_of_iga64(target: Target, path: Path, generation: str, tmp_path: Path) -> None:
    for kernel in compiled(path, target):
        text, refused = theirs(kernel.code, target.platform, tmp_path, generation)
        assert not refused
        for offset, instruction in native_instructions(target.platform, kernel.code):
            assert words_of(format_native(instruction)) == text[offset]


@pytest.mark.sampled(every=30)
@pytest.mark.parametrize(("target", "path"), PATHS, ids=NAMES)
def test_the_driver_takes_the_zebin(target: Target, path: Path, probe: Path, tmp_path: Path) -> None:
    kernels = compiled(path, target)
    understood = load(probe, build(target, kernels), DEVICES[target.name], tmp_path)
    assert {name: properties.arguments for name, properties in understood.items()} == {
        kernel.name: len(kernel.facts.arguments) for kernel in kernels
    }
