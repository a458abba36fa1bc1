"""Intel's tools accept the native code that kernels of the gallery become."""

from __future__ import annotations

from pathlib import Path

import pytest

from passes.pipelines import read_module, run_to_kernels, xe_passes
from passes.xe.select_code import NATIVE
from tests.paths import ROOT
from tests.peer.native.test_iga64 import IGA, theirs, words_of
from tests.peer.test_zebin_driver import load, probe
from xegpu.diagnostics import SourceBuffer
from xegpu.isa import CompiledKernel
from xegpu.isa.native import NativePlatform, format_native, native_instructions
from xegpu.targets import PVC
from zebin import build

__all__ = ["probe"]

EXAMPLES = ROOT / "examples"
PATHS = sorted(path for path in EXAMPLES.rglob("*.mlir") if ".arc." not in path.name and "programs" not in path.parts)


def compiled(path: Path) -> list[CompiledKernel]:
    context, module = read_module(SourceBuffer(str(path), path.read_text()))
    return run_to_kernels(context, module, xe_passes(PVC.name, code=NATIVE))


@pytest.mark.skipif(IGA is None, reason="iga64 (package libigc-tools) is not installed")
@pytest.mark.sampled(every=30)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_text_is_that_of_iga64(path: Path, tmp_path: Path) -> None:
    for kernel in compiled(path):
        text, refused = theirs(kernel.code, NativePlatform.XE_HPC, tmp_path)
        assert not refused
        for offset, instruction in native_instructions(NativePlatform.XE_HPC, kernel.code):
            assert words_of(format_native(instruction)) == text[offset]


@pytest.mark.sampled(every=30)
@pytest.mark.parametrize("path", PATHS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_the_driver_takes_the_zebin(path: Path, probe: Path, tmp_path: Path) -> None:
    kernels = compiled(path)
    understood = load(probe, build(PVC, kernels), "pvc", tmp_path)
    assert {name: properties.arguments for name, properties in understood.items()} == {
        kernel.name: len(kernel.facts.arguments) for kernel in kernels
    }
