"""The sequences of the guide of specification 0.91 run: devices, memory, images, queues, synchronization, kernels."""

from __future__ import annotations

import numpy as np
import pytest

from runtime import ze
from tests.unit.runtime.ze import kernels
from tests.unit.runtime.ze.expect import fails

UINT32_MAX = 0xFFFF_FFFF

QUEUE = ze.ze_command_queue_desc_t(
    version=ze.ZE_COMMAND_QUEUE_DESC_VERSION_CURRENT,
    flags=ze.ZE_COMMAND_QUEUE_FLAG_NONE,
    mode=ze.ZE_COMMAND_QUEUE_MODE_DEFAULT,
    priority=ze.ZE_COMMAND_QUEUE_PRIORITY_NORMAL,
    ordinal=0,
)
LIST = ze.ze_command_list_desc_t(version=ze.ZE_COMMAND_LIST_DESC_VERSION_CURRENT, flags=ze.ZE_COMMAND_LIST_FLAG_NONE)
KERNEL = ze.ze_kernel_desc_t(
    version=ze.ZE_KERNEL_DESC_VERSION_CURRENT, flags=ze.ZE_KERNEL_FLAG_NONE, pKernelName="empty"
)
ARGUMENTS = ze.ze_group_count_t(1, 1, 1)


@pytest.fixture
def code(device) -> ze.ze_module_handle_t:
    desc = ze.ze_module_desc_t(
        version=ze.ZE_MODULE_DESC_VERSION_CURRENT,
        format=ze.ZE_MODULE_FORMAT_NATIVE,
        pInputModule=kernels.binary(kernels.COPY, kernels.EMPTY),
    )
    return ze.zeModuleCreate(device, desc)[0]


def test_finding_a_gpu() -> None:
    ze.zeInit(ze.ZE_INIT_FLAG_NONE)
    found = [
        (driver, device)
        for driver in ze.zeDriverGet()
        for device in ze.zeDeviceGet(driver)
        if ze.zeDeviceGetProperties(device).type == ze.ZE_DEVICE_TYPE_GPU
    ]
    assert found


def test_uploading_an_image(driver) -> None:
    card = ze.zeDeviceGet(driver)[-1]
    swizzle = [
        ze.ZE_IMAGE_FORMAT_SWIZZLE_R,
        ze.ZE_IMAGE_FORMAT_SWIZZLE_0,
        ze.ZE_IMAGE_FORMAT_SWIZZLE_0,
        ze.ZE_IMAGE_FORMAT_SWIZZLE_1,
    ]
    desc = ze.ze_image_desc_t(
        version=ze.ZE_IMAGE_DESC_VERSION_CURRENT,
        flags=ze.ZE_IMAGE_FLAG_PROGRAM_READ,
        type=ze.ZE_IMAGE_TYPE_2D,
        format=ze.ze_image_format_desc_t(ze.ZE_IMAGE_FORMAT_LAYOUT_32, ze.ZE_IMAGE_FORMAT_TYPE_FLOAT, *swizzle),
        width=128,
        height=128,
    )
    image = ze.zeImageCreate(card, desc)
    texels = np.random.default_rng(1).random((128, 128), np.float32)
    found = np.zeros_like(texels)
    commands = ze.zeCommandListCreate(card, LIST)
    ze.zeCommandListAppendImageCopyFromMemory(commands, image, texels, None, None)
    ze.zeCommandListAppendBarrier(commands, None, None)
    ze.zeCommandListAppendImageCopyToMemory(commands, found, image, None, None)
    ze.zeCommandListClose(commands)
    queue = ze.zeCommandQueueCreate(card, QUEUE)
    ze.zeCommandQueueExecuteCommandLists(queue, [commands], None)
    assert ze.zeCommandQueueSynchronize(queue, UINT32_MAX) == ze.ZE_RESULT_SUCCESS
    np.testing.assert_array_equal(found, texels)
    ze.zeCommandListReset(commands)


def test_cache_settings(device, code) -> None:
    kernel = ze.zeKernelCreate(code, KERNEL)
    ze.zeKernelSetIntermediateCacheConfig(kernel, ze.ZE_CACHE_CONFIG_LARGE_SLM)
    with fails("UNSUPPORTED_FEATURE"):
        ze.zeDeviceSetLastLevelCacheConfig(device, ze.ZE_CACHE_CONFIG_LARGE_SLM)


