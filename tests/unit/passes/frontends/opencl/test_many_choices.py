"""Kernels with hundreds of blocks of divergent control flow."""

from __future__ import annotations

import numpy as np
import pytest

from passes.frontends.opencl import find_compiler
from runtime import Device

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C")
CHOICES = 110


@pytest.mark.sampled(every=4)
def test_many_choices_one_after_the_other() -> None:
    """Each has four blocks; the inner ones read memory, which no optimisation does ahead of its condition."""
    steps = "\n".join(
        f"if (a[i + {k}] > {k}) {{ x += a[i * {k % 7}]; if (x > 5) y -= a[{k}]; }} else y += x * {k}.5f;"
        for k in range(CHOICES)
    )
    head = "kernel void k(global const float *a, global float *b) { int i = get_global_id(0); float x = 1, y = 2;"
    text = f"{head}\n{steps}\nb[i] = x + y; }}"
    a = np.random.default_rng(1).integers(0, CHOICES, CHOICES + 128).astype(np.float32)
    out = np.zeros(16, np.float32)
    Device("pvc").compile(text, language="opencl")["k"][(1,), (16,)](a, out)
    expected = []
    for i in range(16):
        x, y = 1.0, 2.0
        for k in range(CHOICES):
            if a[i + k] > k:
                x += float(a[i * (k % 7)])
                y -= float(a[k]) if x > 5 else 0
            else:
                y += x * (k + 0.5)
        expected.append(x + y)
    np.testing.assert_allclose(out, expected, rtol=1e-5)
