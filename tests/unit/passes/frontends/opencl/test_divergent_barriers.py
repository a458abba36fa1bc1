"""Barriers and work-group functions under conditions; `python -m tests.bulk.divergent_barriers` checks many more."""

from __future__ import annotations

import numpy as np
import pytest

from passes.frontends.opencl import find_compiler
from runtime import Device, ZeError
from tests.bulk.divergent_barriers import check, examples

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C")

EARLY_RETURN = """
__attribute__((intel_reqd_sub_group_size(16))) kernel void k(global int *a, int n) {
  local int t[32];
  int l = get_local_id(0);
  if (l >= n) return;
  t[l] = a[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[l] = t[n - 1 - l];
}
"""


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("seed", range(8))
def test_random_kernels(seed: int) -> None:
    for example in examples(seed, 1):
        check(example)


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
def test_early_returns(engine: str) -> None:
    """A subgroup without any work-item at the barrier has ended, and the others wait for it."""
    kernel = Device("pvc", engine=engine).compile(EARLY_RETURN, language="opencl")["k"]
    values = np.arange(32, dtype=np.int32)
    kernel[(1,), (32,)](values, np.int32(20))
    assert values.tolist() == [*range(19, -1, -1), *range(20, 32)]
    with pytest.raises(ZeError, match="1 of 2 subgroups wait, the others have ended"):
        kernel[(1,), (32,)](values, np.int32(16))
