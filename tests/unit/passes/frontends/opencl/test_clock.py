"""Kernels that read the clock: it goes on, and tells the same to both engines."""

from __future__ import annotations

import re

import numpy as np
import pytest

from passes.frontends.opencl import find_compiler
from passes.frontends.spirv import assemble
from runtime import Device
from xegpu.diagnostics import CompileError

SOURCE = """
kernel void k(global ulong *times, global uint2 *halves, global ulong *x) {
  size_t i = get_global_id(0);
  ulong start = clock_read_device();
  x[i] *= 3;
  ulong middle = clock_read_sub_group();
  barrier(CLK_GLOBAL_MEM_FENCE);
  for (uint j = 0; j < get_local_id(0) / 16; j++) x[i] += x[(i + j) % 64];
  halves[i] = clock_read_hilo_work_group();
  times[2 * i] = start;
  times[2 * i + 1] = middle;
}
"""
SPIRV = """
OpCapability Addresses
OpCapability Kernel
OpCapability Int64
OpCapability ShaderClockKHR
OpExtension "SPV_KHR_shader_clock"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %k "k"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%pair = OpTypeVector %uint 2
%pointer = OpTypePointer CrossWorkgroup %ulong
%pairs = OpTypePointer CrossWorkgroup %pair
%type = OpTypeFunction %void %pointer %pairs
%scope = OpConstant %uint SCOPE
%k = OpFunction %void None %type
%p = OpFunctionParameter %pointer
%q = OpFunctionParameter %pairs
%entry = OpLabel
%a = OpReadClockKHR %ulong %scope
OpStore %p %a Aligned 8
%b = OpReadClockKHR %pair %scope
OpStore %q %b Aligned 8
OpReturn
OpFunctionEnd
"""


@pytest.mark.skipif(find_compiler() is None, reason="clang is not installed")
@pytest.mark.parametrize("gpu", ["pvc", "arc"])
def test_clocks_of_opencl(gpu: str) -> None:
    found = []
    for engine in ("jit", "interpreter"):
        times, halves, x = np.zeros((64, 2), np.uint64), np.zeros((64, 2), np.uint32), np.arange(64, dtype=np.uint64)
        Device(gpu, engine=engine).compile(SOURCE, "clock.cl")["k"](times, halves, x, grid=2, block=32)
        found.append((times, halves))
    (times, halves), other = found
    np.testing.assert_array_equal(times, other[0])
    np.testing.assert_array_equal(halves, other[1])
    end = halves.astype(np.uint64) @ np.array([1, 1 << 32], np.uint64)
    assert (times[:, 0] < times[:, 1]).all() and (times[:, 1] < end).all()
    # The second subgroup of a group has a loop of one iteration.
    assert len(set(end[:16])) == 1 and end[16] > end[0] and (end[:32] == end[32:]).all()


@pytest.mark.parametrize("scope", [1, 2, 3])
def test_clocks_of_spirv(scope: int) -> None:
    """A time is a number of 64 bits or two of 32, the low one first."""
    time, halves = np.zeros(1, np.uint64), np.zeros(2, np.uint32)
    Device("pvc").compile(assemble(SPIRV.replace("SCOPE", str(scope))))["k"](time, halves, grid=1, block=1)
    assert int(time[0]) < int(halves[0]) and halves[1] == 0


def test_other_scopes_have_no_clock() -> None:
    message = "reads the clock of scope 4, expected device (1), work-group (2) or subgroup (3)"
    with pytest.raises(CompileError, match=re.escape(message)):
        Device("pvc").compile(assemble(SPIRV.replace("SCOPE", "4")))
