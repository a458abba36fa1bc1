"""The sequences of the guide of specification 0.91 that run kernels: barriers, launches, indirect arguments."""

from __future__ import annotations

from ctypes import c_uint32, c_uint64

import pytest

from runtime import ze
from tests.unit.runtime.ze.seed.test_samples import KERNEL, LIST, QUEUE, UINT32_MAX
from xegpu.targets import PVC

KERNELS = b"""
gpu.module @kernels {
  gpu.func @triple(%number: memref<1xi32>) kernel {
    %zero = arith.constant 0 : index
    %three = arith.constant 3 : i32
    %old = memref.load %number[%zero] : memref<1xi32>
    %new = arith.muli %old, %three : i32
    memref.store %new, %number[%zero] : memref<1xi32>
    gpu.return
  }
  gpu.func @follow(%begin: i64) kernel {
    %first = llvm.inttoptr %begin : i64 to !llvm.ptr<1>
    %second = llvm.load %first : !llvm.ptr<1> -> !llvm.ptr<1>
    %third = llvm.load %second : !llvm.ptr<1> -> !llvm.ptr<1>
    %seven = arith.constant 7 : i64
    llvm.store %seven, %third : i64, !llvm.ptr<1>
    gpu.return
  }
}
"""
ONE = ze.ze_group_count_t(1, 1, 1)


@pytest.fixture
def driver() -> ze.ze_driver_handle_t:
    return ze.simulated_driver((PVC,))


@pytest.fixture
def code(device) -> ze.ze_module_handle_t:
    desc = ze.ze_module_desc_t(
        version=ze.ZE_MODULE_DESC_VERSION_CURRENT, format=ze.ZE_MODULE_FORMAT_MLIR_EXP, pInputModule=KERNELS
    )
    return ze.zeModuleCreate(device, desc)[0]


def kernel_of(code: ze.ze_module_handle_t, name: str, argument: int) -> ze.ze_kernel_handle_t:
    desc = ze.ze_kernel_desc_t(version=KERNEL.version, flags=KERNEL.flags, pKernelName=name)
    kernel = ze.zeKernelCreate(code, desc)
    ze.zeKernelSetArgumentValue(kernel, 0, 8, argument)
    return kernel


def host_number(driver: ze.ze_driver_handle_t, value: int) -> tuple[int, c_uint64]:
    """Returns a number in memory of the host, with its address."""
    address = ze.zeDriverAllocHostMem(driver, ze.ze_host_mem_alloc_desc_t(), 8, 8)
    found = c_uint64.from_address(address)
    found.value = value
    return address, found


def executed(device: ze.ze_device_handle_t, commands: ze.ze_command_list_handle_t) -> None:
    ze.zeCommandListClose(commands)
    queue = ze.zeCommandQueueCreate(device, QUEUE)
    desc = ze.ze_fence_desc_t(version=ze.ZE_FENCE_DESC_VERSION_CURRENT, flags=ze.ZE_FENCE_FLAG_NONE)
    fence = ze.zeFenceCreate(queue, desc)
    ze.zeCommandQueueExecuteCommandLists(queue, [commands], fence)
    assert ze.zeFenceHostSynchronize(fence, UINT32_MAX) == ze.ZE_RESULT_SUCCESS


def test_barriers(driver, device, code) -> None:
    """One for all, one by an event for execution, one by an event for memory, and one for a range."""
    address, number = host_number(driver, 1)
    kernel = kernel_of(code, "triple", address)
    commands = ze.zeCommandListCreate(device, LIST)
    ze.zeCommandListAppendLaunchKernel(commands, kernel, ONE, None, None)
    ze.zeCommandListAppendBarrier(commands, None, None)
    pool_desc = ze.ze_event_pool_desc_t(
        version=ze.ZE_EVENT_POOL_DESC_VERSION_CURRENT, flags=ze.ZE_EVENT_POOL_FLAG_DEFAULT, count=2
    )
    pool = ze.zeEventPoolCreate(driver, pool_desc, None)
    for index, scope in enumerate((ze.ZE_EVENT_SCOPE_FLAG_NONE, ze.ZE_EVENT_SCOPE_FLAG_DEVICE)):
        desc = ze.ze_event_desc_t(
            version=ze.ZE_EVENT_DESC_VERSION_CURRENT, index=index, signal=scope, wait=ze.ZE_EVENT_SCOPE_FLAG_NONE
        )
        event = ze.zeEventCreate(pool, desc)
        ze.zeCommandListAppendLaunchKernel(commands, kernel, ONE, event, None)
        ze.zeCommandListAppendLaunchKernel(commands, kernel, ONE, None, [event])
    ze.zeCommandListAppendMemoryRangesBarrier(commands, [4], [address], None, None)
    ze.zeCommandListAppendLaunchKernel(commands, kernel, ONE, None, None)
    executed(device, commands)
    assert number.value == 3**6


def test_arguments_and_launches(driver, device, code) -> None:
    """Arguments are copied by each append, and the numbers of groups may stand in memory."""
    (first_at, first), (second_at, second) = (host_number(driver, 1) for _ in range(2))
    kernel = kernel_of(code, "triple", first_at)
    x, y, z = ze.zeKernelSuggestGroupSize(kernel, 1, 1, 1)
    ze.zeKernelSetGroupSize(kernel, x, y, z)
    commands = ze.zeCommandListCreate(device, LIST)
    ze.zeCommandListAppendLaunchKernel(commands, kernel, ONE, None, None)
    ze.zeKernelSetArgumentValue(kernel, 0, 8, second_at)
    ze.zeCommandListAppendLaunchKernel(commands, kernel, ONE, None, None)
    counts = ze.zeDriverAllocHostMem(driver, ze.ze_host_mem_alloc_desc_t(), 12, 4)
    for place in range(3):
        c_uint32.from_address(counts + 4 * place).value = 1
    ze.zeCommandListAppendLaunchKernelIndirect(commands, kernel, counts, None, None)
    executed(device, commands)
    assert (first.value, second.value) == (3, 9)


@pytest.mark.parametrize("control", ["coarse", "fine"])
def test_residency_of_indirect_arguments(control: str, driver, device, code) -> None:
    """The nodes of a list are accessible by an attribute of the kernel, or because each is made resident."""
    third_at, third = host_number(driver, 0)
    second_at, _ = host_number(driver, third_at)
    begin, _ = host_number(driver, second_at)
    kernel = kernel_of(code, "follow", begin)
    commands = ze.zeCommandListCreate(device, LIST)
    if control == "coarse":
        ze.zeKernelSetAttribute(kernel, ze.ZE_KERNEL_ATTR_INDIRECT_HOST_ACCESS, 1, True)
        assert ze.zeKernelGetAttribute(kernel, ze.ZE_KERNEL_ATTR_INDIRECT_HOST_ACCESS)
    ze.zeCommandListAppendLaunchKernel(commands, kernel, ONE, None, None)
    nodes = (second_at, third_at) if control == "fine" else ()
    for node in nodes:
        ze.zeDeviceMakeMemoryResident(device, node, 8)
    executed(device, commands)
    for node in nodes:
        ze.zeDeviceEvictMemory(device, node, 8)
    assert third.value == 7
