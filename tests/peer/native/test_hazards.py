"""Tests that Intel's compiler makes our kernels wait for everything that they depend on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.peer.native.test_iga64 import CASES, DEVICES, OCLOC, compiled
from xegpu.isa.native import find_hazards

pytestmark = pytest.mark.skipif(OCLOC is None, reason="ocloc (package intel-opencl-icd) is not installed")


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(("kernel", "device", "options"), CASES)
def test_compiled_kernels_have_no_hazards(kernel: Path, device: str, options: str, tmp_path: Path) -> None:
    for code in compiled(kernel, device, options, tmp_path):
        assert not find_hazards(DEVICES[device], code)
