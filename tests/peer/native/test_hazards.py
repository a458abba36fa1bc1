"""Tests that Intel's compiler makes our kernels wait for everything that they depend on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.peer.generations import GENERATIONS
from tests.peer.native.test_iga64 import CASES, DEVICES, codes
from xegpu.isa.native import find_hazards


@pytest.mark.sampled(every=24)
@pytest.mark.parametrize("generation", GENERATIONS)
@pytest.mark.parametrize(("kernel", "device", "options"), CASES)
def test_compiled_kernels_have_no_hazards(
    kernel: Path, device: str, options: str, generation: str, tmp_path: Path
) -> None:
    for code in codes(kernel, device, options, tmp_path, generation):
        assert not find_hazards(DEVICES[device], code)
