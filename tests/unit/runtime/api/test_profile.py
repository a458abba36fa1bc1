"""Profiles through the Python API, and kernel timestamps through Level Zero."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import runtime.ze as ze
from runtime import Device
from tests.unit.passes.kernels.gemm import Gemm

FILL = """
gpu.module @m {
  gpu.func @fill(%out: memref<1024xf32>, %times: index) kernel {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = arith.constant 1.0 : f32
    %id = gpu.global_id x
    %sum = scf.for %i = %c0 to %times step %c1 iter_args(%a = %one) -> (f32) {
      %b = arith.addf %a, %one : f32
      scf.yield %b : f32
    }
    memref.store %sum, %out[%id] : memref<1024xf32>
    gpu.return
  }
}
"""


@pytest.mark.parametrize("engine", ["jit", "interpreter"])
def test_a_gemm_counts_its_operations(engine: str) -> None:
    gemm = Gemm(64, 64, 64, tiles=(2, 2))
    device = Device("pvc", engine, profile=True)
    (kernel,) = device.compile(gemm.text(), "gemm.mlir").values()
    a = b = np.ones((64, 64), ml_dtypes.bfloat16)
    result = kernel[gemm.grid, gemm.block](a, b, np.zeros((64, 64), np.float32))
    profile = result.profile
    assert profile is not None
    assert profile.roofline is not None
    assert profile.roofline.operations == 2 * 64**3
    assert profile.roofline.precision == "dpas bf"
    assert profile.statistics.instructions == result.instructions
    assert {line.place.file for line in profile.lines if line.place is not None} == {"gemm.mlir"}
    stored = sum(t.bytes for t in profile.traffic if t.access == "store")
    assert stored == 64 * 64 * 4


def test_no_profile_unless_asked_for() -> None:
    device = Device("pvc")
    result = device.compile(FILL)["fill"][1, (16,)](np.zeros(1024, np.float32), 3)
    assert result.profile is None
    assert "profile" not in repr(result)


def test_results_are_the_same_with_a_profile() -> None:
    arrays = []
    for profile in (False, True):
        out = np.zeros(1024, np.float32)
        Device("pvc", profile=profile).compile(FILL)["fill"][4, (16,)](out, 7)
        arrays.append(out)
    assert np.array_equal(arrays[0], arrays[1])
    assert arrays[0][63] == 8


def test_kernel_timestamps_follow_the_estimate() -> None:
    """They do not depend on how long the simulation takes: the first launch compiles."""
    binary = Device("pvc").compile(FILL).binary
    ze.zeInit()
    (driver,) = ze.zeDriverGet()
    device = next(device for device in ze.zeDeviceGet(driver) if "Max 1550" in ze.zeDeviceGetProperties(device).name)
    context = ze.zeContextCreate(driver, ze.ze_context_desc_t())
    module, _ = ze.zeModuleCreate(context, device, ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, binary))
    kernel = ze.zeKernelCreate(module, ze.ze_kernel_desc_t("fill"))
    ze.zeKernelSetGroupSize(kernel, 16, 1, 1)
    memory = ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(), 4096, 64, device)
    mode = ze.ze_command_queue_mode_t.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS
    commands = ze.zeCommandListCreateImmediate(context, device, ze.ze_command_queue_desc_t(mode=mode))
    flags = ze.ze_event_pool_flags_t.ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP
    pool = ze.zeEventPoolCreate(context, ze.ze_event_pool_desc_t(flags, 8))
    resolution, spans = ze.zeDeviceGetProperties(device).timerResolution, []
    for number, times in enumerate((100_000, 100_000, 200_000)):
        event = ze.zeEventCreate(pool, ze.ze_event_desc_t(number))
        ze.zeKernelSetArgumentValue(kernel, 0, 8, memory)
        ze.zeKernelSetArgumentValue(kernel, 1, 8, np.int64(times))
        ze.zeCommandListAppendLaunchKernel(commands, kernel, ze.ze_group_count_t(1), event)
        found = ze.zeEventQueryKernelTimestamp(event).global_
        spans.append((found.kernelStart, found.kernelEnd))
    first, second, third = ((end - start) % (1 << 32) * resolution for start, end in spans)
    assert first == second
    assert third == pytest.approx(2 * first, rel=0.01)
    assert first >= 100_000 * 11 / 1.6, "each turn waits for the sum of the one before"
    ends = [tick for span in spans for tick in span]
    assert ends == sorted(ends)