def test_launching_at_once(device, code, simulator) -> None:
    commands = ze.zeCommandListCreateImmediate(device, QUEUE)
    kernel = ze.zeKernelCreate(code, KERNEL)
    ze.zeCommandListAppendLaunchKernel(commands, kernel, ARGUMENTS, None, None)
    ze.zeCommandListHostSynchronize(commands)
    assert ze.zeKernelGetProperties(kernel).name == "empty"


def test_fences(device) -> None:
    queue = ze.zeCommandQueueCreate(device, QUEUE)
    commands = ze.zeCommandListCreate(device, LIST)
    ze.zeCommandListClose(commands)
    desc = ze.ze_fence_desc_t(version=ze.ZE_FENCE_DESC_VERSION_CURRENT, flags=ze.ZE_FENCE_FLAG_NONE)
    fence = ze.zeFenceCreate(queue, desc)
    ze.zeCommandQueueExecuteCommandLists(queue, [commands], fence)
    assert ze.zeFenceHostSynchronize(fence, UINT32_MAX) == ze.ZE_RESULT_SUCCESS
    ze.zeFenceReset(fence)
    assert ze.zeFenceQueryStatus(fence) == ze.ZE_RESULT_NOT_READY


def test_events(driver, device, code) -> None:
    desc = ze.ze_event_pool_desc_t(
        version=ze.ZE_EVENT_POOL_DESC_VERSION_CURRENT, flags=ze.ZE_EVENT_POOL_FLAG_HOST_VISIBLE, count=1
    )
    pool = ze.zeEventPoolCreate(driver, desc, None)
    event = ze.zeEventCreate(
        pool,
        ze.ze_event_desc_t(
            version=ze.ZE_EVENT_DESC_VERSION_CURRENT,
            index=0,
            signal=ze.ZE_EVENT_SCOPE_FLAG_NONE,
            wait=ze.ZE_EVENT_SCOPE_FLAG_HOST,
        ),
    )
    commands = ze.zeCommandListCreate(device, LIST)
    ze.zeCommandListAppendLaunchKernel(commands, ze.zeKernelCreate(code, KERNEL), ARGUMENTS, event, None)
    ze.zeCommandListClose(commands)
    queue = ze.zeCommandQueueCreate(device, QUEUE)
    ze.zeCommandQueueExecuteCommandLists(queue, [commands], None)
    assert ze.zeEventHostSynchronize(event, UINT32_MAX) == ze.ZE_RESULT_SUCCESS
    ze.zeEventHostReset(event)
    assert ze.zeEventQueryStatus(event) == ze.ZE_RESULT_NOT_READY


def test_a_build_log(device) -> None:
    desc = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_IL_SPIRV, b"no SPIR-V")
    with pytest.raises(ze.ModuleBuildError) as failed:
        ze.zeModuleCreate(device, desc)
    log = failed.value.build_log
    assert "not SPIR-V" in ze.zeModuleBuildLogGetString(log)
    ze.zeModuleBuildLogDestroy(log)


def test_caching_native_code(device, code) -> None:
    again = ze.ze_module_desc_t(ze.ZE_MODULE_FORMAT_NATIVE, ze.zeModuleGetNativeBinary(code))
    assert ze.zeModuleGetKernelNames(ze.zeModuleCreate(device, again)[0]) == ze.zeModuleGetKernelNames(code)


def test_memory_of_the_driver(driver, device) -> None:
    """Allocation, residency, and the launch that finds the memory."""
    desc = ze.ze_device_mem_alloc_desc_t(
        version=ze.ZE_DEVICE_MEM_ALLOC_DESC_VERSION_CURRENT, flags=ze.ZE_DEVICE_MEM_ALLOC_FLAG_DEFAULT, ordinal=0
    )
    address = ze.zeDriverAllocDeviceMem(driver, desc, 4096, 4096, device)
    ze.zeDeviceMakeMemoryResident(device, address, 4096)
    commands = ze.zeCommandListCreateImmediate(device, QUEUE)
    advice = ze.ZE_MEMORY_ADVICE_SET_ACCESSED_BY
    ze.zeCommandListAppendMemAdvise(commands, device, address, 4096, advice)
    ze.zeCommandListAppendMemoryPrefetch(commands, address, 4096)
    ze.zeDeviceEvictMemory(device, address, 4096)
    ze.zeDriverFreeMem(driver, address)
