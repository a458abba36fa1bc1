"""Tests of the options that select checks."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import Device, ZeError, ze
from runtime.simulator.checks import Check, choose_checks, choose_engine, observers_of, parse_checks
from runtime.ze.driver.system.driver import simulated_driver
from xegpu.targets import PVC

COPY = """
gpu.module @m {
  gpu.func @copy(%a: memref<16xf32>, %b: memref<16xf32>) kernel
      attributes {spirv.entry_point_abi = #spirv.entry_point_abi<subgroup_size = 16>} {
    %i = gpu.thread_id x
    %v = memref.load %a[%i] : memref<16xf32>
    memref.store %v, %b[%i] : memref<16xf32>
    gpu.return
  }
}
"""


def test_names() -> None:
    assert parse_checks("races, layout") == {Check.RACES, Check.LAYOUT}
    assert parse_checks(["memory"]) == {Check.MEMORY}
    assert parse_checks("all") == set(Check)
    assert parse_checks("") == parse_checks(()) == set()
    with pytest.raises(ValueError, match="unknown check 'race', expected one of: all, memory, uninitialized, "):
        parse_checks("memory,race")


def test_environment() -> None:
    assert choose_checks(None, {}) == set()
    assert choose_checks(None, {"XEGPU_CHECKS": "races"}) == {Check.RACES}
    assert choose_checks("layout", {"XEGPU_CHECKS": "races"}) == {Check.LAYOUT}
    assert choose_checks((), {"XEGPU_CHECKS": "races"}) == set()
    with pytest.raises(ValueError, match="XEGPU_CHECKS: unknown check 'x'"):
        choose_checks(None, {"XEGPU_CHECKS": "x"})


def test_engine() -> None:
    assert choose_engine(None, ()) == choose_engine(None, {Check.MEMORY}) == "jit"
    assert choose_engine(None, {Check.MEMORY, Check.RACES}) == "interpreter"
    assert observers_of({Check.MEMORY}) == ()
    assert Device("pvc", checks="memory").engine == "jit"
    assert Device("pvc", checks="races").engine == "interpreter"
    with pytest.raises(ValueError, match="engine 'jit' cannot be observed"):
        Device("pvc", "jit", checks="races")


def test_buffers_have_values_when_they_were_written() -> None:
    device = Device("pvc", checks="all")
    kernel = device.compile(COPY, "copy.mlir")["copy"]
    source, target = device.empty(16), device.empty(16)
    with pytest.raises(ZeError, match="use of uninitialized memory in kernel 'copy'") as error:
        kernel[1, (16,)](source, target)
    assert "source: copy.mlir:7:5" in str(error.value)
    assert "source: copy.mlir:6:10" in str(error.value)
    source.write(np.arange(16))
    kernel[1, (16,)](source, target)
    assert target.numpy().tolist() == list(range(16))


def test_copies_have_the_values_that_the_original_has() -> None:
    driver = simulated_driver((PVC,), checks="uninitialized")
    (device,) = ze.zeDeviceGet(driver)
    context = ze.zeContextCreate(driver, ze.ze_context_desc_t())
    mode = ze.ze_command_queue_desc_t(mode=ze.ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS)
    commands = ze.zeCommandListCreateImmediate(context, device, mode)
    source, target = (ze.zeMemAllocDevice(context, ze.ze_device_mem_alloc_desc_t(), 64, 0, device) for _ in range(2))
    ze.zeCommandListAppendMemoryFill(commands, source + 8, b"\1", 1, 8)
    ze.zeCommandListAppendMemoryCopy(commands, target, source, 32)
    ze.zeCommandListAppendMemoryCopy(commands, target + 40, bytes(4), 4)
    ze.zeCommandListAppendMemoryCopy(commands, target + 4, target, 16)
    usm = context.usm(target)
    assert usm is not None
    assert usm.allocation.initialized is not None
    assert np.flatnonzero(usm.allocation.initialized).tolist() == [*range(12, 20), *range(40, 44)]


def test_the_environment_counts_for_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XEGPU_CHECKS", "races")
    device = Device("pvc")
    assert device.engine == "interpreter"
    kernel = device.compile(COPY)["copy"]
    a, b = np.ones(16, np.float32), np.zeros(16, np.float32)
    with pytest.raises(ZeError, match="data race"):
        kernel[2, (16,)](a, b)
