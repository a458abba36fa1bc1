"""Prints of OpenCL C: hexadecimal floats and pointers."""

from __future__ import annotations

import numpy as np
import pytest

from passes.frontends.opencl import find_compiler
from runtime import Device

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="needs clang, which translates OpenCL C")


def test_hexadecimal_floats_and_pointers(capsys: pytest.CaptureFixture[str]) -> None:
    device = Device("pvc")
    text = r"""kernel void k(global float *a, constant int *c) {
      local int t[4];
      printf("%a %.2A %v2a\n", a[0], a[1], (float2)(a[2], a[0]));
      printf("%p %p\n", a + 1, c);
      printf("%d\n", (uint)(uintptr_t)t < 65536);
    }"""
    numbers = device.array(np.array([1.5, -0.1, 1024], np.float32))
    table = device.array(np.zeros(4, np.int32))
    device.compile(text, language="opencl")["k"][(1,), (1,)](numbers, table)
    floats, pointers, is_small, _ = capsys.readouterr().out.split("\n")
    assert floats == "0x1.8p+0 -0X1.9AP-4 0x1p+10,0x1.8p+0"
    assert (pointers, is_small) == (f"{numbers.address + 4:#x} {table.address:#x}", "1")
