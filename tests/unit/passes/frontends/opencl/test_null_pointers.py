"""No object of a kernel is where the null pointer points, in any memory."""

from __future__ import annotations

import numpy as np
import pytest

from passes.frontends.opencl import find_compiler
from runtime import Device

SOURCE = """
kernel void shared(global int *o, int which, local int *passed) {
  local int a[16];
  int i = get_local_id(0);
  a[i] = i;
  local int *p = which ? a : (local int *)0;
  local int *q = which == 2 ? passed : p;
  o[4 * i] = p != 0; o[4 * i + 1] = a == p; o[4 * i + 2] = q != 0; o[4 * i + 3] = (i > 3 ? &a[i - 4] : 0) != 0;
}
kernel void generic_pointers(global int *o, int which) {
  int x[4] = {which, which, 2, 3};
  generic int *p = which ? (generic int *)&x[which & 2] : (generic int *)0;
  generic int *r = which > 1 ? (generic int *)o : p;
  o[get_global_id(0)] = (p != 0) + (r == 0) * 2 + (r != p) * 4;
}
kernel void only_passed(global int *o, local int *passed, int which) {
  local int *q = which ? passed : 0;
  o[get_global_id(0)] = q != 0;
}
"""


@pytest.mark.skipif(find_compiler() is None, reason="OpenCL C needs a clang")
def test_no_object_is_at_null() -> None:
    module = Device().compile(SOURCE, language="opencl")
    for which in range(3):
        there = int(which > 0)
        result = np.zeros((16, 4), np.int32)
        module["shared"][(1,), (16,)](result, which, 64)
        assert (result[:, :3] == there).all()
        np.testing.assert_array_equal(result[:, 3], np.arange(16) > 3)
        result = np.zeros(16, np.int32)
        module["generic_pointers"][(1,), (16,)](result, which)
        assert (result == there + (1 - there) * 2 + (which > 1) * 4).all()
        module["only_passed"][(1,), (16,)](result, 64, which)
        assert (result == there).all()
