"""Allocation stays near the least that any allocation could do with."""

from __future__ import annotations

import pytest

from passes.xe.allocate_registers import pressures
from tests.unit.passes.kernels.gemm import Gemm
from tests.unit.passes.kernels.harness import lower
from xegpu.targets import PVC

KERNELS = [
    Gemm(64, 64, 64),
    Gemm(64, 64, 64, tiles=(4, 2)),
    Gemm(64, 64, 64, tiles=(4, 4), loads_c=True),
    Gemm(64, 64, 64, "f16", tiles=(2, 2), transposed_b=True),
    Gemm(64, 64, 64, "i8", tiles=(4, 4)),
    Gemm(61, 67, 40, tiles=(2, 2), dynamic=True),
    Gemm(64, 64, 64, tiles=(2, 2), form="distributed"),
]


@pytest.mark.sampled(every=20)
@pytest.mark.parametrize("gemm", KERNELS, ids=str)
def test_gemms_take_a_tenth_more_than_what_is_live_at_most(gemm: Gemm) -> None:
    (pressure,) = pressures(lower(gemm.text()))
    assert pressure.used_bytes is not None
    assert pressure.spill_bytes == 0
    assert pressure.peak_bytes <= pressure.used_bytes <= 1.1 * pressure.peak_bytes + pressure.grf_bytes


def test_the_peak_is_a_bound_that_spilling_respects() -> None:
    """A kernel that needs more than there is says so before allocation, and fits after it."""
    text = Gemm(64, 64, 64, tiles=(8, 4)).text()
    (before,) = pressures(lower(text, stop=-1))
    (after,) = pressures(lower(text))
    assert before.peak_bytes > 256 * PVC.platform.grf_bytes
    assert before.used_bytes is None
    assert after.used_bytes is not None
    assert after.spill_bytes
    assert after.peak_bytes <= after.used_bytes <= 256 * PVC.platform.grf_bytes
