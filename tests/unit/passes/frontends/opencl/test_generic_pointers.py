"""The memories of generic pointers, as OpenCL C asks for them."""

from __future__ import annotations

import numpy as np
import pytest

from passes.frontends.opencl import find_compiler
from runtime import Device

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="clang is not installed")

SOURCE = """
kernel void k(global int *x, global int *y) {
  size_t i = get_global_id(0);
  local int l[16];
  int p[2] = {30, 31};
  l[get_local_id(0)] = 20 + i;
  int *q = i % 3 == 0 ? x + i : i % 3 == 1 ? (int *)&l[get_local_id(0)] : (int *)p;
  global int *g = to_global(q);
  local int *m = to_local(q);
  private int *own = to_private(q);
  y[4 * i] = g ? *g : -1;
  y[4 * i + 1] = m ? *m : -1;
  y[4 * i + 2] = own ? *own : -1;
  y[4 * i + 3] = get_fence(q);
}
"""


@pytest.mark.parametrize("gpu", ["pvc", "arc"])
def test_a_pointer_is_null_in_other_memories(gpu: str) -> None:
    x, y = np.arange(100, 116, dtype=np.int32), np.zeros((16, 4), np.int32)
    Device(gpu).compile(SOURCE, "generic.cl")["k"][1, (16,)](x, y)
    kinds = {0: lambda i: [100 + i, -1, -1, 2], 1: lambda i: [-1, 20 + i, -1, 1], 2: lambda i: [-1, -1, 30, 0]}
    assert y.tolist() == [kinds[i % 3](i) for i in range(16)]
