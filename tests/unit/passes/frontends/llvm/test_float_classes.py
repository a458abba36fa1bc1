"""`llvm.is.fpclass`, of each class and of several, against the bits of numpy's floats."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import Device

CLASSES = ("snan", "qnan", "-inf", "-normal", "-subnormal", "-0", "0", "subnormal", "normal", "inf")
"""The classes in the order of their bits in a mask."""
SIZES = {"half": (np.float16, np.uint16), "float": (np.float32, np.uint32), "double": (np.float64, np.uint64)}
MASKS = (*(1 << bit for bit in range(2, 10)), 0, 3, 0x204, 0x60, 0x90, 0x240, 0x1F8, 0x3FC, 0x3FF, 0x264)
"""Signaling and quiet NaNs come together, as kernels do not tell them apart."""


def class_of(value: float, tiny: float) -> str:
    if np.isnan(value):
        return "qnan"
    sign = "-" if np.signbit(value) else ""
    if np.isinf(value):
        return f"{sign}inf"
    if value == 0:
        return f"{sign}0"
    return f"{sign}{'subnormal' if abs(value) < tiny else 'normal'}"


@pytest.mark.parametrize("type", SIZES)
def test_classes(type: str) -> None:
    numbers, integers = SIZES[type]
    info = np.finfo(numbers)
    limits = [0.0, info.smallest_subnormal, info.tiny - info.smallest_subnormal, info.tiny, 1.5, info.max, np.inf]
    inputs = np.array([sign * limit for limit in limits for sign in (1, -1)] + [np.nan, -np.nan], numbers)
    width = inputs.itemsize * 8
    suffix = f"f{width}"
    tests = "\n".join(
        f"""  %t{i} = call i1 @llvm.is.fpclass.{suffix}({type} %x, i32 {mask})
  %w{i} = zext i1 %t{i} to i32
  %s{i} = shl i32 %w{i}, {i}
  %r{i + 1} = or i32 %r{i}, %s{i}"""
        for i, mask in enumerate(MASKS)
    )
    text = f"""target triple = "spir64-unknown-unknown"
declare i1 @llvm.is.fpclass.{suffix}({type}, i32)
declare spir_func i64 @_Z13get_global_idj(i32)
define spir_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) {{
  %i = call spir_func i64 @_Z13get_global_idj(i32 0)
  %p = getelementptr {type}, ptr addrspace(1) %in, i64 %i
  %x = load {type}, ptr addrspace(1) %p
  %r0 = add i32 0, 0
{tests}
  %q = getelementptr i32, ptr addrspace(1) %out, i64 %i
  store i32 %r{len(MASKS)}, ptr addrspace(1) %q
  ret void
}}
"""
    out = np.zeros(len(inputs), np.uint32)
    Device("pvc").compile(text, language="llvm")["k"][(1,), (len(inputs),)](inputs.view(integers), out)
    expected = [
        sum(bool(mask >> CLASSES.index(class_of(x, info.tiny)) & 1) << i for i, mask in enumerate(MASKS))
        for x in inputs
    ]
    assert out.tolist() == expected
