"""Tests that Intel's compiler makes our kernels wait for everything that they depend on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.peer.native.test_iga64 import CASES, DEVICES, codes
from xegpu.isa.native import find_hazards


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize(("kernel", "device", "options"), CASES)
def test_compiled_kernels_have_no_hazards(kernel: Path, device: str, options: str, tmp_path: Path) -> None:
    """Only the compiler of the distribution is judged: some kernels of today's compiler are reported as well.

    These are `math` on PVC, `fence` and `slm` there without optimizations, and `img` on DG2 without them. It is not
    known whether that compiler or this judgement is right.
    """
    for code in codes(kernel, device, options, tmp_path, "installed"):
        assert not find_hazards(DEVICES[device], code)
